import RealmInspection
import RealmStorage

/// A database that a command makes, as long as it may have to be taken away again: never with what others wrote to it meanwhile.
final class NewFile {
  private let path: String
  private let key: EncryptionKey?
  /// The one that the command made last.
  private var version: UInt64?
  /// Somebody else wrote to the file.
  private(set) var hasOthers = false

  init(_ path: String, key: EncryptionKey?) { (self.path, self.key) = (path, key) }

  /// Call before anything is changed in a transaction.
  func begin(_ transaction: WriteTransaction, _ group: Group) throws(StorageError) {
    if let version {
      hasOthers = hasOthers || transaction.base.version != version
    } else {
      hasOthers = try !group.tableKeys().isEmpty
    }
  }

  func commit(_ transaction: WriteTransaction, _ group: Group) throws(StorageError) { version = try transaction.commit(group) }

  /// Takes the file away, with what lies beside it. Call when it is closed.
  /// - Returns: false if it stays, because others use it or wrote to it.
  func remove() -> Bool {
    let paths = RealmPaths(FileCalls.realPath(path))
    guard !hasOthers, let lock = ExclusiveLock.forRemoval(of: paths), isAsItWasLeft() else { return !FileCalls.exists(paths.database) }
    for name in [paths.database, paths.note] { _ = FileCalls.remove(name) }
    FileCalls.removeDirectory(paths.management)
    // Last, and before the lock is given back.
    _ = FileCalls.remove(paths.lock)
    withExtendedLifetime(lock) {}
    return true
  }

  /// Whether nobody wrote after the command did. What cannot be read was never finished.
  private func isAsItWasLeft() -> Bool {
    do throws(StorageError) {
      let file = try OpenFile(salvaging: path, key: key) { _ in }
      return version.map { file.group?.version == $0 } ?? file.tables.isEmpty
    } catch { return true }
  }
}
