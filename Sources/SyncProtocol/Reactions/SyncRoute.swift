/// Where a client opens its WebSocket (P2.1).
package enum SyncRoute {
  /// The address without the token; nil if it cannot be one.
  /// - Parameters:
  ///   - syncRoute: of the answer about the location, if it has one.
  ///   - host: `ws_hostname` of that answer, with a scheme.
  package static func route(syncRoute: String?, host: String, appIdent: String) -> String? {
    let route = syncRoute ?? host + path(appIdent)
    guard route.hasPrefix("ws://") || route.hasPrefix("wss://"), !route.contains("?"), !route.contains("#") else { return nil }
    return route
  }

  /// What is asked for before any answer about the location.
  package static func path(_ appIdent: String) -> String { "/api/client/v2.0/app/\(encoded(appIdent))/realm-sync" }

  /// The address with the token, which is nowhere else.
  package static func url(route: String, accessToken: String) -> String { "\(route)?baas_at=\(encoded(accessToken))" }

  /// The path and the token of a request's target. The token is empty if there is none.
  package static func parts(ofTarget target: String) -> (path: String, token: String)? {
    let pieces = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = pieces.first, path.hasPrefix("/"), !target.contains("#") else { return nil }
    let fields = pieces.count > 1 ? pieces[1].split(separator: "&") : []
    let token = fields.first { $0.hasPrefix("baas_at=") }?.dropFirst("baas_at=".count) ?? ""
    guard let decoded = decoded(token) else { return nil }
    return (String(path), decoded)
  }

  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isPlain(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return result
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, case let pair = String(decoding: rest.prefix(2), as: UTF8.self), !pair.hasPrefix("+"), let value = UInt8(pair, radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
