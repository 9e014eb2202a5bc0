import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What `attach` found in the data file. Used by the session's initiator; a joiner takes its snapshot from the version list.
package struct AttachedFile: Hashable, Sendable {
  package let version: UInt64
  /// The logical size; 24 for a file without a version.
  package let logicalByteCount: UInt64
  package let topRef: Ref
  /// What the file system calls it, whatever its name is. Nil where nobody need know that others work with the same one.
  package let fileNumber: UInt64?
  package init(version: UInt64, logicalByteCount: UInt64, topRef: Ref, fileNumber: UInt64? = nil) {
    self.version = version
    self.logicalByteCount = logicalByteCount
    self.topRef = topRef
    self.fileNumber = fileNumber
  }
  fileprivate var snapshot: ListedSnapshot { ListedSnapshot(version: version, byteCount: logicalByteCount, topRef: topRef) }
}

/// One participant in the session of a realm file: everything that processes tell each other through the lock file.
///
/// Locks are taken in the order write mutex, control mutex, version-list mutex. The last two are held inside one function each, which
/// neither suspends nor waits for anybody; `join` runs `attach` under the control mutex because no file may change hands meanwhile.
/// We wait on no condition variable of the lock file and take no ticket (T5.4, T14.8).
package final class Session: Sendable {
  private let file: LockFile
  private let versions: VersionList
  private let lockingThread: LockingThread
  /// nil when commits are not announced. Watchers share its descriptor.
  package let note: NoteFIFO?
  /// This participant found nobody else in the session and set its fields.
  package let isInitiator: Bool
  /// Slots in use at the last purge of this participant; guarded by the write mutex.
  private let reachableCount = Atomic<UInt64>(1)
  private let hasLeft = Atomic<Bool>(false)

  package var paths: RealmPaths { file.paths }
  /// For the storage of an encrypted file.
  var pageMarks: PageMarks { PageMarks(file) }

  private typealias Fixed = LockFileLayout.Fixed

  // MARK: Joining and leaving

  /// Joins the session of the realm file at `path`, or starts one. T3.1, T6.1, T6.4.
  ///
  /// - Parameter attach: opens and validates the data file, creates or cuts it only as the initiator. Runs under the control mutex: nobody
  ///   else joins, leaves or extends the file meanwhile. What it throws ends the attempt and leaves the session as it was.
  /// - Throws: `.incompatibleLockFile` after up to half a second when another engine formatted the lock file; `.incompatibleSession` when
  ///   the participants want something else, or work with a file that had this name before; `.directoryNotFound`, `.permissionDenied`, `.outOfDiskSpace`, `.io`; `.fileExists` when
  ///   something that is no FIFO has the name of the note FIFO.
  package static func join(
    path: String, options: SessionOptions, whileWaiting: WhileWaiting? = nil, attach: (_ isInitiator: Bool) throws(StorageError) -> AttachedFile
  ) throws(StorageError) -> Session {
    let paths = RealmPaths(path)
    let file = try LockFile.open(paths, options: options)
    let versions = VersionList(file)
    let note = options.announcesCommits ? try NoteFIFO(path: paths.note) : nil
    try file.lock(file.controlMutex)
    defer { file.controlMutex.unlock() }
    let isInitiator = file.word(Fixed.participantCount) == 0
    let attached = try attach(isInitiator)
    if let number = attached.fileNumber { try file.claim(for: number) }
    if isInitiator {
      try versions.reset(attached.snapshot)
      // The lock file may be that of a session whose last participant is just closing it (T3.1), and was never formatted since.
      file.storeAgreement(options)
      file.store(UInt8(0), at: Fixed.commitInCriticalPhase)
      file.store(options.hasKey ? UInt64(getpid()) : 0, at: Fixed.initiatorProcess)
      file.store(LockFileLayout.targetFileFormat, at: Fixed.fileFormat)
      file.store(UInt64(1), at: Fixed.numberOfVersions)
      file.store(attached.version, at: Fixed.latestVersion)
    } else {
      try compare(file, options)
    }
    file.store(file.word(Fixed.participantCount) &+ 1, at: Fixed.participantCount)
    return Session(file: file, versions: versions, note: note, isInitiator: isInitiator, whileWaiting)
  }

  private init(file: LockFile, versions: consuming VersionList, note: NoteFIFO?, isInitiator: Bool, _ whileWaiting: WhileWaiting?) {
    self.file = file
    self.versions = versions
    self.note = note
    self.isInitiator = isInitiator
    lockingThread = LockingThread(file, whileWaiting)
  }

  /// Checks 7 to 10 of T3.3.
  private static func compare(_ file: LockFile, _ options: SessionOptions) throws(StorageError) {
    let path = file.paths.database
    guard file.half(Fixed.durability) == options.durability.rawValue else {
      throw .incompatibleSession(path: path, reason: "Durability not consistent")
    }
    guard file.byte(Fixed.historyType) == options.historyType.rawValue else {
      throw .incompatibleSession(path: path, reason: "History type not consistent")
    }
    guard file.half(Fixed.historySchema) == options.historySchema else {
      throw .incompatibleSession(path: path, reason: "History schema version not consistent")
    }
    let format = file.byte(Fixed.fileFormat)
    guard format == LockFileLayout.targetFileFormat else {
      throw .incompatibleLockFile(
        path: path, reason: "Version mismatch: File format version is \(format) but should be \(LockFileLayout.targetFileFormat).")
    }
  }

  deinit { leave() }

  /// Leaves the session: gives back the write mutex and all pins and counts itself out. Nothing may be in progress on another thread.
  /// Afterwards reading and writing throw, and giving back pins does nothing.
  ///
  /// - Parameter ifLast: runs under the control mutex when nobody is left, to delete a file that lives as long as its session. After a
  ///   participant died there is no last one.
  /// - Returns: whether this was the last participant.
  @discardableResult package func leave(ifLast: () -> Void = {}) -> Bool {
    guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    lockingThread.stop()
    versions.unpinAll()
    // Before the next one can make a new file and claim that.
    file.releaseClaim()
    var isLast = false
    if (try? file.lock(file.controlMutex)) != nil {
      let others = max(file.word(Fixed.participantCount), 1) - 1
      file.store(others, at: Fixed.participantCount)
      isLast = others == 0
      if isLast { ifLast() }
      file.controlMutex.unlock()
    }
    file.leave()
    return isLast
  }

  /// Runs `body` while nobody, in any process, has the database at `path` open. T13.
  /// - Returns: false, without running `body`, if somebody has.
  package static func withExclusiveLock(path: String, _ body: () throws(StorageError) -> Void) throws(StorageError) -> Bool {
    try LockFile.withExclusiveLock(RealmPaths(path), body)
  }

  // MARK: Reading

  /// Claims the newest snapshot, or another one that somebody holds: its nodes stay until `unpin`. T4.2.
  /// - Throws: `.versionNotAvailable` when it is gone, or when a live claim is wanted on a snapshot that is only held frozen.
  @inline(__always)
  package func pin(_ kind: PinKind, version: UInt64? = nil) throws(StorageError) -> Pin {
    guard !hasLeft.load(ordering: .relaxed) else { throw .transactionEnded }
    if let version { return try versions.pin(kind, version: version) }
    return try versions.pinNewest(kind)
  }

  /// Claims the newest snapshot if this participant holds it in this way at most once and `body`, which runs while nobody else can do the same, gives
  /// something.
  /// - Returns: nil, and nothing happened, if not, or `pin` would throw.
  @inline(__always)
  func pinUnderMutex<Result>(_ kind: PinKind, _ body: () -> Result?) throws(StorageError) -> (Pin, Result)? {
    hasLeft.load(ordering: .relaxed) ? nil : try versions.pinUnderMutex(kind, body)
  }

  /// Runs `body` while nobody can claim a snapshot that this participant does not hold.
  func whileNobodyPins(_ body: () -> Void) { hasLeft.load(ordering: .relaxed) ? body() : versions.whileNobodyPins(body) }

  /// Claims the snapshot of `pin` once more, maybe in another way. Cheaper than by version, and never fails for frozen.
  package func pin(_ kind: PinKind, same pin: Pin) throws(StorageError) -> Pin {
    guard !hasLeft.load(ordering: .relaxed) else { throw .transactionEnded }
    return try versions.pin(kind, same: pin)
  }

  /// Gives a claim back. Any thread.
  @inline(__always)
  package func unpin(_ pin: Pin) {
    guard !hasLeft.load(ordering: .relaxed) else { return }
    versions.unpin(pin)
  }

  /// Gives a claim back, and runs `body` while nobody can claim a snapshot that this participant does not hold, or after leaving. Any thread.
  @inline(__always)
  func unpin<Result>(_ pin: Pin, _ body: () -> Result) -> Result {
    guard !hasLeft.load(ordering: .acquiring) else { return body() }
    return versions.unpin(pin, body)
  }

  /// Whether this participant holds any pin. A hint, unless nobody can take one meanwhile.
  package var holdsPins: Bool { versions.holdsPins }

  /// The oldest version that this participant holds; nil if it holds none, 0 if that cannot be found out.
  var oldestOwnVersion: UInt64? { hasLeft.load(ordering: .relaxed) ? 0 : versions.oldestOwn() }

  /// Takes no lock. 0 after leaving.
  package var newestVersion: UInt64 { hasLeft.load(ordering: .relaxed) ? 0 : versions.newestVersion() }

  /// Participants of all processes, also those that died in this session. A hint outside `withControlLock`.
  package var participantCount: Int { Int(file.word(Fixed.participantCount)) }

  /// Versions in the list after the last commit; not recomputed when readers go away (T9.2).
  package var numberOfVersions: UInt64 { file.long(Fixed.numberOfVersions) }

  // MARK: Writing

  /// Waits for the right to write. `.afterDeadOwner` and `listedSnapshots` are for the repair of T14.1.
  ///
  /// - Parameter staysOnThread: the caller promises to give it up on the same thread, as a write block without suspension can. Saves two
  ///   hops to the locking thread when the mutex is free.
  /// - Throws: `.sessionRestartRequired` when a process died at the critical moment, and what `whileWaiting` throws; nothing is held then.
  @discardableResult package func lockForWriting(staysOnThread: Bool = false) throws(StorageError) -> WriteGrant {
    try lockingThread.acquire(staysOnThread: staysOnThread)
  }

  /// Takes the right to write if nobody has it; nil otherwise. Throws like `lockForWriting`.
  package func tryLockForWriting(staysOnThread: Bool = false) throws(StorageError) -> WriteGrant? {
    try lockingThread.tryAcquire(staysOnThread: staysOnThread)
  }

  /// Gives up the right to write: from any thread, unless `staysOnThread` was promised. It is free a moment later, not necessarily on return.
  package func unlockAfterWriting() { lockingThread.release() }

  package var isLockedForWriting: Bool { lockingThread.isHeld }

  /// Frees the slots of snapshots that nobody reads, and makes sure that `publish` has one. At the start of a commit, with the write mutex
  /// held and the base pinned live. T4.3.
  /// - Throws: `.outOfDiskSpace` when the version list has to grow and cannot; nothing is lost then.
  package func purge() throws(StorageError) -> PurgeResult {
    let result = try versions.purge()
    reachableCount.store(UInt64(result.reachable.count), ordering: .relaxed)
    return result
  }

  /// Every snapshot in the version list, by ascending version. If the header's top ref is in none of them, the write mutex's last owner
  /// died before its publication (T14.1).
  package func listedSnapshots() throws(StorageError) -> [ListedSnapshot] { try versions.listed() }

  /// The oldest version that anybody reads, in any process.
  package func oldestHeldVersion() throws(StorageError) -> UInt64 { try versions.oldestHeld() }

  /// Every version that somebody holds, in any process, and the newest. Disturbs nobody.
  package func versionClaims() throws(StorageError) -> [VersionClaims] { try versions.claims() }

  /// Makes a version that is safely in the file known to everybody: steps 8 and 9 of T8.4. With the write mutex held.
  ///
  /// - Throws: only when the lock file is damaged. The critical flag stays set then and nobody can write until the session ends.
  package func publish(version: UInt64, byteCount: UInt64, topRef: Ref, tells: Bool = true) throws(StorageError) {
    markCriticalPhase()
    try versions.publish(ListedSnapshot(version: version, byteCount: byteCount, topRef: topRef))
    file.store(UInt8(0), at: Fixed.commitInCriticalPhase)
    try file.lock(file.controlMutex)
    file.store(reachableCount.load(ordering: .relaxed) + 1, at: Fixed.numberOfVersions)
    file.store(version, at: Fixed.latestVersion)
    let wakesForeignWaiters = file.hasForeignWaiters
    file.controlMutex.unlock()
    if wakesForeignWaiters { file.wakeForeignWaiters() }
    if tells { tell() }
  }

  /// Wakes everybody who watches for commits.
  package func tell() { note?.poke() }

  /// Ends writing for everybody until the session ends, because the header may select a snapshot whose space others would reuse. T8.9.
  package func markCriticalPhase() { file.store(UInt8(1), at: Fixed.commitInCriticalPhase) }

  /// Runs `body` under the control mutex: nobody joins or leaves, nobody else extends the file. Keep it short and free of allocations: who
  /// dies in it makes realm-core's openers hang (T14.2). `publish` and `leave` take the same mutex, so they may not be called in it.
  package func withControlLock<R>(_ body: () throws(StorageError) -> R) throws(StorageError) -> R {
    try file.lock(file.controlMutex)
    defer { file.controlMutex.unlock() }
    return try body()
  }

  /// After compaction, inside `withControlLock`, by the only participant: the file has been replaced by `storage`.
  package func goBy(_ storage: any Storage) throws(StorageError) {
    guard let number = LockFileClaim.number(of: storage) else { return }
    file.releaseClaim()
    try file.claim(for: number)
  }

  /// After compaction, inside `withControlLock`, by the only participant, which holds no pin: starts over with one version. T11.1.
  package func resetVersionList(version: UInt64, byteCount: UInt64, topRef: Ref) throws(StorageError) {
    try versions.reset(ListedSnapshot(version: version, byteCount: byteCount, topRef: topRef))
    file.store(UInt64(1), at: Fixed.numberOfVersions)
    file.store(version, at: Fixed.latestVersion)
  }
}
