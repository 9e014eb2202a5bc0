import RealmInspection
import RealmStorage

extension DatabaseOptions {
  /// How commands open a file for writing: never creating one, to be interrupted at any time.
  static func forCommands(key: EncryptionKey?, onWrite: @escaping @Sendable (Int) -> Void = { _ in }) -> DatabaseOptions {
    var options = DatabaseOptions()
    options.mayCreate = false
    options.encryptionKey = key
    let hasKey = key != nil
    options.openStorage = { (path, mode) throws(StorageError) in
      try WatchedStorage(path: path, mode: mode, hasKey: hasKey, check: { () throws(StorageError) in try Interruption.check(path) }, onWrite: onWrite)
    }
    return options
  }
}
