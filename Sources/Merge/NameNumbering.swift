import Changesets

/// Gives equal names and equal objects of many changesets the same numbers.
struct NameNumbering {
  /// For each changeset, where the numbers of its strings begin; then those numbers, one changeset after the other.
  private var numbers: [UInt32] = []
  private var known = KnownNames()
  /// What was added last.
  private var previous = Changeset()
  private var startOfPrevious = 0
  private var objects: [ObjectName] = []
  private var objectPlaces = PlaceTable()
  private var numbersNewObjects = true

  /// A key is two numbers, and what they are: strings the number of their name.
  private struct ObjectName: Equatable {
    let table: UInt32
    let kind: UInt8
    let high: UInt64
    let low: UInt64

    var hash: UInt64 { SeededHash.of(low ^ UInt64(kind) << 56, high ^ UInt64(table)) }
  }

  var nameCount: Int { known.count }
  var objectCount: Int { objects.count }

  /// - Parameter changesetCount: how many there are on both sides.
  /// - Parameter objectCount: how many objects there will be at most.
  init(changesetCount: Int, objectCount: Int) {
    numbers.reserveCapacity(changesetCount + 32)
    for _ in 0..<changesetCount { numbers.append(0) }
    objects.reserveCapacity(objectCount)
  }

  /// Numbers the strings of a changeset. Often it names the same things in the same order as the one before.
  mutating func add(_ changeset: Changeset, _ number: Int) {
    let sharedCount = changeset.commonStringCount(with: previous)
    let (before, stringCount) = (startOfPrevious, changeset.stringCount)
    (numbers[number], startOfPrevious) = (UInt32(numbers.count), numbers.count)
    for position in 0..<sharedCount { numbers.append(numbers[before + position]) }
    for position in sharedCount..<stringCount { numbers.append(known.number(changeset.bytes(StringIndex(UInt32(position))))) }
    previous = changeset
  }

  /// The number of a name of the changeset with that number.
  func number(_ name: StringIndex, of changeset: Int) -> UInt32 { numbers[Int(numbers[changeset] + name.position)] }

  /// From now on, objects without a number do not get one.
  mutating func findObjectsOnly() { numbersNewObjects = false }

  /// The number of an object; `MergeItem.unmet` if it has none.
  mutating func number(_ object: ObjectAddress, of changeset: Int) -> UInt32 {
    let name = name(object, of: changeset)
    // Comparing with a few costs less than a hash.
    if objectPlaces.isEmpty {
      if let number = objects.firstIndex(of: name) { return UInt32(number) }
      if !numbersNewObjects { return MergeItem.unmet }
      objects.append(name)
      if objects.count > Self.fewCount { for place in objects.indices { objectPlaces.add(objects[place].hash) } }
      return UInt32(objects.count - 1)
    }
    let hash = name.hash
    if let place = objectPlaces.first(hash, where: { objects[$0] == name }) { return UInt32(place) }
    if !numbersNewObjects { return MergeItem.unmet }
    objects.append(name)
    objectPlaces.add(hash)
    return UInt32(objects.count - 1)
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

  fileprivate static let fewCount = 12
}

/// Numbers different names from 0, in the order of their appearance.
private struct KnownNames {
  private var names: [ArraySlice<UInt8>] = []
  private var places = PlaceTable()

  init() { names.reserveCapacity(NameNumbering.fewCount) }

  var count: Int { names.count }

  mutating func number(_ name: ArraySlice<UInt8>) -> UInt32 {
    if places.isEmpty {
      if let number = names.firstIndex(of: name) { return UInt32(number) }
      names.append(name)
      if names.count > NameNumbering.fewCount { for place in names.indices { places.add(SeededHash.of(names[place])) } }
      return UInt32(names.count - 1)
    }
    let hash = SeededHash.of(name)
    if let place = places.first(hash, where: { names[$0] == name }) { return UInt32(place) }
    names.append(name)
    places.add(hash)
    return UInt32(names.count - 1)
  }
}
