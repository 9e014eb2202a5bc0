import RealmStorage
import Synchronization

/// Counts the work of all realms of the process. Called from any thread, and by several at once.
package protocol WorkMeter: Sendable {
  /// A commit is durable.
  /// - Parameter byteCount: of the nodes that the transaction made, without what the commit itself added.
  func committed(_ time: Duration, byteCount: Int)
  /// The objects of a query, or their number, were found out.
  func queried(_ time: Duration)
  /// The block of an observation was called, or its sequence given a change.
  func notified()
  /// - Parameter count: of the files that are open now.
  func opened(_ count: Int)
}

/// Who counts. By default nobody does, and what could be counted costs one load.
package enum Metering {
  private static let isOn = Atomic<Bool>(false)
  private static let chosen = Locked<(any WorkMeter)?>(nil)
  private static let openFileCount = Atomic<Int>(0)

  package static var meter: (any WorkMeter)? {
    get { isOn.load(ordering: .relaxed) ? chosen.withLock { $0 } : nil }
    set {
      chosen.withLock { $0 = newValue }
      isOn.store(newValue != nil, ordering: .relaxed)
      newValue?.opened(openFileCount.load(ordering: .relaxed))
    }
  }

  /// Runs a query.
  static func query<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard let meter else { return try body() }
    let start = ContinuousClock.now
    let result = try body()
    meter.queried(ContinuousClock.now - start)
    return result
  }

  static func fileOpened(_ change: Int) {
    let count = openFileCount.add(change, ordering: .relaxed).newValue
    meter?.opened(count)
  }
}

/// A commit that is being measured.
struct MeteredCommit {
  private let meter: any WorkMeter
  private let start = ContinuousClock.now
  private let byteCount: Int

  /// Nil if nobody counts.
  init?(byteCount: @autoclosure () -> UInt64) {
    guard let meter = Metering.meter else { return nil }
    self.meter = meter
    self.byteCount = Int(clamping: byteCount())
  }

  func succeeded() { meter.committed(ContinuousClock.now - start, byteCount: byteCount) }
}
