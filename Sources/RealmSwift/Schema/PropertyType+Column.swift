import RealmStorage

extension PropertyType {
  /// Nil for types that only backlinks and values in Mixed columns have.
  init?(_ type: ColumnType) {
    switch type {
    case .int: self = .int
    case .bool: self = .bool
    case .string: self = .string
    case .binary: self = .data
    case .mixed: self = .any
    case .timestamp: self = .date
    case .float: self = .float
    case .double: self = .double
    case .decimal: self = .decimal128
    case .link, .legacyLinkList: self = .object
    case .objectID: self = .objectId
    case .uuid: self = .UUID
    case .backlink, .typedLink, .list, .set, .dictionary: return nil
    }
  }

  /// Nil for `LinkingObjects`, which have no column.
  var columnType: ColumnType? {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .binary
    case .any: .mixed
    case .date: .timestamp
    case .float: .float
    case .double: .double
    case .decimal128: .decimal
    case .object: .link
    case .objectId: .objectID
    case .UUID: .uuid
    case .linkingObjects: nil
    }
  }
}
