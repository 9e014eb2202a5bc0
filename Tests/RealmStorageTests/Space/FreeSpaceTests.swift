import TestSupport
import Testing
@testable import RealmStorage

@Suite(.mustEnd) struct FreeSpaceTests {
  func list(_ entries: [(UInt64, UInt64, UInt64)], logical: UInt64 = 4096) throws -> FreeSpace {
    try FreeSpace(
      positions: entries.map(\.0), byteCounts: entries.map(\.1), versions: entries.map(\.2), logicalByteCount: logical, path: "p")
  }

  func triples(_ free: FreeSpace) -> [[UInt64]] { free.entries.map { [$0.position, $0.byteCount, $0.version] } }

  @Test func everyBrokenRuleOfAStoredListIsReported() throws {
    #expect(try list([(24, 8, 0), (32, 4064, 3)]).violation() == nil)
    let wrong: [(entries: [(UInt64, UInt64, UInt64)], logical: UInt64, reason: String)] = [
      ([], 16, "the logical size 16 is not a multiple of 8 above the header"),
      ([], 4097, "the logical size 4097 is not a multiple of 8 above the header"),
      ([(24, 0, 0)], 4096, "free list entry 0 is empty or misaligned: 24, 0"),
      ([(28, 8, 0)], 4096, "free list entry 0 is empty or misaligned: 28, 8"),
      ([(24, 12, 0)], 4096, "free list entry 0 is empty or misaligned: 24, 12"),
      ([(16, 8, 0)], 4096, "free list entry 0 at 16 begins before 24, the end of what precedes it"),
      ([(24, 16, 0), (32, 8, 0)], 4096, "free list entry 1 at 32 begins before 40, the end of what precedes it"),
      ([(96, 8, 0), (24, 8, 0)], 4096, "free list entry 1 at 24 begins before 104, the end of what precedes it"),
      ([(4088, 16, 0)], 4096, "free list entry 0 at 4088 with 16 bytes ends past the logical size 4096"),
      (
        [(4088, .max - 7, 0)], 4096,
        "free list entry 0 at 4088 with 18446744073709551608 bytes ends past the logical size 4096"
      ),
    ]
    for (entries, logical, reason) in wrong {
      #expect(throws: StorageError.invalidDatabase(path: "p", reason: reason)) { try list(entries, logical: logical) }
    }
    #expect(throws: StorageError.invalidDatabase(path: "p", reason: "free lists of different lengths: 1, 0, 0")) {
      try FreeSpace(positions: [24], byteCounts: [], versions: [], logicalByteCount: 4096, path: "p")
    }
  }

  @Test func onlyBlocksThatNobodyReadsAreHandedOut() throws {
    let free = try list([(24, 40, 5), (64, 32, 3), (200, 8, 6), (304, 96, 0)])
    #expect(free.freeByteCount == 176 && free.lockedByteCount(oldest: 4) == 48)
    var allocator = try SpaceAllocator(free, oldest: 4)
    #expect(allocator.lockedByteCount == 48 && allocator.freeByteCount == 128)
    #expect(allocator.allocate(96) == 304)
    #expect(allocator.allocate(32) == 64)
    #expect(allocator.allocate(8) == 4096, "locked blocks are not used")
  }

  @Test func adjacentReusableBlocksAreOneWhateverTheirVersions() throws {
    var allocator = try SpaceAllocator(list([(24, 40, 5), (64, 32, 3), (96, 8, 0), (112, 8, 1)]), oldest: 5)
    #expect(allocator.allocate(80) == 24)
  }

  @Test func theFirstCommitMakesOnePage() throws {
    var allocator = try SpaceAllocator(FreeSpace(), oldest: 1)
    allocator.beginRun(expectedTotal: 200)
    #expect(allocator.allocate(200) == 24)
    let tail = try allocator.finish(version: 2, topByteCount: 64, path: "p")
    #expect(tail.logicalByteCount == 4096)
    #expect(tail.topRef == Ref(224))
    // One entry: position 16 bit, length 16 bit, version 0 bit.
    #expect([tail.positionWidth, tail.byteCountWidth, tail.versionWidth] == [16, 16, 0])
    #expect(tail.versionsRef == Ref(288) && tail.positionsRef == Ref(296) && tail.byteCountsRef == Ref(312) && tail.byteCount == 104)
    #expect(triples(allocator.freeSpace) == [[328, 3768, 0]])
  }

  @Test func growthIsDoublingWhileTinyThenAnEighthThenOneMebibyte() throws {
    for (old, new) in [
      (24, 4096), (4096, 8192), (61440, 122880), (1 << 16, 73728), (1 << 20, (1 << 20) + (1 << 17)), (32 << 20, 33 << 20),
      (1000, 4096), ((64 << 20) - 4096, 64 << 20), (64 << 20, 65 << 20),
    ] as [(UInt64, UInt64)] {
      var allocator = try SpaceAllocator(FreeSpace(logicalByteCount: old), oldest: 1)
      #expect(allocator.allocate(8) == old)
      #expect(allocator.logicalByteCount == new, "from \(old)")
    }
  }

  @Test func aLargeNeedIsOneExtension() throws {
    var allocator = try SpaceAllocator(FreeSpace(logicalByteCount: 4096), oldest: 1)
    allocator.beginRun(expectedTotal: 10 << 20)
    #expect(allocator.allocate(8) == 4096)
    #expect(allocator.logicalByteCount == (10 << 20) + 4096)
  }

  @Test func noNodeCrossesASection() throws {
    let section = FreeSpace.sectionByteCount
    var allocator = try SpaceAllocator(FreeSpace(logicalByteCount: section - 4096), oldest: 1)
    #expect(allocator.allocate(8192) == section)
    #expect(allocator.allocate(4096) == section - 4096, "what was skipped stays free")
    #expect(allocator.allocate(section) == 2 * section)
    #expect(allocator.logicalByteCount == 3 * section)
    // A free chunk that crosses a boundary has two usable parts.
    var other = try SpaceAllocator(list([(section - 64, 128, 0)], logical: 2 * section), oldest: 1)
    #expect(other.allocate(72) == 2 * section)
    other = try SpaceAllocator(list([(section - 64, 128, 0)], logical: 2 * section), oldest: 1)
    let places = [other.allocate(64), other.allocate(64)]
    #expect(places == [section - 64, section])
    other = try SpaceAllocator(list([(section - 64, 128, 0)], logical: 2 * section), oldest: 1)
    _ = try other.finish(version: 2, topByteCount: 64, path: "p")
    #expect(triples(other.freeSpace)[0] == [section - 64, 128, 0], "one entry of the list")
  }

  @Test func aRunGetsTheSmallestChunkThatHoldsIt() throws {
    var allocator = try SpaceAllocator(
      list([(24, 2000, 0), (4096, 512, 0), (8192, 1000, 0)], logical: 16384), oldest: 1)
    allocator.beginRun(expectedTotal: 800)
    #expect([allocator.allocate(400), allocator.allocate(400)] == [8192, 8592])
  }

  @Test func aNodeThatDoesNotFitDoesNotAbandonTheRest() throws {
    var allocator = try SpaceAllocator(list([(24, 1000, 0), (8192, 1200, 0)], logical: 16384), oldest: 1)
    allocator.beginRun(expectedTotal: 2200)
    let places = ([800, 1160, 40, 200] as [UInt64]).map { allocator.allocate($0) }
    #expect(places == [24, 8192, 9352, 824])
    #expect(allocator.logicalByteCount == 16384)
  }

  @Test func belowALimitNothingElseIsUsed() throws {
    var allocator = try SpaceAllocator(list([(24, 200, 0), (1000, 3000, 0)]), oldest: 1, limit: 1104)
    #expect(allocator.freeByteCount == 3200)
    let places = [allocator.allocate(104), allocator.allocate(200)]
    #expect(places == [1000, 24])
    #expect(allocator.allocate(8) == nil)
    #expect(allocator.freeByteCount == 2896 && allocator.logicalByteCount == 4096)
  }

  @Test func listsAndTopLieAboveTheLimitWhereThereIsNoRoomBelow() throws {
    for (end, position, logical) in [(3000, 1104, 4096), (104, 4096, 8192)] as [(UInt64, UInt64, UInt64)] {
      var allocator = try SpaceAllocator(list([(24, 200, 0), (1000, end, 0)]), oldest: 1, limit: 1104)
      #expect([allocator.allocate(104), allocator.allocate(200)] == [1000, 24])
      let tail = try allocator.finish(version: 2, topByteCount: 64, path: "p")
      #expect(tail.topRef.byteOffset == position)
      #expect(tail.logicalByteCount == logical)
    }
  }

  @Test func heldBackSpaceIsStillInTheWrittenList() throws {
    var allocator = try SpaceAllocator(list([(24, 1000, 0), (2000, 2000, 0)]), oldest: 1, limit: 2048)
    let tail = try allocator.finish(version: 2, topByteCount: 64, path: "p")
    #expect(tail.topRef.byteOffset < 2048)
    #expect(allocator.freeSpace.freeByteCount == 3000 - tail.byteCount)
    #expect(allocator.freeSpace.entries.last == FreeSpace.Entry(position: 2000, byteCount: 2000, version: 0))
  }

  @Test func releasedBlocksAreMergedAndLockedOnesKept() throws {
    let released = ([48, 40, 32, 3504, 3000] as [UInt64]).map { FileBlock(position: $0, byteCount: 8) }
    var allocator = try SpaceAllocator(list([(24, 8, 9), (1000, 2000, 1)]), oldest: 4, releasing: released, version: 10)
    let tail = try allocator.finish(version: 10, topByteCount: 96, path: "p")
    #expect(
      triples(allocator.freeSpace) == [
        [24, 8, 9], [32, 24, 10], [1000 + tail.byteCount, 2000 - tail.byteCount, 0], [3000, 8, 10], [3504, 8, 10],
      ])
  }

  @Test func aDoubleReleaseStopsTheCommit() throws {
    let free = try list([(24, 8, 9), (1000, 2000, 1)])
    let wrong: [[FileBlock]] = [
      [FileBlock(position: 48, byteCount: 8), FileBlock(position: 48, byteCount: 8)],
      [FileBlock(position: 48, byteCount: 16), FileBlock(position: 56, byteCount: 8)],
      [FileBlock(position: 24, byteCount: 8)], [FileBlock(position: 992, byteCount: 16)],
      [FileBlock(position: 2992, byteCount: 16)], [FileBlock(position: 4096, byteCount: 8)],
      [FileBlock(position: 16, byteCount: 8)], [FileBlock(position: 48, byteCount: 0)],
      [FileBlock(position: 48, byteCount: .max - 7)],
    ]
    for released in wrong {
      #expect(throws: StorageError.self, "\(released)") {
        _ = try SpaceAllocator(free, oldest: 4, releasing: released, version: 10)
      }
    }
  }

  /// Blocks that `begin` lets in lie behind the chunks that are in order, or are joined with one of them.
  @Test func aReleaseOfWhatTheSameCommitLetInStopsItToo() throws {
    let free = try list([(1000, 200, 3), (1200, 800, 0), (2400, 80, 4), (3000, 96, 9)])
    for position in [992, 1000, 1192, 1240, 1992, 2392, 2400, 2472, 3000] as [UInt64] {
      var allocator = SpaceAllocator(free)
      allocator.begin(oldest: 4)
      #expect(throws: StorageError.self, "\(position)") {
        try allocator.free([FileBlock(position: position, byteCount: 16)], version: 10, path: "p")
      }
    }
    var allocator = SpaceAllocator(free)
    allocator.begin(oldest: 4)
    try allocator.free([984, 2000, 2384, 2480, 2984].map { FileBlock(position: $0, byteCount: 16) }, version: 10, path: "p")
  }

  @Test func theSpecificationsExampleOfBackdating() throws {
    // Pinned at 2; v4 freed what v3 had allocated in space that was free in v2.
    let two = try list([(464, 88, 0), (600, 3000, 0)])
    var free = try list([(320, 16, 4), (464, 88, 4)])
    var asked: [UInt64] = []
    try free.backdate(reachable: [2, 4]) { version in
      asked.append(version)
      return two
    }
    #expect(triples(free) == [[320, 16, 4], [464, 88, 0]])
    #expect(asked == [2])
  }

  @Test func backdatingRepeatsSplitsAndKnowsWhatWasNotThereYet() throws {
    let lists: [UInt64: FreeSpace] = [
      2: try list([(104, 40, 1)], logical: 2048),
      5: try list([(104, 80, 4), (1000, 8, 5)], logical: 3072),
    ]
    var free = try list([(104, 96, 7), (1000, 8, 7), (2040, 24, 6), (3064, 16, 7)])
    try free.backdate(reachable: [2, 5, 8]) { version in lists[version]! }
    #expect(
      triples(free) == [
        [104, 40, 1],  // free in 5 since 4, free in 2 since 1
        [144, 40, 4],  // free in 5 since 4, used in 2
        [184, 16, 7],  // used in 5
        [1000, 8, 5], [2040, 24, 6],  // used in 5 (2040) although past the end of 2
        [3064, 8, 7], [3072, 8, 2],  // past the end of both
      ])
  }

  @Test func backdatingAsksForNothingWhenNothingIsLocked() throws {
    var free = try list([(104, 96, 3)])
    try free.backdate(reachable: [3, 9]) { _ in
      Issue.record("asked")
      return FreeSpace()
    }
    #expect(triples(free) == [[104, 96, 3]])
  }

  @Test func manyChunksCostLittleEach() throws {
    let count = 100_000
    let entries = (0..<count).map { (i: Int) -> FreeSpace.Entry in
      FreeSpace.Entry(position: UInt64(24 + i * 512), byteCount: UInt64(8 + i % 60 * 8), version: 0)
    }
    let free = FreeSpace(entries: entries, logicalByteCount: UInt64(24 + count * 512))
    var allocator = try SpaceAllocator(free, oldest: 1)
    allocator.beginRun(expectedTotal: 16 << 20)
    var positions = Set<UInt64>()
    let time = threadTime {
      for i in 0..<80_000 { positions.insert(allocator.allocate(UInt64(8 + i % 40 * 8))!) }
    }
    #expect(positions.count == 80_000)
    #expect(time < .seconds(2), "\(time)")
    _ = try allocator.finish(version: 2, topByteCount: 64, path: "p")
    #expect(allocator.freeSpace.violation() == nil)
  }
}
