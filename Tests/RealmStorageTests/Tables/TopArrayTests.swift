import Testing

@testable import RealmStorage

/// What is written into a top array, and what is demanded of one. F8.1.
struct TopArrayTests {
  private func array(_ test: TestScratch, _ elements: [Int64]) throws -> TopArray {
    let ref = try test.scratch.createRefs(count: elements.count)
    for (slot, element) in elements.enumerated() { test.scratch.setChild(ref, slot, Ref(element: element)) }
    return try TopArray(test.space, at: ref)
  }

  private func whole() -> TopArray.Contents {
    var contents = TopArray.Contents()
    (contents.names, contents.tables, contents.logicalByteCount) = (Ref(64), Ref(96), 4096)
    contents.version = TopArray.Contents.Version(number: 7, freePositions: Ref(104), freeByteCounts: Ref(112), freeVersions: Ref(120))
    contents.history = TopArray.Contents.History(type: 2, root: Ref(128), schemaVersion: 1, syncFileID: 5)
    contents.evacuation = Int64(tagged: 2048)
    return contents
  }

  @Test func everyFieldIsReadFromTheSlotThatItIsWrittenTo() throws {
    let test = try TestScratch()
    let array = try array(test, whole().elements)
    #expect(array.slotCount == TopArray.longSlotCount)
    #expect(try array.names == Ref(64) && array.tables == Ref(96) && array.logicalByteCount == 4096)
    #expect(try array.freePositions == Ref(104) && array.freeByteCounts == Ref(112) && array.freeVersions == Ref(120))
    #expect(try array.version == 7 && array.historyType == 2 && array.history == Ref(128))
    #expect(try array.historySchemaVersion == 1 && array.syncFileID == 5)
    #expect(array.evacuation == 4097)
  }

  @Test func theShorterFormsEndWhereTheirContentsDo() throws {
    let test = try TestScratch()
    var contents = whole()
    contents.evacuation = nil
    #expect(contents.elements.count == TopArray.usualSlotCount)
    contents.history = nil
    #expect(contents.elements.count == 7)
    contents.version = nil
    #expect(contents.elements.count == TopArray.streamingSlotCount)
    let array = try array(test, contents.elements)
    #expect(try array.version == nil && array.historyType == 0 && array.history.isNull && array.freePositions.isNull)
    #expect(array.evacuation == 0)
  }

  @Test func aFieldOfTheWrongFormIsNotRead() throws {
    let test = try TestScratch()
    var elements = whole().elements
    for slot in elements.indices { elements[slot] ^= 1 }
    let array = try array(test, elements)
    #expect(throws: StorageError.self) { try array.names }
    #expect(throws: StorageError.self) { try array.freeVersions }
    #expect(throws: StorageError.self) { try array.history }
    #expect(throws: StorageError.self) { try array.version }
    #expect(throws: StorageError.self) { try array.checkForm(limit: 4096) }
  }

  @Test func theFormKnowsSevenLengthsAndTheLimitsOfTheFile() throws {
    let test = try TestScratch()
    for count in 0...13 {
      let elements = Array((whole().elements + [0]).prefix(count))
      let isKnown = [3, 5, 7, 9, 10, 11, 12].contains(count)
      #expect((try? array(test, elements).checkForm(limit: 4096)) == (isKnown ? 4096 : nil))
    }
    for (logical, isGood) in [(16, false), (24, true), (4096, true), (4104, false)] as [(UInt64, Bool)] {
      var contents = whole()
      contents.logicalByteCount = logical
      #expect((try? array(test, contents.elements).checkForm(limit: 4096)) == (isGood ? logical : nil))
    }
    let inner = try test.scratch.createRefs(count: 3, flags: NodeHeader.Flags.inner)
    test.scratch.setTagged(inner, TopArray.Slot.logicalByteCount, 4096)
    #expect(throws: StorageError.self) { try TopArray(test.space, at: inner).checkForm(limit: 4096) }
  }

  @Test func openingChecksTheFirstSlotsInTheOriginalsWords() throws {
    // As in a file: behind the header, at a place of 200.
    func violation(count: Int = 11, names: Int64 = 64, tables: Int64 = 96, size: Int64 = 8193, fileByteCount: UInt64) throws -> String? {
      let values = Array(([names, tables, size] + [Int64](repeating: 0, count: 10)).prefix(count))
      var bytes = [UInt8](repeating: 0, count: 200)
      bytes += [0x41, 0x41, 0x41, 0x41, 0x47, 0, 0, UInt8(count)]
      for value in values { for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift * 8))) } }
      let test = try TestScratch(bytes)
      return try TopArray(test.fileSpace, at: Ref(200)).violation(fileByteCount: fileByteCount)
    }
    let lock = "read lock size: 0, read lock version: 0"
    for count in [3, 5, 7, 9, 10, 11, 12] { #expect(try violation(count: count, fileByteCount: 4096) == nil) }
    for count in [0, 1, 2, 4, 6, 8, 13] {
      #expect(
        try violation(count: count, fileByteCount: 4096)
          == "Invalid top array size (ref: 200, array size: \(count)) file size: 4096, \(lock)")
    }
    #expect(
      try violation(size: 8209, fileByteCount: 4096) == "Invalid logical file size: 4104, actual file size: 4096, \(lock)")
    for (names, tables) in [(0, 96), (64, 0), (65, 96), (64, 97), (4104, 96), (64, 4104)] as [(Int64, Int64)] {
      #expect(
        try violation(names: names, tables: tables, fileByteCount: 8192)
          == "Invalid top array (top_ref, [0], [1]): 200, \(names), \(tables), \(lock)")
    }
    for (size, logical) in [(8192, 4096), (8195, 4097), (401, 200)] as [(Int64, Int)] {
      #expect(try violation(size: size, fileByteCount: 8192) == "Invalid logical file size: \(logical), top_ref: 200")
    }
  }
}
