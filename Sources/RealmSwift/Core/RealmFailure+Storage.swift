import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension RealmFailure {
  /// An error of the engine in the words of the SDK; what is a mistake of the program's there has the text of its kind here.
  init(_ error: StorageError, path: String) {
    switch error {
    case .permissionDenied(let denied, let writing) where denied == path + ".lock":
      self.init(.permissionDenied(path: path, writing: writing), path: path)
    case .io(_, let blamed, ENOTDIR): self.init(.directoryNotFound(path: blamed), path: path)
    case .fileInUse(let path):
      self.init(.alreadyOpen, "Cannot delete files of an open Realm: '\(path)' is still in use.", path: path, name: "DeleteOnOpenRealm")
    case .versionNotAvailable(let version): self.init(.fail, "Version \(version) of '\(path)' is not available any more.", path: path)
    case .transactionEnded: self = .misuse("Can't commit a non-existing write transaction")
    case .noSuchTable(let name): self.init(.fail, "The table \(name) does not exist in '\(path)'.", path: path)
    case .noSuchColumn(let table, let name): self.init(.fail, "Property '\(table).\(name)' does not exist", path: path)
    case .noSuchObject: self = .misuse("Object has been deleted or invalidated.")
    case .duplicatePrimaryKey(let table): self.init(.fail, "The primary key of '\(table)' is not unique.", path: path)
    case .duplicateName(let name): self.init(.fail, "The name '\(name)' is in use.", path: path)
    case .decryptionFailed(let path, let reason):
      let text = "Failed to open Realm file at path '\(path)': Realm file decryption failed (\(reason))"
      self.init(.invalidDatabase, text, path: path, name: "InvalidDatabase")
    case .invalidEncryptionKey: self = .misuse("Encryption key must be exactly 64 bytes long")
    default:
      let known = Realm.Error(error, path: path)
      self.init(
        known.code, known.localizedDescription, path: known.userInfo["NSFilePath"] as? String, name: known.userInfo["Error Name"] as? String)
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
