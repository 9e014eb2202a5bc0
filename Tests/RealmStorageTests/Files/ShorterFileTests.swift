import TestSupport
import Testing

@testable import RealmStorage

/// A file that becomes shorter between two looks at it.
@Suite(.mustEnd) struct ShorterFileTests {
  /// Changes the file when its length is asked for the first time.
  // SAFETY: used by one test on one thread.
  private final class ChangingStorage: Storage, @unchecked Sendable {
    let file: FileStorage
    var change: (() throws(StorageError) -> Void)?
    init(_ file: FileStorage) { self.file = file }
    var path: String { file.path }
    var descriptor: Int32 { file.descriptor }
    var isWritable: Bool { file.isWritable }
    func byteCount() throws(StorageError) -> UInt64 {
      let once = change
      change = nil
      try once?()
      return try file.byteCount()
    }
    func extend(from start: UInt64, to end: UInt64) throws(StorageError) { try file.extend(from: start, to: end) }
    func write(_ buffers: [WriteBuffer], at offset: UInt64) throws(StorageError) { try file.write(buffers, at: offset) }
    func sync() throws(StorageError) { try file.sync() }
    func truncate(to byteCount: UInt64) throws(StorageError) { try file.truncate(to: byteCount) }
    func read(_ byteCount: Int, at offset: UInt64) throws(StorageError) -> [UInt8] { try file.read(byteCount, at: offset) }
  }

  @Test func aHeaderFromBeforeACutIsReadAgain() throws {
    let directory = TestDirectory(inMemory: true)
    let file = try FileStorage(path: directory.file(), mode: .createNew)
    var header = try FileHeader.initialize(file, isDurable: false)
    try file.extend(from: 4096, to: 65_536)
    try header.writeUnselectedSlot(topRef: Ref(40_000), to: file)
    try header.flip(on: file)
    let storage = ChangingStorage(file)
    storage.change = { () throws(StorageError) in
      try header.writeUnselectedSlot(topRef: Ref(400), to: file)
      try header.flip(on: file)
      try file.truncate(to: 8192)
    }
    #expect(try FileHeader.read(from: storage).selectedTopRef == Ref(400))
    // A file that is too short and stays so is an error.
    try header.writeUnselectedSlot(topRef: Ref(40_000), to: file)
    try header.flip(on: file)
    #expect(throws: StorageError.self) { try FileHeader.read(from: storage) }
  }
}
