import Randomness
import TestSupport
import Testing
@testable import RealmStorage

/// What is kept of the free space from one commit to the next, against what the file says.
@Suite(.mustEnd) struct KeptSpaceTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  /// Usable chunks and locked blocks after the beginning of a commit.
  private struct Picture: Equatable {
    let positions: [UInt64]
    let byteCounts: [UInt32]
    let locked: [FreeSpace.Entry]

    init(_ allocator: SpaceAllocator, oldest: UInt64) {
      var copy = allocator
      copy.begin(oldest: oldest)
      copy.pool.settle()
      #expect(copy.pool.violation() == nil)
      (positions, byteCounts, locked) = (copy.pool.positions, copy.pool.byteCounts, copy.locked)
    }
  }

  @Test(arguments: sample(Array(1...8))) func aKeptAllocatorIsLikeOneMadeOfItsList(_ number: UInt64) throws {
    let seed = testSeed &+ number
    var random = SeededGenerator(seed: seed)
    // Some stand near the end of a section.
    var allocator = SpaceAllocator(FreeSpace(logicalByteCount: number % 2 == 0 ? 24 : FreeSpace.sectionByteCount - 4096 * number))
    var (nodes, tail): ([FileBlock], [FileBlock]) = ([], [])
    var oldest: UInt64 = 1
    for version in 2...300 as ClosedRange<UInt64> {
      if Int.random(in: 0..<3, using: &random) == 0 { oldest = UInt64.random(in: oldest..<version, using: &random) }
      let made = SpaceAllocator(allocator.freeSpace)
      #expect(Picture(allocator, oldest: oldest) == Picture(made, oldest: oldest), "seed \(seed), version \(version)")
      // Now and then somebody else has committed meanwhile.
      if Int.random(in: 0..<10, using: &random) == 0 { allocator = made }
      let share = Int.random(in: 0..<20, using: &random) == 0 ? 9 : 1
      let old = nodes.filter { _ in Int.random(in: 0..<10, using: &random) < share }
      nodes.removeAll { old.contains($0) }
      try allocator.free(old + tail, version: version, path: "p")
      allocator.begin(oldest: oldest, prefersRuns: number % 3 == 0)
      let count = Int.random(in: 0..<60, using: &random)
      let sizes = (0..<count).map { _ in UInt64.random(in: 1...(Int.random(in: 0..<10, using: &random) == 0 ? 3000 : 40), using: &random) * 8 }
      var places: [FileBlock] = []
      for size in sizes.prefix(Int.random(in: 0..<4, using: &random)) {
        if let position = allocator.fillHole(size) { places.append(FileBlock(position: position, byteCount: size)) }
      }
      allocator.beginRun(
        expectedTotal: sizes.reduce(0, +), tailByteCount: allocator.tailByteCount(version: version, topByteCount: 96))
      for size in sizes {
        let position = allocator.allocate(size)
        places.append(FileBlock(position: try #require(position), byteCount: size))
      }
      let end = try allocator.finish(version: version, topByteCount: 96, path: "p")
      tail = [FileBlock(position: end.topRef.byteOffset, byteCount: end.byteCount)]
      nodes += places
      #expect(allocator.violation() == nil, "seed \(seed), version \(version)")
      // Every byte is in one node or free.
      let free = allocator.freeSpace
      var position = number % 2 == 0 ? FreeSpace.firstPosition : FreeSpace.sectionByteCount - 4096 * number
      let all = (nodes + tail + free.entries.map { FileBlock(position: $0.position, byteCount: $0.byteCount) }).sorted { $0.position < $1.position }
      for block in all {
        if block.position != position {
          Issue.record("seed \(seed), version \(version): \(block) begins where \(position) was expected")
          return
        }
        position = block.end
      }
      #expect(position == free.logicalByteCount && position == end.logicalByteCount, "seed \(seed), version \(version)")
    }
  }

  /// What makes a list with one or two wrong numbers look right at a glance.
  private static func wrong(_ number: UInt64, _ random: inout SeededGenerator) -> UInt64 {
    switch random.below(6) {
    case 0: return number &+ UInt64(random.below(64))
    case 1: return number &- UInt64(random.below(4000))
    case 2: return UInt64(bitPattern: -Int64(random.below(1 << 20)))
    case 3: return number ^ 1 << UInt64(random.below(64))
    case 4: return number &+ FreeSpace.sectionByteCount
    default: return UInt64(random.below(1 << 14))
    }
  }

  @Test func aListWithAWrongNumberIsNotTakenAsItIs() {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    var (taken, refused) = (0, 0)
    for round in 0..<trials(full: 2_000_000, tenth: 50_000) {
      var (positions, byteCounts): ([UInt64], [UInt32]) = ([], [])
      var end = FreeSpace.firstPosition
      for _ in 0...random.below(5) {
        positions.append(end + UInt64(1 + random.below(40)) * 8)
        byteCounts.append(UInt32(1 + random.below(500)) * 8)
        end = positions.last! + UInt64(byteCounts.last!)
      }
      for _ in 0..<random.below(3) {
        let index = random.below(positions.count)
        if random.below(2) == 0 {
          positions[index] = Self.wrong(positions[index], &random)
        } else {
          byteCounts[index] = UInt32(truncatingIfNeeded: Self.wrong(UInt64(byteCounts[index]), &random))
        }
      }
      let entries = zip(positions, byteCounts).map { FreeSpace.Entry(position: $0, byteCount: UInt64($1), version: 0) }
      let flaw = FreeSpace(entries: entries, logicalByteCount: end + 8).violation()
      if let byteCount = SpaceAllocator.soundByteCount(positions.span, byteCounts.span, logicalByteCount: end + 8) {
        taken += 1
        let flaw = flaw ?? (byteCount == entries.reduce(0) { $0 + $1.byteCount } ? nil : "its sum is not \(byteCount)")
        guard let flaw else { continue }
        Issue.record("seed \(seed), round \(round): \(entries) is taken: \(flaw)")
        return
      }
      refused += 1
      // A block across sections is no flaw, but goes the long way.
      if flaw == nil && byteCounts.allSatisfy({ $0 < 1 << 20 }) {
        Issue.record("seed \(seed), round \(round): \(entries) is refused")
        return
      }
    }
    #expect(taken > refused / 4 && refused > taken / 4)
  }

  @Test func whatIsLockedIsFoundInVersionsOfAllWidths() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let transaction = try Database.open(path: directory.file("versions.realm")).beginWrite()
    defer { transaction.cancel() }
    for bits in [0, 1, 2, 4, 7, 15, 31, 62] {
      for count in [0, 1, 7, 8, 31, 32, 33, 64, 100, 700] {
        let share = random.below(40)
        let versions = (0..<count).map { _ in random.below(40) < share ? 0 : Int64.random(in: 0..<1 << Int64(bits), using: &random) }
        let node = try transaction.space.integers(at: transaction.scratch.createIntegers(versions))
        #expect(node.placesOfOthersThanZero() == versions.indices.filter { versions[$0] != 0 }, "seed \(seed), \(bits) bits, \(count)")
      }
    }
  }

  private func open(_ path: String, _ box: StorageBox) throws -> Database {
    var options = DatabaseOptions()
    options.openStorage = { (path, mode) throws(StorageError) in
      let storage = try SimulatedStorage(path: path, mode: mode)
      box.storage = storage
      return storage
    }
    return try Database.open(path: path, options: options)
  }

  /// Compares what a handle keeps, if it wrote the newest version, with the lists in the file, read in both ways.
  private func difference(_ handle: Database) throws -> String? {
    let read = try handle.beginRead()
    defer { read.end() }
    let file = try FreeSpace(read.space, top: read.topRef, logicalByteCount: read.byteCount, path: "")
    let joined = SpaceAllocator(file).freeSpace
    let quick = try SpaceAllocator(read.space, top: read.topRef, logicalByteCount: read.byteCount, path: "")
    if quick.freeSpace != joined { return "the lists read as they are differ from those read one by one" }
    if let reason = quick.violation() { return reason }
    guard let kept = handle.takeAllocator(version: read.version) else { return nil }
    if kept.freeSpace != joined { return "what is kept differs from the file" }
    if let reason = kept.violation() { return reason }
    handle.keep(kept, version: read.version)
    return nil
  }

  @Test(arguments: 1...4) func whatIsKeptIsWhatTheFileSaysWhoeverWrites(_ number: UInt64) throws {
    let seed = testSeed &+ number
    var random = SeededGenerator(seed: seed)
    let path = directory.file()
    let boxes = [StorageBox(), StorageBox()]
    let handles = try boxes.map { try open(path, $0) }
    let start = try handles[0].beginWrite()
    var lists: [[Int64]] = (0..<300).map { Array(repeating: $0, count: Int.random(in: 0..<40, using: &random)) }
    try Numbers.write(start, lists)
    try start.commit()
    var pins: [(snapshot: Snapshot, lists: [[Int64]])] = []
    for step in 0..<200 {
      let index = Int.random(in: 0..<10, using: &random) < 8 ? 0 : 1
      let handle = handles[index]
      let transaction = try handle.beginWrite()
      var changed = lists
      for _ in 0..<Int.random(in: 0..<(step % 50 == 49 ? 100 : 4), using: &random) {
        let place = Int.random(in: 0..<lists.count, using: &random)
        changed[place] = Array(repeating: Int64.random(in: 0..<1 << 40, using: &random), count: Int.random(in: 0..<60, using: &random))
        try Numbers.replace(transaction, place, changed[place])
      }
      switch Int.random(in: 0..<10, using: &random) {
      case 0: transaction.cancel()
      case 1:
        let storage = boxes[index].storage!
        storage.faults[storage.operationCount] = .diskFull
        #expect(throws: StorageError.self) { try transaction.commit() }
        transaction.cancel()
        storage.faults = [:]
      default:
        try transaction.commit()
        lists = changed
      }
      if let difference = try difference(handle) ?? spaceViolation(handle) {
        Issue.record("seed \(seed), step \(step): \(difference)")
        return
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where pins.count < 3: pins.append((try handles.randomElement(using: &random)!.snapshot(), lists))
      case 1 where !pins.isEmpty:
        let pin = pins.remove(at: Int.random(in: 0..<pins.count, using: &random))
        #expect(try Numbers.read(pin.snapshot.space, pin.snapshot.topRef) == pin.lists, "seed \(seed), step \(step): a pinned version changed")
      default: break
      }
    }
    #expect(try Numbers.read(handles[1]) == lists, "seed \(seed)")
  }

  @Test func aFailedCommitLeavesNothingKept() throws {
    let box = StorageBox()
    let handle = try open(directory.file(), box)
    try handle.beginWrite().commit()
    #expect(handle.takeAllocator(version: 2) != nil)
    #expect(handle.takeAllocator(version: 2) == nil, "taken once")
    try handle.beginWrite().commit()
    let transaction = try handle.beginWrite()
    let storage = box.storage!
    storage.faults[storage.operationCount] = .diskFull
    #expect(throws: StorageError.self) { try transaction.commit() }
    transaction.cancel()
    #expect(handle.takeAllocator(version: 3) == nil)
  }

  @Test func touchingBlocksAndBlocksAcrossASectionAreReadToo() throws {
    let section = FreeSpace.sectionByteCount
    let entries = [(24, 8, 0), (32, 16, 0), (64, 8, 2), (72, 8, 0), (section - 16, 64, 0), (2 * section, 8, 3)] as [(UInt64, UInt64, UInt64)]
    let free = FreeSpace(entries: entries.map { .init(position: $0.0, byteCount: $0.1, version: $0.2) }, logicalByteCount: 3 * section)
    var allocator = SpaceAllocator(free)
    allocator.begin(oldest: 2)
    allocator.pool.settle()
    #expect(allocator.pool.positions == [24, 64, section - 16, section] && allocator.pool.byteCounts == [24, 16, 16, 48])
    #expect(allocator.locked == [FreeSpace.Entry(position: 2 * section, byteCount: 8, version: 3)])
    #expect(allocator.pool.violation() == nil)
  }
}
