import RealmInspection
import RealmStorage

extension DatabaseOptions {
  /// How commands open a file for writing: never creating one, to be interrupted at any time.
  /// - Parameter file: as which an interrupt names the file, whatever is written to beside it; nil for the path of that.
  static func forCommands(key: EncryptionKey?, naming file: String? = nil, onWrite: @escaping @Sendable (Int) -> Void = { _ in }) -> DatabaseOptions {
    var options = DatabaseOptions()
    options.mayCreate = false
    options.encryptionKey = key
    let hasKey = key != nil
    options.openStorage = { (path, mode) throws(StorageError) in
      let check = { @Sendable () throws(StorageError) in try Interruption.check(file ?? path) }
      return try WatchedStorage(path: path, mode: mode, hasKey: hasKey, check: check, onWrite: onWrite)
    }
    return options
  }
}
