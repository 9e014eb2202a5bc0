import TestSupport
import Testing
@testable import RealmStorage

@Suite(.mustEnd) struct FileHeaderTests {
  let directory = TestDirectory()
  var path: String { directory.file("x.realm") }

  func storage(_ bytes: [UInt8]) throws -> FileStorage {
    let storage = try FileStorage(path: path, mode: .createNew)
    try storage.write(bytes, at: 0)
    return storage
  }

  func bytes(
    _ top0: UInt64 = 0, _ top1: UInt64 = 0, formats: [UInt8] = [24, 24], reserved: UInt8 = 0, flags: UInt8 = 0,
    mnemonic: [UInt8] = Array("T-DB".utf8), count: Int = 4096
  ) -> [UInt8] {
    func little(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    let header = little(top0) + little(top1) + mnemonic + formats + [reserved, flags]
    return header.prefix(count) + [UInt8](repeating: 0, count: max(0, count - 24))
  }

  func reason(_ bytes: [UInt8], hasKey: Bool = false) throws -> String? {
    let storage = try storage(bytes)
    do {
      _ = try FileHeader.read(from: storage, hasKey: hasKey)
      return nil
    } catch .invalidDatabase(let where_, let reason) {
      #expect(where_ == path)
      return reason
    }
  }

  static let fields = " top_ref[0]: 0, top_ref[1]: 0, mnemonic: 54 2D 44 58, fmt[0]: 24, fmt[1]: 24, flags: 0"

  @Test(arguments: [1, 8, 23]) func aTooSmallFileIsRefused(_ count: Int) throws {
    #expect(try reason(bytes(count: count)) == "file is non-empty but too small (\(count) bytes) to be a valid Realm.")
  }

  @Test func anOddSizeIsRefused() throws {
    #expect(try reason(bytes(count: 4097)) == "file has an invalid size (4097).")
  }

  @Test func anEmptyFileCannotBeRead() throws {
    #expect(try reason([]) == "Read-only access to empty Realm file")
  }

  @Test func aWrongMnemonicIsRefused() throws {
    #expect(
      try reason(bytes(mnemonic: Array("T-DX".utf8)))
        == "header has invalid mnemonic. The file is either not a Realm file, is an encrypted Realm file but no encryption key was "
        + "supplied, or is corrupted." + Self.fields)
  }

  @Test func aWrongMnemonicWithAKeyIsRefusedInOtherWords() throws {
    #expect(
      try reason(bytes(mnemonic: Array("T-DX".utf8)), hasKey: true)
        == "header has invalid mnemonic. The file does not appear to be Realm file." + Self.fields)
  }

  @Test func anUnalignedTopRefIsRefused() throws {
    #expect(
      try reason(bytes(16, 0xABC, formats: [23, 24], flags: 3))
        == "top ref is not aligned top_ref[0]: 10, top_ref[1]: ABC, mnemonic: 54 2D 44 42, fmt[0]: 23, fmt[1]: 24, flags: 3")
  }

  @Test(arguments: [4096, 1 << 63] as [UInt64]) func aTopRefOutsideOfTheFileIsRefused(_ ref: UInt64) throws {
    let hex = String(ref, radix: 16, uppercase: true)
    #expect(
      try reason(bytes(ref))
        == "top ref is outside of the file (size: 4096, top_ref: \(ref)). The file has probably been truncated. "
        + "top_ref[0]: \(hex), top_ref[1]: 0, mnemonic: 54 2D 44 42, fmt[0]: 24, fmt[1]: 24, flags: 0")
  }

  @Test(arguments: [24, 32]) func aTooSmallStreamingFileIsRefused(_ count: Int) throws {
    #expect(
      try reason(bytes(.max, count: count))
        == "file is in streaming format but too small (\(count) bytes) to be a valid Realm.")
  }

  @Test func aWrongFooterIsRefused() throws {
    var file = bytes(.max, count: 80)
    file[72] = 5
    #expect(
      try reason(file)
        == "file is in streaming format but has an invalid footer cookie (5). The file is probably truncated.")
  }

  @Test func aFooterRefOutsideOfTheFileIsRefused() throws {
    let file = bytes(.max, count: 64) + FileHeader.footer(topRef: Ref(80))
    #expect(try reason(file)?.hasPrefix("top ref is outside of the file (size: 80, top_ref: 80).") == true)
  }

  @Test func theSelectBitChoosesTopAndFormat() throws {
    let file = try storage(bytes(96, 800, formats: [23, 24], reserved: 9, flags: 0xFE))
    var header = try FileHeader.read(from: file)
    #expect(header.selectedTopRef == Ref(96) && header.selectedFormat == 23 && !header.isStreaming)
    try header.writeUnselectedSlot(topRef: Ref(0x1_0000_0008), to: file)
    #expect(header.selectedTopRef == Ref(96))
    try header.flip(on: file)
    #expect(header.selectedTopRef == Ref(0x1_0000_0008) && header.selectedFormat == 24)
    #expect(header.flags == 0xFF && header.reserved == 9, "other bits are preserved")
    #expect(try file.read(24, at: 0) == header.encoded)
    try header.flip(on: file)
    #expect(header.selectedTopRef == Ref(96))
    #expect(try FileHeader.read(from: file) == header)
  }

  @Test func aNewFileBecomesAnEmptyDatabase() throws {
    let file = try storage([])
    let header = try FileHeader.initialize(file)
    #expect(header.selectedTopRef.isNull && header.selectedFormat == 0)
    #expect(try file.read(9000, at: 0) == bytes(formats: [0, 0]))
    #expect(file.barrierCount == 1)
    #expect(try FileHeader.read(from: file) == header)
  }

  @Test func aStreamingFileIsReadAndConverted() throws {
    let content = FileHeader.streamingHeader() + [UInt8](repeating: 0xAA, count: 32) + FileHeader.footer(topRef: Ref(32))
    let file = try storage(content)
    var header = try FileHeader.read(from: file)
    #expect(header.isStreaming && header.selectedTopRef == Ref(32) && header.selectedFormat == 24)
    try header.convertFromStreaming(on: file)
    #expect(!header.isStreaming && header.selectedTopRef == Ref(32) && header.selectedFormat == 24 && header.topRefs[0] == .max)
    #expect(file.barrierCount == 2)
    #expect(try FileHeader.read(from: file) == header)
    #expect(try file.read(100, at: 24) == Array(content[24...]))
    let before = header
    try header.convertFromStreaming(on: file)
    #expect(header == before && file.barrierCount == 2)
  }

  @Test func anInterruptedConversionLeavesOneOfTheTwoForms() throws {
    let content = FileHeader.streamingHeader() + [UInt8](repeating: 0xAA, count: 32) + FileHeader.footer(topRef: Ref(32))
    _ = try storage(content)
    let simulated = try SimulatedStorage(path: path)
    var header = try FileHeader.read(from: simulated)
    try header.convertFromStreaming(on: simulated)
    for length in 0...simulated.journal.count {
      for image in simulated.crashImages(count: 30, seed: testSeed &+ UInt64(length), afterEntries: length) {
        let read = try FileHeader(
          start: Array(image[..<24]), end: Array(image.suffix(16)), fileByteCount: UInt64(image.count), path: path, hasKey: false)
        #expect(read.selectedTopRef == Ref(32) && read.selectedFormat == 24)
      }
    }
  }
}
