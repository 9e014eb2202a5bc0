import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Many processes on one file, and deaths at any moment. T14, T15.
@Suite(.serialized, .mustEnd) struct ProcessTests {
  let directory = TestDirectory()

  /// What our own checker says about the version that the header selects.
  private func violations(_ path: String) throws -> [String] { try FileContents.violations(path, key: encryption.key) }

  /// Whether the present test runs on an encrypted file (E8).
  private final class Encryption {
    var isOn = false
    var key: EncryptionKey? { isOn ? TestKey.make() : nil }
    var arguments: [String] { isOn ? ["--key", TestKey.hexadecimal()] : [] }
    var options: DatabaseOptions { TestKey.options(isOn ? 1 : nil) }
  }
  private let encryption = Encryption()

  /// What came of the rounds.
  private struct Tally {
    var sessionCount = 1
    var largestByteCount = 0
  }

  @Test(arguments: [false, true]) func nothingCommittedIsLostAndNobodyHangsWhenProcessesAreKilled(isEncrypted: Bool) throws {
    encryption.isOn = isEncrypted
    let seed = testSeed
    // Sessions end in the rounds 25, 50 and so on.
    let rounds = TestScale.current == .hundredth ? 36...51 : 1...trials(full: 500, tenth: 50)
    let path = directory.file()
    var random = SeededGenerator(seed: seed)
    let start = Date()
    let fleet = try Fleet(path: path, key: encryption.arguments, writers: 4, readers: 4, seed: seed)
    try fleet.awaitStart()
    var tally = Tally()
    do {
      for round in rounds { try disturb(fleet, path, round, &random, &tally) }
      try fleet.awaitStart()
      try fleet.pause()
      try checkEndOfSession(path, fleet, byDeath: false)
    } catch {
      Issue.record("seed \(seed): \(error)")
      return
    }
    let (total, used) = try checkRemains(path)
    let seconds = Int(Date().timeIntervalSince(start))
    print(
      "processes\(isEncrypted ? ", encrypted" : ""): \(rounds.count) rounds, \(fleet.killCount) killed, \(fleet.commitCount) commits, "
        + "\(fleet.readCount * 8) reads, \(tally.sessionCount) sessions, \(fleet.criticalDeathCount) critical deaths, \(fleet.restartCount) restarts, "
        + "at most \(tally.largestByteCount) bytes, \(total) with \(used) used at the end, \(seconds) s, seed \(seed)"
    )
    #expect(tally.largestByteCount < 16 << 20, "seed \(seed)")
    #expect(fleet.restartCount > 0 || TestScale.current == .hundredth, "seed \(seed)")
    #expect(fleet.commitCount > rounds.count, "seed \(seed): hardly anybody got to commit")
  }

  /// Lets the processes go on for a moment, then kills some of them, or ends the session.
  private func disturb(_ fleet: Fleet, _ path: String, _ round: Int, _ random: inout SeededGenerator, _ tally: inout Tally) throws {
    try fleet.listen(milliseconds: Int.random(in: 0..<120, using: &random))
    if round % 4 == 0 { try inspect(path) }
    if round % 25 == 0 {
      // The session ends, by death or in order, and with it all claims.
      let byDeath = round % 50 == 0
      let everybody = Array(0..<fleet.count)
      if byDeath { try fleet.kill(everybody) } else { try fleet.pause() }
      tally.largestByteCount = max(tally.largestByteCount, try size(path))
      try checkEndOfSession(path, fleet, byDeath: byDeath)
      tally.sessionCount += 1
      if byDeath { try fleet.start(everybody) } else { fleet.resume() }
      try fleet.awaitStart()
    } else if round % 11 == 0 {
      let victim = Int.random(in: fleet.writers, using: &random)
      if try fleet.killAtTheCriticalMoment(victim) { try fleet.start([victim]) }
    } else {
      let count = [1, 1, 1, 2, 3].randomElement(using: &random)!
      let victims = Array(Array(0..<fleet.count).shuffled(using: &random).prefix(count))
      try fleet.kill(victims)
      if Bool.random(using: &random) { try fleet.listen(milliseconds: Int.random(in: 0..<20, using: &random)) }
      try fleet.start(victims)
    }
    if fleet.needsRestart {
      try fleet.pause()
      fleet.resume()
    }
  }

  /// What is left when everybody is gone is whole, and belongs to whoever opens it.
  private func checkRemains(_ path: String) throws -> (total: UInt64, used: UInt64) {
    let found = try encryption.isOn ? IndependentTools.encryptedViolation(path) : IndependentTools.violation(path)
    #expect(found == nil, "seed \(testSeed)")
    let database = try Database.open(path: path, options: encryption.options)
    let (total, used) = try database.spaceUse()
    #expect(try database.compact(), "seed \(testSeed): somebody still counts")
    #expect(try violations(path) == [])
    return (total, used)
  }

  /// A guest of whatever session there is.
  private func inspect(_ path: String) throws {
    let database = try Database.openForInspection(path: path, options: encryption.options)
    defer { database.close() }
    let snapshot = try database.snapshot()
    let found = Verification.run(snapshot.space, top: snapshot.topRef, format: 24)
    guard found.isClean else { throw Fleet.Failure(what: "version \(snapshot.version): \(found.violations.prefix(5))") }
  }

  private func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as! Int
  }

  private func checkEndOfSession(_ path: String, _ fleet: Fleet, byDeath: Bool) throws {
    let found = try violations(path)
    guard found.isEmpty else { throw Fleet.Failure(what: found.prefix(5).joined(separator: "; ")) }
    try fleet.checkLedger(wereKilled: byDeath)
    let database = try Database.open(path: path, options: encryption.options)
    guard let session = database.session, session.isInitiator, session.participantCount == 1, try session.listedSnapshots().count == 1 else {
      throw Fleet.Failure(what: "claims of the last session are still there")
    }
    database.close()
  }

  // MARK: Deaths at chosen places

  private func prepared(_ name: String, commits: Int = 8) throws -> String {
    let path = directory.file(name)
    let child = try ChildProcess.agent(encryption.arguments + ["ledger-prepare", path, "\(commits)"])
    #expect(try child.line(within: 60)?.hasPrefix("prepared ") == true)
    #expect(try child.waitForEnd() == 0)
    for suffix in [".lock", ".note", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    return path
  }

  /// Everything in the tables, as text.
  private func contents(_ database: Database) throws -> String {
    try database.read { (group) throws(StorageError) in try TableText.of(group) }
  }

  /// - Returns: the number of operations of the commit if it was finished, nil if the process died as it should.
  private func commitInChild(_ path: String, writer: Int, dieAfter operations: Int, isLarge: Bool = false) throws -> Int? {
    let arguments = ["write-and-die", path, "\(writer)", "\(writer * 100)", "\(operations)"] + (isLarge ? ["large"] : [])
    let child = try ChildProcess.agent(encryption.arguments + arguments)
    #expect(try child.line(within: 60) == "opened")
    let answer = try child.line(within: 60)
    let code = try child.waitForEnd()
    guard let answer else {
      #expect(code == 128 + 9, "after \(operations) operations")
      return nil
    }
    #expect(answer.hasPrefix("committed "), "\(answer)")
    return answer.split(separator: " ").last.flatMap { Int($0) }
  }

  private func checkFile(_ path: String, _ context: String) throws -> String {
    #expect(try violations(path) == [], "\(context)")
    let checker = try ChildProcess.agent(encryption.arguments + ["ledger-check", path])
    let line = try checker.line(within: 60) ?? "nothing"
    #expect(line.hasPrefix("ledger "), "\(context): \(line)")
    try checker.waitForEnd()
    return line
  }

  /// T14.1: the lost publication, twice in a row, while somebody has the session open.
  @Test(arguments: [false, true]) func twoKilledWritersInARowDestroyNothing(isEncrypted: Bool) throws {
    encryption.isOn = isEncrypted
    let base = try prepared("base.realm")
    let probe = directory.file("probe.realm")
    try FileManager.default.copyItem(atPath: base, toPath: probe)
    let steps = try #require(try commitInChild(probe, writer: 7, dieAfter: 1000))
    let start = Date()
    var points = 0
    for first in 0...steps where isFullRun || first >= steps - 2 {
      // The second one takes the first one's selection back, which has two operations more.
      for second in 0...steps + 2 {
        let path = directory.file("double.realm")
        try FileManager.default.copyItem(atPath: base, toPath: path)
        let context = "deaths after \(first) and \(second) of \(steps) operations"
        let survivor = try Database.open(path: path, options: encryption.options)
        let held = try survivor.snapshot()
        let before = try contents(survivor)
        #expect(try commitInChild(path, writer: 7, dieAfter: first) == nil, "\(context)")
        #expect(try contents(survivor) == before, "\(context)")
        _ = try commitInChild(path, writer: 8, dieAfter: second)
        let between = try contents(survivor)
        // With fewer operations than the limit the second one has committed.
        if survivor.newestVersion == held.version { #expect(between == before, "\(context)") }
        #expect(try TableText.of(held.openGroup()) == before, "\(context)")
        if (first + second) % 2 == 0 {
          try survivor.write { (group) throws(StorageError) in
            try group.addTable("class_Survivor").addColumn(ColumnDefinition("value", .int))
          }
          #expect(try contents(survivor) != between, "\(context)")
          #expect(try TableText.of(held.openGroup()) == before, "\(context)")
        }
        withExtendedLifetime(held) {}
        survivor.close()
        _ = try checkFile(path, context)
        points += 1
        for suffix in ["", ".lock", ".note", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      }
    }
    print("double kill: \(points) combinations of \(steps) operations, \(Int(Date().timeIntervalSince(start))) s")
  }

  /// T14.2: extending happens under the control mutex.
  @Test(arguments: [false, true]) func aWriterKilledAnywhereInAGrowingCommitHangsNobody(isEncrypted: Bool) throws {
    encryption.isOn = isEncrypted
    let base = try prepared("base.realm")
    let probe = directory.file("probe.realm")
    try FileManager.default.copyItem(atPath: base, toPath: probe)
    let steps = try #require(try commitInChild(probe, writer: 7, dieAfter: 1000, isLarge: true))
    let path = directory.file("grow.realm")
    for operations in 0...steps {
      try FileManager.default.copyItem(atPath: base, toPath: path)
      let context = "death after \(operations) of \(steps) operations"
      let survivor = try Database.open(path: path, options: encryption.options)
      let before = try contents(survivor)
      #expect(try commitInChild(path, writer: 7, dieAfter: operations, isLarge: true) == nil, "\(context)")
      #expect(try contents(survivor) == before, "\(context)")
      // Joining and growing again take the mutex the dead one held.
      #expect(try commitInChild(path, writer: 8, dieAfter: 1000, isLarge: true) != nil, "\(context)")
      #expect(try contents(survivor) != before, "\(context)")
      #expect(survivor.session?.participantCount == 2, "\(context): the survivor and the dead one")
      survivor.close()
      let line = try checkFile(path, context)
      #expect(line.contains(" 8:1") && !line.contains(" 7:"), "\(context): \(line)")
      for suffix in ["", ".lock", ".note", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
  }

  @Test(arguments: [false, true]) func aDeathAfterTheSelectionWithoutSurvivorsKeepsTheNewVersion(isEncrypted: Bool) throws {
    encryption.isOn = isEncrypted
    let base = try prepared("base.realm")
    let probe = directory.file("probe.realm")
    try FileManager.default.copyItem(atPath: base, toPath: probe)
    let steps = try #require(try commitInChild(probe, writer: 7, dieAfter: 1000))
    let path = directory.file("alone.realm")
    var wasNew = false
    for operations in 0...steps {
      try FileManager.default.copyItem(atPath: base, toPath: path)
      #expect(try commitInChild(path, writer: 7, dieAfter: operations) == nil)
      // The last two operations are the flip and its barrier; in an encrypted file the first page, its barrier, and metadata that are
      // written once more.
      let isNew = try checkFile(path, "death after \(operations)").contains(" 7:1")
      if !isEncrypted { #expect(isNew == (operations >= steps - 1), "death after \(operations) of \(steps)") }
      #expect(isNew || !wasNew, "death after \(operations) of \(steps)")
      wasNew = isNew
      for suffix in ["", ".lock", ".note", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    #expect(wasNew)
  }
}

/// The contents of all tables as text, for comparisons.
enum TableText {
  static func of(_ group: Group) throws(StorageError) -> String {
    var text = ""
    for key in try group.tableKeys() {
      let table = try group.table(key)
      let columns = table.publicColumns
      text += "\(table.nameText) \(columns.map { String(decoding: $0.name, as: UTF8.self) })\n"
      for object in try table.keys() {
        text += "\(object.rawValue)"
        for column in columns {
          if column.isCollection {
            text += " \(try table.collection(object, column.key).all())"
          } else {
            text += " \(try table.value(object, column.key))"
          }
        }
        text += "\n"
      }
    }
    return text
  }
}
