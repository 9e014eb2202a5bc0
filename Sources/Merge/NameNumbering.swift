import Changesets

/// Gives equal names and equal objects of many changesets the same numbers.
struct NameNumbering {
  /// For each changeset, where the numbers of its strings begin; then those numbers, one changeset after the other.
  private var numbers: [UInt32] = []
  private var names = Numbering<NameBytes>(expected: 0)
  /// What was added last.
  private var previous = Changeset()
  private var startOfPrevious = 0
  private var objects: Numbering<ObjectName>
  private var numbersNewObjects = true

  /// A key is two numbers, and what they are: strings the number of their name.
  fileprivate struct ObjectName: Hashed {
    let table: UInt32
    let kind: UInt8
    let high: UInt64
    let low: UInt64

    var hash: UInt64 { SeededHash.of(low ^ UInt64(kind) << 56, high ^ UInt64(table)) }
  }

  var nameCount: Int { names.count }
  var objectCount: Int { objects.count }

  /// - Parameter changesetCount: how many there are on both sides.
  /// - Parameter objectCount: how many objects there will be at most.
  init(changesetCount: Int, objectCount: Int) {
    numbers.reserveCapacity(changesetCount + 32)
    for _ in 0..<changesetCount { numbers.append(0) }
    objects = Numbering(expected: objectCount)
  }

  /// Numbers the strings of a changeset. Often it names the same things in the same order as the one before.
  mutating func add(_ changeset: Changeset, _ number: Int) {
    let sharedCount = changeset.commonStringCount(with: previous)
    let (before, stringCount) = (startOfPrevious, changeset.stringCount)
    (numbers[number], startOfPrevious) = (UInt32(numbers.count), numbers.count)
    for position in 0..<sharedCount { numbers.append(numbers[before + position]) }
    for position in sharedCount..<stringCount { numbers.append(names.number(NameBytes(bytes: changeset.bytes(StringIndex(UInt32(position)))))) }
    previous = changeset
  }

  /// The number of a name of the changeset with that number.
  func number(_ name: StringIndex, of changeset: Int) -> UInt32 { numbers[Int(numbers[changeset] + name.position)] }

  /// From now on, objects without a number do not get one.
  mutating func findObjectsOnly() { numbersNewObjects = false }

  /// The number of an object; `MergeItem.unmet` if it has none.
  mutating func number(_ object: ObjectAddress, of changeset: Int) -> UInt32 {
    let name = name(object, of: changeset)
    return (numbersNewObjects ? objects.number(name) : objects.first(name)) ?? MergeItem.unmet
  }

  private func name(_ object: ObjectAddress, of changeset: Int) -> ObjectName {
    let table = number(object.table, of: changeset)
    func name(_ kind: UInt8, _ high: UInt64, _ low: UInt64) -> ObjectName { ObjectName(table: table, kind: kind, high: high, low: low) }
    return switch object.key {
    case .null: name(0, 0, 0)
    case .int(let number): name(1, 0, UInt64(bitPattern: number))
    case .string(let string): name(2, 0, UInt64(number(string, of: changeset)))
    case .objectID(let number): name(3, UInt64(truncatingIfNeeded: number >> 64), UInt64(truncatingIfNeeded: number))
    case .uuid(let number): name(4, UInt64(truncatingIfNeeded: number >> 64), UInt64(truncatingIfNeeded: number))
    case .globalKey(let high, let low): name(5, UInt64(bitPattern: high), UInt64(bitPattern: low))
    }
  }

  /// A key that is equal for equal keys of any changeset.
  func key(_ key: PrimaryKey, of changeset: Int) -> PrimaryKey {
    if case .string(let string) = key { .string(StringIndex(number(string, of: changeset))) } else { key }
  }
}

/// A name.
private struct NameBytes: Hashed {
  let bytes: ArraySlice<UInt8>
  var hash: UInt64 { SeededHash.of(bytes) }
}

/// What can be numbered.
private protocol Hashed: Equatable {
  var hash: UInt64 { get }
}

/// Numbers different values from 0, in the order of their appearance.
private struct Numbering<Value: Hashed> {
  private var values: [Value] = []
  private var places = PlaceTable()
  /// Comparing with so many costs less than a hash.
  private static var fewCount: Int { 12 }

  init(expected: Int) { values.reserveCapacity(max(expected, Self.fewCount)) }

  var count: Int { values.count }

  /// The number of a value, nil if it has none.
  func first(_ value: Value) -> UInt32? { find(value, places.isEmpty ? 0 : value.hash) }

  /// The number of a value, which gets one if it has none.
  mutating func number(_ value: Value) -> UInt32 {
    let hash = places.isEmpty ? 0 : value.hash
    if let number = find(value, hash) { return number }
    values.append(value)
    if !places.isEmpty {
      places.add(hash)
    } else if values.count > Self.fewCount {
      for value in values { places.add(value.hash) }
    }
    return UInt32(values.count - 1)
  }

  private func find(_ value: Value, _ hash: UInt64) -> UInt32? {
    let place = places.isEmpty ? values.firstIndex(of: value) : places.first(hash) { values[$0] == value }
    return place.map { UInt32($0) }
  }
}
