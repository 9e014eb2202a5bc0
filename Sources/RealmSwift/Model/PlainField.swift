import Foundation
import RealmStorage

/// Wrappers of the commonest types, which adding objects goes to directly: through `_AnyPersisted` every access is a call of unspecialised
/// generic code that looks up its types at run time.
enum PlainField: UInt8 {
  case int, int64, int32, int16, int8, bool, double, float, string, date
  case optionalInt, optionalBool, optionalDouble, optionalString, optionalDate
  /// A link to a top-level object.
  case link
  case other

  init(_ type: any _AnyPersisted.Type) {
    if let known = PlainField.byType[ObjectIdentifier(type)] {
      self = known
    } else if PlainField.isLink(type) {
      self = .link
    } else {
      self = .other
    }
  }

  private static let byType: [ObjectIdentifier: PlainField] = [
    ObjectIdentifier(Persisted<Int>.self): .int, ObjectIdentifier(Persisted<Int64>.self): .int64,
    ObjectIdentifier(Persisted<Int32>.self): .int32, ObjectIdentifier(Persisted<Int16>.self): .int16,
    ObjectIdentifier(Persisted<Int8>.self): .int8, ObjectIdentifier(Persisted<Bool>.self): .bool,
    ObjectIdentifier(Persisted<Double>.self): .double, ObjectIdentifier(Persisted<Float>.self): .float,
    ObjectIdentifier(Persisted<String>.self): .string, ObjectIdentifier(Persisted<Date>.self): .date,
    ObjectIdentifier(Persisted<Int?>.self): .optionalInt, ObjectIdentifier(Persisted<Bool?>.self): .optionalBool,
    ObjectIdentifier(Persisted<Double?>.self): .optionalDouble, ObjectIdentifier(Persisted<String?>.self): .optionalString,
    ObjectIdentifier(Persisted<Date?>.self): .optionalDate,
  ]

  /// Links of every class have the memory layout of `Persisted<Object?>`.
  private static func isLink(_ type: any _AnyPersisted.Type) -> Bool {
    let shape = type._shape
    return shape.type == .object && shape.collection == nil && !shape.isCustom && shape.objectType is Object.Type
  }
}

extension PlainField {
  /// See `_AnyPersisted._isPlain`.
  @inline(__always) func isPlain(_ object: ObjectBase, _ field: FieldPlace, _ scope: _Scope) -> Bool {
    switch self {
    case .link: (Persisted<Object?>.peek(object, field.byteOffset) ?? nil)?._isPlainInOptional(scope) ?? true
    case .other: field.type._isPlain(object, field.byteOffset, scope)
    default: true
    }
  }

  /// See `_AnyPersisted._integer`.
  @inline(__always) func integer(_ object: ObjectBase, _ field: FieldPlace) -> Int64? {
    if case .int = self { return Int64(Persisted<Int>.peek(object, field.byteOffset) ?? 0) }
    return field.type._integer(object, field.byteOffset)
  }

  /// See `_AnyPersisted._insert`.
  func insert(_ object: ObjectBase, _ field: FieldPlace, _ slot: Int, _ row: inout _NewRow) {
    let offset = field.byteOffset
    switch self {
    case .int: row.set(slot, int: Int64(Persisted<Int>.take(object, offset)))
    case .int64: row.set(slot, int: Persisted<Int64>.take(object, offset))
    case .int32: row.set(slot, int: Int64(Persisted<Int32>.take(object, offset)))
    case .int16: row.set(slot, int: Int64(Persisted<Int16>.take(object, offset)))
    case .int8: row.set(slot, int: Int64(Persisted<Int8>.take(object, offset)))
    case .bool: row.set(slot, .bool(Persisted<Bool>.take(object, offset)))
    case .double: row.set(slot, double: Persisted<Double>.take(object, offset))
    case .float: row.set(slot, .float(Persisted<Float>.take(object, offset)))
    case .string: row.set(slot, string: Persisted<String>.take(object, offset))
    case .date: row.set(slot, .timestamp(Timestamp(Persisted<Date>.take(object, offset))))
    case .optionalInt: row.set(slot, Persisted<Int?>.take(object, offset).map { .int(Int64($0)) } ?? .null)
    case .optionalBool: row.set(slot, Persisted<Bool?>.take(object, offset).map { .bool($0) } ?? .null)
    case .optionalDouble: row.set(slot, Persisted<Double?>.take(object, offset).map { .double($0) } ?? .null)
    case .optionalString:
      if let text = Persisted<String?>.take(object, offset) { row.set(slot, string: text) } else { row.set(slot, .null) }
    case .optionalDate: row.set(slot, Persisted<Date?>.take(object, offset).map { .timestamp(Timestamp($0)) } ?? .null)
    case .link:
      if let target = Persisted<Object?>.take(object, offset) { target._insertOptional(&row, slot) } else { row.set(slot, .null) }
    case .other: field.type._insert(object, offset, slot, &row)
    }
  }
}
