import Dispatch
import RealmQuery
import RealmStorage

/// What a `Realm` stands for: one file at one version, used from one thread, queue or actor, or frozen.
///
/// Reads see `group()`, which begins a read transaction when there is none. A write transaction replaces it until it ends.
@safe final class RealmCore {
  let file: RealmFile
  let configuration: Realm.Configuration
  let schema: Schema
  let confinement: Confinement
  let isFrozen: Bool
  let cell = AccessCell()
  // SAFETY: of `cell`.
  let access: UnsafePointer<AccessState>
  var autorefresh = true {
    didSet { if autorefresh, !oldValue { catchUp() } }
  }
  /// Wakes this realm when others commit; nil where nothing can be delivered.
  var turn: RealmTurn?
  /// The newest version that observers were told of.
  var announcedVersion: UInt64 = 0

  /// The version being read; nil between `invalidate()` and the next read, and during a write transaction.
  private(set) var snapshot: Snapshot? { didSet { notePin() } }
  private(set) var transaction: WriteTransaction? { didSet { notePin() } }
  /// For whoever asks who holds which version.
  private let pin: PinRecord
  private(set) lazy var idleRelease = configuration.idleVersionLimit.map { IdleRelease($0) }
  private var currentGroup: Group?
  private var bindings: [ClassBinding] = []
  private var bindingsByName: [String: ClassBinding] = [:]
  private var bindingsByType: [ObjectIdentifier: ClassBinding] = [:]
  /// The class that was asked for last, mostly the one that is asked for next.
  private var lastBinding: (type: ObjectBase.Type, binding: ClassBinding)?
  private var bindingsByTable: [TableKey: ClassBinding] = [:]
  /// What accessors made now remember.
  private(set) var objectEpoch: ObjectEpoch {
    @inline(__always) get { cell.epoch }
    set { cell.epoch = newValue }
  }
  private var transactionCount: UInt32 = 0
  /// By number of a cancelled transaction: objects from this key on did not exist before it.
  private var cancelled: [UInt32: [TableKey: ObjectKey]] = [:]
  /// A frozen realm that was invalidated can never be read again.
  private(set) var isClosed = false
  /// A commit on its way to the disk: the next access waits for it.
  private(set) var pendingCommit: PendingCommit?
  private(set) lazy var asyncWriting = AsyncWriting(self)
  /// The transaction surely ends on the thread on which it began, and nowhere else.
  private var transactionStaysOnThread = false
  private(set) var isBeginningToWrite = false
  /// While a migration block runs.
  var mayChangePrimaryKeys = false
  /// See `names()`.
  var cachedNames: NameTable?
  /// By the running call of `create`.
  var copies = CopiedInstances()
  /// What `Realm.observe` registered.
  let observers = RealmObservers()

  init(_ file: RealmFile, _ configuration: Realm.Configuration, _ confinement: Confinement) {
    self.file = file
    unsafe access = UnsafePointer(cell.state)
    self.configuration = configuration
    self.confinement = confinement
    pin = file.pins.record(confinement)
    schema = file.schema
    isFrozen = false
  }

  /// A frozen realm.
  init(frozen snapshot: Snapshot, _ file: RealmFile, _ configuration: Realm.Configuration, schema: Schema? = nil) throws {
    self.file = file
    unsafe access = UnsafePointer(cell.state)
    self.configuration = configuration
    confinement = .none
    pin = file.pins.record(.none)
    pin.note(snapshot.version, .frozenRealm)
    self.schema = schema ?? file.schema
    isFrozen = true
    self.snapshot = snapshot
    // Several threads will read: nothing may be left to be found later.
    let group = try snapshot.openGroup()
    currentGroup = group
    try bind(group)
    for key in try group.tableKeys() {
      let table = try group.table(key)
      // Links in `AnyRealmValue`s may lead to classes that are not part of the schema.
      guard bindingsByTable[key] == nil, table.nameText.hasPrefix("class_") else { continue }
      let binding = try ClassBinding(SchemaStore.objectSchema(of: table, in: group), in: group)
      bindings.append(binding)
      bindingsByTable[key] = binding
    }
    for binding in bindings where binding.hasTable {
      _ = try binding.table(self)
      for slot in binding.targets.indices { binding.setTarget(slot, try target(of: binding.property(at: slot))) }
    }
  }

  /// For a migration: reads and writes inside a transaction that somebody else ends.
  init(migrating group: Group, _ file: RealmFile, _ configuration: Realm.Configuration, schema: Schema) throws {
    self.file = file
    unsafe access = UnsafePointer(cell.state)
    self.configuration = configuration
    self.schema = schema
    confinement = .thread(currentThread())
    pin = file.pins.record(confinement)
    isFrozen = false
    currentGroup = group
    isMigrating = true
    mayChangePrimaryKeys = true
    try bind(group)
  }

  /// No object of the migration may be used from now on.
  func endMigration() {
    objectEpoch.invalidation &+= 1
    cell.stamp &+= 1
    isMigrating = false
  }

  /// Finds the columns of a class anew.
  func rebind(_ className: String) throws {
    guard let schema = schema[className], let old = bindingsByName[className] else { return }
    let group = try group()
    let new = try ClassBinding(schema, in: group)
    // Objects may still point at the old one.
    retired.append(old)
    lastBinding = nil
    bindings.removeAll { $0 === old }
    add(new)
  }
  private var retired: [ClassBinding] = []

  private var isMigrating = false

  deinit {
    if let turn { file.signals.remove(turn) }
    file.forget(self)
    guard let transaction else { return }
    Logger.shared.log(.warn, "A Realm was closed in a write transaction, which is rolled back.")
    transaction.cancel()
  }

  // MARK: Confinement

  @inline(__always) func verifyThread() throws {
    if cell.thread != currentThread() { try verifyThreadSlowly() }
  }

  @inline(never) private func verifyThreadSlowly() throws {
    if isFrozen { return }
    guard confinement.isCurrent() else { throw RealmFailure.misuse("Realm accessed from incorrect thread.") }
    cell.thread = currentThread()
  }

  // MARK: Reading

  var isInWriteTransaction: Bool { transaction != nil || isMigrating }
  var isReading: Bool { currentGroup != nil || pendingCommit != nil }
  /// The version that reads see; nil when none is held.
  var version: UInt64? { transaction?.base.version ?? snapshot?.version }

  /// The tables of the present version.
  @inline(__always) func group() throws -> Group {
    if let currentGroup { return currentGroup }
    return try beginReading()
  }

  @inline(never) private func beginReading(version: UInt64? = nil) throws -> Group {
    if isClosed { throw RealmFailure.misuse("Cannot read from a frozen Realm which has been invalidated.") }
    try settle()
    if let currentGroup { return currentGroup }
    let snapshot = try file.database.snapshot(version: version)
    return try adopt(snapshot)
  }

  /// Begins to read a given version, if none is being read and it still exists.
  func beginReading(atVersion version: UInt64) throws {
    guard currentGroup == nil else { return }
    if (try? beginReading(version: version)) == nil { _ = try beginReading() }
  }

  private func adopt(_ snapshot: Snapshot) throws -> Group {
    let group = try snapshot.openGroup()
    self.snapshot = snapshot
    try replaceGroup(group)
    return group
  }

  private func notePin() {
    if let transaction { return pin.note(transaction.base.version, .writeTransaction) }
    pin.note(snapshot?.version, isFrozen ? .frozenRealm : .realm)
    if snapshot != nil, configuration.idleVersionLimit != nil { idleRelease?.watch(self) }
  }

  /// Lets go of the version being read without invalidating anything: the next access reads the newest one.
  /// - Returns: false where that would disturb something.
  func releaseVersion() -> Bool {
    if isFrozen || isInWriteTransaction || isBeginningToWrite || pendingCommit != nil || observers.isDelivering { return false }
    guard (try? replaceGroup(nil)) != nil else { return false }
    snapshot = nil
    file.database.giveBackMemory()
    return true
  }

  private func replaceGroup(_ group: Group?) throws {
    for binding in bindings { binding.forgetTable() }
    if let turn, let version { turn.showed(version) }
    currentGroup = group
    cell.stamp &+= 1
    if let group, bindings.isEmpty { try bind(group) }
  }

  /// Before anything is changed: accessors look up their rows again.
  @inline(__always) func willMutate() { cell.stamp &+= 1 }

  // MARK: Classes

  private func bind(_ group: Group) throws {
    for objectSchema in schema.objectSchema {
      let binding = try ClassBinding(objectSchema, in: group)
      add(binding)
    }
  }

  private func add(_ binding: ClassBinding) {
    bindings.append(binding)
    bindingsByName[binding.className] = binding
    if let type = binding.schema.modelType { bindingsByType[ObjectIdentifier(type)] = binding }
    if binding.hasTable { bindingsByTable[binding.tableKey] = binding }
  }

  /// The class by its name in the schema.
  func binding(named name: String) throws -> ClassBinding {
    _ = try group()
    guard let binding = bindingsByName[name] else { throw RealmCore.unknownClass(name) }
    return binding
  }

  func binding(of type: ObjectBase.Type) throws -> ClassBinding {
    _ = try group()
    if let lastBinding, lastBinding.type == type { return lastBinding.binding }
    guard let binding = bindingsByType[ObjectIdentifier(type)] else { throw RealmCore.unknownClass(type.className()) }
    // Several threads may look at a frozen realm.
    if !isFrozen { lastBinding = (type, binding) }
    return binding
  }

  /// The class whose objects a table holds; classes that are not part of the schema get a binding for dynamic objects.
  func binding(ofTable key: TableKey) throws -> ClassBinding {
    let group = try group()
    if let binding = bindingsByTable[key] { return binding }
    guard !isFrozen else { throw RealmFailure.misuse("An object of a class that is not part of the schema was reached in a frozen Realm.") }
    let binding = try ClassBinding(SchemaStore.objectSchema(of: group.table(key), in: group), in: group)
    bindings.append(binding)
    bindingsByTable[key] = binding
    return binding
  }

  /// The class that a property of another class leads to.
  func target(of property: Property) throws -> ClassBinding? {
    guard let name = property.objectClassName else { return nil }
    if bindingsByName[name] == nil {
      // Of a class that is not part of the schema either.
      let group = try group()
      let table = try group.table(named: "class_" + name)
      if let table { return try binding(ofTable: table.key) }
    }
    return try binding(named: name)
  }

  /// What others have done to the schema since the file was opened, if that is why something is missing.
  func externalSchemaFailure(_ group: Group) throws -> RealmFailure? {
    isMigrating || isFrozen ? nil : try SchemaDecision.externalFailure(opened: schema, now: group)
  }

  static func unknownClass(_ name: String) -> RealmFailure {
    .misuse(
      "Object type '\(name)' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` array in your configuration, "
        + "add `\(name)` to the list of `objectClasses` / `objectTypes`.")
  }

  // MARK: Writing

  func requireWriting() throws {
    try verifyThread()
    guard !configuration.readOnly else { throw RealmFailure.misuse("Can't perform transactions on read-only Realms.") }
    guard !isFrozen else { throw RealmFailure.misuse("Can't perform transactions on a frozen Realm") }
  }

  /// - Parameter staysOnThread: the transaction surely ends on this thread.
  func beginWrite(staysOnThread: Bool) throws {
    try requireWriting()
    // Observers that are told of the version that a transaction begins with cannot begin another one.
    guard !isInWriteTransaction, !isBeginningToWrite else { throw RealmFailure.misuse("The Realm is already in a write transaction") }
    try settle()
    isBeginningToWrite = true
    defer { isBeginningToWrite = false }
    // A right to write that is asked for in the background has to be taken: the realm would wait for itself.
    let requested = try asyncWriting.takeTransaction()
    transactionStaysOnThread = staysOnThread && requested == nil
    if let requested { return try start(requested) }
    try start(file.database.beginWrite(staysOnThread: staysOnThread))
  }

  private func start(_ transaction: WriteTransaction) throws {
    let before = snapshot?.version
    do {
      try checkVersionLimit()
      if let before, before != transaction.base.version { try advanceBeforeWriting(transaction) }
      let group = try transaction.openGroup()
      self.transaction = transaction
      snapshot = nil
      try replaceGroup(group)
    } catch {
      self.transaction = nil
      transaction.cancel()
      throw error
    }
    transactionCount &+= 1
    objectEpoch.transaction = transactionCount
  }

  private func checkVersionLimit() throws {
    guard let limit = configuration.maximumNumberOfActiveVersions, limit > 0 else { return }
    let count = file.database.numberOfVersions
    if count > UInt64(limit) { throw RealmFailure(.fail, "Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)") }
  }

  /// Observers see the version that the transaction starts from before it starts.
  private func advanceBeforeWriting(_ transaction: WriteTransaction) throws {
    let base = try transaction.base.again(.live)
    _ = try adopt(Snapshot(base))
    observers.didChange(self)
  }

  func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try requireWriting()
    guard let transaction, let group = currentGroup else { throw RealmFailure(.fail, "Can't commit a non-existing write transaction") }
    objectEpoch.transaction = 0
    do {
      transaction.topRef = try group.finishedTop()
      let read = try transaction.commitAndRead(log: group.log.bytes)
      self.transaction = nil
      let snapshot = Snapshot(read)
      let committed = try snapshot.openGroup()
      self.snapshot = snapshot
      try replaceGroup(committed)
    } catch {
      try? endWriting(transaction)
      throw error
    }
    file.signals.committedHere()
    observers.didChange(self, except: tokens)
    asyncWriting.proceed()
  }

  /// The notifications that a commit leaves out have to be this realm's.
  func check(_ tokens: [NotificationToken]) throws {
    for token in tokens {
      guard token.core === self else {
        throw RealmFailure.misuse("Incorrect Realm: only notifications for the Realm being modified can be skipped.")
      }
    }
  }

  /// Starts to commit on another thread. The realm shows the new version from now on, but has to wait for the commit if it is asked.
  func commitInBackground() throws -> PendingCommit {
    try requireWriting()
    guard let transaction, let group = currentGroup else { throw RealmFailure(.fail, "Can't commit a non-existing write transaction") }
    do { transaction.topRef = try group.finishedTop() } catch {
      try? endWriting(transaction)
      throw error
    }
    let base = (try? transaction.base.again(.live)).map { Snapshot($0) }
    let commit = PendingCommit(transaction, log: group.log.bytes, base: base, number: transactionCount)
    self.transaction = nil
    objectEpoch.transaction = 0
    try replaceGroup(nil)
    pendingCommit = commit
    if transactionStaysOnThread { commit.run() } else { DispatchQueue.global().async { commit.run() } }
    return commit
  }

  /// The end of a background commit has been reported.
  /// - Returns: what went wrong.
  func finish(_ commit: PendingCommit) -> (any Error)? {
    if pendingCommit === commit { try? settle() }
    defer { catchUp() }
    if case .failure(let error) = commit.wait() { return error }
    file.signals.committedHere()
    observers.didChange(self)
    return nil
  }

  /// Waits for the background commit, if there is one, and shows its version: that before if it failed.
  func settle() throws {
    guard let commit = pendingCommit else { return }
    pendingCommit = nil
    switch commit.wait() {
    case .success(let snapshot): _ = try adopt(snapshot)
    case .failure: try rollBack(to: commit.base, number: commit.number)
    }
  }

  func cancelWrite() throws {
    try requireWriting()
    guard let transaction else {
      if asyncWriting.isCompleting { throw RealmFailure.misuse("Can't cancel a write transaction from inside a commit completion callback.") }
      throw RealmFailure.misuse("Can't cancel a non-existing write transaction")
    }
    try endWriting(transaction)
    asyncWriting.proceed()
  }

  /// Forgets the changes and goes on reading the version that they were based on.
  private func endWriting(_ transaction: WriteTransaction) throws {
    self.transaction = nil
    let number = objectEpoch.transaction == 0 ? transactionCount : objectEpoch.transaction
    objectEpoch.transaction = 0
    let base = (try? transaction.base.again(.live)).map { Snapshot($0) }
    transaction.cancel()
    try rollBack(to: base, number: number)
  }

  private func rollBack(to base: Snapshot?, number: UInt32) throws {
    try replaceGroup(nil)
    guard let base else { return }
    let group = try adopt(base)
    var floors: [TableKey: ObjectKey] = [:]
    for binding in bindings where binding.hasTable { floors[binding.tableKey] = try? group.table(binding.tableKey).nextKeyBound() }
    cancelled[number] = floors
  }

  /// Whether an accessor stands for something that is gone for good, although its key may exist again.
  func isGone(_ epoch: ObjectEpoch, _ key: ObjectKey, binding: ClassBinding?) -> Bool {
    if epoch.invalidation != objectEpoch.invalidation { return true }
    guard epoch.transaction != 0, let floors = cancelled[epoch.transaction], let binding else { return false }
    guard let floor = floors[binding.tableKey] else { return true }
    return key >= floor
  }

  // MARK: Moving between versions

  /// - Returns: whether the version changed, or none was being read.
  func refresh() throws -> Bool {
    try verifyThread()
    if configuration.readOnly { throw RealmFailure.misuse("Read-only Realms do not change and cannot be refreshed.") }
    if isFrozen || isInWriteTransaction || observers.isDelivering { return false }
    try settle()
    guard let version = snapshot?.version else {
      _ = try beginReading()
      return true
    }
    if file.database.newestVersion <= version { return false }
    let snapshot = try file.database.snapshot()
    guard snapshot.version != version else { return false }
    _ = try adopt(snapshot)
    observers.didChange(self)
    return true
  }

  func invalidate() throws {
    try verifyThread()
    if observers.isDelivering { return }
    try settle()
    if !isFrozen { asyncWriting.dropBlocks() }
    if let transaction {
      Logger.shared.log(.warn, "Invalidating a Realm in a write transaction rolls the transaction back.")
      self.transaction = nil
      objectEpoch.transaction = 0
      transaction.cancel()
    }
    if isFrozen { isClosed = true }
    snapshot = nil
    objectEpoch.invalidation &+= 1
    try replaceGroup(nil)
    if !isFrozen { asyncWriting.proceed() }
  }

  /// The frozen realm of the version being read; inside a write transaction, of the one that it is based on.
  func frozen() throws -> RealmCore {
    if isFrozen { return self }
    try verifyThread()
    _ = try group()
    guard let read = transaction?.base ?? snapshot?.transaction else { throw RealmFailure.misuse("The Realm has no version to freeze.") }
    if let core = file.frozenCore(version: read.version), !core.isClosed { return core }
    let snapshot = Snapshot(try read.again(.frozen))
    let core = try RealmCore(frozen: snapshot, file, configuration)
    file.rememberFrozen(core, version: snapshot.version)
    return core
  }

  /// Writes what the realm shows to a new file.
  func writeCopy(toFile path: String, _ key: EncryptionKey?) throws {
    let group = try group()
    if let transaction { return try transaction.write(group, toFile: path, encryptionKey: key) }
    guard let snapshot else { throw StorageError.transactionEnded }
    try snapshot.write(toFile: path, encryptionKey: key)
  }

  /// The live realm of the calling context, at the newest version or the one that it reads already.
  func thawed() throws -> RealmCore {
    guard isFrozen else { return self }
    if isClosed { throw RealmFailure.misuse("Cannot read from a frozen Realm which has been invalidated.") }
    if let queue = ConfinementKey.currentQueue, let core = file.existingCore(queue) { return core }
    return try file.core(for: configuration, .current)
  }
}
