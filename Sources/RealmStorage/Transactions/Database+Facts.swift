/// What tools that look into files ask for.
extension Database {
  /// The header as it is in the file now; a commit of somebody else may change it at any time.
  package func readHeader() throws(StorageError) -> FileHeader { try FileHeader.read(from: generation.storage) }

  /// The physical size now.
  package func fileByteCount() throws(StorageError) -> UInt64 { try generation.storage.physical.byteCount() }

  /// Whether the path still names the file that is open: somebody may have moved it, or put another one in its place. Steady while nobody but this
  /// instance compacts the file.
  package var isAtItsPath: Bool { isNamed(path) }

  /// Whether a path, through symbolic links or not, leads to the file that is open.
  package func isNamed(_ path: String) -> Bool {
    let generation = generation
    return withExtendedLifetime(generation) { FileCalls.names(path, fileOf: generation.storage.physical.descriptor) }
  }

  /// The oldest version that anybody reads, in any process; the newest if nobody reads an older one.
  package func oldestLiveVersion() throws(StorageError) -> UInt64 {
    if let session { return try session.oldestHeldVersion() }
    // Nobody else has the file open.
    return try snapshot().version
  }
}
