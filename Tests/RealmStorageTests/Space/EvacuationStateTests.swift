import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Slot 11 of the top array as other engines may leave it. F8.5.
@Suite(.mustEnd) struct EvacuationStateTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private func touch(_ database: Database, _ random: inout SeededGenerator) throws {
    try database.write { (group) throws(StorageError) in try ChurnTable.touch(group, &random) }
  }

  /// A file in the middle of being moved, closed; with the ref of its evacuation array.
  private func runningFile(_ random: inout SeededGenerator) throws -> (path: String, array: Ref) {
    let path = directory.file()
    let database = try Database.open(path: path, options: ChurnTable.options())
    try ChurnTable.makeFile(database, rows: 3000, &random)
    for _ in 0..<4 { try touch(database, &random) }
    let facts = try SpaceFacts(database)
    #expect(facts.evacuation.limit > 0 && !facts.evacuation.isNew && !facts.evacuation.progress.isEmpty)
    let snapshot = try database.snapshot()
    defer { database.close() }
    return (path, try snapshot.space.refs(at: snapshot.topRef).child(11))
  }

  private func patch(_ path: String, at offset: UInt64, _ value: Int64, byteCount: Int = 8) throws {
    let file = try FileStorage(path: path, mode: .readWrite)
    try file.write((0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }, at: offset)
  }

  /// Makes the slot say something and commits once.
  private func after(_ slot: Int64, _ number: UInt64) throws -> (before: Evacuation, after: SpaceFacts, path: String) {
    var random = SeededGenerator(test: number)
    let (path, array) = try runningFile(&random)
    let database = try Database.open(path: path, options: ChurnTable.options())
    let transaction = try database.beginWrite()
    try transaction.scratch.makeWritable(&transaction.topRef)
    #expect(transaction.scratch.slot(transaction.topRef, 11) == array.element)
    try transaction.scratch.freeTree(array)
    transaction.scratch.setChild(transaction.topRef, 11, Ref(element: slot))
    let before = Evacuation(transaction.space, slot: slot, logicalByteCount: transaction.base.byteCount)
    try transaction.commit()
    let facts = try SpaceFacts(database)
    #expect(try CrashChecker.look(path).violations == [], "slot \(slot), number \(number)")
    database.close()
    return (before, facts, path)
  }

  @Test func aTaggedLimitIsContinued() throws {
    let limit: Int64 = 400 << 10
    let (before, after, _) = try after(limit << 1 | 1, 1)
    #expect(before == Evacuation(limit: 400 << 10, isNew: true))
    #expect(after.evacuation.limit == 400 << 10 && !after.evacuation.isNew)
    #expect(!after.evacuation.progress.isEmpty || after.evacuation.backoff == 1000)
  }

  /// Limits that lie behind the file, in its header, or on no boundary, and numbers of other kinds.
  @Test(arguments: [1 << 41 | 1, 17, 200_003, 1, Int64.max, -1] as [Int64])
  func aLimitThatMakesNoSenseIsCleared(_ slot: Int64) throws {
    let (before, after, _) = try after(slot, 2)
    #expect(before.isIdle)
    // With much free the next attempt is decided on at once.
    #expect(after.evacuation.isIdle || after.evacuation.isNew)
  }

  @Test func arraysAreContinuedOrCleared() throws {
    let directory = TestDirectory(inMemory: true)
    let database = try Database.open(path: directory.file(), options: ChurnTable.options())
    let transaction = try database.beginWrite()
    func state(_ elements: [Int64]) throws -> Evacuation {
      Evacuation(transaction.space, slot: try transaction.scratch.createIntegers(elements).element, logicalByteCount: 1 << 20)
    }
    #expect(try state([204_800, 0, 1, 0, 2, 1, 3]) == Evacuation(limit: 204_800, progress: [1, 0, 2, 1, 3]))
    #expect(try state([204_800, 1000]) == Evacuation(limit: 204_800, backoff: 1000))
    #expect(try state([0, 10]) == Evacuation(backoff: 10))
    let useless: [[Int64]] = [
      [], [204_800], [0, 0], [204_800, 1001], [204_800, -1], [-8, 0], [204_801, 0], [1 << 20, 0], [64, 0], [204_800, 0, 2], [204_800, 0, 1, -1],
      [204_800, 0, 1, 1 << 30], [.max, .max], [204_800, 0] + [Int64](repeating: 1, count: 1300),
    ]
    for elements in useless { #expect(try state(elements).isIdle, "\(elements.prefix(8))") }
    // Not even an array of integers.
    let refs = try transaction.scratch.createRefs(count: 3)
    #expect(Evacuation(transaction.space, slot: refs.element, logicalByteCount: 1 << 20).isIdle)
    #expect(Evacuation(transaction.space, slot: 1 << 40, logicalByteCount: 1 << 20).isIdle)
    transaction.cancel()
  }

  @Test func progressThatLeadsNowhereGoesOnWithWhatFollows() throws {
    var random = SeededGenerator(test: 3)
    let (path, arrayRef) = try runningFile(&random)
    let file = try FileStorage(path: path, mode: .readWrite)
    func number(at offset: UInt64) throws -> UInt64 { try file.read(8, at: offset).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    let array = arrayRef.byteOffset
    // 32 bits wide: limit, backoff, progress; the first index stays.
    let header = NodeHeader(word: try number(at: array))
    #expect(header.width == 32 && header.count > 3)
    for index in 3..<header.count { try patch(path, at: array + 8 + UInt64(index) * 4, 1 << 20, byteCount: 4) }
    let database = try Database.open(path: path, options: ChurnTable.options())
    for _ in 0..<3 {
      try touch(database, &random)
      #expect(try CrashChecker.look(path).violations == [])
    }
    // The first walk left something out; the space is given back when somebody walks again.
    let facts = try SpaceFacts(database)
    #expect(facts.evacuation.limit > 0)
    _ = try database.releaseUnusedSpace()
    let end = try SpaceFacts(database)
    #expect(end.physical == end.logical && end.physical < end.used * 2)
    #expect(try CrashChecker.look(path).violations == [])
  }

  /// The last large leaf of the tables that lies above the limit: walks come to it at the end.
  private func lastLeaf(_ snapshot: Snapshot, above limit: UInt64) throws -> Ref? {
    var found: Ref?
    func walk(_ ref: Ref) throws {
      let node = try snapshot.space.node(at: ref)
      if !node.header.hasRefs, node.byteCount > 200, ref.byteOffset >= limit { found = ref }
      guard node.header.hasRefs else { return }
      for index in 0..<node.count {
        let element = node.element(unchecked: index)
        if element & 1 == 0 && element != 0 { try walk(Ref(element: element)) }
      }
    }
    try walk(snapshot.space.refs(at: snapshot.topRef).child(1))
    return found
  }

  @Test func aDamagedNodeStopsTheAttemptAndNotTheCommits() throws {
    var random = SeededGenerator(test: 4)
    let path = directory.file()
    let database = try Database.open(path: path, options: ChurnTable.options())
    try ChurnTable.makeFile(database, rows: 3000, &random)
    for _ in 0..<2 { try touch(database, &random) }
    let limit = try SpaceFacts(database).evacuation.limit
    let leaf = try #require(try lastLeaf(database.snapshot(), above: limit))
    let good = try FileStorage(path: path, mode: .readOnly).read(8, at: leaf.byteOffset)
    // Width scheme 3 does not exist.
    try patch(path, at: leaf.byteOffset + 4, 0x18, byteCount: 1)
    var commits = 0
    while commits < 50, try SpaceFacts(database).evacuation.limit > 0 {
      try touch(database, &random)
      commits += 1
    }
    #expect(try SpaceFacts(database).evacuation == Evacuation(backoff: 1000))
    #expect(commits > 1 && commits < 50)
    for _ in 0..<3 { try touch(database, &random) }
    #expect(try SpaceFacts(database).evacuation == Evacuation(backoff: 997))
    // The rest is in order.
    try FileStorage(path: path, mode: .readWrite).write(good, at: leaf.byteOffset)
    #expect(try CrashChecker.look(path).violations == [])
  }

  @Test func theLimitIsThatOfTheOriginalAndRisesAfterFailures() {
    func limit(_ free: UInt64, _ logical: UInt64, _ attempt: UInt64 = 0) -> UInt64? {
      Evacuation.initialLimit(freeByteCount: free, logicalByteCount: logical, attempt: attempt)
    }
    let logical: UInt64 = 4_194_304
    let free = logical - 212_208
    #expect(limit(free, logical) == 319_488)
    #expect(limit((1 << 20) - 50_000, (1 << 20) - 8) == nil)
    #expect(limit((1 << 20) - 20_000, 1 << 20) == 65_536)
    #expect(limit(logical / 3 * 2, logical) == nil)
    var seen: Set<UInt64> = []
    for attempt in 0..<200 as Range<UInt64> {
      let limit = limit(free, logical, attempt) ?? 0
      #expect(limit >= 319_488 && limit <= logical / 8 * 7 && limit.isMultiple(of: 4096), "attempt \(attempt)")
      seen.insert(limit)
    }
    #expect(seen.count > 20 && limit(free, logical, 1) == 319_488 + 106_496)
    // The closest cases still have room for a limit.
    for used in stride(from: 8, to: (1 << 20) / 3, by: 4088) as StrideTo<UInt64> {
      for attempt in 0..<30 as Range<UInt64> {
        let limit = limit((1 << 20) - used, 1 << 20, attempt)
        #expect(limit.map { $0 < 1 << 20 && $0 > used } == true, "\(used)")
      }
    }
  }

  @Test func theFreeListAboveTheLimitEndsTheAttempt() {
    var state = Evacuation(limit: 100_000, progress: [1, 2])
    let moves = state.beginCommit(listsRef: Ref(100_000))
    #expect(!moves)
    #expect(state == Evacuation(backoff: 10))
    state = Evacuation(limit: 100_000, progress: [1, 2])
    let goesOn = state.beginCommit(listsRef: Ref(99_992))
    #expect(goesOn)
    // The commit that decides knows no limit yet.
    state = Evacuation(limit: 100_000, isNew: true)
    let begins = state.beginCommit(listsRef: Ref(200_000))
    #expect(begins)
    state = Evacuation(limit: 100_000, backoff: 1)
    let waits = !state.beginCommit(listsRef: Ref(24))
    #expect(waits && state == Evacuation(limit: 100_000))
  }

  /// The file that the original left in the middle of its work.
  @Test func aFileOfTheOriginalIsFinished() throws {
    let path = try directory.copy("realm-core/evacuation.realm")
    let before = try IndependentTools.json(path)
    let database = try Database.open(path: path, options: ChurnTable.options())
    let start = try SpaceFacts(database)
    #expect(start.evacuation == Evacuation(limit: 204_800, progress: [1, 0, 2, 1, 3]))
    var commits = 0
    repeat {
      try database.beginWrite().commit()
      commits += 1
      #expect(try IndependentTools.violation(path) == nil, "commit \(commits)")
      #expect(try CrashChecker.look(path).violations == [], "commit \(commits)")
    } while try commits < 1200 && !SpaceFacts(database).evacuation.isIdle
    try database.beginWrite().commit()
    let end = try SpaceFacts(database)
    print("evacuation.realm: \(start.physical) -> \(end.physical) bytes with \(end.used) used, \(commits) commits")
    #expect(end.physical == 204_800)
    #expect(try IndependentTools.json(path) == before)
  }
}
