extension Snapshot {
  /// Writes this version to a new file, without free space. T11.3.
  ///
  /// - Parameter storage: a new, empty file; see `write(toFile:)`.
  package func write(to storage: any Storage, content: CopyContent = .everything) throws(StorageError) {
    _ = try StreamingWriter.write(
      space: space, top: topRef, content: content == .everything ? .versionAndHistory(version: version) : .tablesOnly, to: storage)
  }

  /// - Parameter encryptionKey: of the copy; a plain file without one, whatever this one is.
  /// - Throws: `.fileExists`; what the disk reports, and then there is no file.
  package func write(toFile path: String, encryptionKey: EncryptionKey? = nil, content: CopyContent = .everything) throws(StorageError) {
    try writeNewFile(path, encryptionKey) { (storage) throws(StorageError) in try write(to: storage, content: content) }
  }
}

/// Gives `body` a new, empty file, which goes again if that fails.
func writeNewFile(
  _ path: String, _ key: EncryptionKey?, _ body: (any Storage) throws(StorageError) -> Void
) throws(StorageError) {
  let file = try FileStorage(path: path, mode: .createNew)
  let storage: any Storage = if let key { EncryptedStorage(file, key: key) } else { file }
  do throws(StorageError) {
    try body(storage)
    try storage.sync()
  } catch {
    _ = FileCalls.remove(path)
    throw error
  }
}
