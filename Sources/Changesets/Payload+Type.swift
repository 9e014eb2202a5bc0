extension Payload {
  /// What its bytes begin with.
  package var type: ValueType {
    switch self {
    case .null: .null
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .binary: .binary
    case .timestamp: .timestamp
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .link: .link
    case .objectID: .objectID
    case .uuid: .uuid
    case .objectValue: .objectValue
    case .dictionary: .dictionary
    case .erased: .erased
    case .list: .list
    case .set: .set
    }
  }
}
