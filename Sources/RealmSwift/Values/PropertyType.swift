/// What a property holds, or each element of its collection. The numbers are those of the Objective-C SDK.
public enum PropertyType: Int32, Sendable {
  /// `Int` and its relatives with 8 to 64 bits, all stored with 64.
  case int = 0
  /// `Bool`.
  case bool = 1
  /// `String`, stored as UTF-8.
  case string = 2
  /// `Data`.
  case data = 3
  /// `Date`, stored as seconds and nanoseconds.
  case date = 4
  /// `Float`.
  case float = 5
  /// `Double`.
  case double = 6
  /// A link to an object, or an embedded object.
  case object = 7
  /// Links back: computed, without a column.
  case linkingObjects = 8
  /// An `AnyRealmValue`.
  case any = 9
  /// `ObjectId`.
  case objectId = 10
  /// `Decimal128`.
  case decimal128 = 11
  /// `UUID`.
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
