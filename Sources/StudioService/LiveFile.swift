import Dispatch
import RealmInspection
import RealmQuery
import RealmStorage

/// An open realm file and the version of it that is shown: the newest, soon after each commit of anybody.
final class LiveFile: Sendable {
  let database: Database
  /// Whether objects can be changed.
  let isWritable: Bool
  /// Why not, if the user did not ask for it.
  let readOnlyReason: String?
  /// Whether it has to be brought to another format before it can be changed.
  let needsUpgrade: Bool
  let results = Locked(ResultCache())
  private let state: Locked<State>
  private let turns = DispatchQueue(label: "studio.turns")
  private let tell: @Sendable (StudioJSON) -> Void

  private struct State {
    var current: Snapshot?
    var watch: CommitWatcher.Watch?
    var growth: [Growth] = []
  }

  /// The size of the file at a moment of this session.
  struct Growth: Sendable {
    let seconds: Double
    let version: UInt64
    let fileByteCount: UInt64
    let usedByteCount: UInt64
  }
  private let start = ContinuousClock.now

  /// - Parameter tell: called with each change, on any thread.
  init(
    _ database: Database, isWritable: Bool, readOnlyReason: String?, needsUpgrade: Bool, tell: @escaping @Sendable (StudioJSON) -> Void
  ) throws(StorageError) {
    self.database = database
    (self.isWritable, self.readOnlyReason, self.needsUpgrade, self.tell) = (isWritable, readOnlyReason, needsUpgrade, tell)
    state = Locked(State(current: try database.snapshot()))
    noteGrowth()
  }

  /// Commits are told of from now on.
  func watch() {
    guard let note = database.note else { return }
    let watch = CommitWatcher.watch(note) { [weak self] in
      guard let self else { return }
      // Never the last reference, on the thread of all watchers.
      turns.async { self.advance() }
    }
    state.withLock { $0.watch = watch }
    turns.async { self.advance() }
  }

  /// Nothing is told any more, and no version held.
  func close() {
    let watch = state.withLock { state in
      let watch = state.watch
      (state.watch, state.current) = (nil, nil)
      return watch
    }
    _ = watch
    turns.sync {}
    results.withLock { $0.removeAll() }
    database.close()
  }

  // MARK: Reading

  /// The version that is shown.
  func current() throws(StorageError) -> Snapshot {
    if let current = state.withLock({ $0.current }) { return current }
    return try database.snapshot()
  }

  /// The version that is shown, for tools.
  func opened() throws(StorageError) -> OpenFile { try OpenFile(database, at: current()) }

  /// Shows the newest version, and says what is new; returns when that is done.
  func advanceNow() { turns.sync { advance() } }

  private func advance() {
    guard let old = state.withLock({ $0.current }), database.newestVersion > old.version else { return }
    do throws(StorageError) {
      let new = try database.snapshot()
      var changes: VersionChanges?
      // A history that does not reach back, or is none, only means that more has to be looked at.
      do throws(StorageError) { changes = try VersionChanges(new.changesets(after: old.version), watching: WatchedCollections()) } catch {}
      let group = try new.openGroup()
      results.withLock { $0.advance(to: new, changes) }
      let isOpen = state.withLock { state in
        if state.current != nil { state.current = new }
        return state.current != nil
      }
      guard isOpen else { return }
      noteGrowth()
      tell(try LiveFile.event(changes, new, group))
    } catch { tell(["kind": "problem", "message": .text(Diagnostics.message(error, path: database.path))]) }
  }

  private static let namedKeyLimit = 500

  private static func event(_ changes: VersionChanges?, _ snapshot: Snapshot, _ group: Group) throws(StorageError) -> StudioJSON {
    var members: [(name: String, value: StudioJSON)] = [("kind", "change"), ("version", StudioJSON(snapshot.version))]
    guard let changes else { return .object(members + [("everything", true)]) }
    members.append(("schema", .bool(changes.hasNewSchema)))
    var classes: [StudioJSON] = []
    let known = Set(try group.tableKeys())
    for (key, table) in changes.tables.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where !table.isEmpty && known.contains(key) {
      let changed = table.changed.ascending().prefix(namedKeyLimit).map { StudioJSON($0) }
      classes.append([
        "class": .text(SchemaText.className(try group.table(key).state.name)), "created": StudioJSON(table.created.count),
        "deleted": StudioJSON(table.deleted.count), "changed": StudioJSON(table.changed.count), "keys": .array(changed),
      ])
    }
    return .object(members + [("classes", .array(classes))])
  }

  // MARK: Growth

  private func noteGrowth() {
    do throws(StorageError) {
      let use = try database.spaceUse()
      let elapsed = start.duration(to: .now).components
      let sample = Growth(
        seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18, version: database.newestVersion,
        fileByteCount: try database.fileByteCount(), usedByteCount: use.usedByteCount)
      state.withLock { state in
        state.growth.append(sample)
        // Every second one of the older half, so that a long session stays small.
        if state.growth.count > 1000 {
          state.growth = state.growth.enumerated().filter { $0.offset > 500 || $0.offset.isMultiple(of: 2) }.map(\.element)
        }
      }
    } catch {}
  }

  var growth: [Growth] { state.withLock { $0.growth } }

  // MARK: Work that needs the file for itself

  /// Runs `body` while no version is held here; shows the newest one afterwards.
  func withoutVersion<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    try onTurn { () throws(StorageError) in
      results.withLock { $0.removeAll() }
      state.withLock { $0.current = nil }
      defer {
        do throws(StorageError) {
          let snapshot = try database.snapshot()
          state.withLock { $0.current = snapshot }
        } catch {}
      }
      return try body()
    }
  }

  private func onTurn<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    var outcome: Swift.Result<Result, StorageError>?
    turns.sync { outcome = Swift.Result { () throws(StorageError) in try body() } }
    return try outcome!.get()
  }
}
