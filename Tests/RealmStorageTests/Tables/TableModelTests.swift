import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

@Suite(.mustEnd) struct TableModelTests {
  @Test(arguments: 0..<UInt64(trials(full: 60, tenth: 4))) func randomOperationsLeaveWhatAModelSays(_ number: UInt64) throws {
    let seed = testSeed &+ number
    try report(seed) {
      let driver = TableDriver(try TableHost(number % 2 == 0 ? .database : .image), seed: seed)
      try driver.run(commits: 6, operations: isFullRun ? 800 : 250, independentEvery: isFullRun ? 3 : 6)
    }
  }

  @Test(arguments: 0..<UInt64(trials(full: 30, tenth: 2))) func whatIsTakenBackToASavepointLeavesNoTrace(_ number: UInt64) throws {
    let seed = testSeed &+ 2000 &+ number
    try report(seed) {
      var limits = TableDriver.Limits()
      limits.takenBack = 12
      let driver = TableDriver(try TableHost(.database), seed: seed, limits: limits)
      try driver.run(commits: 4, operations: isFullRun ? 400 : 150, independentEvery: 4)
    }
  }

  @Test(arguments: 0..<UInt64(trials(full: 10, tenth: 1))) func largeTablesAndCollectionsLeaveWhatAModelSays(_ number: UInt64) throws {
    let seed = testSeed &+ 1000 &+ number
    try report(seed) {
      var limits = TableDriver.Limits()
      (limits.objects, limits.elements, limits.tables, limits.columns) = (700, 300, 4, 8)
      let driver = TableDriver(try TableHost(.database), seed: seed, limits: limits)
      try driver.run(commits: 4, operations: isFullRun ? 250 : 60, independentEvery: 4)
    }
  }

  // Dictionaries with integer keys cannot be edited; the others hold a million elements, too many to compare one by one.
  private static let fixtures = Fixture.files("realm-core").filter {
    !["realm-core/dict_intkeys.realm", "realm-core/lists_deep.realm", "realm-core/clusters_300k.realm"].contains($0.name)
  }

  @Test(arguments: sample(fixtures)) func filesOfTheOtherEngineLiveOn(_ fixture: Fixture) throws {
    for number in 0..<UInt64(trials(full: 4, tenth: 1)) {
      let seed = testSeed &+ number
      try report(seed, fixture.name) {
        let driver = TableDriver(try TableHost(.database, copyOf: fixture.path), seed: seed)
        driver.model = try TableModel(reading: driver.group)
        driver.committed = driver.model
        driver.tableOrder = driver.model.tables.keys.sorted()
        try driver.compare("before anything")
        try driver.run(commits: trials(full: 4, tenth: 1), operations: isFullRun ? 150 : 40, independentEvery: 4)
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
