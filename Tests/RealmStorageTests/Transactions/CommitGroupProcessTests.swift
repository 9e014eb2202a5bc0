import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Processes that commit in groups and die, with and without survivors.
@Suite(.mustEnd) struct CommitGroupProcessTests {
  let directory = TestDirectory()

  /// The numbers that the process said were durable.
  private func durable(_ child: ChildProcess) throws -> [Int64] {
    var lines = try child.rest().split(separator: "\n")
    try child.waitForEnd()
    // Another one died in the critical phase of its commit: writing ends until everybody has reopened the file.
    if let last = lines.last, last.hasPrefix("error sessionRestartRequired") { lines.removeLast() }
    return try lines.map { line in
      let words = line.split(separator: " ")
      #expect(words.first == "durable", "\(line)")
      return try #require(words.count == 2 ? Int64(words[1]) : nil)
    }
  }

  @Test func processesTakeTurnsWithTheirGroups() throws {
    let children = try (0..<3).map { _ in try ChildProcess.agent("commit-groups", directory.file(), "60") }
    let all = try children.map { try durable($0) }
    for numbers in all { #expect(numbers.count == 60 && numbers == numbers.sorted()) }
    #expect(all.flatMap { $0 }.sorted() == Array(1...180))
    let database = try Database.open(path: directory.file())
    #expect(try Numbers.counter(database) == 180)
    #expect(try spaceViolation(database) == nil)
  }

  @Test func aWriterOfGroupsThatDiesAtAnyStepLosesNothingThatItCalledDurable() throws {
    for death in stride(from: 2, to: 90, by: isFullRun ? 1 : 8) {
      let path = directory.file("alone\(death).realm")
      let known = try durable(ChildProcess.agent("commit-groups", path, "30", String(death))).last ?? 0
      let database = try Database.open(path: path)
      let found = try Numbers.counter(database)
      // At most one group was selected and not announced.
      #expect(found >= known && found <= known + 12, "death \(death): \(known), \(found)")
      #expect(try spaceViolation(database) == nil)
      try Numbers.raise(database)
      #expect(try Numbers.counter(database) == found + 1)
    }
  }

  @Test func survivorsGoOnAfterAWriterDiedInAGroup() throws {
    for death in stride(from: 2, to: 60, by: isFullRun ? 1 : 7) {
      let path = directory.file("survivor\(death).realm")
      let survivor = try Database.open(path: path)
      try Numbers.raise(survivor)
      let pinned = try survivor.snapshot()
      let known = try durable(ChildProcess.agent("commit-groups", path, "30", String(death))).last ?? 0
      // They keep what they see, and make it durable.
      let seen = try Numbers.counter(survivor)
      #expect(seen >= known, "death \(death)")
      try Numbers.raise(survivor)
      #expect(try Numbers.counter(survivor) == seen + 1)
      #expect(try Numbers.read(pinned.space, pinned.topRef) == [[1], Array(repeating: 1, count: 250)])
      #expect(try spaceViolation(survivor) == nil)
      withExtendedLifetime(pinned) {}
      survivor.close()
      #expect(try Numbers.counter(Database.open(path: path)) == seen + 1)
    }
  }

  @Test(arguments: [false, true]) func writersOfGroupsThatAreKilledAtRandomLoseNothing(_ hasSurvivor: Bool) throws {
    let path = directory.file()
    var survivor = try Database.open(path: path)
    try Numbers.raise(survivor)
    var known: Int64 = 1
    var random = SeededGenerator(test: hasSurvivor ? 21 : 22)
    for round in 0..<trials(full: 100, tenth: 10) {
      if !hasSurvivor { survivor.close() }
      let children = try (0..<2).map { _ in try ChildProcess.agent("commit-groups", path, "3000") }
      _ = try children[0].line()
      // Death may come at any moment of their work.
      usleep(UInt32.random(in: 0..<60_000, using: &random))
      for child in children { child.killNow() }
      for child in children { known = max(known, try durable(child).max() ?? 0) }
      if !hasSurvivor { survivor = try Database.open(path: path) }
      #expect(try Numbers.counter(survivor) >= known, "round \(round)")
      do {
        try Numbers.raise(survivor)
      } catch StorageError.sessionRestartRequired {
        // A death in the critical phase: what is not durable is lost with the session.
        survivor.close()
        survivor = try Database.open(path: path)
        #expect(try Numbers.counter(survivor) >= known, "round \(round)")
        try Numbers.raise(survivor)
      }
      known = try Numbers.counter(survivor)
      #expect(try spaceViolation(survivor) == nil)
    }
  }
}
