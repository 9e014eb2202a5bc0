import RealmQuery
import RealmStorage
import Synchronization

/// What a `Realm` stands for: one file at one version, used from one thread, queue or actor, or frozen.
///
/// `phase` says what it is doing. Reads see `group()`, which begins a read transaction when there is none.
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
  /// What waits for its turn in the confinement.
  let turns = TurnQueue()
  /// Wakes this realm when others commit; nil where nothing can be delivered.
  var turn: RealmTurn?
  /// The newest version that observers were told of.
  var announcedVersion: UInt64 = 0

  private(set) var phase: RealmPhase
  /// Nil until a version is read for the first time. Objects point at what is in it.
  private(set) var classes: ClassBindings?
  var epochs: ObjectEpochs
  var cancelledFloors = CancelledFloors()
  /// While observers are told of the version that a write transaction is about to begin with.
  var isBeginningToWrite = false
  private(set) lazy var asyncWriting = AsyncWriting(self)
  /// For whoever asks who holds which version.
  private let pin: PinRecord
  private(set) lazy var idleRelease = configuration.idleVersionLimit.map { IdleRelease($0) }
  /// See `names()`.
  var cachedNames: NameTable?
  /// See `stayForThisTurn()`.
  let staysForThisTurn = Atomic<Bool>(false)
  /// See `stayWhileWriting()`. What keeps the realm belongs to the place that it is kept by.
  weak var keptWhileWriting: Scheduler.Kept?
  weak var poolWhileWriting: Pool?
  /// See `frozen()`. Goes when the realm leaves the version, which it holds as long itself.
  var lastFrozen: RealmCore?
  /// By the running call of `create`.
  var copies = CopiedInstances()
  /// By the running call of `add` or `create`.
  var waitingRows = WaitingRows()
  /// What `Realm.observe` registered.
  let observers = RealmObservers()
  /// What is observed through this realm besides.
  let liveObservers = LiveObservers()
  /// What is tracked by `withObservationTracking`.
  let rowTracking = RowTracking()

  private init(
    _ file: RealmFile, _ configuration: Realm.Configuration, _ confinement: Confinement, _ schema: Schema, isFrozen: Bool, _ phase: RealmPhase,
    _ classes: ClassBindings?
  ) {
    self.file = file
    unsafe access = UnsafePointer(cell.state)
    epochs = ObjectEpochs(cell)
    self.configuration = configuration
    self.confinement = confinement
    self.schema = schema
    self.isFrozen = isFrozen
    pin = file.pins.record(confinement)
    self.phase = phase
    self.classes = classes
  }

  convenience init(_ file: RealmFile, _ configuration: Realm.Configuration, _ confinement: Confinement) {
    self.init(file, configuration, confinement, file.schema, isFrozen: false, .idle, nil)
  }

  /// A frozen realm.
  convenience init(frozen snapshot: Snapshot, _ file: RealmFile, _ configuration: Realm.Configuration, schema: Schema? = nil) throws {
    let schema = schema ?? file.schema
    let group = try snapshot.openGroup()
    let classes = try RealmCore.bind(schema, in: group)
    let reading = RealmPhase.Reading(snapshot: snapshot, group: group)
    self.init(file, configuration, .none, schema, isFrozen: true, .reading(reading), classes)
    pin.note(snapshot.version, .frozenRealm)
    try classes.complete(self, in: group)
  }

  /// For a migration: reads and writes inside a transaction that somebody else ends.
  convenience init(migrating group: Group, _ file: RealmFile, _ configuration: Realm.Configuration, schema: Schema) throws {
    let classes = try ClassBindings(schema, in: group)
    self.init(file, configuration, .thread(.current), schema, isFrozen: false, .migrating(group), classes)
  }

  deinit {
    if let turn { file.signals.remove(turn) }
    file.forget(self)
    guard let transaction else { return }
    Logger.shared.log(.warn, .realm, "A Realm was closed in a write transaction, which is rolled back.")
    transaction.cancel()
  }

  // MARK: Phases

  /// The classes of the schema as a version has them: those that are bound already, or bound now.
  func boundClasses(_ group: Group) throws -> ClassBindings { try classes ?? RealmCore.bind(schema, in: group) }

  /// Puts a phase in place that is complete. Cannot fail.
  func enter(_ new: RealmPhase, _ bound: ClassBindings? = nil) {
    if let bound { classes = bound }
    classes?.forgetTables()
    phase = new
    lastFrozen = nil
    cell.stamp &+= 1
    switch new {
    case .writing(let writing): pin.note(writing.transaction.base.version, .writeTransaction)
    case .reading(let reading):
      pin.note(reading.snapshot.version, .realm)
      idleRelease?.watch(self)
    case .idle, .committing, .migrating, .closed: pin.note(nil, .realm)
    }
    if let turn, let version { turn.showed(version) }
    if case .writing = new { return }
    keptWhileWriting?.letGo()
    if let pool = poolWhileWriting {
      poolWhileWriting = nil
      pool.letGo(self)
    }
  }

  /// Before anything is changed: accessors look up their rows again.
  @inline(__always) func willMutate() { cell.stamp &+= 1 }

  var version: UInt64? { phase.version }
  var snapshot: Snapshot? { if case .reading(let reading) = phase { reading.snapshot } else { nil } }
  var transaction: WriteTransaction? { if case .writing(let writing) = phase { writing.transaction } else { nil } }
  /// While a migration block runs.
  var mayChangePrimaryKeys: Bool { isMigrating }
  var isMigrating: Bool { if case .migrating = phase { true } else { false } }
  var isCommitting: Bool { if case .committing = phase { true } else { false } }
  var isClosed: Bool { if case .closed = phase { true } else { false } }
  var isInWriteTransaction: Bool {
    switch phase {
    case .writing, .migrating: true
    case .idle, .reading, .committing, .closed: false
    }
  }
  var isReading: Bool {
    switch phase {
    case .reading, .writing, .committing, .migrating: true
    case .idle, .closed: false
    }
  }

  // MARK: Confinement

  @inline(__always) func verifyThread() throws {
    if cell.thread != currentThread() { try verifyThreadSlowly() }
  }

  @inline(never) private func verifyThreadSlowly() throws {
    if isFrozen { return }
    guard confinement.isCurrent() else { throw RealmFailure.misuse(confinement.wrongPlace) }
    cell.thread = currentThread()
  }

  // MARK: Objects

  /// What accessors made now remember.
  var objectEpoch: ObjectEpoch { @inline(__always) get { cell.epoch } }

  /// Whether an accessor stands for something that is gone for good, although its key may exist again.
  func isGone(_ epoch: ObjectEpoch, _ key: ObjectKey, binding: ClassBinding?) -> Bool {
    if epoch.invalidation != objectEpoch.invalidation { return true }
    guard epoch.transaction != 0, let binding else { return false }
    return cancelledFloors.took(key, in: binding.tableKey, madeIn: epoch.transaction)
  }
}
