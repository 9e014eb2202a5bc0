import Foundation
import RealmStorage

/// What happened, and what must not happen; used on every thread.
final class Ledger: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    var violations: [String] = []
    /// What each actor does.
    var steps: [Int: String] = [:]
  }
  private let state = Locked(State())

  func count(_ what: String, _ number: Int = 1) { state.withLock { $0.counts[what, default: 0] += number } }

  /// Something that must not happen: told at once.
  func violation(_ text: String) {
    let isNew = state.withLock { state in
      state.violations.append(text)
      return state.violations.count <= 20
    }
    if isNew { try? FileHandle.standardError.write(contentsOf: Data("violation: \(text)\n".utf8)) }
  }

  /// Something that somebody could not do. A process that is killed while it publishes a version keeps everybody from writing until all have closed
  /// the file.
  func failure(_ what: String, _ error: any Error) {
    if error.localizedDescription.contains("A process died while it committed") { return count("writes refused after a death") }
    violation("\(what): \(error)")
  }

  /// What a writer is about to do; nil when it has ended.
  func step(_ writer: Int, _ what: String?) { state.withLock { $0.steps[writer] = what } }

  /// Ends the process if it goes on for too long, saying what hangs.
  func limit(_ seconds: Double) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: seconds)
      self.violation("no end: " + self.state.withLock { $0.steps.map { "writer \($0.key): \($0.value)" }.sorted().joined(separator: ", ") })
      abort()
    }
  }

  /// - Returns: what the closure returns; nil if it throws, which is a violation.
  func attempt<Result>(_ what: String, _ body: () throws -> Result) -> Result? {
    do { return try body() } catch {
      failure(what, error)
      return nil
    }
  }

  var counts: [(String, Int)] { state.withLock { $0.counts.sorted { $0.key < $1.key } } }
  var violationCount: Int { state.withLock { $0.violations.count } }
}
