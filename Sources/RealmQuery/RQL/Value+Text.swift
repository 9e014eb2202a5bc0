package import RealmStorage

extension Value {
  /// The type as messages name it (Q4.2).
  package var typeName: String {
    switch self {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .binary: "binary"
    case .timestamp: "timestamp"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal128"
    case .objectID: "objectId"
    case .uuid: "uuid"
    case .link: "link"
    case .typedLink: "typedLink"
    case .list: "list"
    case .dictionary: "dictionary"
    }
  }
}

extension Value {
  /// As RQL writes it and messages print it.
  package var queryText: String {
    switch self {
    case .null: "NULL"
    case .int(let value): "\(value)"
    case .bool(let value): value ? "true" : "false"
    case .string(let bytes): Value.quoted(bytes)
    case .binary(let bytes): "binary(B64\"\(Base64.encode(bytes))\")"
    case .timestamp(let value): "T\(value.seconds):\(value.nanoseconds)"
    case .float(let value): value.isFinite ? "\(value)f" : Value.special(Double(value))
    case .double(let value): value.isFinite ? "\(value)" : Value.special(value)
    case .decimal(let value): value.text
    case .objectID(let id): "oid(\(id.text))"
    case .uuid(let id): "uuid(\(id.text))"
    case .link(let key): "O\(key.rawValue)"
    case .typedLink(let link): "L\(link.table.rawValue):\(link.key.rawValue)"
    case .list: "{list}"
    case .dictionary: "{dictionary}"
    }
  }

  /// As messages print constants: numbers with as many digits as tell them apart, without a mark of their type; data like text where it is one.
  var messageText: String {
    switch self {
    case .float(let value) where value.isFinite: Double(value).text(digits: 9)
    case .double(let value) where value.isFinite: value.text(digits: 17)
    case .string(let bytes): Value.cautiouslyQuoted(bytes)
    case .binary(let bytes): "binary(\(Value.cautiouslyQuoted(bytes)))"
    default: queryText
    }
  }

  /// As messages print arguments: like constants, but numbers with six digits.
  var argumentText: String {
    switch self {
    case .float(let value) where value.isFinite: Double(value).shortText
    case .double(let value) where value.isFinite: value.shortText
    default: messageText
    }
  }

  /// Messages show fewer characters as they are than RQL could read back.
  private static func cautiouslyQuoted(_ bytes: [UInt8]) -> String {
    bytes.contains { "'\"\\".utf8.contains($0) || $0 < 0x20 || $0 == 0x7F } ? "B64\"\(Base64.encode(bytes))\"" : quoted(bytes)
  }

  private static func special(_ value: Double) -> String { value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }

  /// Strings that RQL could not read back between quotes are written as base64 (Q14).
  private static func quoted(_ bytes: [UInt8]) -> String {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7F }
    if isPlain, let text = String(validating: bytes, as: UTF8.self) { return "\"\(text)\"" }
    return "B64\"\(Base64.encode(bytes))\""
  }
}
