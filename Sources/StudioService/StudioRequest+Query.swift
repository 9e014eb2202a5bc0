extension StudioRequest {
  /// The parameters of an address, or of a form: `class=Dog&q=age%20%3E%203`.
  ///
  /// Not by `URLComponents` and `removingPercentEncoding`, which take a byte order mark for none of the text where it begins one, as a name or
  /// a text in a file may.
  public static func query(_ text: some StringProtocol) -> [String: String] {
    var query: [String: String] = [:]
    for item in text.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[decoded(parts[0])] = parts.count > 1 ? decoded(parts[1]) : ""
    }
    return query
  }

  /// What is no escape stays as it is.
  private static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
