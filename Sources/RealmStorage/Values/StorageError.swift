/// Everything that can happen to a correct program that uses the storage engine.
///
/// Three groups: the operating system refused something, the file is not what it should be, or the file and the session do not
/// allow what was asked. Misuse of the engine's own API (an operation on an object that does not exist) has cases of its own at the end.
package enum StorageError: Error, Equatable, Sendable {
  // The outside failed.

  /// The operating system refused `operation` on `path`; `code` is `errno`.
  case io(operation: String, path: String, code: Int32)
  case fileNotFound(path: String)
  /// The directory that should hold `path` does not exist.
  case directoryNotFound(path: String)
  case permissionDenied(path: String, writing: Bool)
  case fileExists(path: String)
  /// Met while extending or writing, before the commit took effect: the old version stays current and the handle stays usable.
  case outOfDiskSpace(operation: String, path: String)
  /// Not enough address space for a mapping of `byteCount` bytes.
  case addressSpaceExhausted(byteCount: UInt64)
  /// An earlier barrier failed on this handle, so nothing is known about what reached the disk; reopen the file.
  case writingDisabled(path: String)

  // The file is not what it should be.

  /// Header, footer or top array are invalid, or this is no realm file. Texts as in T6.2.
  case invalidDatabase(path: String, reason: String)
  /// A node that a ref points at breaks the format. `ref` is the byte offset in the file.
  case corruptNode(ref: Ref, reason: String)
  /// The file's format version is one that nobody can read any more, or not yet.
  case unsupportedVersion(path: String, version: Int)
  /// The format is older than 24 and this way of opening forbids the upgrade.
  case formatUpgradeRequired(path: String, version: Int)
  case incompatibleHistory(path: String, reason: String)
  /// A page of an encrypted file cannot be read: damaged, or the key is wrong. While opening this is `.invalidDatabase`. E5.
  case decryptionFailed(path: String, reason: String)

  // The session or the state does not allow it.

  case incompatibleLockFile(path: String, reason: String)
  case incompatibleSession(path: String, reason: String)
  /// A process died at the one moment of a commit that cannot be repaired while others have the file open.
  case sessionRestartRequired(path: String)
  /// The version does not exist any more (or not yet).
  case versionNotAvailable(version: UInt64)
  case tooManyVersions(count: UInt64, limit: UInt64)
  case fileInUse(path: String)
  /// The handle was opened read-only.
  case readOnly(path: String)
  /// The transaction was already committed or cancelled, or its handle was closed.
  case transactionEnded

  // The request cannot be fulfilled.

  case noSuchTable(name: String)
  case noSuchColumn(table: String, name: String)
  case noSuchObject(key: ObjectKey)
  case duplicatePrimaryKey(table: String)
  case duplicateName(name: String)
  /// A value has another type than its column, or null where that is not allowed.
  case typeMismatch(reason: String)
  /// Name too long, value too large, nested too deeply, index out of bounds, and the like.
  case invalidArgument(reason: String)
  /// A key has not 64 bytes.
  case invalidEncryptionKey
  /// A key, and a build without the trait `Encryption`.
  case encryptionIsNotBuilt

  /// The ``Cancellation`` of a reader was requested: there is no answer, and nothing is wrong.
  case interrupted
}

extension StorageError {
  /// How to get what a build without the trait `Encryption` has not.
  package static let encryptionIsNotBuiltText =
    "This program was built without encryption: the dependency on regnum leaves out its trait 'Encryption'. Name it there "
    + "(.package(…, traits: [\"Encryption\"])), or no traits at all, which is the default and includes it."

  /// Whether a file is not what it should be.
  package var isDamage: Bool {
    switch self {
    case .invalidDatabase, .corruptNode, .decryptionFailed: true
    default: false
    }
  }

  /// As it is reported by whoever opens a file. E5.
  var whileOpening: StorageError {
    guard case .decryptionFailed(let path, let reason) = self else { return self }
    return .invalidDatabase(path: path, reason: "Realm file decryption failed (\(reason))")
  }
}
