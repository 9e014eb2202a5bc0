public import CoreMetrics
import RealmSwift

/// Counts what the realms of the process do, for swift-metrics.
///
/// | metric | is |
/// | --- | --- |
/// | `realm_commits` | a timer: durable commits and how long each took, from the end of its block on |
/// | `realm_commit_bytes` | a counter: bytes of the nodes that transactions made, without what commits themselves add |
/// | `realm_queries` | a timer: evaluations of queries, and how long each took |
/// | `realm_notifications` | a counter: calls of blocks that observe objects and collections, and changes given to their sequences |
/// | `realm_open_files` | a gauge |
public enum RealmMetrics {
  /// Counts from now on; who counted before does not any more.
  /// - Parameters:
  ///   - prefix: begins the names of the metrics instead of `realm`.
  ///   - factory: nil for the one that the program has chosen with `MetricsSystem.bootstrap`.
  public static func start(prefix: String = "realm", factory: (any MetricsFactory)? = nil) {
    Metering.meter = MetricsMeter(prefix, factory ?? MetricsSystem.factory)
  }

  /// Counts no more. What could be counted costs nothing again.
  public static func stop() { Metering.meter = nil }
}

private struct MetricsMeter: WorkMeter {
  private let commits: CoreMetrics.Timer
  private let commitBytes: Counter
  private let queries: CoreMetrics.Timer
  private let notifications: Counter
  private let openFiles: Gauge

  init(_ prefix: String, _ factory: any MetricsFactory) {
    commits = CoreMetrics.Timer(label: prefix + "_commits", factory: factory)
    commitBytes = Counter(label: prefix + "_commit_bytes", factory: factory)
    queries = CoreMetrics.Timer(label: prefix + "_queries", factory: factory)
    notifications = Counter(label: prefix + "_notifications", factory: factory)
    openFiles = Gauge(label: prefix + "_open_files", factory: factory)
  }

  func committed(_ time: Duration, byteCount: Int) {
    commits.recordNanoseconds(nanoseconds(time))
    commitBytes.increment(by: byteCount)
  }
  func queried(_ time: Duration) { queries.recordNanoseconds(nanoseconds(time)) }
  func notified() { notifications.increment() }
  func opened(_ count: Int) { openFiles.record(count) }

  private func nanoseconds(_ time: Duration) -> Int64 { Int64(time / .nanoseconds(1)) }
}
