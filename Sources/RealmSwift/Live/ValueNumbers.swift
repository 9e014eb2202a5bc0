import RealmStorage

/// Equal values get equal numbers, so that sequences of values can be compared as those of objects are.
enum ValueNumbers {
  static func keys(_ old: [Value], _ new: [Value]) -> (old: [ObjectKey], new: [ObjectKey]) {
    // Links of one class have such numbers.
    if let keys = links(old), let others = links(new) { return (keys, others) }
    let all = old + new
    var keys = [ObjectKey](repeating: .null, count: all.count)
    var (number, previous) = (Int64(0), Int?.none)
    for index in all.indices.sorted(by: { Value.compare(all[$0], all[$1]) < 0 }) {
      if let previous, Value.compare(all[previous], all[index]) != 0 { number += 1 }
      keys[index] = ObjectKey(number)
      previous = index
    }
    return (Array(keys[..<old.count]), Array(keys[old.count...]))
  }

  /// The objects that links of one class lead to; nil if other values are among them.
  private static func links(_ values: [Value]) -> [ObjectKey]? {
    var keys: [ObjectKey] = []
    keys.reserveCapacity(values.count)
    for value in values { if case .link(let key) = value { keys.append(key) } else { return nil } }
    return keys
  }
}
