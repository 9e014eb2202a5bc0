import Foundation
import Logging
import Metrics
import MetricsTestKit
import RealmSwift
import TestSupport
import Testing

@testable import RealmObservability

final class Parcel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight: Double
}

/// The logger and the meter are those of the process: one test after the other.
@Suite(.serialized, .mustEnd) struct ObservabilityTests {
  private let directory = TestDirectory()

  private func configuration(_ name: String = "parcels.realm") -> Realm.Configuration {
    Realm.Configuration(fileURL: URL(fileURLWithPath: directory.file(name)), objectTypes: [Parcel.self])
  }

  // MARK: Logging

  @Test func linesOfRealmsGoToALoggerOfSwiftLogWithWhatTheyAreAbout() throws {
    let before = RealmSwift.Logger.shared
    defer { RealmSwift.Logger.shared = before }
    let lines = LineLog()
    RealmLogging.start(Logging.Logger(label: "test") { _ in RememberingHandler(lines: lines) })
    try autoreleasepool { _ = try Realm(configuration: configuration()) }
    let opened = "debug file Open file: \(directory.file("parcels.realm")) database thread"
    #expect(lines.all.contains(opened), "\(lines.all)")
    #expect(lines.all.contains { $0.hasPrefix("debug schema Creating schema version 0") })
  }

  @Test func aLoggerGetsNoMoreThanItLetsThrough() throws {
    let before = RealmSwift.Logger.shared
    defer { RealmSwift.Logger.shared = before }
    let lines = LineLog()
    var logger = Logging.Logger(label: "test") { _ in RememberingHandler(lines: lines) }
    logger.logLevel = .warning
    RealmLogging.start(logger)
    #expect(RealmSwift.Logger.shared.level == .warn)
    try autoreleasepool { _ = try Realm(configuration: configuration()) }
    #expect(lines.all.isEmpty)
    RealmLogging.start(logger, level: .all)
    #expect(RealmSwift.Logger.shared.level == .all)
  }

  @Test func everyLevelHasOneOfSwiftLog() {
    let levels: [LogLevel] = [.fatal, .error, .warn, .info, .detail, .debug, .trace]
    #expect(levels.map(RealmLogging.level) == [.critical, .error, .warning, .info, .debug, .debug, .trace])
    for level in Logging.Logger.Level.allCases where RealmLogging.threshold(level) != .all {
      #expect(RealmLogging.level(RealmLogging.threshold(level)) >= level)
    }
  }

  // MARK: Metrics

  @Test func commitsQueriesNotificationsAndOpenFilesAreCounted() async throws {
    let metrics = TestMetrics()
    RealmMetrics.start(prefix: "store", factory: metrics)
    defer { RealmMetrics.stop() }
    try await counted(metrics)
    #expect(try await eventually { try metrics.expectGauge("store_open_files").lastValue == 0 })
  }

  @MainActor private func counted(_ metrics: TestMetrics) async throws {
    let realm = try await Realm(configuration: configuration("counted.realm"), actor: MainActor.shared)
    #expect(try metrics.expectGauge("store_open_files").lastValue == 1)
    let heavy = realm.objects(Parcel.self).where { $0.weight > 2 }
    var calls = 0
    let token = heavy.observe { _ in calls += 1 }
    #expect(try await eventually { calls == 1 })
    try realm.write { realm.add(Parcel(value: [1, 3])) }
    try await realm.asyncWrite { realm.add(Parcel(value: [2, 1])) }
    #expect(heavy.count == 1)
    #expect(try await eventually { calls == 2 })
    token.invalidate()
    let commits = try metrics.expectTimer("store_commits")
    // The schema was one, too.
    #expect(commits.values.count >= 2 && commits.values.allSatisfy { $0 > 0 })
    #expect(try metrics.expectCounter("store_commit_bytes").totalValue > 0)
    #expect(try metrics.expectTimer("store_queries").values.count >= 1)
    #expect(try metrics.expectCounter("store_notifications").totalValue == 2)
  }

  @Test func nothingIsCountedUnlessSomebodyAsks() throws {
    let metrics = TestMetrics()
    RealmMetrics.start(factory: metrics)
    RealmMetrics.stop()
    try autoreleasepool {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.add(Parcel(value: [1, 3])) }
      #expect(realm.objects(Parcel.self).filter("weight > 2").count == 1)
    }
    #expect(try metrics.expectTimer("realm_commits").values.isEmpty)
    #expect(try metrics.expectTimer("realm_queries").values.isEmpty)
  }
}

/// Keeps each line as level, category, text and the names of the other metadata.
private struct RememberingHandler: LogHandler {
  let lines: LineLog
  var metadata = Logging.Logger.Metadata()
  var logLevel = Logging.Logger.Level.trace

  init(lines: LineLog) { self.lines = lines }

  subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let metadata = event.metadata ?? [:]
    let others = metadata.keys.filter { $0 != "category" }.sorted()
    lines.add((["\(event.level)", metadata["category"]?.description ?? "", "\(event.message)"] + others).joined(separator: " "))
  }
}
