import Foundation
import Synchronization
import Testing

/// For tests that could hang: ends the whole run, with the test's name and a trace of all threads. A blocked thread cannot be interrupted, so
/// the limits of the testing library do not help here.
package struct HangLimit: SuiteTrait, TestTrait, TestScoping {
  let limit: Duration
  package var isRecursive: Bool { true }

  package func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
    let number = Watchdog.shared.begin(test.name, limit)
    defer { Watchdog.shared.end(number) }
    try await function()
  }
}

extension Trait where Self == HangLimit {
  /// Far more time than a test takes on a busy machine.
  package static var mustEnd: Self { Self(limit: isFullRun ? .seconds(7200) : .seconds(2400)) }
}

/// Looks after the tests with a limit, from a thread of its own.
private final class Watchdog: Sendable {
  private struct Watched {
    var deadlines: [Int: (name: String, end: ContinuousClock.Instant)] = [:]
    var count = 0
  }
  private let watched = Mutex(Watched())

  static let shared = Watchdog()

  private init() {
    Thread.detachNewThread { [self] in
      while true {
        let late = watched.withLock { $0.deadlines.values.filter { $0.end < .now }.map(\.name) }
        if !late.isEmpty { fatalError("these tests did not end in time: \(late.joined(separator: ", "))") }
        letPass(milliseconds: 1000)
      }
    }
  }

  func begin(_ name: String, _ limit: Duration) -> Int {
    watched.withLock {
      $0.count += 1
      $0.deadlines[$0.count] = (name, .now + limit)
      return $0.count
    }
  }

  func end(_ number: Int) { watched.withLock { _ = $0.deadlines.removeValue(forKey: number) } }
}
