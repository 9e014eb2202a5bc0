import RealmStorage

extension ColumnType {
  var typeName: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .binary: "binary"
    case .mixed: "mixed"
    case .timestamp: "timestamp"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal128"
    case .link, .legacyLinkList, .backlink: "link"
    case .objectID: "objectId"
    case .typedLink: "typedLink"
    case .uuid: "uuid"
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}
