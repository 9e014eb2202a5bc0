/// Bytes that a commit lends to ``Storage/write(_:at:)`` for the duration of the call.
@safe package struct WriteBuffer {
  // SAFETY: whoever makes one keeps the memory alive and unchanged until the write returns; only this folder reads it.
  let start: UnsafeRawPointer
  package let byteCount: Int

  package init(_ start: UnsafeRawPointer, byteCount: Int) {
    unsafe self.start = start
    self.byteCount = byteCount
  }

  /// A copy, for storages of tests that keep what is written.
  package var bytes: [UInt8] { unsafe Array(UnsafeRawBufferPointer(start: start, count: byteCount)) }
}

/// The one door to the disk: what the engine may do with the database file. Tests count, fail and cut power here.
///
/// Reading of nodes goes through the mapping that `Memory` makes of ``descriptor``. Offsets and sizes are physical. All writing calls
/// belong to the holder of the write mutex (or, while opening, of the control mutex); reads are free.
package protocol Storage: AnyObject, Sendable {
  var path: String { get }
  /// For `mmap` by the layer `Memory` and for ``LockFileClaim``, and for nobody else. Valid as long as the object lives.
  var descriptor: Int32 { get }
  /// False for a file opened read-only: writing calls throw `.readOnly`.
  var isWritable: Bool { get }

  /// The physical size now; others may change it.
  func byteCount() throws(StorageError) -> UInt64

  /// Really allocates the bytes from `start` (the old logical size) to `end`, and makes the file at least `end` bytes long; never
  /// sparse, never shorter, and existing bytes keep their content. New bytes are zero. Without a barrier of its own.
  /// - Throws: `.outOfDiskSpace`; the file may be longer afterwards, which is harmless. T8.6, T8.9.
  func extend(from start: UInt64, to end: UInt64) throws(StorageError)

  /// Writes the buffers one after the other as one contiguous run, whole or not at all as far as the caller may know.
  func write(_ buffers: [WriteBuffer], at offset: UInt64) throws(StorageError)

  /// One barrier: returns when everything written and allocated so far survives a power cut.
  /// - Throws: `.io`, whatever the code (a full disk included): nothing is known then about what reached the disk.
  func sync() throws(StorageError)

  /// Sets the size; only for cutting a tail that no reachable snapshot contains.
  func truncate(to byteCount: UInt64) throws(StorageError)

  /// Up to `byteCount` bytes; fewer where the file ends.
  func read(_ byteCount: Int, at offset: UInt64) throws(StorageError) -> [UInt8]

  /// As many bytes as fit; fewer where the file ends.
  /// - Returns: how many.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(StorageError) -> Int

  // MARK: What encrypted files do in another way. The defaults are those of plain files.

  /// What the file is encrypted with. Then offsets and sizes are those of the plaintext, and ``physical`` shows the file itself.
  var encryptionKey: EncryptionKey? { get }
  /// The file as everybody else sees it.
  var physical: any Storage { get }
  /// Decrypts what cannot be mapped as it is; nil for a file that can.
  var decryption: EncryptedStorage? { get }

  /// Hands what was written to the system, for files that need no barriers. Encrypted files collect what is written.
  func flush() throws(StorageError)
  /// Forgets what was collected and not written out, after a failure.
  func abandon()
  /// Makes the version with the given top ref, all of which has been written, the current one. T8.4, steps 5 to 7.
  /// - Parameter header: as it is in the file.
  func select(_ topRef: Ref, _ header: inout FileHeader, isDurable: Bool) -> SelectionFailure?
  /// Since some barrier failed nothing is known about what is on disk (T8.9), and no caller was told.
  var hasFailedBarrier: Bool { get }

  /// Large writes cost less than many small ones, beyond what that saves in system calls.
  var prefersRuns: Bool { get }
  /// The end may be cut off while others have the file open.
  var canBeCutInUse: Bool { get }
  /// The footer of a file in streaming form ends at a multiple of this.
  var footerAlignment: UInt64 { get }

  /// The file's creation was cut short, so that there is nothing in it. T6.2.
  func isUnfinished() throws(StorageError) -> Bool
  /// From now on other processes are told what is being written. Later writes may not happen under the control mutex.
  func setMarks(_ marks: PageMarks?)
  /// Overwrites all copies of the key. Nothing can be read or written afterwards.
  func wipeKey()
}

/// Why a version did not become the current one.
package struct SelectionFailure {
  package let error: StorageError
  /// A barrier failed: nothing is known about what is on disk.
  package let isBarrier: Bool
  /// The new version may be selected: that has to be taken back.
  package let reachedHeader: Bool
}

extension Storage {
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(StorageError) -> Int {
    let bytes = try read(buffer.count, at: offset)
    unsafe buffer.copyBytes(from: bytes)
    return bytes.count
  }
  package var encryptionKey: EncryptionKey? { nil }
  package var physical: any Storage { self }
  package var decryption: EncryptedStorage? { nil }
  package func flush() throws(StorageError) {}
  package func abandon() {}
  package var hasFailedBarrier: Bool { false }
  package var prefersRuns: Bool { false }
  package var canBeCutInUse: Bool { true }
  package var footerAlignment: UInt64 { 1 }
  package func setMarks(_ marks: PageMarks?) {}
  package func wipeKey() {}

  package func select(_ topRef: Ref, _ header: inout FileHeader, isDurable: Bool) -> SelectionFailure? {
    var (isBarrier, reachedHeader) = (false, false)
    do throws(StorageError) {
      try header.writeUnselectedSlot(topRef: topRef, to: self)
      if isDurable {
        isBarrier = true
        try sync()
      }
      (isBarrier, reachedHeader) = (false, true)
      try header.flip(on: self)
      if isDurable {
        isBarrier = true
        try sync()
      }
      return nil
    } catch {
      return SelectionFailure(error: error, isBarrier: isBarrier, reachedHeader: reachedHeader)
    }
  }

  /// The power went while the file was created: one page or less, with zeros where something else should be.
  package func isUnfinished() throws(StorageError) -> Bool {
    guard try byteCount() <= FileHeader.initialByteCount else { return false }
    let (found, header) = (try read(Int(FileHeader.initialByteCount), at: 0), FileHeader().encoded)
    return found.indices.allSatisfy { found[$0] == 0 || $0 < header.count && found[$0] == header[$0] }
  }
}

extension Storage {
  package func write(_ bytes: RawSpan, at offset: UInt64) throws(StorageError) {
    try unsafe bytes.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) throws(StorageError) in
      guard let start = buffer.baseAddress else { return }
      unsafe try write([WriteBuffer(start, byteCount: buffer.count)], at: offset)
    }
  }

  package func write(_ bytes: [UInt8], at offset: UInt64) throws(StorageError) {
    try unsafe write(bytes.span.bytes, at: offset)
  }
}
