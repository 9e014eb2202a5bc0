import RealmStorage

/// The types that an `@type` name stands for; two sets are equal to a query when they overlap (Q10.1).
struct TypeSet: OptionSet {
  let rawValue: Int
  static let null = TypeSet(rawValue: 1), int = TypeSet(rawValue: 2), bool = TypeSet(rawValue: 4), string = TypeSet(rawValue: 8)
  static let binary = TypeSet(rawValue: 16), timestamp = TypeSet(rawValue: 32), float = TypeSet(rawValue: 64), double = TypeSet(rawValue: 128)
  static let decimal = TypeSet(rawValue: 256), objectID = TypeSet(rawValue: 512), uuid = TypeSet(rawValue: 1024)
  static let link = TypeSet(rawValue: 2048), dictionary = TypeSet(rawValue: 4096), list = TypeSet(rawValue: 8192)

  private static let names: [String: TypeSet] = [
    "null": .null, "int": .int, "integer": .int, "int16": .int, "int32": .int, "int64": .int, "short": .int, "long": .int, "byte": .int,
    "char": .int, "bool": .bool, "boolean": .bool, "string": .string, "binary": .binary, "data": .binary, "bytearray": .binary,
    "byte[]": .binary, "bindata": .binary, "date": .timestamp, "datetimeoffset": .timestamp, "timestamp": .timestamp, "float": .float,
    "double": .double, "decimal128": .decimal, "decimal": .decimal, "numeric": [.int, .float, .double, .decimal], "objectid": .objectID,
    "uuid": .uuid, "guid": .uuid, "link": .link, "objectlink": .link, "object": .dictionary, "dictionary": .dictionary, "array": .list,
    "list": .list, "collection": [.list, .dictionary],
  ]

  static let supportedNames =
    "null, int, integer, int16, int32, int64, short, long, byte, char, bool, boolean, string, binary, data, bytearray, byte[], date, "
    + "datetimeoffset, timestamp, float, double, decimal128, decimal, objectlink, link, objectid, uuid, guid, numeric, bindata, object, "
    + "dictionary, array, list, collection"

  init(rawValue: Int) { self.rawValue = rawValue }

  init?(name: String) {
    guard let set = TypeSet.names[name.lowercased()] else { return nil }
    self = set
  }

  /// The first name that messages list for it.
  var name: String {
    switch self {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .binary: "binary"
    case .timestamp: "date"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal128"
    case .objectID: "objectid"
    case .uuid: "uuid"
    case .link: "objectlink"
    case .dictionary: "object"
    case .list: "array"
    case [.int, .float, .double, .decimal]: "numeric"
    default: "collection"
    }
  }

  /// The type of a property that has a fixed one; nil for Mixed.
  init?(_ type: ValueType) {
    switch type {
    case .null: self = .null
    case .int: self = .int
    case .bool: self = .bool
    case .string: self = .string
    case .binary: self = .binary
    case .timestamp: self = .timestamp
    case .float: self = .float
    case .double: self = .double
    case .decimal: self = .decimal
    case .objectID: self = .objectID
    case .uuid: self = .uuid
    case .link, .typedLink: self = .link
    case .mixed, .typeAttribute: return nil
    }
  }

  init(_ value: Value) {
    switch value {
    case .list: self = .list
    case .dictionary: self = .dictionary
    // All others have a type of their own.
    default: self = TypeSet(ValueType(value)) ?? .null
    }
  }
}
