import Synchronization

/// How a database is opened.
package struct DatabaseOptions: Sendable {
  package var durability: SessionOptions.Durability = .full
  /// Nobody writes the file meanwhile: no lock file, nothing is created. T6.5, "Read-only".
  package var isImmutable = false
  package var mayCreate = true
  /// Files of formats 10, 11, 20-23 are upgraded; else they are refused.
  package var mayUpgrade = true
  /// A copy of the file is kept when it is upgraded (T12).
  package var makesBackup = true
  /// Histories of servers are opened too; nothing can be written then.
  package var acceptsAnyHistory = false
  /// `.syncClient` makes a new file, or one without history, one that synchronises. Of other files it is what they have to be; as long as it is nil,
  /// they may be either.
  package var historyType: SessionOptions.HistoryType?
  /// Milliseconds since 2015-01-01T00:00:00Z, for the changesets of files that synchronise.
  package var syncClock: @Sendable () -> UInt64 = { FileCalls.millisecondsSince2015 }
  /// An invalid file is replaced by an empty database (`clear_on_invalid_file`).
  package var emptiesInvalidFile = false
  /// Copied to the path if there is no file yet.
  package var seedPath: String?
  /// 0 is unlimited (T9.2).
  package var versionLimit: UInt64 = 0
  package var announcesCommits = true
  /// Encrypts the file. The database works with a copy, which is wiped when it is closed or released.
  package var encryptionKey: EncryptionKey?
  /// Address space for the file; a file that outgrows it is mapped anew (`Mapping`).
  package var reservedByteCount = Mapping.usualSpan
  /// Decrypted pages of an encrypted file beyond this are given back as soon as no version that may need them is held.
  package var keptByteCount: UInt64 = Mapping.usualKeptByteCount
  /// Opens the file; tests put something in between.
  package var openStorage: @Sendable (_ path: String, _ mode: FileStorage.Mode) throws(StorageError) -> any Storage = {
    (path, mode) throws(StorageError) in try FileStorage(path: path, mode: mode)
  }
  /// Asked whether to wait on for the right to write; nil to wait as long as it takes.
  package var whileWaiting: WhileWaiting?
  /// Changes the contents of an older format into those of format 24, inside the given transaction, which the database commits.
  package var upgrade: (@Sendable (_ transaction: WriteTransaction, _ format: Int) throws(StorageError) -> Void)? = {
    (transaction, format) throws(StorageError) in try WriteTransaction.upgradeContents(transaction, from: format)
  }

  package init() {}

  /// Opens the file with its key, if it has one.
  func storage(_ path: String, _ mode: FileStorage.Mode) throws(StorageError) -> any Storage {
    encrypted(try openStorage(path, mode), encryptionKey)
  }
  func encrypted(_ storage: any Storage, _ key: EncryptionKey?) -> any Storage {
    guard let key else { return storage }
    return EncryptedStorage(storage, key: key, usesBarriers: durability == .full)
  }
}

/// One open realm file: the door to its snapshots and its write transactions.
///
/// One per file and process is enough and usual, but not required.
package final class Database: Sendable {
  package let path: String
  package let options: DatabaseOptions
  private let state: Locked<State>
  private let writerState = Locked(WriterState())
  private let writingIsDisabled = Atomic<Bool>(false)
  private let cancellations = Atomic<UInt64>(0)
  let right = WriteRight()
  /// Nil without a lock file.
  let session: Session?
  /// The same, for readers. Held by the generation.
  private let participation: Uncounted<Participation>?
  /// For snapshots without a version list.
  private let onlyPin: Pin?

  private struct State {
    var generation: Generation
    /// The file is known to be at least that long and to lie inside the mapping.
    var usableByteCount: UInt64
    /// A compaction failed after it had replaced the file: the mapping shows the old one.
    var isUnusable = false
  }
  private struct WriterState {
    /// What the last own commit knows of the free space of its version.
    var allocator: SpaceAllocator?
    var version: UInt64 = 0
    /// How often moving nodes was given up here since it last came to an end.
    var failedEvacuationCount: UInt64 = 0
  }

  init(path: String, options: DatabaseOptions, generation: Generation, byteCount: UInt64, onlyPin: Pin?) {
    self.path = path
    self.options = options
    self.onlyPin = onlyPin
    session = generation.participation?.session
    participation = generation.participation.map { Uncounted($0) }
    let initial = State(generation: generation, usableByteCount: min(byteCount, generation.mapping.fileSpan))
    state = Locked(initial)
    open(initial)
  }

  /// How many write transactions of this object were given up after their tables had been opened.
  var cancelledCount: UInt64 { cancellations.load(ordering: .relaxed) }
  func noteCancelled() { cancellations.add(1, ordering: .relaxed) }

  /// What the file's session agreed on.
  var historyType: SessionOptions.HistoryType { options.historyType ?? .inRealm }
  var generation: Generation { state.withLock { $0.generation } }

  deinit {
    makeGroupDurable()
    shut()
  }

  /// Leaves the session at once instead of with the last snapshot, and wipes the key. No snapshot may be used afterwards.
  package func close() {
    makeGroupDurable()
    let generation = generation
    state.withLock { _ in shut() }
    generation.participation?.leave()
    generation.storage.wipeKey()
    options.encryptionKey?.wipe()
  }

  // MARK: Reading

  /// Claims a version: the newest, or another one that somebody holds.
  /// - Throws: `.versionNotAvailable`, `.transactionEnded` after `close`, `.invalidDatabase` when the file is shorter than the version.
  @inline(never) package func beginRead(_ kind: PinKind = .live, version: UInt64? = nil) throws(StorageError) -> ReadTransaction {
    if version == nil, let read = try enterOpenGeneration(kind) { return read }
    return try beginReadUnderLock(kind, version)
  }

  /// One mutex suffices for whoever is the only one in this process to read the newest version, or the second.
  /// - Returns: nil if others read it already, which takes no mutex of other processes, or the state has to be looked at.
  @inline(__always) private func enterOpenGeneration(_ kind: PinKind) throws(StorageError) -> ReadTransaction? {
    guard let participation else { return nil }
    return try participation.use { (participant) throws(StorageError) in
      guard participant.openGeneration.isPresent,
        let (pin, open) = try participant.session.pinUnderMutex(kind, { participant.openGeneration.enter() })
      else { return nil }
      let read = ReadTransaction(entered: open.generation, turn: open.turn, participation: participation, pin: pin)
      if pin.byteCount <= open.usableByteCount { return read }
      read.end()
      return nil
    }
  }

  @inline(never) private func beginReadUnderLock(_ kind: PinKind, _ version: UInt64?) throws(StorageError) -> ReadTransaction {
    try state.withLockInPlace { (state) throws(StorageError) -> ReadTransaction in
      guard let session else { return ReadTransaction(generation: state.generation, participation: nil, pin: onlyPin!) }
      if state.isUnusable { throw .writingDisabled(path: path) }
      if state.generation.mapping.isCrowded { state.generation.mapping.giveBack(session, isUrgent: false) }
      let pin = try session.pin(kind, version: version)
      if pin.byteCount > state.usableByteCount {
        do throws(StorageError) { try grow(&state, to: pin.byteCount) } catch {
          session.unpin(pin)
          throw error
        }
      }
      state.generation.mapping.willRead(version: pin.version)
      return ReadTransaction(generation: state.generation, participation: participation, pin: pin)
    }
  }

  /// Lets readers begin without the lock of `state`, which the caller holds; where they would overlook something, not.
  private func open(_ state: borrowing State) {
    if state.isUnusable || state.generation.mapping.isGated { return shut() }
    participation?.use { $0.open(state.generation, usableByteCount: state.usableByteCount) }
  }

  /// Has all readers take the lock of `state`, which the caller holds.
  private func shut() { participation?.use { $0.open(nil) } }

  /// A version that stays readable as long as the result lives.
  package func snapshot(_ kind: PinKind = .live, version: UInt64? = nil) throws(StorageError) -> Snapshot {
    Snapshot(try beginRead(kind, version: version))
  }

  /// Checks the file's length, and maps it anew if it has outgrown its reservation.
  private func grow(_ state: inout State, to byteCount: UInt64) throws(StorageError) {
    let storage = state.generation.storage
    let physical = try storage.byteCount()
    guard physical >= byteCount else {
      throw .invalidDatabase(path: path, reason: "Invalid logical file size: \(byteCount), actual file size: \(physical)")
    }
    if byteCount > state.generation.mapping.fileSpan {
      let mapping = try Mapping(
        storage, byteCount: physical, usualSpan: options.reservedByteCount, keptByteCount: options.keptByteCount)
      // Until nobody can find the old one any more.
      shut()
      state.generation = state.generation.successor(mapping: mapping, storage: storage)
    }
    state.usableByteCount = min(physical, state.generation.mapping.fileSpan)
    open(state)
  }

  /// The file ends there now: whoever reads on checks its length again before that is believed to suffice.
  func didCutFile(to byteCount: UInt64) {
    state.withLock {
      $0.usableByteCount = min($0.usableByteCount, byteCount)
      open($0)
    }
  }

  /// Gives memory back that no version held here can need: decrypted pages of an encrypted file.
  package func giveBackMemory() {
    state.withLock { state in
      guard let session else { return }
      state.generation.mapping.giveBack(session, isUrgent: true)
    }
  }
  /// Memory of decrypted pages.
  package var decryptedByteCount: UInt64 { generation.mapping.keptByteCount }

  /// Takes no lock. 1 for an immutable database.
  package var newestVersion: UInt64 { session?.newestVersion ?? 1 }
  /// Versions in the list after the last commit (T9.2).
  package var numberOfVersions: UInt64 { session?.numberOfVersions ?? 1 }
  /// Wakes when somebody commits; nil when commits are not announced.
  package var note: NoteFIFO? { session?.note }

  // MARK: Writing

  /// Waits for the right to write and begins a transaction on the newest version.
  ///
  /// - Throws: `.readOnly`, `.writingDisabled`, `.tooManyVersions`, `.sessionRestartRequired`, what `whileWaiting` throws; see also `beginRead`.
  /// - Parameter staysOnThread: the transaction will end on the thread that begins it, which saves two changes of threads.
  package func beginWrite(staysOnThread: Bool = false) throws(StorageError) -> WriteTransaction {
    let session = try requireWriting()
    if !right.takeKept() { try session.lockForWriting(staysOnThread: staysOnThread) }
    return try begin(session)
  }

  /// Begins a transaction if nobody else writes, in this process or another; nil otherwise.
  package func tryBeginWrite(staysOnThread: Bool = false) throws(StorageError) -> WriteTransaction? {
    let session = try requireWriting()
    guard try session.tryLockForWriting(staysOnThread: staysOnThread) != nil else { return nil }
    return try begin(session)
  }

  func requireWriting() throws(StorageError) -> Session {
    guard let session else { throw .readOnly(path: path) }
    guard generation.storage.isWritable else { throw .readOnly(path: path) }
    try checkWritingIsEnabled()
    try checkVersionLimit()
    return session
  }

  func checkVersionLimit() throws(StorageError) {
    let count = numberOfVersions
    if options.versionLimit > 0 && count > options.versionLimit { throw .tooManyVersions(count: count, limit: options.versionLimit) }
  }

  var isWritingDisabled: Bool { writingIsDisabled.load(ordering: .relaxed) }
  func checkWritingIsEnabled() throws(StorageError) {
    if isWritingDisabled { throw .writingDisabled(path: path) }
  }

  /// With the right to write.
  func begin(_ session: Session) throws(StorageError) -> WriteTransaction {
    right.begin()
    do throws(StorageError) {
      // Somebody who wrote before us may have been the one whose barrier failed.
      try checkWritingIsEnabled()
      let base = try beginRead(.live)
      do throws(StorageError) { return try WriteTransaction(database: self, base: base) } catch {
        base.end()
        throw error
      }
    } catch {
      writingEnded(session)
      throw error
    }
  }

  /// A transaction gives up the right to write, which commits that wait for their barriers keep.
  func writingEnded(_ session: Session) {
    if right.end() { session.unlockAfterWriting() }
    right.tellEnd()
  }

  // MARK: For commits, with the write mutex held

  func disableWriting() { writingIsDisabled.store(true, ordering: .relaxed) }

  /// What was kept for the commit after `version`, if that was written here. It is gone then: a commit that fails must not leave half of its
  /// changes in it, and nobody else may hold what a commit changes in place.
  func takeAllocator(version: UInt64) -> SpaceAllocator? {
    writerState.withLock { (state) -> SpaceAllocator? in
      defer { state.allocator = nil }
      return state.version == version ? state.allocator : nil
    }
  }
  /// Keeps it for the commit after `version`.
  func keep(_ allocator: SpaceAllocator, version: UInt64) {
    writerState.withLock {
      $0.allocator = allocator
      $0.version = version
    }
  }
  /// The next commit reads the free list from the file.
  func forgetAllocator() { writerState.withLock { $0.allocator = nil } }

  var failedEvacuationCount: UInt64 { writerState.withLock { $0.failedEvacuationCount } }
  func noteEvacuation(isDone: Bool) { writerState.withLock { $0.failedEvacuationCount = isDone ? 0 : $0.failedEvacuationCount + 1 } }

  // MARK: For compaction

  /// Runs `body` while no transaction begins here, and continues with the generation it returns.
  /// - Parameter body: sets its second argument once the old generation does not fit the session any more.
  func replaceGeneration(_ body: (Generation, inout Bool) throws(StorageError) -> Generation?) throws(StorageError) -> Bool {
    try state.withLock { (state) throws(StorageError) -> Bool in
      shut()
      defer { open(state) }
      var isReplaced = false
      do throws(StorageError) {
        guard let generation = try body(state.generation, &isReplaced) else { return false }
        state.usableByteCount = min(try generation.storage.byteCount(), generation.mapping.fileSpan)
        state.generation = generation
      } catch {
        state.isUnusable = isReplaced
        throw error
      }
      forgetAllocator()
      return true
    }
  }
}
