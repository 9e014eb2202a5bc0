extension Database {
  /// Opens the realm file at `path`, creates it if there is none, upgrades it if it is of an older format. T6.
  ///
  /// - Throws: `.fileNotFound`, `.directoryNotFound`, `.permissionDenied`, `.invalidDatabase`, `.unsupportedVersion`,
  ///   `.formatUpgradeRequired`, `.incompatibleHistory`, `.incompatibleLockFile`, `.incompatibleSession` and what the disk may report;
  ///   `.invalidArgument` for a key of a database in memory.
  package static func open(path name: String, options given: DatabaseOptions = DatabaseOptions()) throws(StorageError) -> Database {
    let path = FileCalls.realPath(name)
    var options = given
    options.encryptionKey = given.encryptionKey?.copy()
    if options.encryptionKey != nil && options.durability == .memoryOnly {
      throw .invalidArgument(reason: "Encryption is not supported for in-memory realms")
    }
    if options.isImmutable { options.mayUpgrade = false } else if let seed = options.seedPath { try copySeed(seed, to: path, options) }
    guard options.historyType == nil else { return try attach(path, options) }
    options.historyType = .inRealm
    do throws(StorageError) { return try attach(path, options) } catch {
      guard error.isAboutHistory else { throw error }
      options.historyType = .syncClient
      do throws(StorageError) { return try attach(path, options) } catch let second {
        throw second.isAboutHistory ? error : second
      }
    }
  }

  /// With others in a session, or alone with a file that nobody changes.
  private static func attach(_ path: String, _ options: DatabaseOptions) throws(StorageError) -> Database {
    options.isImmutable ? try openWithoutSession(path: path, options: options, exclusiveLock: nil) : try join(path, options)
  }

  private static func join(_ path: String, _ options: DatabaseOptions) throws(StorageError) -> Database {
    let durability = options.durability
    var result: FileOpening.Result?
    var sessionOptions = SessionOptions(
      durability: durability, hasKey: options.encryptionKey != nil, announcesCommits: options.announcesCommits)
    if options.historyType == .syncClient {
      (sessionOptions.historyType, sessionOptions.historySchema) = (.syncClient, UInt16(SyncHistory.schemaVersion))
    }
    let openingOptions = options
    let session = try Session.join(path: path, options: sessionOptions, whileWaiting: options.whileWaiting) { (isInitiator) throws(StorageError) in
      // The file of a realm in memory lies where everybody's temporary files do.
      let creating: FileStorage.Mode = durability == .memoryOnly ? .createIfMissingPrivate : .createIfMissing
      let mode = isInitiator && openingOptions.mayCreate ? creating : .readWrite
      let opening = FileOpening(
        path: path, options: openingOptions, mayRepair: isInitiator, readsTop: isInitiator, mode: mode, isShared: true)
      let file = try opening.run()
      result = file
      return file.attached
    }
    let file = result!
    file.storage.setMarks(session.pageMarks)
    let participation = Participation(session: session, deletesFile: durability == .memoryOnly)
    let generation = Generation(mapping: file.mapping, storage: file.storage, participation: participation)
    let database = Database(path: path, options: options, generation: generation, byteCount: file.byteCount, onlyPin: nil)
    if !file.header.selectedTopRef.isNull && file.header.selectedFormat < FileHeader.currentFormat { try database.upgrade() }
    return database
  }

  /// Opens a file that nobody changes meanwhile.
  static func openWithoutSession(
    path: String, options: DatabaseOptions, exclusiveLock: ExclusiveLock?
  ) throws(StorageError) -> Database {
    let file = try FileOpening(path: path, options: options, mayRepair: false, readsTop: true, mode: .readOnly).run()
    let generation = Generation(mapping: file.mapping, storage: file.storage, participation: nil, exclusiveLock: exclusiveLock)
    let attached = file.attached
    let pin = Pin(slot: 0, kind: .live, version: attached.version, byteCount: attached.logicalByteCount, topRef: attached.topRef)
    return Database(path: path, options: options, generation: generation, byteCount: file.byteCount, onlyPin: pin)
  }

  /// Gives a file of an older format the contents of format 24, in one commit. Another process may have done it before.
  private func upgrade() throws(StorageError) {
    let transaction = try beginWrite()
    do throws(StorageError) {
      let storage = transaction.generation.storage
      let header = try FileHeader.read(from: storage)
      let format = header.selectedFormat
      guard format < FileHeader.currentFormat else { return transaction.cancel() }
      guard let upgrade = options.upgrade else { throw StorageError.formatUpgradeRequired(path: path, version: Int(format)) }
      try upgrade(transaction, Int(format))
      try transaction.commit()
    } catch {
      transaction.cancel()
      throw error
    }
  }

  /// A seed is used at most once: an existing file stays, and so does one that is open. One that cannot be opened leaves nothing behind.
  package static func copySeed(_ seed: String, to name: String, _ options: DatabaseOptions) throws(StorageError) {
    let path = FileCalls.realPath(name)
    if FileCalls.exists(path) { return }
    _ = try FileOpening(path: seed, options: options, mayRepair: false, readsTop: true, mode: .readOnly).run()
    _ = try Session.withExclusiveLock(path: path) { () throws(StorageError) in
      if FileCalls.exists(path) { return }
      let source = try FileStorage(path: seed, mode: .readOnly)
      let part = RealmPaths(path).temporaryCompaction
      _ = FileCalls.remove(part)
      try FileCalls.copy(source, to: part)
      try FileCalls.rename(part, to: path, isDurable: true)
    }
  }
}
