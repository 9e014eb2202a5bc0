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

  /// - Returns: nil where nothing can be delivered: on a plain thread, and for frozen realms. Must be called in the confinement itself.
  init?(_ confinement: Confinement) {
    switch confinement {
    case .none: return nil
    case .main: place = .queue(.main)
    case .queue(let queue): place = .queue(queue)
    case .actor(let actor): place = .actor(actor)
    case .thread:
      guard RunLoop.current.currentMode != nil else { return nil }
      place = .runLoop(.current)
    }
  }

  /// Queues a call of `body`, after those queued before.
  func invoke(_ body: @escaping () -> Void) {
    let turn = Turn(body)
    switch place {
    case .queue(let queue): queue.async { turn.body() }
    case .actor(let actor): Task { await Self.run(turn, on: actor) }
    case .runLoop(let loop):
      // `perform` would not wake the loop.
      loop.add(Timer(timeInterval: 0, repeats: false) { _ in turn.body() }, forMode: .default)
    }
  }

  private static func run(_ turn: Turn, on actor: isolated any Actor) { turn.body() }

  /// - SAFETY: made in one confinement and run in the same one, once.
  private final class Turn: @unchecked Sendable {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
}
