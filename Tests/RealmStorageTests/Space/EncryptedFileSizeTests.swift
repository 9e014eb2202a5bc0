import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Encrypted files place small nodes in runs rather than in single holes, because every page that is written costs: at little price in space.
@Suite(.mustEnd) struct EncryptedFileSizeTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private struct Outcome {
    var worstRatio = 0.0
  }

  /// Transactions that change one property of some objects from everywhere.
  private func run(_ key: EncryptionKey?, seed: UInt64) throws -> Outcome {
    var random = SeededGenerator(seed: seed)
    let path = directory.file(key == nil ? "plain.realm" : "encrypted.realm")
    var options = DatabaseOptions()
    options.durability = .unsafe
    options.announcesCommits = false
    options.encryptionKey = key
    let database = try Database.open(path: path, options: options)
    var columns: [ColumnKey] = []
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Item")
      for name in ["number", "score", "other"] { columns.append(try table.addColumn(ColumnDefinition(name, .int))) }
      for id in 0..<10_000 {
        let object = try table.createObject()
        for column in columns { try table.setInt(object, column, Int64(id) &* 7919 % 30_000) }
      }
    }
    #expect(try database.compact())
    var outcome = Outcome()
    let rounds = isFullRun ? 3000 : 300
    for round in 0..<rounds {
      try database.write { (group) throws(StorageError) in
        let table = try group.table(named: "class_Item")!
        let keys = try table.keys()
        for _ in 0..<10 { try table.setInt(keys.randomElement(using: &random)!, columns[0], Int64.random(in: 0..<30_000, using: &random)) }
      }
      guard round % 50 == 49 else { continue }
      let copy = directory.file("copy.realm")
      try database.snapshot().write(toFile: copy)
      defer { try? FileManager.default.removeItem(atPath: copy) }
      let compacted = try FileManager.default.attributesOfItem(atPath: copy)[.size] as! Int
      outcome.worstRatio = max(outcome.worstRatio, try Double(database.spaceUse().totalByteCount) / Double(compacted))
    }
    database.close()
    #expect(try FileContents.violations(path, key: key) == [])
    return outcome
  }

  @Test func scatteredChangesLetTheFileGrowLikeAPlainOne() throws {
    let seed = testSeed
    let (plain, encrypted) = (try run(nil, seed: seed), try run(TestKey.make(), seed: seed))
    print("scattered changes: plain at most \(plain.worstRatio), encrypted at most \(encrypted.worstRatio) times the compacted size, seed \(seed)")
    #expect(encrypted.worstRatio < 1.2 * plain.worstRatio, "seed \(seed)")
  }
}
