extension WriteTransaction {
  /// Writes the present state, uncommitted changes included, to a new file without free space. The history is left out: it does not have
  /// the entry of this transaction yet.
  /// - Parameter encryptionKey: of the copy; a plain file without one, whatever this one is.
  /// - Throws: `.fileExists`; `.invalidArgument` for a file that synchronises, whose copy would not; what the disk reports, and then there is no file.
  package func write(toFile path: String, encryptionKey: EncryptionKey? = nil) throws(StorageError) {
    guard isOpen else { throw .transactionEnded }
    guard synchronisation == nil else {
      throw .invalidArgument(reason: "a file that synchronises cannot be copied within a write transaction; commit it first")
    }
    try writeNewFile(path, encryptionKey) { (storage) throws(StorageError) in
      _ = try StreamingWriter.write(
        space: space, scratchByteCount: scratch.usedByteCount, top: topRef, content: .tablesOnly, to: storage)
    }
  }
}
