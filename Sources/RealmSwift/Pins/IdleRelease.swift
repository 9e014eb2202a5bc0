import Dispatch
import Foundation

/// Lets a realm give up the version that it holds when nobody has read from it for a while (`Configuration.idleVersionLimit`).
///
/// Everything happens in the realm's own confinement, in turns that its scheduler queues, so nobody can be reading at that moment; a realm
/// without a scheduler (on a plain thread) is never touched. Reads are noticed without any cost to them: a turn erases the thread that
/// the access cell remembers as the right one, and the next access puts it back by the slow path of the thread check. If it is still missing one
/// turn later, nobody has used the realm in between.
final class IdleRelease {
  private unowned let core: RealmCore
  private let limit: Duration
  private var isWaiting = false

  init?(_ core: RealmCore) {
    guard let limit = core.configuration.idleVersionLimit, !core.isFrozen, !core.configuration.readOnly else { return nil }
    self.core = core
    self.limit = max(limit, .milliseconds(1))
  }

  /// The realm holds a version: looks after it when some time has passed.
  func watch() {
    guard !isWaiting, let scheduler = Scheduler(core.confinement) else { return }
    isWaiting = true
    let look = Look(self)
    DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) { scheduler.invoke { look.run() } }
  }

  /// - SAFETY: looked into in the confinement only.
  private final class Look: @unchecked Sendable {
    private weak var owner: IdleRelease?
    init(_ owner: IdleRelease) { self.owner = owner }
    func run() { owner?.look() }
  }

  private func look() {
    isWaiting = false
    // The next version that the realm begins to read is watched again.
    guard core.snapshot != nil || core.isInWriteTransaction else { return }
    if core.cell.thread == 0, core.autorefresh, core.observers.isEmpty, core.releaseVersion() { return }
    core.cell.thread = 0
    watch()
  }
}
