import RealmInspection
import RealmStorage

extension DatabaseOptions {
  /// How commands open a file for writing: never creating one, to be interrupted at any time.
  /// - Parameter file: as which an interrupt names the file, whatever is written to beside it.
  static func forCommands(
    key: EncryptionKey?, naming file: String, isQuiet: Bool, onWrite: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> DatabaseOptions {
    var options = DatabaseOptions()
    options.mayCreate = false
    options.encryptionKey = key
    let hasKey = key != nil
    options.openStorage = { (path, mode) throws(StorageError) in
      let check = { @Sendable () throws(StorageError) in try Interruption.check(file) }
      return try WatchedStorage(path: path, mode: mode, hasKey: hasKey, check: check, onWrite: onWrite)
    }
    options.whileWaiting = whileWaiting(file, isQuiet: isQuiet)
    return options
  }

  /// Another program may hold its write transaction for ever, or have been stopped in it: the user can end the wait, and is told of it once.
  private static func whileWaiting(_ file: String, isQuiet: Bool) -> WhileWaiting {
    let isSaid = Locked(isQuiet)
    return { (seconds) throws(StorageError) in
      try Interruption.check(file)
      if seconds < 2 { return }
      let mustSay = isSaid.withLock { isSaid in
        defer { isSaid = true }
        return !isSaid
      }
      if mustSay { Command.report(Diagnostics.waiting(path: file)) }
    }
  }
}
