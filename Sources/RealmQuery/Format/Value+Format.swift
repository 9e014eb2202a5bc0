import RealmStorage

extension Value {
  /// As the SDK's messages print it: numbers as `NSNumber` describes itself.
  var formatText: String {
    switch self {
    case .null: "(null)"
    case .bool(let flag): flag ? "1" : "0"
    case .float(let value): Double(value).text(digits: 7)
    case .double(let value): value.text(digits: 16)
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .objectID(let id): id.text
    case .uuid(let id): id.text.uppercased()
    default: queryText
    }
  }

  /// What a `@count` is compared with: fractions are cut off.
  var asCount: Value? {
    switch self {
    case .int: self
    case .bool(let flag): .int(flag ? 1 : 0)
    case .float, .double: Int64(exactly: doubleValue.rounded(.towardZero)).map { .int($0) }
    case .decimal(let value): value.truncatedToInt64().map { .int($0) }
    default: nil
    }
  }

  /// The value as one of a property's type; nil if it does not fit (Q16.5).
  func fitting(_ type: ValueType, allowsNull: Bool) -> Value? {
    switch (self, type) {
    case (.null, _): allowsNull ? .null : nil
    case (_, .mixed): self
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.decimal, .decimal), (.string, .string), (.binary, .binary),
      (.timestamp, .timestamp), (.objectID, .objectID), (.uuid, .uuid):
      self
    case (.int(0), .bool), (.double(0), .bool), (.float(0), .bool): .bool(false)
    case (.int(1), .bool), (.double(1), .bool), (.float(1), .bool): .bool(true)
    case (.bool(let flag), .int): .int(flag ? 1 : 0)
    case (.int(let number), .float): .float(Float(number))
    case (.double(let number), .float): number.isNaN || abs(number) <= Double(Float.greatestFiniteMagnitude) ? .float(Float(number)) : nil
    case (.decimal, .float): Value.double(doubleValue).fitting(type, allowsNull: allowsNull)
    case (.int, .double), (.float, .double), (.decimal, .double): .double(doubleValue)
    case (.bool(let flag), .double): .double(flag ? 1 : 0)
    case (.bool(let flag), .float): .float(flag ? 1 : 0)
    case (.bool(let flag), .decimal): .decimal(Decimal128(Int64(flag ? 1 : 0)))
    case (.int, .decimal), (.float, .decimal), (.double, .decimal): .decimal(decimalValue)
    case (.string(let text), .decimal): Decimal128(text: String(decoding: text, as: UTF8.self)).map { .decimal($0) }
    case (.string(let text), .uuid): UUIDBytes(hexadecimal: text[...]).map { .uuid($0) }
    case (.typedLink(let link), .link(let table)): link.table == table ? self : nil
    case (.link(let key), .link(let table)): .typedLink(ObjectLink(table: table, key: key))
    default: nil
    }
  }
}
