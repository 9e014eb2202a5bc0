import RealmStorage

extension RealmCore {
  func requireWriting() throws {
    try verifyThread()
    guard !configuration.readOnly else { throw RealmFailure.transaction("Can't perform transactions on read-only Realms.") }
    guard !isFrozen else { throw RealmFailure.transaction("Can't perform transactions on a frozen Realm") }
  }

  /// - Parameter staysOnThread: the transaction surely ends on this thread.
  func beginWrite(staysOnThread: Bool) throws {
    try requireWriting()
    while true {
      try requireNoTransaction()
      settle()
      if let goesOn = try becomeWriting(staysOnThread: staysOnThread) {
        // As in the original, whoever is told of the version that a transaction begins with finds the realm in it, and may take part.
        if goesOn { observers.didChange(self) }
        return liveObservers.drain(self)
      }
      liveObservers.drain(self)
    }
  }

  private func requireNoTransaction() throws {
    guard !isInWriteTransaction, !isBeginningToWrite else { throw RealmFailure.transaction("The Realm is already in a write transaction") }
  }

  /// - Returns: whether the transaction begins with another version than the one that was shown; nil if calls are due that are about that one. Whoever
  ///   is called may write, and wait for the right to.
  private func becomeWriting(staysOnThread: Bool) throws -> Bool? {
    isBeginningToWrite = true
    defer { isBeginningToWrite = false }
    var goesOn: Bool?
    // Whoever has asked for a right to write that is not used still waits for it.
    defer { if goesOn == nil { asyncWriting.proceed() } }
    // A right to write that is asked for in the background has to be taken: the realm would wait for itself.
    if let requested = try asyncWriting.takeTransaction() {
      goesOn = try start(requested, staysOnThread: false)
    } else {
      goesOn = try start(file.database.beginWrite(staysOnThread: staysOnThread), staysOnThread: staysOnThread)
    }
    return goesOn
  }

  private func start(_ transaction: WriteTransaction, staysOnThread: Bool) throws -> Bool? {
    do {
      try checkVersionLimit()
      let goesOn = version ?? (liveObservers.isEmpty ? transaction.base.version : 0) != transaction.base.version
      if goesOn {
        if liveObservers.hasDueCalls {
          transaction.cancel()
          return nil
        }
        try show(Snapshot(transaction.base.again(.live)))
      }
      try liveObservers.prepare(self)
      try enterWriting(transaction, staysOnThread: staysOnThread)
      return goesOn
    } catch {
      transaction.cancel()
      throw error
    }
  }

  /// Goes on in a transaction, whoever observes.
  func enterWriting(_ transaction: WriteTransaction, staysOnThread: Bool) throws {
    let group = try transaction.openGroup()
    let classes = try boundClasses(group)
    let number = epochs.beginTransaction()
    enter(.writing(RealmPhase.Writing(transaction: transaction, group: group, number: number, staysOnThread: staysOnThread)), classes)
  }

  /// The number of versions is that of the last commit, which counts its own predecessor. It is only looked into if it is too high: whoever held
  /// a version then may be gone, and where nobody holds an old one there is nothing to limit.
  func checkVersionLimit() throws {
    guard let limit = configuration.maximumNumberOfActiveVersions, limit > 0 else { return }
    let database = file.database
    guard database.numberOfVersions > UInt64(limit) else { return }
    let newest = database.newestVersion
    let heldCount = UInt64(try database.versionClaims().count { $0.version != newest && isCounted($0) })
    let count = min(database.numberOfVersions, heldCount + 2)
    if heldCount > 0, count > UInt64(limit) {
      throw RealmFailure.transaction("Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
    }
  }

  /// While asynchronous writes are under way, what they hold for a moment does not count.
  private func isCounted(_ claims: VersionClaims) -> Bool {
    guard file.database.isWriting || file.database.commitGroup != nil, !claims.isHeldByOthers else { return true }
    return file.pins.all.contains { $0.read(at: 0)?.version == claims.version }
  }

  func currentWriting() throws -> RealmPhase.Writing {
    try requireWriting()
    guard case .writing(let writing) = phase else { throw RealmFailure.transaction("Can't commit a non-existing write transaction") }
    return writing
  }

  // MARK: Committing

  func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    let writing = try currentWriting()
    let committed: ReadTransaction?
    let metered = MeteredCommit(byteCount: writing.transaction.scratch.usedByteCount)
    do {
      committed = try writing.transaction.commitAndRead(writing.group)
    } catch {
      writing.joined?.commit.fail(error)
      rollBackWholly(writing)
      asyncWriting.proceed()
      throw error
    }
    metered?.succeeded()
    writing.joined?.commit.isAnnounced = true
    writing.joined?.commit.endedByRealm()
    epochs.endTransaction()
    showCommitted(committed.map { Snapshot($0) })
    file.signals.committedHere()
    if let version { liveObservers.noteOwnCommit(version) }
    if !tokens.isEmpty { liveObservers.skip(tokens, self) }
    observers.didChange(self, except: tokens)
    tellLater()
    asyncWriting.proceed()
  }

  /// Shows the version that a commit has made. It is durable: if it cannot be shown, that is for the next access to report.
  private func showCommitted(_ snapshot: Snapshot?) {
    guard let snapshot, (try? show(snapshot)) != nil else { return enter(.idle) }
  }

  /// The notifications that a commit leaves out have to be this realm's, and there has to be something to commit.
  func check(_ tokens: [NotificationToken]) throws {
    for token in tokens {
      guard token.isOf(self) else {
        throw RealmFailure.misuse("Incorrect Realm: only notifications for the Realm being modified can be skipped.")
      }
    }
    if !tokens.isEmpty && !isInWriteTransaction {
      throw RealmFailure.misuse("Suppressing the notification from a write transaction must be done from inside the write transaction.")
    }
  }

  /// The end of a background commit has been reported.
  /// - Returns: what went wrong.
  func finish(_ commit: PendingCommit) -> (any Error)? {
    if case .committing(commit) = phase { settle() }
    defer { catchUp() }
    do { try commit.waitUntilOver() } catch { return error }
    // Several writes may have waited for it.
    if commit.isAnnounced { return nil }
    commit.isAnnounced = true
    file.signals.committedHere()
    observers.didChange(self)
    tellLater()
    return nil
  }

  /// Waits until the background commit is written, if there is one, and shows its version: that before if it failed.
  func settle() {
    guard case .committing(let commit) = phase else { return }
    beginCommit(commit)
    switch commit.takeOutcome() {
    case .written(let snapshot):
      showCommitted(snapshot)
      if let version { liveObservers.noteOwnCommit(version) }
    case .failed(let base): rollBack(to: base, commit.numbers)
    }
  }

  // MARK: Rolling back

  func cancelWrite() throws {
    try requireWriting()
    guard case .writing(let writing) = phase else {
      if asyncWriting.isCompleting { throw RealmFailure.transaction("Can't cancel a write transaction from inside a commit completion callback.") }
      throw RealmFailure.transaction("Can't cancel a non-existing write transaction")
    }
    rollBack(writing)
    asyncWriting.proceed()
  }

  /// Forgets the changes of the present block: of a transaction that began with it, all.
  func rollBack(_ writing: RealmPhase.Writing) {
    if let joined = writing.joined, let savepoint = joined.savepoint { return rollBack(writing, joined.commit, to: savepoint) }
    writing.joined?.commit.fail(.transactionEnded)
    rollBackWholly(writing)
  }

  /// Forgets all changes and goes on reading the version that they were based on.
  private func rollBackWholly(_ writing: RealmPhase.Writing) {
    epochs.endTransaction()
    // Before the transaction gives up its own claim on it.
    let base = (try? writing.transaction.base.again(.live)).map { Snapshot($0) }
    rollBack(to: base, (writing.joined?.commit.numbers ?? []) + [writing.number])
    writing.transaction.cancel()
  }

  /// If the base cannot be shown, the next access reads the newest version, or says why it cannot.
  func rollBack(to base: Snapshot?, _ numbers: [UInt32]) {
    let group = base.flatMap { try? show($0) }
    if group == nil { enter(.idle) }
    for number in numbers { cancelledFloors.note(number, base: group, classes) }
    tellLater()
  }
}
