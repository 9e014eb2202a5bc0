extension Group {
  /// The rules of all tables (``GroupCheck``), also in the middle of a write transaction.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package func check() throws(StorageError) { try check(only: nil) }

  fileprivate func check(only table: TableKey?) throws(StorageError) {
    if topRef.isNull { return }
    try Checker.first(space, topRef) { (checker) throws(StorageError) in
      let check = GroupCheck(checker, top: topRef, only: table)
      for case let state? in states where state.lastDeferredKey != nil { check.deferred.insert(state.key) }
      try check.run()
    }
  }
}

extension Table {
  /// The rules of this table (``GroupCheck``): its schema, objects, tombstones, collections and indexes, its links against the backlinks of
  /// other tables, and its backlinks against their links.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package func check() throws(StorageError) { try group.check(only: key) }
}
