import RealmStorage

/// What happened, one line each; may be used on any thread and any actor.
package final class LineLog: Sendable {
  private let lines = Locked<[String]>([])
  package init() {}

  package func add(_ line: String) { lines.withLock { $0.append(line) } }
  package var all: [String] { lines.withLock { $0 } }

  /// What was added since the last call.
  package func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
