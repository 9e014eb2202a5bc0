extension Database {
  /// Rewrites the file without free space, under the same version number. T11.1.
  ///
  /// - Returns: false, and nothing happened, if anybody else has the file open or any transaction of this object is alive (or after a
  ///   participant died in this session).
  /// - Throws: `.readOnly`; `.outOfDiskSpace` and `.io` while writing the copy, which is removed then. Once the copy is renamed onto the
  ///   file, an error means that this object cannot be used any more.
  /// - Parameter key: of the new file; its present one, or none, unless told otherwise.
  package func compact(encryption key: CopyEncryption = .unchanged) throws(StorageError) -> Bool {
    makeGroupDurable()
    let generation = generation
    guard let session = generation.participation?.session, generation.storage.isWritable else { throw .readOnly(path: path) }
    return try session.withControlLock { () throws(StorageError) -> Bool in
      guard session.participantCount == 1 else { return false }
      return try replaceGeneration { (generation, isReplaced) throws(StorageError) -> Generation? in
        guard !session.holdsPins, !session.isLockedForWriting else { return nil }
        return try compacted(generation, session, key, &isReplaced)
      }
    }
  }

  private func compacted(
    _ old: Generation, _ session: Session, _ encryption: CopyEncryption, _ isReplaced: inout Bool
  ) throws(StorageError) -> Generation {
    let key = encryption.key(insteadOf: old.storage.encryptionKey)
    guard let newest = try session.listedSnapshots().last else { throw .versionNotAvailable(version: 0) }
    let isDurable = options.durability == .full
    let temporary = RealmPaths(path).temporaryCompaction
    _ = FileCalls.remove(temporary)
    let storage = options.encrypted(try options.openStorage(temporary, .createPrivate), key)
    // It replaces the file, and contents that others could not read stay so.
    FileCalls.giveRights(of: path, to: temporary)
    old.mapping.willRead(version: newest.version)
    let logical: UInt64
    let top: Ref
    do throws(StorageError) {
      (logical, top) = try StreamingWriter.write(
        space: old.mapping.readerSpace(logicalByteCount: newest.byteCount), top: newest.topRef,
        content: .versionAndHistory(version: newest.version), to: storage)
      if isDurable { try storage.sync() } else { try storage.flush() }
      try FileCalls.rename(temporary, to: path)
    } catch {
      _ = FileCalls.remove(temporary)
      throw error
    }
    isReplaced = true
    // Who joins from now on finds the new file, so the version list must show it first of all.
    try session.resetVersionList(version: newest.version, byteCount: logical, topRef: top)
    if isDurable { try FileStorage.sync(directoryOf: path) }
    let reopened = options.encrypted(try options.openStorage(path, .readWrite), key)
    try LockFileClaim.make(on: reopened, RealmPaths(path))
    try session.goBy(reopened)
    var header = try FileHeader.read(from: reopened)
    try header.convertFromStreaming(on: reopened, isDurable: isDurable)
    reopened.setMarks(session.pageMarks)
    let mapping = try Mapping(
      reopened, byteCount: try reopened.byteCount(), usualSpan: options.reservedByteCount, keptByteCount: options.keptByteCount)
    return old.successor(mapping: mapping, storage: reopened)
  }

  /// Total bytes of the newest version, and how many of them are in use: the rest is in its free list (T9.3).
  package func spaceUse() throws(StorageError) -> (totalByteCount: UInt64, usedByteCount: UInt64) {
    let read = try beginRead()
    defer { read.end() }
    let free = try FreeSpace(read.space, top: read.topRef, logicalByteCount: read.byteCount, path: path)
    return (read.byteCount, read.byteCount - free.freeByteCount)
  }

  /// Whether anybody, in any process, has the database at `path` open. That may have changed when this returns.
  package static func isOpen(path name: String) -> Bool {
    (try? Session.withExclusiveLock(path: FileCalls.realPath(name)) {}) == false
  }

  /// Removes the files of a database: `.realm`, `.note`, `.log`, `.management`. The lock file and backups stay. T13.
  ///
  /// - Parameter isSpared: asked while nobody has the database open.
  /// - Returns: whether there was a database, and is none now.
  /// - Throws: `.fileInUse` if anybody has it open, and what `isSpared` throws.
  package static func deleteFiles(
    path name: String, unless isSpared: () throws(StorageError) -> Bool = { () throws(StorageError) in false }
  ) throws(StorageError) -> Bool {
    let path = FileCalls.realPath(name)
    let paths = RealmPaths(path)
    var existed = false
    do throws(StorageError) {
      let isFree = try Session.withExclusiveLock(path: path) { () throws(StorageError) in
        if try isSpared() { return }
        existed = FileCalls.remove(paths.database)
        _ = FileCalls.remove(paths.note)
        _ = FileCalls.remove(paths.log)
        FileCalls.removeDirectory(paths.management)
      }
      guard isFree else { throw StorageError.fileInUse(path: path) }
    } catch {
      if case .directoryNotFound = error { return false }
      throw error
    }
    return existed
  }

  /// Removes the files of a database that was opened and found to be in the way, unless another process has put one in its place that is not, before
  /// this one came to it.
  /// - Parameters:
  ///   - options: what it is opened with.
  ///   - isWanted: looks at what is there now. Not asked about a file of an older format.
  package static func deleteFiles(
    path: String, _ options: DatabaseOptions, unless isWanted: (Group) throws(StorageError) -> Bool
  ) throws(StorageError) {
    var reading = options
    (reading.isImmutable, reading.mayUpgrade, reading.acceptsAnyHistory, reading.seedPath) = (true, false, true, nil)
    _ = try deleteFiles(path: path) { () throws(StorageError) in
      guard FileCalls.exists(path), try FileStorage(path: path, mode: .readOnly).byteCount() > 0 else { return false }
      do throws(StorageError) {
        let database = try openWithoutSession(path: path, options: reading, exclusiveLock: nil)
        defer { database.close() }
        let snapshot = try database.snapshot()
        return try isWanted(snapshot.openGroup())
      } catch {
        guard case .formatUpgradeRequired = error else { throw error }
        return false
      }
    }
  }
}

/// How a copy, or a file that is rewritten, is encrypted. E11.
package enum CopyEncryption: Sendable {
  case unchanged
  case none
  case key(EncryptionKey)

  func key(insteadOf present: EncryptionKey?) -> EncryptionKey? {
    switch self {
    case .unchanged: present
    case .none: nil
    case .key(let key): key.copy()
    }
  }
}

/// What a copy keeps.
package enum CopyContent: Sendable {
  /// Version number and history: what compaction keeps, and other SDKs open without an upgrade commit (T11.3).
  case everything
  /// Tables only; the copy starts at version 1.
  case tablesOnly
}
