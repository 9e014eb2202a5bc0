/// The six children of a Mixed leaf, claimed and checked (F3.15):
///
///  1. it has four to six children of their kinds, and none of them has another role;  2. pairs come in twos, strings are sound;
///  3. there are no more keys than values;  4. each payload entry belongs to one value: `Usage`;
///  5. no two values of a tree have the same key: `checkIdentities`.
struct MixedParts {
  let ref: Ref
  let composite: Node
  private let ints: Node?
  private let pairs: Node?
  private let stringCount: Int
  private let refs: Node?
  private let keys: Node?

  init(_ checker: Checker, _ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) {
    self.ref = ref
    let node = try checker.claimRefs(ref, role())
    guard node.count >= 4, node.count <= MixedLeaf.Slot.count else { throw node.broken("a Mixed leaf has 4 to 6 slots, this one has \(node.count)") }
    checker.depth += 1
    defer { checker.depth -= 1 }
    composite = try checker.claimIntegers(node.child(MixedLeaf.Slot.composites), role() + " composite")
    ints = try node.child(MixedLeaf.Slot.integers).isNull ? nil : checker.claimIntegers(node.child(MixedLeaf.Slot.integers), role() + " ints")
    pairs = try node.child(MixedLeaf.Slot.pairs).isNull ? nil : checker.claimIntegers(node.child(MixedLeaf.Slot.pairs), role() + " pairs")
    stringCount =
      try node.child(MixedLeaf.Slot.strings).isNull ? 0 : Leaf.check(checker, node.child(MixedLeaf.Slot.strings), .string, role() + " strings").count
    refs = try node.child(MixedLeaf.Slot.collections).isNull ? nil : checker.claimRefs(node.child(MixedLeaf.Slot.collections), role() + " refs")
    keys = try node.child(MixedLeaf.Slot.keys).isNull ? nil : checker.claimIntegers(node.child(MixedLeaf.Slot.keys), role() + " keys")
    if let pairs, pairs.count & 1 == 1 { throw pairs.broken("an odd number of entries in the pairs of a Mixed leaf") }
    guard let keys else { return }
    if keys.count > composite.count { checker.fail("the Mixed leaf \(ref) has \(keys.count) keys for \(composite.count) values") }
    if keys.count > 0 && keys.count < composite.count {
      checker.note("the Mixed leaf \(ref) has \(keys.count) keys for \(composite.count) values")
    }
  }

  /// For the leaf of a tree, where an element is looked for by its key, and the first one found is taken. In the column of a cluster the
  /// object says which one is meant, so the original draws keys without looking for others.
  /// - Parameter known: the keys in the leaves of the tree before.
  func checkIdentities(_ checker: Checker, among known: inout Set<Int64>) {
    guard let keys else { return }
    for index in 0..<min(keys.count, composite.count) {
      let key = keys.element(unchecked: index)
      if key != 0 && !known.insert(key).inserted { checker.fail("the nested collection at \(index) of the Mixed leaf \(ref) has the key of another") }
    }
  }

  /// 0 if the value has none.
  func identity(_ index: Int) -> Int64 {
    guard let keys, index < keys.count else { return 0 }
    return keys.element(unchecked: index)
  }

  /// Which payload entries are used: each exactly once (F3.15).
  struct Usage {
    fileprivate let sizes: [Int]
    fileprivate var used: [[Bool]]
    fileprivate var counts = [0, 0, 0, 0]
    fileprivate let composite: Node

    mutating func use(_ element: Int64, _ index: Int) throws(StorageError) {
      let slot = Int(element >> 5 & 7)
      if element == 0 || slot == 0 { return }
      let entry = element >> 8
      guard slot <= 4, entry >= 0, entry < Int64(sizes[slot - 1]) else {
        throw composite.broken("value \(index) points to entry \(entry) of payload \(slot)")
      }
      guard Int(entry) < used[slot - 1].count, !used[slot - 1][Int(entry)] else {
        throw composite.broken("value \(index) shares entry \(entry) of payload \(slot) or points behind the last one in use")
      }
      used[slot - 1][Int(entry)] = true
      counts[slot - 1] += 1
    }
    /// The first payload with entries left over.
    var unused: Int? { (0..<4).first { counts[$0] != sizes[$0] }.map { $0 + 1 } }
  }

  func usage() -> Usage {
    let sizes = [ints?.count ?? 0, (pairs?.count ?? 0) / 2, stringCount, refs?.count ?? 0]
    // A payload with more entries than values is wrong in any case, so no more need to be remembered.
    return Usage(sizes: sizes, used: sizes.map { [Bool](repeating: false, count: min($0, composite.count)) }, composite: composite)
  }
}
