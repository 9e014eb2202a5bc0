import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Processes that commit and die, with and without survivors.
@Suite(.mustEnd) struct ProcessCommitTests {
  let directory = TestDirectory()

  /// The last number that the process said it had committed.
  private func lastCommitted(_ child: ChildProcess) throws -> Int64 {
    let output = try child.rest()
    try child.waitForEnd()
    var lines = output.split(separator: "\n")
    // Another one died in the critical phase of its commit: writing ends until everybody has reopened the file.
    if let last = lines.last, last.hasPrefix("error sessionRestartRequired") { lines.removeLast() }
    for line in lines { #expect(line.hasPrefix("committed "), "\(line)") }
    return lines.last.flatMap { Int64($0.split(separator: " ")[1]) } ?? 0
  }

  @Test func anotherProcessesCommitsAreReadAndBuiltUpon() throws {
    let database = try Database.open(path: directory.file())
    try Numbers.raise(database)
    let child = try ChildProcess.agent("commit", directory.file(), "20")
    #expect(try lastCommitted(child) == 21)
    #expect(try Numbers.counter(database) == 21)
    try Numbers.raise(database)
    #expect(try Numbers.counter(database) == 22)
    #expect(try spaceViolation(database) == nil)
  }

  @Test func aWriterThatDiesAtAnyStepLosesNothingThatItHadCommitted() throws {
    for death in 4..<26 {
      let path = directory.file("alone\(death).realm")
      let committed = try lastCommitted(ChildProcess.agent("commit", path, "4", String(death)))
      let database = try Database.open(path: path)
      let found = try Numbers.counter(database)
      #expect(found == committed || found == committed + 1, "death \(death)")
      #expect(try spaceViolation(database) == nil)
      try Numbers.raise(database)
      #expect(try Numbers.counter(database) == found + 1)
    }
  }

  @Test func survivorsGoOnAfterTwoWritersDiedAtAnyStep() throws {
    for death in 1..<14 {
      let path = directory.file("survivor\(death).realm")
      let survivor = try Database.open(path: path)
      try Numbers.raise(survivor)
      let pinned = try survivor.snapshot()
      for second in [death, 14 - death] {
        let before = try Numbers.counter(survivor)
        let committed = max(before, try lastCommitted(ChildProcess.agent("commit", path, "2", String(second))))
        #expect(try Numbers.counter(survivor) == committed, "death \(death), \(second)")
      }
      let before = try Numbers.counter(survivor)
      try Numbers.raise(survivor)
      #expect(try Numbers.counter(survivor) == before + 1)
      #expect(try Numbers.read(pinned.space, pinned.topRef) == [[1], Array(repeating: 1, count: 250)])
      #expect(try spaceViolation(survivor) == nil)
      withExtendedLifetime(pinned) {}
      survivor.close()
      #expect(try Numbers.counter(Database.open(path: path)) == before + 1)
    }
  }

  @Test func writersThatAreKilledAtRandomLoseNothing() throws {
    let path = directory.file()
    var survivor = try Database.open(path: path)
    try Numbers.raise(survivor)
    var random = SeededGenerator(test: 11)
    for round in 0..<trials(full: 200, tenth: 8) {
      let children = try (0..<2).map { _ in try ChildProcess.agent("commit", path, "1000") }
      _ = try children[0].line()
      // Death may come at any moment of their work.
      usleep(UInt32.random(in: 0..<60_000, using: &random))
      for child in children { child.killNow() }
      var known = try Numbers.counter(survivor)
      for child in children { known = max(known, try lastCommitted(child)) }
      #expect(try Numbers.counter(survivor) == known, "round \(round)")
      do {
        try Numbers.raise(survivor)
      } catch StorageError.sessionRestartRequired {
        // A death in the critical phase: the commit that nobody was told of may have taken effect.
        survivor.close()
        survivor = try Database.open(path: path)
        let found = try Numbers.counter(survivor)
        #expect(found == known || found == known + 1, "round \(round)")
        known = found
        try Numbers.raise(survivor)
      }
      #expect(try Numbers.counter(survivor) == known + 1)
      #expect(try spaceViolation(survivor) == nil)
    }
  }
}
