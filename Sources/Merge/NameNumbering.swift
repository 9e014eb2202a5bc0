import Changesets

/// Gives equal names and equal objects of many changesets the same numbers.
struct NameNumbering {
  private var names: [ArraySlice<UInt8>: Int] = [:]
  private var objects: [ObjectName: Int] = [:]
  /// Of the strings of each changeset.
  private var numbers: [[Int]] = []

  private struct ObjectName: Hashable {
    let table: Int
    /// Its string, if it is one, stands for the number of the name.
    let key: PrimaryKey
  }

  var nameCount: Int { names.count }
  var objectCount: Int { objects.count }

  /// Numbers the strings of the next changeset.
  mutating func add(_ changeset: Changeset) {
    numbers.append(
      (0..<changeset.stringCount).map { position in
        let name = changeset.bytes(StringIndex(UInt32(position)))
        if let number = names[name] { return number }
        names[name] = names.count
        return names.count - 1
      })
  }

  /// The number of a name of the changeset with that number.
  func number(_ name: StringIndex, of changeset: Int) -> Int { numbers[changeset][Int(name.position)] }

  mutating func number(_ object: ObjectAddress, of changeset: Int) -> Int {
    let name = ObjectName(table: number(object.table, of: changeset), key: key(object.key, of: changeset))
    if let number = objects[name] { return number }
    objects[name] = objects.count
    return objects.count - 1
  }

  /// A key that is equal for equal keys of any changeset.
  func key(_ key: PrimaryKey, of changeset: Int) -> PrimaryKey {
    if case .string(let string) = key { .string(StringIndex(UInt32(number(string, of: changeset)))) } else { key }
  }
}
