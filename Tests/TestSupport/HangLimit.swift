import Foundation
import RealmStorage
import Testing

/// For tests that could hang: if some of them run, and none began or ended for a long time, the whole run ends, with their names and a trace of
/// all threads. A blocked thread cannot be interrupted, so the limits of the testing library do not help here; and the time of a single test
/// says little, since all tests begin at once and most of them wait for a thread.
package struct HangLimit: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  /// Where tests are about actors, tasks and what runs on the pool: they run on it, too, and the others leave it to them.
  private static let modulesOfThePool: Set = ["RealmSwiftTests", "RealmActorTests", "RealmOpenCombineTests", "RealmObservabilityTests"]

  package func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
    let number = Watchdog.shared.begin(test.name)
    defer { Watchdog.shared.end(number) }
    if Self.modulesOfThePool.contains(test.sourceLocation.moduleName) { return try await function() }
    try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
  }
}

extension Trait where Self == HangLimit {
  package static var mustEnd: Self { Self() }
}

/// Which tests run that could hang, and whether they do.
package struct WatchedTests: Sendable {
  private let limit: Duration
  private var running: [Int: String] = [:]
  private var count = 0
  private var lastEvent: ContinuousClock.Instant

  package init(limit: Duration, now: ContinuousClock.Instant) { (self.limit, lastEvent) = (limit, now) }

  /// - Returns: what ``end(_:now:)`` wants to know.
  package mutating func begin(_ name: String, now: ContinuousClock.Instant) -> Int {
    count += 1
    running[count] = name
    lastEvent = now
    return count
  }

  package mutating func end(_ number: Int, now: ContinuousClock.Instant) {
    running[number] = nil
    lastEvent = now
  }

  /// The names of all tests that run, if none of them began or ended for longer than the limit.
  package func hanging(now: ContinuousClock.Instant) -> [String] { now - lastEvent > limit ? running.values.sorted() : [] }
}

/// Looks after the tests that could hang, from a thread of its own.
private final class Watchdog: Sendable {
  /// Far more than any single test takes on a busy machine.
  private let tests = Locked(WatchedTests(limit: .seconds(isFullRun ? 7200 : 600), now: .now))

  static let shared = Watchdog()

  private init() {
    Thread.detachNewThread { [self] in
      while true {
        letPass(milliseconds: 1000)
        let hanging = tests.withLock { $0.hanging(now: .now) }
        if !hanging.isEmpty { fatalError("nothing happens any more in these tests: \(hanging.joined(separator: ", "))") }
      }
    }
  }

  func begin(_ name: String) -> Int { tests.withLock { $0.begin(name, now: .now) } }
  func end(_ number: Int) { tests.withLock { $0.end(number, now: .now) } }
}
