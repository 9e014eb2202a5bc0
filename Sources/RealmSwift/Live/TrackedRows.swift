import RealmStorage

/// All rows of one realm that are tracked.
final class TrackedRows: Observation {
  struct Row: Hashable {
    let table: TableKey
    let key: ObjectKey
  }
  private struct Entry {
    let tracker: RowTracker
    let columns: [ColumnKey]
  }
  let identifier = NotificationToken.newIdentifier()
  private var entries: [Row: Entry] = [:]

  func tracker(of row: Row) -> RowTracker? { entries[row]?.tracker }

  func add(_ tracker: RowTracker, _ row: Row, _ binding: ClassBinding) {
    entries[row] = Entry(tracker: tracker, columns: binding.columns)
  }

  override func advance(_ step: VersionStep) throws -> (() -> Void)? {
    let reports = entries.compactMap { row, entry -> (RowTracker, [Int])? in
      guard let changes = step.changes.tables[row.table] else { return nil }
      if changes.deleted.contains(row.key) { return (entry.tracker, entry.tracker.slots) }
      let columns = changes.changedColumns(of: row.key)
      if columns.isEmpty { return nil }
      return (entry.tracker, entry.columns.indices.filter { columns.contains(entry.columns[$0]) })
    }
    if reports.isEmpty {
      forgetUntracked()
      return nil
    }
    return { [self] in
      for (tracker, slots) in reports { tracker.report(slots) }
      forgetUntracked()
    }
  }

  private func forgetUntracked() {
    entries = entries.filter { $0.value.tracker.isTracked }
    if entries.isEmpty { core.rowTracking.end(self) }
  }
}
