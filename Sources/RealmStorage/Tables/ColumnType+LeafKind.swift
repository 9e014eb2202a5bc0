extension ColumnType {
  /// The layout of a column of this type in clusters, unless it is a collection.
  func leafKind(_ attributes: ColumnAttributes) -> LeafKind {
    switch self {
    case .int: attributes.contains(.nullable) ? .nullableInt : .int
    case .bool: .bool
    case .string: .string
    case .binary: .binary
    case .mixed: .mixed
    case .timestamp: .timestamp
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .link, .legacyLinkList: .link
    case .backlink: .backlink
    case .objectID: .objectID
    case .typedLink: .typedLink
    case .uuid: .uuid
    case .list, .set, .dictionary: .collection
    }
  }
}
