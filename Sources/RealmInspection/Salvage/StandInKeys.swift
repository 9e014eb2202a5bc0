import RealmStorage

/// Primary keys for objects that have lost theirs, which without one could not be kept.
struct StandInKeys {
  private let type: ColumnType
  /// The greatest integer that an object has.
  private var greatest: Int64 = 0
  private var count: UInt64 = 0

  init(for type: ColumnType) { self.type = type }

  /// Call for every primary key that an object keeps.
  mutating func note(_ key: Value) { if case .int(let number) = key { greatest = max(greatest, number) } }

  /// The next one; it may be taken.
  mutating func next() -> Value {
    count += 1
    switch type {
    // Behind the greatest, or where there is nothing behind it, from the least on.
    case .int: return .int(greatest &+ Int64(truncatingIfNeeded: count))
    case .objectID: return .objectID(ObjectID(high: 0, low: UInt32(truncatingIfNeeded: count)))
    case .uuid: return .uuid(UUIDBytes(high: 0, low: count))
    default: return Value("lost \(count)")
    }
  }
}
