import Dispatch
import Foundation

/// Lets a realm give up the version that it holds when nobody has read from it for a while (`Configuration.idleVersionLimit`).
///
/// Everything happens in the realm's own confinement, in turns that its scheduler queues, so nobody can be reading at that moment; a realm
/// without a scheduler (on a plain thread) is never touched. Reads are noticed without any cost to them: a turn erases the thread that
/// the access cell remembers as the right one, and the next access puts it back by the slow path of the thread check. If it is still missing one
/// turn later, nobody has used the realm in between.
final class IdleRelease {
  private let limit: Duration
  private var isWaiting = false

  init(_ limit: Duration) { self.limit = max(limit, .milliseconds(1)) }

  /// The realm holds a version: looks after it when some time has passed.
  func watch(_ core: RealmCore) {
    guard !isWaiting, !core.isFrozen, !core.configuration.readOnly, let scheduler = Scheduler(core) else { return }
    isWaiting = true
    let look = Look(core, self)
    DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) { scheduler.invoke { look.run() } }
  }

  /// Keeps neither the realm nor its file.
  ///
  /// - SAFETY: `owner` is looked into in the confinement only.
  private final class Look: @unchecked Sendable {
    private weak var file: RealmFile?
    private weak var owner: IdleRelease?
    private let confinement: Confinement

    init(_ core: RealmCore, _ owner: IdleRelease) {
      file = core.file
      self.owner = owner
      confinement = core.confinement
    }
    func run() {
      // The realm may be ending on another thread; the file knows.
      guard let owner, let core = file?.existingCore(confinement), core.idleRelease === owner else { return }
      owner.look(core)
    }
  }

  private func look(_ core: RealmCore) {
    isWaiting = false
    // The next version that the realm begins to read is watched again.
    guard core.snapshot != nil || core.isInWriteTransaction else { return }
    if core.cell.thread == 0, core.autorefresh, core.observers.isEmpty, core.liveObservers.isEmpty, core.releaseVersion() { return }
    core.cell.thread = 0
    watch(core)
  }
}
