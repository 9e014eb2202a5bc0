import Changesets

/// Gives equal names and equal objects of many changesets the same numbers.
struct NameNumbering {
  private var names = Numbering<ArraySlice<UInt8>>()
  private var objects = Numbering<ObjectName>()
  /// Of the strings of all changesets, one changeset after the other.
  private var numbers: [Int] = []
  /// Where those of each changeset begin.
  private var starts: [Int] = []

  private struct ObjectName: Hashable {
    let table: Int
    /// Its string, if it is one, stands for the number of the name.
    let key: PrimaryKey

    func hash(into hasher: inout Hasher) {
      hasher.combine(table)
      switch key {
      case .null: break
      case .int(let number): hasher.combine(number)
      case .string(let name): hasher.combine(name.position)
      case .objectID(let number), .uuid(let number): hasher.combine(number)
      case .globalKey(let high, let low):
        hasher.combine(high)
        hasher.combine(low)
      }
    }
  }

  var nameCount: Int { names.count }
  var objectCount: Int { objects.count }

  /// Numbers the strings of the next changeset. Often it names the same things in the same order as the one before.
  mutating func add(_ changeset: Changeset, after previous: Changeset?) {
    let before = starts.last ?? 0
    let sharedCount = previous.map { changeset.commonStringCount(with: $0) } ?? 0
    starts.append(numbers.count)
    for position in 0..<sharedCount { numbers.append(numbers[before + position]) }
    for position in sharedCount..<changeset.stringCount { numbers.append(names.number(changeset.bytes(StringIndex(UInt32(position))))) }
  }

  /// The number of a name of the changeset with that number.
  func number(_ name: StringIndex, of changeset: Int) -> Int { numbers[starts[changeset] + Int(name.position)] }

  /// Makes room for the objects of so many instructions.
  mutating func reserve(_ count: Int) { objects.reserve(count) }

  mutating func number(_ object: ObjectAddress, of changeset: Int) -> Int {
    objects.number(ObjectName(table: number(object.table, of: changeset), key: key(object.key, of: changeset)))
  }

  /// A key that is equal for equal keys of any changeset.
  func key(_ key: PrimaryKey, of changeset: Int) -> PrimaryKey {
    if case .string(let string) = key { .string(StringIndex(UInt32(number(string, of: changeset)))) } else { key }
  }
}

/// Counts different values from 0, in the order of their appearance.
private struct Numbering<Value: Hashable> {
  /// As long as there are few.
  private var few: [Value] = []
  /// Then all of them.
  private var numbers: [Value: Int] = [:]
  private var expected = 0
  /// Comparing with so many costs less than a hash.
  private static var fewCount: Int { 12 }

  var count: Int { numbers.isEmpty ? few.count : numbers.count }

  /// Makes room for so many, should there be more than a few.
  mutating func reserve(_ count: Int) { expected = count }

  mutating func number(_ value: Value) -> Int {
    if numbers.isEmpty {
      if let number = few.firstIndex(of: value) { return number }
      if few.count < Self.fewCount {
        few.append(value)
        return few.count - 1
      }
      numbers.reserveCapacity(expected)
      for (number, value) in few.enumerated() { numbers[value] = number }
    }
    let next = numbers.count
    // One search for both, what is there and where it goes.
    return Self.number(&numbers[value, default: -1], next: next)
  }

  private static func number(_ slot: inout Int, next: Int) -> Int {
    if slot < 0 { slot = next }
    return slot
  }
}
