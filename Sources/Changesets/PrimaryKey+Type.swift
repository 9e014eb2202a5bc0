extension PrimaryKey {
  /// What its bytes begin with.
  package var type: ValueType {
    switch self {
    case .null: .null
    case .int: .int
    case .string: .string
    case .objectID: .objectID
    case .uuid: .uuid
    case .globalKey: .globalKey
    }
  }
}
