/// Numbers at the beginning of strings, as C reads them.
enum NumberText {
  static func integer(_ text: [UInt8]) -> Int64? {
    let rest = text.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
    let hasSign = rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+")
    let digits = rest.dropFirst(hasSign ? 1 : 0).prefix(while: \.isDigit)
    return digits.isEmpty ? nil : NumberSyntax.decimal(rest.prefix(digits.count + (hasSign ? 1 : 0)))
  }

  /// The longest beginning that is a floating-point number, in a form that Swift reads.
  static func leadingNumber(_ text: [UInt8]) -> String? {
    let rest = Array(text.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) })
    var index = 0
    if index < rest.count, rest[index] == UInt8(ascii: "-") || rest[index] == UInt8(ascii: "+") { index += 1 }
    let sign = String(decoding: rest[..<index], as: UTF8.self)
    for name in ["infinity", "inf", "nan"] where rest.count - index >= name.utf8.count {
      if zip(rest[index...], name.utf8).allSatisfy({ $0 | 0x20 == $1 }) { return sign + name }
    }
    let whole = rest[index...].prefix(while: \.isDigit)
    index += whole.count
    var fraction: ArraySlice<UInt8> = []
    if index < rest.count, rest[index] == UInt8(ascii: ".") {
      fraction = rest[(index + 1)...].prefix(while: \.isDigit)
      index += 1 + fraction.count
    }
    if whole.isEmpty && fraction.isEmpty { return nil }
    var result = sign + (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)) + "."
    result += fraction.isEmpty ? "0" : String(decoding: fraction, as: UTF8.self)
    if index < rest.count, rest[index] | 0x20 == UInt8(ascii: "e") {
      var end = index + 1
      if end < rest.count, rest[end] == UInt8(ascii: "-") || rest[end] == UInt8(ascii: "+") { end += 1 }
      let exponent = rest[end...].prefix(while: \.isDigit)
      if !exponent.isEmpty { result += String(decoding: rest[index..<end + exponent.count], as: UTF8.self) }
    }
    return result
  }
}
