import Changesets
import RealmStorage

/// The types of changesets and those of files.
extension ChangesetApplier {
  static func objectID(_ number: UInt128) -> ObjectID {
    ObjectID(high: UInt64(truncatingIfNeeded: number >> 32), low: UInt32(truncatingIfNeeded: number))
  }

  static func uuid(_ number: UInt128) -> UUIDBytes {
    UUIDBytes(high: UInt64(truncatingIfNeeded: number >> 64), low: UInt64(truncatingIfNeeded: number))
  }

  /// The value to store, for everything but what is made in its place: embedded objects, the removal of an entry.
  func value(_ payload: Payload, in column: ColumnDescription) throws(Failure) -> Value {
    switch payload {
    case .null: return .null
    case .int(let number): return .int(number)
    case .bool(let flag): return .bool(flag)
    case .string(let range): return .string(Array(changeset.bytes(range)))
    case .binary(let range): return .binary(Array(changeset.bytes(range)))
    case .timestamp(let seconds, let nanoseconds): return .timestamp(Timestamp(seconds: seconds, nanoseconds: Int32(truncatingIfNeeded: nanoseconds)))
    case .float(let bits): return .float(Float(bitPattern: bits))
    case .double(let bits): return .double(Double(bitPattern: bits))
    case .decimal(let number):
      return .decimal(Decimal128(low: UInt64(truncatingIfNeeded: number.bits), high: UInt64(truncatingIfNeeded: number.bits >> 64)))
    case .objectID(let number): return .objectID(Self.objectID(number))
    case .uuid(let number): return .uuid(Self.uuid(number))
    case .link(let name, let key): return try link(name, key, in: column)
    case .list: return .list(.null)
    case .dictionary: return .dictionary(.null)
    case .objectValue, .erased, .set: throw .reason(.wrongType)
    }
  }

  /// A link to an object, which need not be there: then it is one that comes to life with the object.
  private func link(_ name: StringIndex, _ key: PrimaryKey, in column: ColumnDescription) throws(Failure) -> Value {
    let target = try table(name)
    if target.kind == .embedded { throw .reason(.wrongType) }
    if column.type == .link, column.oppositeTable != target.key { throw .reason(.wrongType) }
    let object: ObjectKey
    if let live = try find(key, in: target) {
      object = live
    } else if case .globalKey(let high, let low) = key {
      object = try engine { () throws(StorageError) in try target.tombstone(of: localKey(high, low)) }
    } else {
      let key = try value(of: key, in: target)
      object = try refusing(.wrongType) { () throws(StorageError) in try target.tombstone(primaryKey: key) }
    }
    let isTyped = column.type == .mixed
    return isTyped ? .typedLink(ObjectLink(table: target.key, key: object)) : .link(object)
  }
}
