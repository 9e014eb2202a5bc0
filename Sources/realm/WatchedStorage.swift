import RealmInspection
import RealmStorage
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

private let isInterruptionRequested = Atomic<Bool>(false)

/// Whether the user asked the command to stop.
enum Interruption {
  /// From now on the first SIGINT or SIGTERM ends the command at its next write, the second one at once.
  static func watch() {
    _ = isInterruptionRequested.load(ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { received in
        isInterruptionRequested.store(true, ordering: .relaxed)
        signal(received, SIG_DFL)
      }
    }
  }

  /// Before another command begins.
  static func forget() { isInterruptionRequested.store(false, ordering: .relaxed) }

  static var isRequested: Bool { isInterruptionRequested.load(ordering: .relaxed) }

  static func check(_ path: String) throws(StorageError) {
    if isRequested { throw Diagnostics.interruption(path: path) }
  }
}

/// A file that a command writes: reports progress, and stops when the user interrupts.
///
/// Only contents are refused then, never the writes to the header that make them current or take that back: so the file is at the old or
/// at the new state.
final class WatchedStorage: Storage {
  private let storage: FileStorage
  private let written = Atomic<Int>(0)
  /// Behind the header, or the page with the header and the metadata page before it.
  private let contentStart: UInt64
  private let onWrite: @Sendable (_ byteCount: Int) -> Void

  var path: String { storage.path }
  var descriptor: Int32 { storage.descriptor }
  var isWritable: Bool { storage.isWritable }

  /// - Parameter hasKey: the file is encrypted, by a storage in front of this one.
  init(path: String, mode: FileStorage.Mode, hasKey: Bool, onWrite: @escaping @Sendable (Int) -> Void = { _ in }) throws(StorageError) {
    storage = try FileStorage(path: path, mode: mode)
    contentStart = hasKey ? UInt64(2 * CipherLayout.pageByteCount) : UInt64(FileHeader.byteCount)
    self.onWrite = onWrite
  }

  func byteCount() throws(StorageError) -> UInt64 { try storage.byteCount() }

  func extend(from start: UInt64, to end: UInt64) throws(StorageError) {
    try Interruption.check(path)
    try storage.extend(from: start, to: end)
  }

  func write(_ buffers: [WriteBuffer], at offset: UInt64) throws(StorageError) {
    if offset >= contentStart { try Interruption.check(path) }
    try storage.write(buffers, at: offset)
    let count = buffers.reduce(0) { $0 + $1.byteCount }
    onWrite(written.add(count, ordering: .relaxed).newValue)
  }

  func sync() throws(StorageError) { try storage.sync() }
  func truncate(to byteCount: UInt64) throws(StorageError) { try storage.truncate(to: byteCount) }
  func read(_ byteCount: Int, at offset: UInt64) throws(StorageError) -> [UInt8] { try storage.read(byteCount, at: offset) }
}
