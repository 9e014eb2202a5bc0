package import RealmStorage
import Synchronization

/// A file that a tool writes: reports progress, and stops when the user interrupts.
///
/// Only contents are refused then, never the writes to the header that make them current or take that back: so the file is at the old or
/// at the new state.
package final class WatchedStorage: Storage {
  private let storage: FileStorage
  private let written = Atomic<Int>(0)
  /// Behind the header, or the page with the header and the metadata page before it.
  private let contentStart: UInt64
  private let check: @Sendable () throws(StorageError) -> Void
  private let onWrite: @Sendable (_ byteCount: Int) -> Void

  package var path: String { storage.path }
  package var descriptor: Int32 { storage.descriptor }
  package var isWritable: Bool { storage.isWritable }

  /// - Parameters:
  ///   - hasKey: the file is encrypted, by a storage in front of this one.
  ///   - check: called before contents are written; what it throws refuses them.
  ///   - onWrite: called with the bytes that were written so far.
  package init(
    path: String, mode: FileStorage.Mode, hasKey: Bool, check: @escaping @Sendable () throws(StorageError) -> Void,
    onWrite: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(StorageError) {
    self.check = check
    storage = try FileStorage(path: path, mode: mode)
    contentStart = hasKey ? UInt64(2 * CipherLayout.pageByteCount) : UInt64(FileHeader.byteCount)
    self.onWrite = onWrite
  }

  package func byteCount() throws(StorageError) -> UInt64 { try storage.byteCount() }

  package func extend(from start: UInt64, to end: UInt64) throws(StorageError) {
    try check()
    try storage.extend(from: start, to: end)
  }

  package func write(_ buffers: [WriteBuffer], at offset: UInt64) throws(StorageError) {
    if offset >= contentStart { try check() }
    try storage.write(buffers, at: offset)
    let count = buffers.reduce(0) { $0 + $1.byteCount }
    onWrite(written.add(count, ordering: .relaxed).newValue)
  }

  package func sync() throws(StorageError) { try storage.sync() }
  package func truncate(to byteCount: UInt64) throws(StorageError) { try storage.truncate(to: byteCount) }
  package func read(_ byteCount: Int, at offset: UInt64) throws(StorageError) -> [UInt8] { try storage.read(byteCount, at: offset) }
}
