import Randomness
import TestSupport
import Testing

@testable import Changesets

@Suite struct ChangesetTests {
  /// Sets the property `i` of the object 1 of class `A` to 2^31.
  private static let update: [UInt8] = [
    0x3f, 0, 1, 0x41, 0x3f, 1, 1, 0x69, 4, 0, 1, 1, 1, 0, 1, 0x80, 0x80, 0x80, 0x80, 8, 0,
  ]

  @Test func anUpdateIsReadAndWritten() throws {
    let changeset = try Changeset(parsing: Self.update)
    #expect(changeset.instructions.map(changeset.line) == ["Update A[1].i = 2147483648"])
    #expect(changeset.encoded() == Self.update)
  }

  @Test func everyCutIsAnErrorThatNamesWhereItIs() throws {
    let starts: Set = [0, 4, 8]
    for length in 0..<Self.update.count where !starts.contains(length) {
      do {
        _ = try Changeset(parsing: [UInt8](Self.update[..<length]))
        Issue.record("\(length) bytes are accepted")
      } catch {
        #expect(error.offset <= length)
        #expect(error.instruction == 0)
      }
    }
  }

  @Test func anErrorNamesTheInstruction() {
    #expect(throws: ChangesetError(reason: .unknownInstruction, instruction: 1, offset: 22)) {
      try Changeset(parsing: Self.update + [14])
    }
  }

  @Test func stringsAloneAreWrittenOnlyAsRecorded() throws {
    let bytes: [UInt8] = [0x3f, 0, 1, 0x41]
    let changeset = try Changeset(parsing: bytes)
    #expect(changeset.encoded(.asRecorded) == bytes)
    #expect(changeset.encoded() == [])
  }

  @Test func stringsComeFirstUnlessAsRecorded() throws {
    let late: [UInt8] = [0x3f, 0, 1, 0x41, 1, 0, 0x3f, 1, 1, 0x42, 1, 1]
    let changeset = try Changeset(parsing: late)
    #expect(changeset.encoded(.asRecorded) == late)
    #expect(changeset.encoded() == [0x3f, 0, 1, 0x41, 0x3f, 1, 1, 0x42, 1, 0, 1, 1])
  }

  @Test func manyStringsAreToldApart() throws {
    var writer = ByteWriter()
    for number in 0..<2000 {
      writer.integer(0x3f)
      writer.integer(Int64(number))
      writer.raw(ArraySlice("key number \(number)".utf8))
    }
    #expect(try Changeset(parsing: writer.bytes).stringCount == 2000)
    writer.integer(0x3f)
    writer.integer(2000)
    writer.raw(ArraySlice("key number 17".utf8))
    let bytes = writer.bytes
    let error = #expect(throws: ChangesetError.self) { try Changeset(parsing: bytes) }
    #expect(error?.reason == .stringRepeated)
  }

  @Test func aHugeLengthIsRefusedBeforeAnythingIsAllocated() {
    let lengths: [UInt8] = [UInt8](repeating: 0xff, count: 8) + [0x3f]
    for prefix in [[0x3f, 0], [0x3f, 0, 1, 0x41, 4, 0, 1, 1, 0]] as [[UInt8]] {
      let error = #expect(throws: ChangesetError.self) { try Changeset(parsing: prefix + lengths) }
      #expect(error?.reason == .truncated)
    }
  }

  @Test func anIndexOfMoreThan32BitsIsRefused() {
    let prefix: [UInt8] = [0x3f, 0, 1, 0x41, 10, 0, 1, 1, 0, 1]
    let error = #expect(throws: ChangesetError.self) { try Changeset(parsing: prefix + [0x80, 0x80, 0x80, 0x80, 0x10, 1], .reference) }
    #expect(error?.reason == .indexTooLarge)
  }

  @Test func textEscapesWhatWouldEndALine() throws {
    let changeset = try Changeset(parsing: [0x3f, 0, 1, 0x41, 0x3f, 1, 2, 10, 0x22, 2, 0, 3, 1])
    #expect(changeset.instructions.map(changeset.line) == [#"CreateObject A["\u000a\""]"#])
  }

  @Test func damagedBytesAreRefusedOrEncodeToThemselves() throws {
    for number in 0..<UInt64(trials(full: 1_000_000, tenth: 20_000)) {
      var random = SeededGenerator(test: number)
      var bytes = Self.update + [8, 0, 1, 1, 1, 1, 2, 3, 1, 0x78, 5, 12, 0, 1, 1, 1, 0, 8, 0x7d | 0x80, 0, 0x40, 0, 6, 0, 0, 0, 1, 0]
      for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
      guard let changeset = try? Changeset(parsing: bytes, .reference) else { continue }
      let encoded = changeset.encoded(.asRecorded)
      let again = try Changeset(parsing: encoded, .reference)
      #expect(again.encoded(.asRecorded) == encoded, "input \(number) of seed \(testSeed)")
      #expect(again.json() == changeset.json(), "input \(number) of seed \(testSeed)")
    }
  }
}
