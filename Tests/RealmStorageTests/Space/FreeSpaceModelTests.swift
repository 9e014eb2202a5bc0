import Randomness
import TestSupport
import Testing
@testable import RealmStorage

/// A file of nodes without content: what each reachable snapshot uses, next to the free list under test.
private struct SpaceModel {
  struct Snapshot {
    var nodes: [UInt64: UInt64]
    var free: FreeSpace
  }

  var version: UInt64 = 1
  /// Newest and pinned ones.
  var reachable: [UInt64: Snapshot] = [1: Snapshot(nodes: [:], free: FreeSpace())]
  var pinned: Set<UInt64> = []
  /// The nodes of the newest snapshot except its lists and top.
  var objects: [UInt64: UInt64] = [:]
  var tailNodes: [FileBlock] = []
  /// Contiguous runs written by the last commit.
  var runCount = 0
  var didLosePins = false

  var newest: Snapshot { reachable[version]! }

  /// Replaces `old` nodes by nodes of the given sizes; returns where these are.
  mutating func commit(replacing old: [UInt64], with sizes: [UInt64], backdating: Bool = true) throws -> [UInt64] {
    let versions = Set(pinned).union([version])
    let lost = reachable.keys.contains { !versions.contains($0) }
    reachable = reachable.filter { versions.contains($0.key) }
    let oldest = reachable.keys.min()!
    var free = newest.free
    if backdating && (lost || didLosePins) {
      let lists = reachable.mapValues(\.free)
      try free.backdate(reachable: reachable.keys.sorted()) { version throws(StorageError) in lists[version]! }
    }
    didLosePins = false

    let released = old.map { FileBlock(position: $0, byteCount: objects[$0]!) } + tailNodes
    var allocator = try SpaceAllocator(free, oldest: oldest, releasing: released, version: version + 1)
    allocator.beginRun(
      expectedTotal: sizes.reduce(0, +), tailByteCount: allocator.tailByteCount(version: version + 1, topByteCount: 96))
    var added: [UInt64] = []
    added.reserveCapacity(sizes.count)
    var end: UInt64 = 0
    runCount = 0
    for size in sizes {
      guard let position = allocator.allocate(size) else { throw StorageError.invalidArgument(reason: "no space") }
      if position != end { runCount += 1 }
      end = position + size
      added.append(position)
    }
    let tail = try allocator.finish(version: version + 1, topByteCount: 96, path: "p")
    if tail.topRef.byteOffset != end { runCount += 1 }
    for position in old { objects[position] = nil }
    for (position, size) in zip(added, sizes) { objects[position] = size }
    let refs = [tail.topRef, tail.versionsRef, tail.positionsRef, tail.byteCountsRef].map(\.byteOffset)
    tailNodes = zip(refs, refs.dropFirst() + [refs[0] + tail.byteCount]).map { FileBlock(position: $0, byteCount: $1 - $0) }
    version += 1
    var nodes = objects
    for block in tailNodes { nodes[block.position] = block.byteCount }
    reachable[version] = Snapshot(nodes: nodes, free: allocator.freeSpace)
    return added
  }

  /// The first broken rule of the newest commit, or nil. O(size of the file).
  func violation() -> String? {
    let units = Int(newest.free.logicalByteCount / 8)
    var cover = [UInt8](repeating: 0, count: units)
    for (position, size) in newest.nodes {
      if position / FreeSpace.sectionByteCount != (position + size - 1) / FreeSpace.sectionByteCount {
        return "node at \(position) crosses a section"
      }
      for unit in Int(position / 8)..<Int((position + size) / 8) { cover[unit] += 1 }
    }
    for entry in newest.free.entries {
      for unit in Int(entry.position / 8)..<Int(entry.end / 8) { cover[unit] += 1 }
    }
    if let unit = (3..<units).first(where: { cover[$0] != 1 }) { return "byte \(unit * 8) is covered \(cover[unit]) times" }
    return newest.free.violation()
  }

  /// Whether blocks that the commit wrote were in use in a reachable older snapshot.
  func overwritten(_ written: [FileBlock]) -> String? {
    let sorted = written.sorted { $0.position < $1.position }
    for (old, snapshot) in reachable where old < version {
      for (position, size) in snapshot.nodes {
        var (low, high) = (0, sorted.count)
        while low < high {
          let middle = (low + high) / 2
          if sorted[middle].end <= position { low = middle + 1 } else { high = middle }
        }
        if low < sorted.count && sorted[low].position < position + size {
          return "the node at \(position) of version \(old) was overwritten by \(sorted[low])"
        }
      }
    }
    return nil
  }

  var liveByteCount: UInt64 { newest.nodes.values.reduce(0, +) }
}

@Suite(.mustEnd) struct FreeSpaceModelTests {
  @Test(arguments: 1...UInt64(trials(full: 40, tenth: 4))) func noReachableNodeIsEverOverwritten(_ number: UInt64) throws {
    let seed = testSeed &+ number
    var generator = SeededGenerator(seed: seed)
    var model = SpaceModel()
    let backdating = seed % 3 != 0
    for step in 0..<80 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: model.pinned.insert(model.version)
      case 1:
        if let version = model.pinned.sorted().randomElement(using: &generator) {
          model.pinned.remove(version)
          model.didLosePins = true
        }
      default: break
      }
      let keys = model.objects.keys.sorted()
      let old = keys.filter { _ in Int.random(in: 0..<10, using: &generator) < (step % 40 == 39 ? 9 : 2) }
      let sizes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
        UInt64.random(in: 1...(Int.random(in: 0..<10, using: &generator) == 0 ? 3000 : 40), using: &generator) * 8
      }
      let before = Dictionary(uniqueKeysWithValues: old.map { ($0, model.objects[$0]!) })
      let added = try model.commit(replacing: old, with: sizes, backdating: backdating)
      #expect(before.count == old.count)
      let written = zip(added, sizes).map { FileBlock(position: $0, byteCount: $1) } + model.tailNodes
      if let broken = model.violation() ?? model.overwritten(written) {
        Issue.record("seed \(seed), step \(step): \(broken)")
        return
      }
    }
  }

  @Test func backdatingKeepsAFileWithOneOldReaderSmall() throws {
    func size(backdating: Bool) throws -> UInt64 {
      var generator = SeededGenerator(test: 77)
      var model = SpaceModel()
      var nodes = try model.commit(replacing: [], with: (0..<500).map { _ in UInt64.random(in: 1...100, using: &generator) * 8 })
      model.pinned = [model.version]
      for _ in 0..<200 {
        let chosen = (0..<25).map { _ in Int.random(in: 0..<nodes.count, using: &generator) }
        let unique = Array(Set(chosen)).sorted()
        let added = try model.commit(
          replacing: unique.map { nodes[$0] }, with: unique.map { model.objects[nodes[$0]]! }, backdating: backdating)
        for (index, position) in zip(unique, added) { nodes[index] = position }
      }
      #expect(model.violation() == nil)
      return model.newest.free.logicalByteCount
    }
    let (with, without) = (try size(backdating: true), try size(backdating: false))
    #expect(with * 3 < without, "\(with) against \(without)")
  }

  /// Leaves of mixed sizes, 1 % replaced per transaction together with inner nodes above them.
  @Test(arguments: [(2000, 800), (20_000, 200)])
  func rewritingInSmallPartsKeepsTheFileBelowOneAndAHalf(_ leafCount: Int, commitCount: Int) throws {
    var generator = SeededGenerator(test: 5)
    var model = SpaceModel()
    func leafSize() -> UInt64 { UInt64([64, 72, 128, 264, 520, 1032, 2056].randomElement(using: &generator)!) }
    let perInner = 100
    let innerCount = leafCount / perInner
    let innerSize: UInt64 = 8 + UInt64(perInner) * 8
    let sizes = (0..<leafCount).map { _ in leafSize() } + [UInt64](repeating: innerSize, count: innerCount) + [4096]
    var nodes = try model.commit(replacing: [], with: sizes)
    var (worst, runs) = (0.0, 0)
    for _ in 0..<commitCount {
      let leaves = Set((0..<leafCount / 100).map { _ in Int.random(in: 0..<leafCount, using: &generator) })
      let changed = (leaves.union(leaves.map { leafCount + $0 / perInner }).union([nodes.count - 1])).sorted()
      // A leaf keeps its size mostly, sometimes grows or shrinks.
      let next = changed.map { index in
        index < leafCount && Int.random(in: 0..<4, using: &generator) == 0 ? leafSize() : model.objects[nodes[index]]!
      }
      let added = try model.commit(replacing: changed.map { nodes[$0] }, with: next)
      for (index, position) in zip(changed, added) { nodes[index] = position }
      runs += model.runCount
      worst = max(worst, Double(model.newest.free.logicalByteCount) / Double(model.liveByteCount))
    }
    let runsPerCommit = Double(runs) / Double(commitCount)
    #expect(model.violation() == nil)
    #expect(worst < 1.5, "\(worst) of the compacted size, \(runsPerCommit) runs per commit")
  }

  @Test(arguments: [300, 3000, 30_000]) func rewritingEverythingAtOnceKeepsTheFileBelowTwoPointTwo(_ count: Int) throws {
    var generator = SeededGenerator(test: 6)
    var model = SpaceModel()
    let sizes = (0..<count).map { _ in UInt64.random(in: 8...260, using: &generator) * 8 }
    var nodes = try model.commit(replacing: [], with: sizes)
    for round in 0..<6 {
      // Scattered changes in between leave small holes.
      for _ in 0..<round * 3 {
        let chosen = Array(Set((0..<count / 50).map { _ in Int.random(in: 0..<count, using: &generator) })).sorted()
        let added = try model.commit(replacing: chosen.map { nodes[$0] }, with: chosen.map { sizes[$0] })
        for (index, position) in zip(chosen, added) { nodes[index] = position }
      }
      nodes = try model.commit(replacing: nodes, with: sizes)
      let ratio = Double(model.newest.free.logicalByteCount) / Double(model.liveByteCount)
      #expect(ratio < 2.2, "round \(round)")
    }
    #expect(model.violation() == nil)
  }
}
