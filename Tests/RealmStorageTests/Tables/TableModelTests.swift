import Foundation
import Testing

@testable import RealmStorage

/// `REGNUM_FULL=1` runs the full counts, `REGNUM_SEED=n` one seed only.
enum TestScale {
  static let isFull = ProcessInfo.processInfo.environment["REGNUM_FULL"] == "1"
  static func seeds(_ few: Int, full: Int) -> [UInt64] {
    if let text = ProcessInfo.processInfo.environment["REGNUM_SEED"], let seed = UInt64(text) { return [seed] }
    return (0..<UInt64(isFull ? full : few)).map { $0 }
  }
}

@Suite struct TableModelTests {
  @Test(arguments: TestScale.seeds(4, full: 60)) func randomOperationsLeaveWhatAModelSays(_ seed: UInt64) throws {
    try report(seed) {
      let driver = TableDriver(try TableHost(), seed: seed)
      try driver.run(commits: 6, operations: TestScale.isFull ? 800 : 250, independentEvery: TestScale.isFull ? 3 : 6)
    }
  }

  @Test(arguments: TestScale.seeds(1, full: 10)) func largeTablesAndCollectionsLeaveWhatAModelSays(_ seed: UInt64) throws {
    try report(seed) {
      var limits = TableDriver.Limits()
      (limits.objects, limits.elements, limits.tables, limits.columns) = (700, 300, 4, 8)
      let driver = TableDriver(try TableHost(), seed: seed &+ 1000, limits: limits)
      try driver.run(commits: 4, operations: TestScale.isFull ? 250 : 60, independentEvery: 4)
    }
  }

  private func report(_ seed: UInt64, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      Issue.record("seed \(seed): \(error)")
    }
  }
}
