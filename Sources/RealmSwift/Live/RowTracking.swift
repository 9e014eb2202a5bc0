import RealmStorage

/// Which properties of managed objects are tracked by `withObservationTracking`, for classes that conform to `Observable`.
///
/// Whether somebody tracks cannot be asked. So each read is told to a tracker, and afterwards somebody else refers to the key path, or nobody does; the
/// tracker of a read that nobody tracks serves for the next. Used in the confinement of the realm.
final class RowTracking {
  private var spare: RowTracker?
  private var rows: TrackedRows?

  func noteAccess(_ core: RealmCore, _ binding: ClassBinding, _ key: ObjectKey, _ slot: Int) {
    let row = TrackedRows.Row(table: binding.tableKey, key: key)
    if let tracker = rows?.tracker(of: row) {
      _ = tracker.access(slot)
      return
    }
    let tracker = spare ?? RowTracker()
    spare = tracker
    guard tracker.access(slot) else { return }
    spare = nil
    orStop(core) { try observed(core)?.add(tracker, row, binding) }
  }

  /// - Returns: nil where nothing can be told: on a thread without run loop, in a read-only realm.
  private func observed(_ core: RealmCore) throws -> TrackedRows? {
    if let rows { return rows }
    guard !core.configuration.readOnly, Scheduler(core) != nil else { return nil }
    try core.prepareToObserve()
    let rows = TrackedRows(core)
    rows.base = try core.observedVersion()
    core.liveObservers.add(rows, rows.identifier)
    self.rows = rows
    return rows
  }

  /// Nobody tracks anything any more.
  func end(_ ended: TrackedRows) {
    if rows === ended { rows = nil }
    _ = ended.core.liveObservers.registry.remove(ended.identifier)
  }
}
