import RealmStorage

extension RealmCore {
  /// The tables of the present version.
  @inline(__always) func group() throws -> Group {
    if let group = phase.group { return group }
    return try beginReading()
  }

  @inline(never) private func beginReading(version: UInt64? = nil) throws -> Group {
    if isClosed { throw RealmFailure.misuse("Cannot read from a frozen Realm which has been invalidated.") }
    settle()
    if let group = phase.group { return group }
    return try show(file.database.snapshot(version: version))
  }

  /// Begins to read a given version, if none is being read and it still exists.
  func beginReading(atVersion version: UInt64) throws {
    guard phase.group == nil else { return }
    if (try? beginReading(version: version)) == nil { _ = try beginReading() }
  }

  /// Goes over to a version.
  @discardableResult func show(_ snapshot: Snapshot) throws -> Group {
    let group = try snapshot.openGroup()
    let classes = try boundClasses(group)
    enter(.reading(RealmPhase.Reading(snapshot: snapshot, group: group)), classes)
    return group
  }

  /// Lets go of the version being read without invalidating anything: the next access reads the newest one.
  /// - Returns: false where that would disturb something.
  func releaseVersion() -> Bool {
    if isFrozen || isInWriteTransaction || isBeginningToWrite || isCommitting || isTellingObservers { return false }
    enter(.idle)
    file.database.giveBackMemory()
    return true
  }

  // MARK: Moving between versions

  /// - Returns: whether the version changed, or none was being read.
  func refresh() throws -> Bool {
    try verifyThread()
    if configuration.readOnly { throw RealmFailure.misuse("Read-only Realms do not change and cannot be refreshed.") }
    if isFrozen || isInWriteTransaction || isBeginningToWrite || isTellingObservers { return false }
    settle()
    defer { liveObservers.deliver(self) }
    guard let version = snapshot?.version else {
      _ = try beginReading()
      return true
    }
    if file.database.newestVersion <= version { return false }
    let snapshot = try file.database.snapshot()
    guard snapshot.version != version else { return false }
    try show(snapshot)
    observers.didChange(self)
    return true
  }

  func invalidate() throws {
    try verifyThread()
    if isTellingObservers { return }
    settle()
    if !isFrozen { asyncWriting.dropBlocks() }
    epochs.invalidate()
    if case .writing(let writing) = phase {
      Logger.shared.log(.warn, .realm, "Invalidating a Realm in a write transaction rolls the transaction back.")
      rollBack(writing)
    }
    // What other blocks have done in the same transaction is still to be committed.
    if !isCommitting { enter(isFrozen ? .closed : .idle) }
    if !isFrozen { asyncWriting.proceed() }
  }

  /// No object of the migration may be used from now on.
  func endMigration() {
    epochs.invalidate()
    enter(.closed)
  }

  // MARK: Frozen

  /// The frozen realm of the version being read; inside a write transaction, of the one that it is based on. It stays until the realm goes on: who
  /// freezes one object after the other, and lets go of each, does not make a realm for each.
  func frozen() throws -> RealmCore {
    if isFrozen { return self }
    try verifyThread()
    _ = try group()
    try separateFromJoined()
    guard let read = transaction?.base ?? snapshot?.transaction else { throw RealmFailure.misuse("The Realm has no version to freeze.") }
    let core = try openFrozen(read)
    lastFrozen = core
    return core
  }

  /// The one that all realms of the file share.
  private func openFrozen(_ read: ReadTransaction) throws -> RealmCore {
    if let core = file.frozenCore(version: read.version), !core.isClosed { return core }
    // A frozen realm finds columns by their names: what has become of them since they were found here, it does not know.
    try boundClasses(group()).findTables(self)
    let snapshot = Snapshot(try read.again(.frozen))
    let core = try RealmCore(frozen: snapshot, file, configuration)
    file.rememberFrozen(core, version: snapshot.version)
    return core
  }

  /// The live realm of the calling context, at the newest version or the one that it reads already.
  func thawed() throws -> RealmCore {
    guard isFrozen else { return self }
    if isClosed { throw RealmFailure.misuse("Cannot read from a frozen Realm which has been invalidated.") }
    if let queue = ConfinementKey.currentQueue, let core = file.existingCore(queue) { return core }
    return try file.core(for: configuration, .current)
  }

  /// Writes what the realm shows to a new file.
  func writeCopy(toFile path: String, _ key: EncryptionKey?) throws {
    let group = try group()
    if let transaction { return try transaction.write(group, toFile: path, encryptionKey: key) }
    guard let snapshot else { throw StorageError.transactionEnded }
    try snapshot.write(toFile: path, encryptionKey: key)
  }
}
