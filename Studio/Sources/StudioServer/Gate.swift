import Crypto
import FlyingFox
import Foundation

/// Decides who may ask: whoever has the address that was printed, from a page that came from here.
///
/// * The address holds a random token, which is exchanged for a cookie that scripts cannot read and that no other site's request carries.
/// * The `Host` must be one of ours: a name that somebody lets point to this machine (DNS rebinding) is not.
/// * What changes something needs a header that a page of another site can send only after asking, which is never granted, and an `Origin` of ours.
struct Gate: Sendable {
  let token: String
  private let session: String
  private let cookieName: String
  private let hosts: Set<String>

  /// - Parameter hosts: a name without port is asked at that of this server. Another one is what forwards requests to it.
  init(hosts names: [String], port: UInt16) {
    token = Self.random()
    session = Self.random()
    // Cookies of one host are those of all its ports.
    cookieName = "realm-studio-\(port)"
    hosts = Set(names.map { Self.address($0.lowercased(), port: port) })
  }

  /// As a browser names it, but that it leaves out the port that is usual.
  static func address(_ name: String, port: UInt16) -> String { name.contains(":") ? name : "\(name):\(port)" }

  private static func random() -> String {
    let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    return bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  enum Verdict: Equatable {
    case allowed
    /// The first request: the cookie is set.
    case entered
    case refused(status: Int, reason: String)
  }

  func verdict(_ request: HTTPRequest) -> Verdict {
    guard let host = request.headers[.host]?.lowercased(), hosts.contains(Self.address(host, port: 80)) else {
      return .refused(status: 421, reason: "This server does not answer for that name and port; --allow-host NAME:PORT lets it.")
    }
    let origin = request.headers[HTTPHeader("Origin")]
    if let origin, origin != "http://\(host)" { return .refused(status: 403, reason: "Another site asks.") }
    if request.path == "/", let given = request.query["token"] {
      return Self.isEqual(given, token) ? .entered : .refused(status: 403, reason: "The address is not the one that realm-studio printed.")
    }
    let site = request.headers[HTTPHeader("Sec-Fetch-Site")]
    guard let cookie = cookie(request), Self.isEqual(cookie, session) else {
      return .refused(status: 401, reason: "Open the address that realm-studio printed.")
    }
    if request.path != "/", let site, site != "same-origin", site != "none" { return .refused(status: 403, reason: "Another site asks.") }
    if request.method != .GET, request.headers[HTTPHeader("X-Realm-Studio")] != "1" {
      return .refused(status: 403, reason: "Only the page of realm-studio may change something.")
    }
    return .allowed
  }

  var cookieHeader: String { "\(cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict" }

  private func cookie(_ request: HTTPRequest) -> String? {
    for part in (request.headers[HTTPHeader("Cookie")] ?? "").split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if pair.count == 2, pair[0] == cookieName { return pair[1] }
    }
    return nil
  }

  /// In a time that does not tell where two texts differ.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (x, y) = (SHA256.hash(data: Data(a.utf8)), SHA256.hash(data: Data(b.utf8)))
    return x == y
  }

  /// On every answer: nothing comes from elsewhere, nothing is kept, nobody frames it.
  static let headers: [(HTTPHeader, String)] = [
    (
      HTTPHeader("Content-Security-Policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
    ),
    (HTTPHeader("X-Content-Type-Options"), "nosniff"), (HTTPHeader("Referrer-Policy"), "no-referrer"),
    (HTTPHeader("Cross-Origin-Opener-Policy"), "same-origin"), (HTTPHeader("Cross-Origin-Resource-Policy"), "same-origin"),
    (HTTPHeader("Cache-Control"), "no-store"), (HTTPHeader("X-Frame-Options"), "DENY"),
  ]
}
