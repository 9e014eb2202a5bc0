import Dispatch
import Foundation
import Synchronization

/// Runs code where a realm may be used, at a later turn of that thread, queue or actor.
struct Scheduler: @unchecked Sendable {
  // SAFETY: queues and actors are thread-safe by themselves; of a run loop only `add(_:forMode:)` is called from elsewhere.
  private enum Place {
    /// The main queue, and the run loop of the thread that served it when this was made.
    case main(RunLoop)
    case queue(DispatchQueue)
    case actor(ActorPlace)
    case runLoop(RunLoop)
  }
  private let place: Place
  private let turns: TurnQueue

  /// - Returns: nil where nothing can be delivered: on a plain thread, and for frozen realms. Must be called in the confinement itself.
  init?(_ core: RealmCore) {
    turns = core.turns
    switch core.confinement {
    case .none: return nil
    case .main: place = .main(.current)
    case .queue(let queue): place = .queue(queue)
    case .actor(let actor): place = .actor(actor)
    case .thread:
      guard CurrentRunLoop.exists, RunLoop.current.currentMode != nil else { return nil }
      place = .runLoop(.current)
    }
  }

  /// Queues a call of `body`, after those queued before for the same realm. Nothing is called any more for an actor that is gone.
  func invoke(_ body: @escaping () -> Void) {
    if case .actor(let place) = place, place.actor == nil { return }
    turns.add(body)
    switch place {
    case .main(let loop):
      // Somebody may run the loop inside of a block of the queue, which runs nothing else meanwhile.
      turns.wake(loop)
      DispatchQueue.main.async { [turns] in turns.runNext() }
    case .queue(let queue): queue.async { [turns] in turns.runNext() }
    case .actor(let place):
      guard let actor = place.actor else { return }
      Task { [turns] in await Self.runNext(turns, on: actor) }
    case .runLoop(let loop):
      // `perform` would not wake the loop.
      loop.add(Timer(timeInterval: 0, repeats: false) { [turns] _ in turns.runNext() }, forMode: .default)
    }
  }

  /// Keeps a realm until a later turn, or until what is returned lets go of it in the realm's confinement. Whatever becomes of the place, the realm goes
  /// with it.
  @discardableResult func keep(_ core: RealmCore) -> Kept? {
    let kept = Kept(core)
    switch place {
    case .main: DispatchQueue.main.async { kept.end() }
    case .queue(let queue): queue.async { kept.end() }
    case .actor(let place):
      guard let actor = place.actor else { return nil }
      Task { await Self.end(kept, on: actor) }
    case .runLoop(let loop): loop.add(Timer(timeInterval: 0, repeats: false) { _ in kept.end() }, forMode: .default)
    }
    return kept
  }

  /// What a place holds until the turn comes in which it lets go of a realm.
  final class Kept: @unchecked Sendable {
    // SAFETY: set and let go of in the confinement of the realm, or with the place that was to do so.
    private var core: RealmCore?
    init(_ core: RealmCore) { self.core = core }
    /// Once more, until the same turn.
    func keep(_ core: RealmCore) { self.core = core }
    /// Before the turn comes, which may be waited for by others who keep the realm for this turn.
    func letGo() { core = nil }
    func end() {
      core?.staysForThisTurn.store(false, ordering: .relaxed)
      core = nil
    }
  }

  private static func runNext(_ turns: TurnQueue, on actor: isolated any Actor) { turns.runNext() }
  private static func end(_ kept: Kept, on actor: isolated any Actor) { kept.end() }
}
