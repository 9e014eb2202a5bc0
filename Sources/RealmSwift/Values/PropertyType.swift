/// What a property holds, or each element of its collection. The numbers are those of the Objective-C SDK.
public enum PropertyType: Int32, Sendable {
  /// `Int` and its relatives with 8 to 64 bits, all stored with 64.
  case int = 0
  /// A Boolean value: `Bool` in Swift.
  case bool = 1
  /// A text: `String` in Swift, stored as UTF-8.
  case string = 2
  /// A sequence of bytes: `Data` in Swift.
  case data = 3
  /// `Date`, stored as seconds and nanoseconds.
  case date = 4
  /// A floating-point number with 32 bits: `Float` in Swift.
  case float = 5
  /// A floating-point number with 64 bits: `Double` in Swift.
  case double = 6
  /// A link to an object, or an embedded object.
  case object = 7
  /// Links back: computed, without a column.
  case linkingObjects = 8
  /// A value of any type: `AnyRealmValue` in Swift.
  case any = 9
  /// A 12-byte identifier: `ObjectId` in Swift.
  case objectId = 10
  /// A decimal floating-point number: `Decimal128` in Swift.
  case decimal128 = 11
  /// A 16-byte identifier: `UUID` in Swift.
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
