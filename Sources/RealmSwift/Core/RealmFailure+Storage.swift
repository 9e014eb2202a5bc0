import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension RealmFailure {
  /// An error of the engine in the words of the SDK (`sdk-api-1.md` 2, `sdk-api-2.md` 3).
  init(_ error: StorageError, path: String) {
    func opening(_ code: Realm.Error.Code, _ path: String, _ reason: String) -> RealmFailure {
      RealmFailure(code, "Failed to open Realm file at path '\(path)': \(reason)", path: path)
    }
    switch error {
    case .io(let operation, let path, let code):
      let reason = unsafe String(cString: strerror(code))
      switch code {
      case ENOSPC, EDQUOT: self = RealmFailure(.outOfDiskSpace, "\(operation) failed on '\(path)': \(reason)", path: path)
      case EISDIR, ENOTDIR: self = opening(.fileOperationFailed, path, code == EISDIR ? "Is a directory" : "parent path is not a directory")
      default: self = RealmFailure(.fileOperationFailed, "\(operation) failed on '\(path)': \(reason)", path: path)
      }
    case .fileNotFound(let path): self = opening(.fileNotFound, path, "No such file or directory")
    case .directoryNotFound(let path):
      self = RealmFailure(.fileNotFound, "Failed to open file at path '\(path).lock': parent directory does not exist", path: path)
    case .permissionDenied(let path, _):
      self = opening(.filePermissionDenied, path, "Permission denied. Please use a path where your app has read-write permissions.")
    case .fileExists(let path): self = RealmFailure(.fileExists, "Failed to open file at path '\(path)': File exists", path: path)
    case .outOfDiskSpace(let operation, let path):
      self = RealmFailure(.outOfDiskSpace, "\(operation) failed on '\(path)': No space left on device", path: path)
    case .addressSpaceExhausted(let byteCount):
      self = RealmFailure(.addressSpaceExhausted, "Not enough address space to map \(byteCount) bytes of '\(path)'.", path: path)
    case .writingDisabled(let path):
      self = RealmFailure(
        .fileOperationFailed, "Writing to '\(path)' failed before, and what is on the disk is not known: close and reopen the Realm.", path: path)
    case .invalidDatabase(let path, let reason): self = opening(.invalidDatabase, path, reason)
    case .corruptNode(let ref, let reason):
      self = RealmFailure(.invalidDatabase, "The Realm file at path '\(path)' is damaged: the node at \(ref): \(reason)", path: path)
    case .unsupportedVersion(let path, let version):
      self = RealmFailure(
        .unsupportedFileFormatVersion, "Database has an unsupported version (\(version)) and cannot be upgraded", path: path)
    case .formatUpgradeRequired(let path, _):
      self = RealmFailure(.fileFormatUpgradeRequired, "Database upgrade required but prohibited.", path: path)
    case .incompatibleHistory(let path, let reason): self = RealmFailure(.incompatibleHistories, reason, path: path)
    case .decryptionFailed(let path, let reason): self = opening(.invalidDatabase, path, "Realm file decryption failed (\(reason))")
    case .invalidEncryptionKey: self = .misuse("Encryption key must be exactly 64 bytes long")
    case .incompatibleLockFile(let path, let reason): self = RealmFailure(.incompatibleLockFile, reason, path: path)
    case .incompatibleSession(let path, let reason): self = RealmFailure(.incompatibleSession, reason, path: path)
    case .sessionRestartRequired(let path):
      self = RealmFailure(
        .fail, "A process died while it was writing to '\(path)': close the Realm in all processes and open it again.", path: path)
    case .versionNotAvailable(let version): self = RealmFailure(.fail, "Version \(version) of '\(path)' is not available any more.", path: path)
    case .tooManyVersions(let count, let limit):
      self = RealmFailure(.fail, "Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
    case .fileInUse(let path):
      self = RealmFailure(.alreadyOpen, "Cannot delete files of an open Realm: '\(path)' is still in use.", path: path)
    case .readOnly: self = .misuse("Can't perform transactions on read-only Realms.")
    case .transactionEnded: self = .misuse("Can't commit a non-existing write transaction")
    case .noSuchTable(let name): self = RealmFailure(.fail, "The table \(name) does not exist in '\(path)'.", path: path)
    case .noSuchColumn(let table, let name): self = RealmFailure(.fail, "Property '\(table).\(name)' does not exist", path: path)
    case .noSuchObject: self = .misuse("Object has been deleted or invalidated.")
    case .duplicatePrimaryKey(let table): self = RealmFailure(.fail, "The primary key of '\(table)' is not unique.", path: path)
    case .duplicateName(let name): self = RealmFailure(.fail, "The name '\(name)' is in use.", path: path)
    case .typeMismatch(let reason), .invalidArgument(let reason): self = .misuse(reason)
    }
  }
}

extension RealmCore {
  func failure(_ error: StorageError) -> RealmFailure { RealmFailure(error, path: file.path) }

  func failure(_ error: StorageError, setting value: Value, in binding: ClassBinding, slot: Int) -> RealmFailure {
    guard case .typeMismatch = error else { return failure(error) }
    let property = binding.property(at: slot)
    if case .null = value { return .misuse("Missing value for property '\(binding.className).\(property.name)'") }
    return .misuse(DynamicInput.invalidValue(value, binding.className, property))
  }
}
