import Changesets

/// A value of JSON. Equal objects have their members in the same order.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent, of at most 64 bits with or without sign.
  case integer(Int128)
  /// Every other number.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and what it stands for.
  package struct Member: Equatable, Sendable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) { (self.name, self.value) = (name, value) }
  }

  /// What a name stands for; nil if there is no such name, or this is no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  package var unsigned: UInt64? { if case .integer(let value) = self { UInt64(exactly: value) } else { nil } }

  /// Without spaces.
  package var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let flag): writer.bool(flag)
    case .integer(let value): writer.number(value)
    case .number(let value): writer.number(value)
    case .string(let text): writer.string(text)
    case .array(let values): writer.array { writer in for value in values { value.write(to: &writer) } }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.name(member.name)
          member.value.write(to: &writer)
        }
      }
    }
  }
}
