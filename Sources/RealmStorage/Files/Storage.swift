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
  /// For `mmap` by the layer `Memory` and for nobody else. Valid as long as the object lives.
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

  /// Offsets and sizes are those of the plaintext; ``physical`` shows the file itself.
  var isEncrypted: Bool { get }
  /// The file as everybody else sees it.
  var physical: any Storage { get }

  /// Hands what was written to the system, for files that need no barriers. Encrypted files collect what is written.
  func flush() throws(StorageError)
  /// Forgets what was collected and not written out, after a failure.
  func abandon()
}

extension Storage {
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(StorageError) -> Int {
    let bytes = try read(buffer.count, at: offset)
    unsafe buffer.copyBytes(from: bytes)
    return bytes.count
  }
  package var isEncrypted: Bool { false }
  package var physical: any Storage { self }
  package func flush() throws(StorageError) {}
  package func abandon() {}
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
