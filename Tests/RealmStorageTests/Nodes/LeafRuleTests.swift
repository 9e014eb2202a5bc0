import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Limits, chunks, searching, and the identities of nested collections.
@Suite struct LeafRuleTests {
  private func find(_ leaf: StringLeaf, _ text: String?, _ begin: Int, _ end: Int) throws -> Int? {
    guard let text else { return try leaf.find(nil, from: begin, to: end) }
    return try Array(text.utf8).withUnsafeBufferPointer { try leaf.find(UnsafeRawBufferPointer($0), from: begin, to: end) }
  }

  @Test(arguments: [0, 1, 2, 5, 12, 40, 100]) func aStringIsFoundInEveryForm(_ longest: Int) throws {
    let test = try TestScratch()
    var ref = try StringLeaf.create(in: test.scratch, count: 0, isNullable: true)
    var random = SeededGenerator(test: UInt64(longest))
    var model: [String?] = []
    for index in 0..<200 {
      let text = String(repeating: "ab".randomElement(using: &random)!, count: Int.random(in: 0...longest, using: &random))
      model.append(index % 7 == 0 ? nil : text)
      try StringLeaf.insert(test.scratch, &ref, index, model[index].map { Value($0) } ?? .null)
    }
    let leaf = try StringLeaf(test.space, ref)
    for wanted in model + ["abc", "longer than everything else in this leaf of short strings"] {
      #expect(try find(leaf, wanted, 0, 200) == model.firstIndex(of: wanted))
      let later = model[50..<150].firstIndex(of: wanted)
      #expect(try find(leaf, wanted, 50, 150) == later)
    }
  }

  @Test func valuesBeyondTheLimitAreRefusedAndTheLargestAreKept() throws {
    let test = try TestScratch()
    let limit = 16_777_200
    let tooLong = [UInt8](repeating: 7, count: limit + 1)
    var binary = try BinaryLeaf.create(in: test.scratch, count: 1, isNullable: true)
    #expect(throws: StorageError.self) { try BinaryLeaf.set(test.scratch, &binary, 0, .binary(tooLong)) }
    try BinaryLeaf.set(test.scratch, &binary, 0, .binary(Array(tooLong[..<limit])))
    #expect(try BinaryLeaf(test.space, binary).copy(0)?.count == limit)
    var string = try StringLeaf.create(in: test.scratch, count: 1, isNullable: true)
    #expect(throws: StorageError.self) { try StringLeaf.set(test.scratch, &string, 0, .string(Array(tooLong[..<limit]))) }
    #expect(throws: StorageError.self) { try StringLeaf.insert(test.scratch, &string, 0, .string(Array(tooLong[..<limit]))) }
    try StringLeaf.set(test.scratch, &string, 0, .string(Array(tooLong[..<(limit - 1)])))
    try StringLeaf.check(test.space, string, expectedCount: 1)
    var mixed = try MixedLeaf.create(in: test.scratch, count: 1)
    #expect(throws: StorageError.self) { try MixedLeaf.set(test.scratch, &mixed, 0, .binary(Array(tooLong[..<limit]))) }
    try MixedLeaf.check(test.space, mixed, expectedCount: 1)
  }

  @Test func aLargeHistoryEntryIsChunked() throws {
    let test = try TestScratch()
    var leaf = try BinaryLeaf.create(in: test.scratch, count: 0, isNullable: false)
    let part = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var entry: [UInt8] = []
    while entry.count < 16_777_200 { entry += part }
    try BinaryLeaf.insertHistoryEntry(test.scratch, &leaf, 0, [1, 2, 3])
    try BinaryLeaf.insertHistoryEntry(test.scratch, &leaf, 1, entry)
    try BinaryLeaf.check(test.space, leaf, expectedCount: 2)
    let reader = try BinaryLeaf(test.space, leaf)
    #expect(try reader.copy(0) == [1, 2, 3])
    #expect(try reader.copy(1) == entry)
    #expect(throws: StorageError.self) { _ = try reader.bytes(1) }
    let root = try test.space.refs(at: leaf)
    #expect(try BigBlob.byteCount(test.space, root.child(1)) == entry.count)
    #expect(try test.space.node(at: root.child(1)).header.bits == 0x6700_0002)
    try BinaryLeaf.remove(test.scratch, &leaf, 1)
    try BinaryLeaf.check(test.space, leaf, expectedCount: 1)
  }

  @Test func aTimestampWithMixedSignsIsRefused() throws {
    let test = try TestScratch()
    var leaf = try TimestampLeaf.create(in: test.scratch, count: 1, isNullable: true)
    for (seconds, nanoseconds) in [(1, -1), (-1, 1), (0, 1_000_000_000)] as [(Int64, Int32)] {
      let moment = Value.timestamp(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
      #expect(throws: StorageError.self) { try TimestampLeaf.set(test.scratch, &leaf, 0, moment) }
    }
    try TimestampLeaf.set(test.scratch, &leaf, 0, .timestamp(Timestamp(seconds: 0, nanoseconds: -500_000_000)))
    try TimestampLeaf.check(test.space, leaf, expectedCount: 1)
  }

  // MARK: Mixed

  @Test func aMixedLeafKeepsItsPayloadWithoutHoles() throws {
    let test = try TestScratch()
    var ref = try MixedLeaf.create(in: test.scratch, count: 0)
    for index in 0..<4 { try MixedLeaf.insert(test.scratch, &ref, index, Value("text \(index)")) }
    try MixedLeaf.set(test.scratch, &ref, 1, .null)
    let leaf = try MixedLeaf(test.space, ref)
    // The last string moved into the hole, and its owner knows.
    #expect((0..<4).map { leaf.composites.element(unchecked: $0) } == [0x063, 0, 0x263, 0x163])
    #expect(try identity(leaf.value(3)) == identity(Value("text 3")))
    try MixedLeaf.check(test.space, ref, expectedCount: 4)
  }

  @Test func identitiesFollowTheirCollections() throws {
    let test = try TestScratch()
    var ref = try MixedLeaf.create(in: test.scratch, count: 3)
    try MixedLeaf.set(test.scratch, &ref, 1, .list(.null))
    #expect(throws: StorageError.self) { try MixedLeaf.check(test.space, ref, expectedCount: 3) }
    #expect(try MixedLeaf.ensureKey(test.scratch, &ref, 1, unused: -17) == -17)
    #expect(try MixedLeaf.ensureKey(test.scratch, &ref, 1, unused: 5) == -17)
    #expect(throws: StorageError.self) { try MixedLeaf.ensureKey(test.scratch, &ref, 0, unused: 5) }
    try MixedLeaf.check(test.space, ref, expectedCount: 3)
    try MixedLeaf.insert(test.scratch, &ref, 0, .bool(true))
    #expect(try MixedLeaf(test.space, ref).index(ofKey: -17) == 2)
    #expect(try MixedLeaf(test.space, ref).keys() == [-17])
    let tree = try test.scratch.createRefs(count: 0)
    try MixedLeaf.setCollectionRoot(test.scratch, &ref, 2, tree)
    #expect(try MixedLeaf(test.space, ref).collectionRoot(2) == tree)
    let tail = try MixedLeaf.split(test.scratch, &ref, at: 1)
    #expect(try MixedLeaf(test.space, tail).key(1) == -17)
    #expect(try MixedLeaf(test.space, tail).collectionRoot(1) == tree)
    var overwritten = tail
    try MixedLeaf.set(test.scratch, &overwritten, 1, .int(1))
    #expect(try MixedLeaf(test.space, overwritten).key(1) == 0)
    try MixedLeaf.check(test.space, overwritten, expectedCount: 3)
    // The tree itself is the caller's.
    #expect(try test.space.refs(at: tree).count == 0)
  }

  @Test(arguments: [4, 5, 6]) func oldMixedLeavesAreExtendedWhenTheyChange(_ slotCount: Int) throws {
    var image = NodeImage()
    let composites = image.append("05000003 9400 0101 0000")
    let collections = image.append("40000001")
    let keys = image.append("04000001 07")
    let slots = [composites.byteOffset, 0, 0, 0, collections.byteOffset, keys.byteOffset]
    var bytes = slots[..<slotCount].flatMap { slot in (0..<8).map { UInt8(truncatingIfNeeded: slot >> UInt64($0 * 8)) } }
    if slotCount == 4 { bytes[0] = UInt8(image.append("05000003 0201 0101 0000").byteOffset) }
    let root = image.append(header: 0x4700_0000 | UInt32(slotCount), bytes)
    let test = try TestScratch(image.bytes)
    let before = try (0..<3).map { identity(try MixedLeaf(test.fileSpace, root).value($0)) }
    #expect(try MixedLeaf(test.fileSpace, root).key(0) == (slotCount == 6 ? 7 : 0))
    #expect(try MixedLeaf(test.fileSpace, root).key(2) == 0)
    var ref = root
    try MixedLeaf.insert(test.scratch, &ref, 3, .dictionary(.null))
    try MixedLeaf.ensureKey(test.scratch, &ref, 3, unused: 9)
    #expect(try test.space.refs(at: ref).count == 6)
    try MixedLeaf.check(test.space, ref, expectedCount: 4, requiresKeys: false)
    let leaf = try MixedLeaf(test.space, ref)
    #expect(try (0..<3).map { identity(try leaf.value($0)) } == before)
    #expect(try leaf.keys() == (slotCount == 6 ? [7, 9] : [9]))
  }
}

@Suite struct MixedMergeTests {
  @Test func aMergedLeafKeepsValuesAndIdentities() throws {
    let test = try TestScratch()
    var random = SeededGenerator(test: 12)
    var values: [Value] = []
    var ref = try MixedLeaf.create(in: test.scratch, count: 0)
    for index in 0..<120 {
      values.append(LeafModel.mixedValue(&random, 6))
      try MixedLeaf.insert(test.scratch, &ref, index, values[index])
      switch values[index] {
      case .list, .dictionary: try MixedLeaf.ensureKey(test.scratch, &ref, index, unused: Int64(index + 1))
      default: break
      }
    }
    let tail = try MixedLeaf.split(test.scratch, &ref, at: 50)
    try MixedLeaf.merge(test.scratch, &ref, appending: tail)
    try MixedLeaf.check(test.space, ref, expectedCount: 120)
    let leaf = try MixedLeaf(test.space, ref)
    for index in 0..<120 {
      #expect(try identity(leaf.value(index)) == identity(values[index]))
      switch values[index] {
      case .list, .dictionary: #expect(try leaf.key(index) == Int64(index + 1))
      default: #expect(try leaf.key(index) == 0)
      }
    }
  }
}
