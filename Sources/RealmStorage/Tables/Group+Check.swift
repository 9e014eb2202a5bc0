extension Group {
  /// The rules of all tables (``GroupCheck``), also in the middle of a write transaction.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package func check() throws(StorageError) { try check(only: nil) }

  func check(only table: TableKey?) throws(StorageError) {
    if topRef.isNull { return }
    try Checker.first(space, topRef) { (checker) throws(StorageError) in
      let check = GroupCheck(checker, top: topRef, only: table)
      for case let state? in states where state.lastDeferredKey != nil { check.deferred.insert(state.key) }
      try check.run()
    }
  }
}
