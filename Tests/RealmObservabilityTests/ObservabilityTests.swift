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

/// The logger and the meter are those of the process: each test that changes them has a process of its own.
@Suite(.mustEnd) struct ObservabilityTests {
  // MARK: Logging

  @Test(.endsProcesses) func linesOfRealmsGoToALoggerOfSwiftLogWithWhatTheyAreAbout() async {
    await #expect(processExitsWith: .success) {
      let (place, lines) = (Place(), LineLog())
      RealmLogging.start(Logging.Logger(label: "test") { _ in RememberingHandler(lines: lines) })
      _ = try Realm(configuration: place.configuration)
      try #require(lines.all.contains("debug file Open file: \(place.path) database thread"), "\(lines.all)")
      try #require(lines.all.contains { $0.hasPrefix("debug schema Creating schema version 0") }, "\(lines.all)")
    }
  }

  @Test(.endsProcesses) func aLoggerGetsNoMoreThanItLetsThrough() async {
    await #expect(processExitsWith: .success) {
      let (place, lines) = (Place(), LineLog())
      var logger = Logging.Logger(label: "test") { _ in RememberingHandler(lines: lines) }
      logger.logLevel = .warning
      RealmLogging.start(logger)
      try #require(RealmSwift.Logger.shared.level == .warn)
      _ = try Realm(configuration: place.configuration)
      try #require(lines.all.isEmpty, "\(lines.all)")
      RealmLogging.start(logger, level: .all)
      try #require(RealmSwift.Logger.shared.level == .all)
      let (second, third) = (Place(), Place())
      _ = try Realm(configuration: second.configuration)
      try #require(lines.all.contains { $0.hasPrefix("debug file Open file") }, "what was asked for: \(lines.all)")
      RealmLogging.start(logger)
      RealmSwift.Logger.shared.level = .debug
      let count = lines.all.count
      _ = try Realm(configuration: third.configuration)
      try #require(lines.all.count > count, "what was asked for later")
    }
  }

  @Test func everyLevelHasOneOfSwiftLog() {
    let levels: [LogLevel] = [.fatal, .error, .warn, .info, .detail, .debug, .trace]
    #expect(levels.map(RealmLogging.level) == [.critical, .error, .warning, .info, .debug, .debug, .trace])
    for level in Logging.Logger.Level.allCases where RealmLogging.threshold(level) != .all {
      #expect(RealmLogging.level(RealmLogging.threshold(level)) >= level)
    }
  }

  // MARK: Metrics

  @Test(.endsProcesses) func commitsQueriesNotificationsAndOpenFilesAreCounted() async {
    await #expect(processExitsWith: .success) {
      let metrics = TestMetrics()
      RealmMetrics.start(prefix: "store", factory: metrics)
      try await work(counting: metrics)
      try #require(try await eventually { try metrics.expectGauge("store_open_files").lastValue == 0 })
    }
  }

  @Test(.endsProcesses) func nothingIsCountedUnlessSomebodyAsks() async {
    await #expect(processExitsWith: .success) {
      let (place, metrics) = (Place(), TestMetrics())
      RealmMetrics.start(factory: metrics)
      RealmMetrics.stop()
      let realm = try Realm(configuration: place.configuration)
      try realm.write { realm.add(Parcel(value: [1, 3])) }
      try #require(realm.objects(Parcel.self).filter("weight > 2").count == 1)
      try #require(metrics.expectTimer("realm_commits").values.isEmpty)
      try #require(metrics.expectTimer("realm_queries").values.isEmpty)
    }
  }
}

/// A file in a directory of its own.
private struct Place {
  private let directory = TestDirectory()
  var path: String { directory.file("parcels.realm") }
  var configuration: Realm.Configuration { Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Parcel.self]) }
}

@MainActor private func work(counting metrics: TestMetrics) async throws {
  let place = Place()
  let realm = try await Realm(configuration: place.configuration, actor: MainActor.shared)
  try #require(metrics.expectGauge("store_open_files").lastValue == 1)
  let heavy = realm.objects(Parcel.self).where { $0.weight > 2 }
  var calls = 0
  let token = heavy.observe { _ in calls += 1 }
  try #require(try await eventually { calls == 1 })
  try realm.write { realm.add(Parcel(value: [1, 3])) }
  try await realm.asyncWrite { realm.add(Parcel(value: [2, 1])) }
  try #require(heavy.count == 1)
  try #require(try await eventually { calls == 2 })
  token.invalidate()
  let commits = try metrics.expectTimer("store_commits")
  // The schema may be one, too.
  try #require(commits.values.count >= 2 && commits.values.allSatisfy { $0 > 0 })
  try #require(metrics.expectCounter("store_commit_bytes").totalValue > 0)
  try #require(metrics.expectTimer("store_queries").values.count >= 1)
  try #require(metrics.expectCounter("store_notifications").totalValue == 2)
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
