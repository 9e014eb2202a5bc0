extension GroupDescription {
  /// Whether the file has the history of a client that synchronises.
  package var synchronises: Bool { historyType == SyncHistory.type }
  /// Whether it does, and its history has the form that is read here.
  package var hasSyncHistory: Bool { synchronises && historySchemaVersion == SyncHistory.schemaVersion }

  /// The rules of the history, of whatever type it is.
  func checkHistory(_ checker: Checker) throws(StorageError) {
    switch historyType {
    case HistoryTree.type: try HistoryTree(root: historyRef).check(checker, version: version)
    case SyncHistory.type: try SyncHistory(root: historyRef).check(checker, version: version)
    default: try checker.claimAll(historyRef, "history")
    }
  }

  /// - Throws: `.corruptNode` that names the first broken rule.
  func checkHistory(_ space: NodeSpace) throws(StorageError) {
    if historyRef.isNull { return }
    try Checker.first(space, historyRef) { (checker) throws(StorageError) in try checkHistory(checker) }
  }
}
