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
    let churn = try Churn(path: directory.file(), isEncrypted: isEncrypted)
    let rounds = trials(full: 40, tenth: 4)
    var finished = 0
    for round in 0..<rounds {
      churn.place = "seed \(testSeed), round \(round)"
      // Grow, shrink, and then use the file normally.
      try churn.grow(round)
      try churn.shrink()
      for step in 0..<120 {
        guard try churn.use(step) else { return }
      }
      try churn.closeReaders()
      if !isEncrypted { #expect(try IndependentTools.violation(churn.path) == nil, "\(churn.place)") }
      if try churn.comesDown() { finished += 1 }
      if round % 2 == 1 { try churn.reopen() }
    }
    print("churn\(isEncrypted ? ", encrypted" : ""): \(rounds) rounds, the file was cut \(churn.cutCount) times while open, seed \(testSeed)")
    #expect(finished == rounds, "seed \(testSeed)")
    if !isEncrypted { #expect(churn.cutCount >= rounds / 2, "seed \(testSeed)") }
    for handle in churn.handles { handle.close() }
    if isEncrypted { #expect(try IndependentTools.encryptedViolation(churn.path) == nil, "seed \(testSeed)") }
  }

  /// The file, who has it open, what it should hold, and who reads older versions.
  private final class Churn {
    let path: String
    let isEncrypted: Bool
    private let options: DatabaseOptions
    private var random = SeededGenerator(seed: testSeed)
    private(set) var handles: [Database] = []
    private var model: [Int64: Item] = [:]
    private var readers: [Reader] = []
    private var byteCount: UInt64 = 0
    /// How often the file became shorter while it was open.
    private(set) var cutCount = 0
    /// For messages.
    var place = ""

    init(path: String, isEncrypted: Bool) throws {
      (self.path, self.isEncrypted) = (path, isEncrypted)
      options = ChurnTable.options(isEncrypted ? TestKey.options() : DatabaseOptions())
      handles = try openHandles()
    }

    private func openHandles() throws -> [Database] { try (0..<3).map { _ in try Database.open(path: path, options: options) } }

    func reopen() throws {
      for handle in handles { handle.close() }
      handles = try openHandles()
      #expect(try EvacuationModelTests.read(handles[1].snapshot()) == model, "\(place), reopened")
    }

    private func anyHandle() -> Database { handles.randomElement(using: &random)! }

    private func addReader() throws {
      let handle = anyHandle()
      readers.append(Reader(snapshot: try handle.snapshot(Bool.random(using: &random) ? .live : .frozen), items: model))
    }

    func closeReaders() throws {
      for reader in readers { #expect(try EvacuationModelTests.read(reader.snapshot) == reader.items, "\(place)") }
      readers = []
    }

    private func write(_ group: Group, _ id: Int64) throws(StorageError) {
      let item = EvacuationModelTests.item(&random)
      model[id] = item
      try EvacuationModelTests.write(group, id, item)
    }

    func grow(_ round: Int) throws {
      let start = Int64(round) * 100_000
      try anyHandle().write { (group) throws(StorageError) in
        for id in start..<start + Int64.random(in: 2000..<4000, using: &random) { try write(group, id) }
      }
      if Bool.random(using: &random) { try addReader() }
    }

    func shrink() throws {
      try anyHandle().write { (group) throws(StorageError) in
        let table = try ChurnTable.table(group)
        for id in model.keys.sorted() where Int.random(in: 0..<25, using: &random) != 0 {
          model[id] = nil
          if let key = try table.find(primaryKey: .int(id)) { try table.remove(key) }
        }
      }
      byteCount = try handles[0].fileByteCount()
    }

    /// One small transaction, and what goes on beside it.
    /// - Returns: false if the file is damaged.
    func use(_ step: Int) throws -> Bool {
      let handle = anyHandle()
      let count = Int.random(in: 0..<4, using: &random)
      let mayGrow = Int.random(in: 0..<40, using: &random) == 0
      try handle.write { (group) throws(StorageError) in
        for _ in 0..<(mayGrow ? 100 : count) {
          let known = Bool.random(using: &random) ? model.keys.sorted().randomElement(using: &random) ?? 1 : nil
          try write(group, known ?? Int64.random(in: 0..<1000, using: &random))
        }
      }
      if Int.random(in: 0..<6, using: &random) == 0, readers.count < 4 { try addReader() }
      if Int.random(in: 0..<5, using: &random) == 0, !readers.isEmpty {
        let reader = readers.remove(at: Int.random(in: 0..<readers.count, using: &random))
        #expect(try EvacuationModelTests.read(reader.snapshot) == reader.items, "\(place), step \(step): a pinned version changed")
      }
      if Int.random(in: 0..<60, using: &random) == 0 { _ = try anyHandle().releaseUnusedSpace() }
      if step % 10 == 4 {
        let snapshot = try handle.snapshot()
        try FreeSpace.check(snapshot.space, top: snapshot.topRef)
      }
      let now = try handles[0].fileByteCount()
      if now < byteCount { cutCount += 1 }
      byteCount = now
      guard step % 10 == 9 else { return true }
      #expect(try EvacuationModelTests.read(anyHandle().snapshot()) == model, "\(place), step \(step)")
      let violations = try CrashChecker.look(path, key: isEncrypted ? TestKey.make() : nil).violations
      #expect(violations == [], "\(place), step \(step)")
      return violations.isEmpty
    }

    /// Whether, without readers, the file comes down to what the rule leaves, whatever was going on.
    func comesDown() throws -> Bool {
      for _ in 0..<1500 {
        try anyHandle().beginWrite().commit()
        let facts = try SpaceFacts(handles[0])
        guard facts.evacuation.isIdle, facts.logical < 1 << 20 || facts.logical - facts.used <= 2 * facts.used + 65_536 else { continue }
        if isEncrypted || facts.physical == FreeSpace.wholePages(facts.logical) { return true }
      }
      print("\(place) does not end: \(try SpaceFacts(handles[0]))")
      return false
    }
  }
}
