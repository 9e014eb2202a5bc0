import Dispatch
import Foundation

/// Runs code where a realm may be used, at a later turn of that thread, queue or actor.
struct Scheduler: @unchecked Sendable {
  // SAFETY: queues and actors are thread-safe by themselves; of a run loop only `add(_:forMode:)` is called from elsewhere.
  private enum Place {
    case queue(DispatchQueue)
    case actor(any Actor)
    case runLoop(RunLoop)
  }
  private let place: Place
  private let turns: TurnQueue

  /// - Returns: nil where nothing can be delivered: on a plain thread, and for frozen realms. Must be called in the confinement itself.
  init?(_ core: RealmCore) {
    turns = core.turns
    switch core.confinement {
    case .none: return nil
    case .main: place = .queue(.main)
    case .queue(let queue): place = .queue(queue)
    case .actor(let actor): place = .actor(actor)
    case .thread:
      guard RunLoop.current.currentMode != nil else { return nil }
      place = .runLoop(.current)
    }
  }

  /// Queues a call of `body`, after those queued before for the same realm.
  func invoke(_ body: @escaping () -> Void) {
    turns.add(body)
    switch place {
    case .queue(let queue): queue.async { [turns] in turns.runNext() }
    case .actor(let actor): Task { [turns] in await Self.runNext(turns, on: actor) }
    case .runLoop(let loop):
      // `perform` would not wake the loop.
      loop.add(Timer(timeInterval: 0, repeats: false) { [turns] _ in turns.runNext() }, forMode: .default)
    }
  }

  private static func runNext(_ turns: TurnQueue, on actor: isolated any Actor) { turns.runNext() }
}
