import RealmStorage
import Synchronization

/// Wakes the realms of one file when somebody commits to it, in this process or another.
///
/// Nothing here keeps the file or a realm open: what a thread that watches holds for a moment would look like a realm that is still in use.
final class CommitSignals: Sendable {
  private struct State {
    var turns: [ConfinementKey: RealmTurn] = [:]
    var watch: CommitWatcher.Watch?
    var probe: VersionProbe?
    var hasStarted = false
  }
  private let state = Mutex(State())

  /// From now on commits wake a realm. Its file is watched from the first one on.
  func add(_ turn: RealmTurn, _ key: ConfinementKey, _ database: Database) {
    state.withLock { state in
      state.turns[key] = turn
      if state.hasStarted { return }
      state.hasStarted = true
      guard let note = database.note else { return }
      state.probe = VersionProbe(lockFile: RealmPaths(database.path).lock)
      state.watch = CommitWatcher.watch(note) { [weak self] in self?.wake() }
    }
  }

  /// The turn's realm is gone. What it kept, such as an actor, is released outside of the lock.
  func remove(_ turn: RealmTurn) {
    turn.end()
    let removed = state.withLock { state in
      state.turns.first { $0.value === turn }.flatMap { state.turns.removeValue(forKey: $0.key) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Where the file has no FIFO, or nobody watches it, the commits of this process are told in this way.
  func committedHere() {
    if state.withLock({ $0.watch == nil && !$0.turns.isEmpty }) { wake() }
  }

  private func wake() {
    let (turns, probe) = state.withLock { (Array($0.turns.values), $0.probe) }
    let newest = probe?.newestVersion
    for turn in turns { turn.signal(newest: newest) }
  }
}

/// The next turn of a realm's thread, queue or actor, in which it looks for a newer version: asked for from anywhere, and only once at a time.
final class RealmTurn: Sendable {
  private let scheduler: Scheduler
  private let isQueued = Atomic<Bool>(false)
  private let seen = Atomic<UInt64>(0)
  private let key: ConfinementKey
  private let place: Place
  private let hasEnded = Atomic<Bool>(false)

  /// Not the realm itself: weak references would make retaining it slow (`WeakCore`).
  private struct Place: Sendable {
    weak var file: RealmFile?
  }

  init(_ core: RealmCore, _ scheduler: Scheduler) {
    key = core.confinement.key
    place = Place(file: core.file)
    self.scheduler = scheduler
  }

  private var isNeeded: Bool { !hasEnded.load(ordering: .relaxed) }

  fileprivate func end() { hasEnded.store(true, ordering: .relaxed) }

  /// The realm shows a version: commits up to it need not wake it.
  func showed(_ version: UInt64) { seen.store(version, ordering: .relaxed) }

  /// Asks for a turn.
  /// - Parameter newest: the newest version, if it is known; nothing happens if the realm shows it.
  func signal(newest: UInt64? = nil) {
    if !isNeeded { return }
    if let newest, newest == seen.load(ordering: .relaxed) { return }
    if isQueued.exchange(true, ordering: .acquiringAndReleasing) { return }
    scheduler.invoke { self.run() }
  }

  private func run() {
    // First of all: a commit from now on asks for another turn.
    isQueued.store(false, ordering: .sequentiallyConsistent)
    if isNeeded { place.file?.existingCore(key)?.commitArrived() }
  }
}

extension RealmCore {
  /// Lets commits of others wake this realm, if something can be delivered in its confinement.
  func startListening() {
    guard turn == nil, !isFrozen, !configuration.readOnly, let scheduler = Scheduler(self) else { return }
    let turn = RealmTurn(self, scheduler)
    self.turn = turn
    if let version { turn.showed(version) }
    file.signals.add(turn, confinement.key, file.database)
  }

  /// In a turn of its own: somebody may have committed.
  func commitArrived() {
    // All of these end with the newest version, or ask for another turn.
    if isFrozen || isInWriteTransaction || isBeginningToWrite || isCommitting || observers.isDelivering { return }
    let newest = file.database.newestVersion
    guard newest != version, newest != 0 else { return }
    guard isReading, autorefresh else {
      if newest == announcedVersion { return }
      announcedVersion = newest
      if !autorefresh { return observers.tell(.refreshRequired, self) }
      // There is nothing to advance, but what is read next is new.
      turn?.showed(newest)
      return observers.didChange(self)
    }
    do { _ = try refresh() } catch {
      Logger.shared.log(.error, "A Realm could not be refreshed: \(ErrorBorder.text(of: error, path: file.path))")
    }
  }

  /// Something that kept the realm from advancing has ended: what others committed meanwhile is looked for at the next turn.
  func catchUp() {
    guard let turn, !isInWriteTransaction, file.database.newestVersion != version else { return }
    turn.signal()
  }
}
