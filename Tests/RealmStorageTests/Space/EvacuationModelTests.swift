import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Churn on one file through several handles, beside a plain model: contents, pinned versions, every byte of the file, and its length.
@Suite(.serialized, .mustEnd) struct EvacuationModelTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private struct Item: Equatable {
    var number: Int64
    var payload: [UInt8]
  }

  private struct Reader {
    let snapshot: Snapshot
    let items: [Int64: Item]
  }

  private static func read(_ snapshot: Snapshot) throws(StorageError) -> [Int64: Item] {
    guard let table = try snapshot.openGroup().table(named: "class_Item") else { return [:] }
    let (id, number, payload) = (try table.column(named: "id").key, try table.column(named: "number").key, try table.column(named: "payload").key)
    var items: [Int64: Item] = [:]
    for key in try table.keys() {
      guard case .binary(let bytes) = try table.value(key, payload) else { throw .typeMismatch(reason: "no payload") }
      items[try table.int(key, id)] = Item(number: try table.int(key, number), payload: bytes)
    }
    return items
  }

  private static func write(_ group: Group, _ id: Int64, _ item: Item) throws(StorageError) {
    let table = try ChurnTable.table(group)
    let (key, _) = try table.findOrCreateObject(primaryKey: .int(id))
    try table.setInt(key, table.column(named: "number").key, item.number)
    try table.set(key, table.column(named: "payload").key, .binary(item.payload))
  }

  private static func item(_ random: inout SeededGenerator) -> Item {
    let count = Int.random(in: 0..<50, using: &random) == 0 ? Int.random(in: 2000..<60_000, using: &random) : Int.random(in: 0..<900, using: &random)
    return Item(
      number: Int64.random(in: Int64.min...Int64.max, using: &random),
      payload: [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: count))
  }

  @Test(arguments: [false, true]) func churnWithReadersLosesNothingAndGivesSpaceBack(isEncrypted: Bool) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let path = directory.file()
    let options = ChurnTable.options(isEncrypted ? TestKey.options() : DatabaseOptions())
    let key = isEncrypted ? TestKey.make() : nil
    var handles = try (0..<3).map { _ in try Database.open(path: path, options: options) }
    var model: [Int64: Item] = [:]
    var readers: [Reader] = []
    var (cuts, finished, rounds) = (0, 0, 0)
    for round in 0..<(isFullRun ? 40 : 4) {
      rounds += 1
      // Grow, shrink, and then use the file normally.
      let start = Int64(round) * 100_000
      try handles.randomElement(using: &random)!.write { (group) throws(StorageError) in
        for id in start..<start + Int64.random(in: 2000..<4000, using: &random) {
          model[id] = Self.item(&random)
          try Self.write(group, id, model[id]!)
        }
      }
      if Bool.random(using: &random) {
        let handle = handles.randomElement(using: &random)!
        readers.append(Reader(snapshot: try handle.snapshot(Bool.random(using: &random) ? .live : .frozen), items: model))
      }
      try handles.randomElement(using: &random)!.write { (group) throws(StorageError) in
        let table = try ChurnTable.table(group)
        for id in model.keys.sorted() where Int.random(in: 0..<25, using: &random) != 0 {
          model[id] = nil
          if let key = try table.find(primaryKey: .int(id)) { try table.remove(key) }
        }
      }
      var length = try handles[0].fileByteCount()
      for step in 0..<120 {
        let handle = handles.randomElement(using: &random)!
        let count = Int.random(in: 0..<4, using: &random)
        let mayGrow = Int.random(in: 0..<40, using: &random) == 0
        try handle.write { (group) throws(StorageError) in
          for _ in 0..<(mayGrow ? 100 : count) {
            let id = Bool.random(using: &random) ? model.keys.sorted().randomElement(using: &random) ?? 1 : Int64.random(in: 0..<1000, using: &random)
            model[id] = Self.item(&random)
            try Self.write(group, id, model[id]!)
          }
        }
        if Int.random(in: 0..<6, using: &random) == 0, readers.count < 4 {
          let other = handles.randomElement(using: &random)!
          readers.append(Reader(snapshot: try other.snapshot(Bool.random(using: &random) ? .live : .frozen), items: model))
        }
        if Int.random(in: 0..<5, using: &random) == 0, !readers.isEmpty {
          let reader = readers.remove(at: Int.random(in: 0..<readers.count, using: &random))
          #expect(try Self.read(reader.snapshot) == reader.items, "seed \(seed), round \(round), step \(step): a pinned version changed")
        }
        if Int.random(in: 0..<60, using: &random) == 0 { _ = try handles.randomElement(using: &random)!.releaseUnusedSpace() }
        let now = try handles[0].fileByteCount()
        if now < length { cuts += 1 }
        length = now
        if step % 10 == 9 {
          #expect(try Self.read(handles.randomElement(using: &random)!.snapshot()) == model, "seed \(seed), round \(round), step \(step)")
          let violations = try CrashChecker.look(path, key: key).violations
          #expect(violations == [], "seed \(seed), round \(round), step \(step)")
          if !violations.isEmpty { return }
        }
      }
      for reader in readers { #expect(try Self.read(reader.snapshot) == reader.items, "seed \(seed), round \(round)") }
      readers = []
      if !isEncrypted { #expect(try IndependentTools.violation(path) == nil, "seed \(seed)") }
      // Without readers the file comes down to what the rule leaves, whatever was going on.
      var commits = 0
      while commits < 1500 {
        try handles.randomElement(using: &random)!.beginWrite().commit()
        commits += 1
        let facts = try SpaceFacts(handles[0])
        guard facts.evacuation.isIdle, facts.logical < 1 << 20 || facts.logical - facts.used <= 2 * facts.used + 65_536 else { continue }
        if isEncrypted || facts.physical == FreeSpace.wholePages(facts.logical) { break }
      }
      if commits < 1500 { finished += 1 } else { print("round \(round) does not end: \(try SpaceFacts(handles[0]))") }
      if round % 2 == 1 {
        for handle in handles { handle.close() }
        handles = try (0..<3).map { _ in try Database.open(path: path, options: options) }
        #expect(try Self.read(handles[1].snapshot()) == model, "seed \(seed), round \(round), reopened")
      }
    }
    print("churn\(isEncrypted ? ", encrypted" : ""): \(rounds) rounds, the file was cut \(cuts) times while open, seed \(seed)")
    #expect(finished == rounds, "seed \(seed)")
    if !isEncrypted { #expect(cuts >= rounds / 2, "seed \(seed)") }
    for handle in handles { handle.close() }
    if isEncrypted { #expect(try IndependentTools.encryptedViolation(path) == nil, "seed \(seed)") }
  }
}
