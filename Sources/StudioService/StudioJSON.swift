import RealmInspection
import RealmStorage

/// A JSON value of an answer; members keep their order.
indirect enum StudioJSON: Sendable {
  case null
  case bool(Bool)
  case number(Int)
  case fraction(Double)
  case text(String)
  /// JSON as it is.
  case raw([UInt8])
  case array([StudioJSON])
  case object([(name: String, value: StudioJSON)])

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let flag): output += (flag ? "true" : "false").utf8
    case .number(let number): output += "\(number)".utf8
    case .fraction(let number): output += (number.isFinite ? "\(number)" : "null").utf8
    case .text(let text): CanonicalJSON.appendString(Array(text.utf8), to: &output)
    case .raw(let bytes): output += bytes
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.append(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        CanonicalJSON.appendString(Array(member.name.utf8), to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.append(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Null for nil.
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ number: some BinaryInteger) { self = .number(Int(clamping: number)) }
  /// A text where pages, whose numbers are doubles, would take the key for that of another object: files of older formats have keys of 62 bits (F11).
  init(_ key: ObjectKey) { self = key.rawValue.magnitude < 1 << 53 ? .number(Int(key.rawValue)) : .text("\(key.rawValue)") }
}

extension StudioJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int) { self = .number(number) }
  init(booleanLiteral flag: Bool) { self = .bool(flag) }
  init(arrayLiteral elements: StudioJSON...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, StudioJSON)...) { self = .object(members.map { (name: $0.0, value: $0.1) }) }
}
