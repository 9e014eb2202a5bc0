/// How much of a bootstrap has been sent, from 0 to 1, as it is written: `0.33`, `1`, `1.0`, `1e-3`.
package struct ProgressEstimate: Equatable, Sendable {
  package let text: String
  package let value: Double

  package static let nothing = Self(text: "0", value: 0)
  package static let everything = Self(text: "1", value: 1)

  private init(text: String, value: Double) { (self.text, self.value) = (text, value) }

  /// In hundredths, which is enough for a bar.
  /// - Parameters:
  ///   - done: of `total`; more than that counts as all of it.
  ///   - total: if it is 0, everything is done.
  package init(_ done: UInt64, of total: UInt64) {
    let hundredths = done >= total ? 100 : Int(Double(done) / Double(total) * 100)
    switch hundredths {
    case ..<1: self = .nothing
    case 100...: self = .everything
    default: self.init(text: "0." + (hundredths < 10 ? "0" : "") + String(hundredths), value: Double(hundredths) / 100)
    }
  }

  /// Nil for what is no decimal number from 0 to 1. A client that gets such a thing ends with its process (P7.2).
  package init?(parsing bytes: ArraySlice<UInt8>) {
    var rest = bytes
    guard bytes.count <= 40, Self.skipDigits(&rest) else { return nil }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard Self.skipDigits(&rest) else { return nil }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      guard Self.skipDigits(&rest) else { return nil }
    }
    guard rest.isEmpty else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = Double(text), (0...1).contains(value) else { return nil }
    self.init(text: text, value: value)
  }

  private static func skipDigits(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    rest = rest.dropFirst(count)
    return count > 0
  }
}
