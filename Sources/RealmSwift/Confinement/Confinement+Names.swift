import Dispatch

extension Confinement {
  /// The place, for people who look for a mistake.
  var name: String {
    switch self {
    case .none: "nothing"
    case .thread(let place): place.name
    case .main: "the main thread"
    case .queue(let queue): Self.name(ofQueue: queue.label)
    case .actor(let place): "actor \(place.typeName)"
    }
  }

  /// Where the calling code runs: an actor, a queue or nothing of that kind, and on which thread.
  static var nameOfCurrent: String {
    let thread = ThreadPlace.current.name
    if MainContext.isCurrent { return "the main thread" }
    if let executor = CurrentExecutor.name { return "\(executor) (\(thread))" }
    if let label = CurrentQueue.label { return "\(name(ofQueue: label)) (\(thread))" }
    return thread
  }

  private static func name(ofQueue label: String) -> String { label.isEmpty ? "a queue without label" : "queue '\(label)'" }
}
