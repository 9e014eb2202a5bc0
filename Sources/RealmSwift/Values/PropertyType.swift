/// What a property holds, or each element of its collection. The numbers are those of the Objective-C SDK.
public enum PropertyType: Int32, Sendable {
  case int = 0
  case bool = 1
  case string = 2
  case data = 3
  case date = 4
  case float = 5
  case double = 6
  /// A link to an object, or an embedded object.
  case object = 7
  case linkingObjects = 8
  /// An `AnyRealmValue`.
  case any = 9
  case objectId = 10
  case decimal128 = 11
  case UUID = 12

  /// The name that error texts use.
  package var nameInErrors: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .object: "object"
    case .linkingObjects: "linking objects"
    case .any: "mixed"
    case .objectId: "object id"
    case .decimal128: "decimal128"
    case .UUID: "uuid"
    }
  }
}
