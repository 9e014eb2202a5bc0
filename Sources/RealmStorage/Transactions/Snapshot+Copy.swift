extension Snapshot {
  /// Writes this version to a new file, without free space. T11.3.
  ///
  /// The copy of a file that synchronises gets a name of its own from the server, and goes on where this file is.
  /// - Parameter storage: a new, empty file; see `write(toFile:)`.
  /// - Throws: `.invalidArgument` for everything of a file with changes that the server may not have: they would be made twice.
  package func write(to storage: any Storage, content: CopyContent = .everything) throws(StorageError) {
    if content == .everything, try unconfirmedChangeCount() > 0 {
      throw .invalidArgument(reason: "All client changes must be integrated in server before writing copy")
    }
    _ = try StreamingWriter.write(
      space: space, top: topRef, content: content == .everything ? .otherFile(version: version) : .tablesOnly, to: storage)
  }

  /// In a file that synchronises, how many of its changes are kept because the server has not said that it has them and all that was concurrent.
  package func unconfirmedChangeCount() throws(StorageError) -> Int {
    guard !topRef.isNull else { return 0 }
    let top = try TopArray(space, at: topRef)
    guard try top.synchronises else { return 0 }
    return try SyncHistory(root: top.history).changes(space).count
  }

  /// Writes this version to a file that has its name once it is complete.
  /// - Parameters:
  ///   - encryptionKey: of the copy; a plain file without one, whatever this one is.
  ///   - open: makes the file, under the name that it is given.
  /// - Throws: `.fileExists`; what the disk reports, and then there is no file.
  package func write(
    toFile path: String, encryptionKey: EncryptionKey? = nil, content: CopyContent = .everything,
    open: (_ path: String) throws(StorageError) -> any Storage = FileStorage.new
  ) throws(StorageError) {
    try writeNewFile(path, encryptionKey, open) { (storage) throws(StorageError) in try write(to: storage, content: content) }
  }
}

/// Gives `body` a new, empty file, which goes again if that fails.
func writeNewFile(
  _ path: String, _ key: EncryptionKey?, _ open: (_ path: String) throws(StorageError) -> any Storage = FileStorage.new,
  _ body: (any Storage) throws(StorageError) -> Void
) throws(StorageError) {
  try AtomicFile.make(path) { (unfinished) throws(StorageError) in
    let file = try open(unfinished)
    let storage: any Storage = if let key { EncryptedStorage(file, key: key) } else { file }
    try body(storage)
    try storage.sync()
  }
}
