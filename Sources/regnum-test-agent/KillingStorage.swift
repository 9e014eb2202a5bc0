import RealmStorage
import Synchronization

/// A file that ends its process before or after a certain operation: a crash at a place the test chooses.
final class KillingStorage: Storage {
  private let file: FileStorage
  /// Operations until the process ends; does not count while negative.
  private let remaining = Atomic<Int>(-1)
  private let operations = Atomic<Int>(0)

  init(path: String, mode: FileStorage.Mode) throws(StorageError) { file = try FileStorage(path: path, mode: mode) }

  /// After `operationCount` more writes, extensions, cuts and barriers the process dies; with 0 before the next one.
  func arm(_ operationCount: Int) {
    operations.store(0, ordering: .relaxed)
    remaining.store(operationCount, ordering: .relaxed)
  }

  /// Since `arm`.
  var operationCount: Int { operations.load(ordering: .relaxed) }

  var path: String { file.path }
  var descriptor: Int32 { file.descriptor }
  var isWritable: Bool { file.isWritable }
  func byteCount() throws(StorageError) -> UInt64 { try file.byteCount() }
  func read(_ byteCount: Int, at offset: UInt64) throws(StorageError) -> [UInt8] { try file.read(byteCount, at: offset) }

  private func before() {
    if remaining.load(ordering: .relaxed) == 0 { Agent.die() }
  }
  private func after() {
    operations.add(1, ordering: .relaxed)
    let left = remaining.load(ordering: .relaxed)
    if left > 0 { remaining.store(left - 1, ordering: .relaxed) }
    before()
  }

  func extend(from start: UInt64, to end: UInt64) throws(StorageError) {
    before()
    try file.extend(from: start, to: end)
    after()
  }
  func write(_ buffers: [WriteBuffer], at offset: UInt64) throws(StorageError) {
    before()
    try file.write(buffers, at: offset)
    after()
  }
  func sync() throws(StorageError) {
    before()
    try file.sync()
    after()
  }
  func truncate(to byteCount: UInt64) throws(StorageError) {
    before()
    try file.truncate(to: byteCount)
    after()
  }
}
