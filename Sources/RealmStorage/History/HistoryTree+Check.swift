extension HistoryTree {
  /// The rules of a history (H2):
  ///  1. it is a B+ tree of binaries;  2. it has fewer changesets than its version is, since entry i leads from version v - n + i to the next
  ///  one, and version 1 is the first there is.
  func check(_ checker: Checker, version: UInt64) throws(StorageError) {
    let role = "history (changesets)"
    let count = try BPlusTreeCheck(checker, role, .binary) { (ref) throws(StorageError) in
      try Leaf.check(checker, ref, .binary, role).count
    }.run(root)
    if UInt64(count) >= version && count > 0 { checker.fail("history: \(count) changesets lead to version \(version)") }
    if count == 0 { checker.note("history: it holds no changeset") }
  }

  /// - Parameter version: of the snapshot.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package func check(_ space: NodeSpace, version: UInt64) throws(StorageError) {
    if root.isNull { return }
    try Checker.first(space, root) { (checker) throws(StorageError) in try check(checker, version: version) }
  }
}
