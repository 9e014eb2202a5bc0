import Randomness
import TestSupport
import Testing
@testable import RealmStorage

/// Commits of a few nodes without meaning, through header, allocator and simulated disk together.
@Suite(.mustEnd) struct CommitCrashTests {
  let directory = TestDirectory()

  /// Each snapshot is a top node that lists positions and contents' first byte; enough to see whether it is whole.
  private struct Snapshot {
    var nodes: [FileBlock] = []
    var fill: UInt8 = 0
  }

  @Test(arguments: 1...4) func aPowerCutAnywhereLeavesTheOldOrTheNewSnapshotWhole(_ number: UInt64) throws {
    let seed = testSeed &+ number
    var generator = SeededGenerator(seed: seed)
    let storage = try SimulatedStorage(path: directory.file("x.realm"))
    var header = try FileHeader.initialize(storage)
    var free = FreeSpace()
    var snapshots: [Ref: Snapshot] = [.null: Snapshot()]
    var released: [FileBlock] = []
    // After how many journal entries which top is surely, and which may be, selected.
    // With the snapshots of that moment: later ones may have their top arrays where those of versions lay that nobody reads any more.
    var marks: [(entries: Int, tops: [Ref], snapshots: [Ref: Snapshot])] = []

    for version in 2...12 as ClosedRange<UInt64> {
      let before = header.selectedTopRef
      let (next, blocks, top) = try commit(version, free, released, &generator, storage)
      snapshots[top] = Snapshot(nodes: blocks, fill: UInt8(version))
      marks.append((storage.journal.count, [before], snapshots))
      try header.writeUnselectedSlot(topRef: top, to: storage)
      try storage.sync()
      marks.append((storage.journal.count, [before], snapshots))
      try header.flip(on: storage)
      marks.append((storage.journal.count, [before, top], snapshots))
      try storage.sync()
      marks.append((storage.journal.count, [top], snapshots))
      (free, released) = (next, blocks)
    }
    #expect(storage.barrierCount == 1 + 11 * 2)

    for mark in marks {
      for image in storage.crashImages(count: 12, seed: seed, afterEntries: mark.entries) {
        let read = try FileHeader(
          start: Array(image.prefix(24)), end: Array(image.suffix(16)), fileByteCount: UInt64(image.count), path: "image", hasKey: false)
        #expect(mark.tops.contains(read.selectedTopRef), "seed \(seed), after \(mark.entries) entries")
        guard let snapshot = mark.snapshots[read.selectedTopRef] else { return }
        for block in snapshot.nodes {
          let range = Int(block.position)..<Int(block.end)
          #expect(
            range.upperBound <= image.count && image[range].allSatisfy { $0 == snapshot.fill },
            "seed \(seed), after \(mark.entries) entries: \(block) of \(snapshot.fill)")
        }
      }
    }
  }

  private func commit(
    _ version: UInt64, _ free: FreeSpace, _ released: [FileBlock], _ generator: inout SeededGenerator, _ storage: SimulatedStorage
  ) throws -> (FreeSpace, [FileBlock], Ref) {
    var allocator = try SpaceAllocator(free, oldest: version - 1, releasing: released, version: version)
    let sizes = (0..<8).map { _ in UInt64.random(in: 1...300, using: &generator) * 8 }
    allocator.beginRun(
      expectedTotal: sizes.reduce(0, +), tailByteCount: allocator.tailByteCount(version: version, topByteCount: 96))
    var blocks: [FileBlock] = []
    for size in sizes {
      let position = allocator.allocate(size)
      blocks.append(FileBlock(position: try #require(position), byteCount: size))
    }
    let tail = try allocator.finish(version: version, topByteCount: 96, path: "p")
    blocks.append(FileBlock(position: tail.topRef.byteOffset, byteCount: tail.byteCount))
    try storage.extend(from: free.logicalByteCount, to: tail.logicalByteCount)
    for block in blocks {
      try storage.write([UInt8](repeating: UInt8(version), count: Int(block.byteCount)), at: block.position)
    }
    return (allocator.freeSpace, blocks, tail.topRef)
  }
}
