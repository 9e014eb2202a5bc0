import RealmStorage

/// The static type of an operand.
enum ValueType: Equatable {
  case null, int, bool, string, binary, timestamp, float, double, decimal, objectID, uuid, mixed
  /// To objects of one class; of any class, for a key alone, with the null table.
  case link(TableKey)
  case typedLink
  /// `@type`.
  case typeAttribute

  init(_ column: ColumnDescription) {
    switch column.type {
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
    case .link, .legacyLinkList, .backlink: self = .link(column.oppositeTable)
    case .typedLink: self = .typedLink
    case .mixed, .list, .set, .dictionary: self = .mixed
    }
  }

  init(_ value: Value) {
    switch value {
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
    case .link: self = .link(.null)
    case .typedLink: self = .typedLink
    case .list, .dictionary: self = .mixed
    }
  }

  /// As messages name it.
  var name: String {
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
    case .mixed: "mixed"
    case .link: "link"
    case .typedLink: "typedLink"
    case .typeAttribute: "@type"
    }
  }

  var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }
  var isLink: Bool {
    switch self {
    case .link, .typedLink: true
    default: false
    }
  }

  /// Whether values of the two types may be compared at all (Q4.2).
  func isComparable(with other: ValueType) -> Bool {
    switch (self, other) {
    case (.typeAttribute, _), (_, .typeAttribute): self == other
    case (.mixed, _), (_, .mixed), (.null, _), (_, .null): true
    case (.link(let a), .link(let b)): a == b || a == .null || b == .null
    case (.link, .typedLink), (.typedLink, .link): true
    default: self == other || isNumeric && other.isNumeric
    }
  }
}
