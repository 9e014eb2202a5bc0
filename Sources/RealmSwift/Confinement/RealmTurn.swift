import RealmStorage
import Synchronization

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

  func end() { hasEnded.store(true, ordering: .relaxed) }

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
