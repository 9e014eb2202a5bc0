package import RealmStorage
package import RealmSync

/// How far a file has come with its server.
package struct SyncStatistics {
  /// The form of the history; everything else is nil unless it is the one that is read here.
  package let schemaVersion: UInt64
  package let progress: Progress?

  package struct Progress {
    package let status: SyncStatus
    package let entryCount: Int
    /// The version of the first entry, if there is any.
    package let firstVersion: UInt64?
    /// Entries with changes that the server does not have yet.
    package let waitingCount: Int
    package let waitingByteCount: UInt64
    /// None if the file does not choose its objects by queries.
    package let subscriptionSets: [SubscriptionSet]
    /// Why those that there are cannot be read here.
    package let subscriptionProblem: String?
  }

  /// Of tables that only synchronisation uses.
  package let internalByteCount: UInt64

  /// - Returns: nil for a file that does not synchronise.
  /// - Throws: `.corruptNode` for a damaged history.
  package init?(_ file: OpenFile) throws(StorageError) {
    guard let group = file.group, group.synchronises else { return nil }
    schemaVersion = group.historySchemaVersion
    var byteCount: UInt64 = 0
    for table in file.tables where SchemaNames.isInternal(table.name) { byteCount += try Statistics.byteCount(file.space, table.ref) }
    internalByteCount = byteCount
    guard let entries = try SyncEntries(file) else {
      progress = nil
      return
    }
    let waiting = try entries.waiting()
    let (sets, problem) = try Self.subscriptionSets(file)
    progress = Progress(
      status: entries.status, entryCount: entries.count, firstVersion: entries.count == 0 ? nil : entries.baseVersion + 1,
      waitingCount: waiting.count, waitingByteCount: waiting.reduce(0) { $0 &+ $1.byteCount },
      subscriptionSets: sets, subscriptionProblem: problem)
  }

  private static func subscriptionSets(_ file: OpenFile) throws(StorageError) -> ([SubscriptionSet], String?) {
    guard let group = try file.snapshot?.openGroup() else { return ([], nil) }
    do throws(SyncError) { return (try SubscriptionStore.sets(in: group), nil) } catch {
      if case .storage(let error) = error { throw error }
      return ([], "\(error)")
    }
  }
}
