/// A version of the protocol together with the kind of synchronisation, as the two agree on it when a WebSocket begins (P2.3).
package struct ProtocolVersion: Hashable, Sendable {
  package let mode: SyncMode
  package let number: Int

  /// Those whose layouts are known for certain, the newest last.
  package static let supported = 12...14

  package init(mode: SyncMode, number: Int) { (self.mode, self.number) = (mode, number) }

  /// What stands in the list of subprotocols.
  package var token: String { Self.prefix(mode) + String(number) }

  /// Nil for the token of another protocol. Only the separator of version 8 and later counts.
  package init?(token: String) {
    for mode in SyncMode.allCases where token.hasPrefix(Self.prefix(mode)) {
      let digits = token.utf8.dropFirst(Self.prefix(mode).utf8.count)
      guard (1...4).contains(digits.count), digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        digits.first != UInt8(ascii: "0"), let number = Int(String(decoding: digits, as: UTF8.self))
      else { return nil }
      self.init(mode: mode, number: number)
      return
    }
    return nil
  }

  private static func prefix(_ mode: SyncMode) -> String {
    switch mode {
    case .partition: "com.mongodb.realm-sync#"
    case .flexible: "com.mongodb.realm-query-sync#"
    }
  }

  /// What a client asks for, the newest first: the value of `Sec-WebSocket-Protocol`.
  package static func offer(_ mode: SyncMode, _ numbers: ClosedRange<Int> = supported) -> String {
    numbers.reversed().map { Self(mode: mode, number: $0).token }.joined(separator: ", ")
  }

  /// What a server answers: the newest that both know. Nil means that it refuses with an HTTP status: an answer of 101 without one of the offered tokens
  /// ends the process of other makers' clients.
  package static func chosen(fromOffer offer: String, _ numbers: ClosedRange<Int> = supported) -> Self? {
    let tokens = offer.split(separator: ",").map { $0.drop { $0 == " " || $0 == "\t" } }
    return tokens.prefix(64).compactMap { Self(token: String($0.prefix { $0 != " " && $0 != "\t" })) }.filter { numbers.contains($0.number) }
      .max { $0.number < $1.number }
  }

  /// What a server has answered, if it is something that was offered.
  package static func agreed(answer: String?, _ mode: SyncMode, _ numbers: ClosedRange<Int> = supported) -> Self? {
    guard let answer, let version = Self(token: answer), version.mode == mode, numbers.contains(version.number) else { return nil }
    return version
  }
}
