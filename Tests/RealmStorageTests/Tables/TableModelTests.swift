import Foundation
import Randomness
import Testing

@testable import RealmStorage

/// `REGNUM_FULL=1` runs the full counts, `REGNUM_SEED=n` one seed only, `REGNUM_STEP=1` compares after every operation, for finding the
/// one to blame.
enum TestScale {
  static let stepsSingly = ProcessInfo.processInfo.environment["REGNUM_STEP"] == "1"
  static let isFull = ProcessInfo.processInfo.environment["REGNUM_FULL"] == "1"
  static func seeds(_ few: Int, full: Int) -> [UInt64] {
    if let chosenSeed { return [chosenSeed] }
    return (0..<UInt64(isFull ? full : few)).map { $0 }
  }
}

@Suite struct TableModelTests {
  @Test(arguments: TestScale.seeds(4, full: 60)) func randomOperationsLeaveWhatAModelSays(_ seed: UInt64) throws {
    try report(seed) {
      let driver = TableDriver(try TableHost(seed % 2 == 0 ? .database : .image), seed: seed)
      try driver.run(commits: 6, operations: TestScale.isFull ? 800 : 250, independentEvery: TestScale.isFull ? 3 : 6)
    }
  }

  @Test(arguments: TestScale.seeds(1, full: 10)) func largeTablesAndCollectionsLeaveWhatAModelSays(_ seed: UInt64) throws {
    try report(seed) {
      var limits = TableDriver.Limits()
      (limits.objects, limits.elements, limits.tables, limits.columns) = (700, 300, 4, 8)
      let driver = TableDriver(try TableHost(.database), seed: seed &+ 1000, limits: limits)
      try driver.run(commits: 4, operations: TestScale.isFull ? 250 : 60, independentEvery: 4)
    }
  }

  private static let fixtures: [String] = {
    guard let folder = sharedDirectory()?.appendingPathComponent("fixtures/realm-core") else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".realm") }.sorted()
    // Dictionaries with integer keys cannot be edited; the others hold a million elements, too many to compare one by one.
    let skipped = ["dict_intkeys.realm", "lists_deep.realm", "clusters_300k.realm"]
    return (names ?? []).filter { !skipped.contains($0) }.map { folder.appendingPathComponent($0).path }
  }()

  @Test(arguments: fixtures) func filesOfTheOtherEngineLiveOn(_ path: String) throws {
    for seed in TestScale.seeds(1, full: 4) {
      let name = path.split(separator: "/").last ?? ""
      try report(seed, String(name)) {
        let driver = TableDriver(try TableHost(.database, copyOf: path), seed: seed)
        driver.model = try TableModel(reading: driver.group)
        driver.committed = driver.model
        driver.tableOrder = driver.model.tables.keys.sorted()
        try driver.compare("before anything")
        try driver.run(commits: TestScale.isFull ? 4 : 1, operations: TestScale.isFull ? 150 : 40, independentEvery: 4)
      }
    }
  }

  private func report(_ seed: UInt64, _ name: String = "", _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      Issue.record("\(name) seed \(seed): \(error)")
    }
  }
}
