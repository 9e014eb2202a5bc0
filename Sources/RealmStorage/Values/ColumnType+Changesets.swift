package import Changesets

extension ColumnType {
  /// What a property of this type is called; a Mixed has no type of its own.
  package var changesetType: ValueType {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .binary: .binary
    case .timestamp: .timestamp
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .objectID: .objectID
    case .uuid: .uuid
    case .link, .typedLink, .legacyLinkList, .backlink: .link
    case .mixed, .list, .set, .dictionary: .null
    }
  }

  /// The type of a property of which a changeset says that it has this one; nil for what is no type of properties.
  package init?(changesetType: ValueType) {
    let ofProperties: [ColumnType] = [.int, .bool, .string, .binary, .timestamp, .float, .double, .decimal, .objectID, .uuid, .link, .mixed]
    guard let type = ofProperties.first(where: { $0.changesetType == changesetType }) else { return nil }
    self = type
  }
}
