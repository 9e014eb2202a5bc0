/// One mapping of the file, what it maps, and this database's place in the session. Lives until the database and its last snapshot let go.
package final class Generation: Sendable {
  let mapping: Mapping
  let storage: any Storage
  /// Nil when the file was opened without a lock file.
  let participation: Participation?
  /// Held while an inspection keeps everybody else out.
  private let exclusiveLock: ExclusiveLock?

  init(mapping: Mapping, storage: any Storage, participation: Participation?, exclusiveLock: ExclusiveLock? = nil) {
    self.mapping = mapping
    self.storage = storage
    self.participation = participation
    self.exclusiveLock = exclusiveLock
  }

  /// A new mapping of the same or another file.
  func successor(mapping: Mapping, storage: any Storage) -> Generation {
    Generation(mapping: mapping, storage: storage, participation: participation, exclusiveLock: exclusiveLock)
  }
}

/// Membership in the session, ended when nobody needs it any more.
final class Participation: Sendable {
  let session: Session
  /// What readers begin with. Whoever sets it is the database.
  let openGeneration = OpenGeneration()
  private let deletesFile: Bool

  /// - Parameter deletesFile: the file lives as long as its session (T6.5).
  init(session: Session, deletesFile: Bool) {
    self.session = session
    self.deletesFile = deletesFile
  }

  deinit { leave() }

  /// Lets readers begin with a generation, or with none.
  func open(_ generation: Generation?, usableByteCount: UInt64 = 0) {
    session.whileNobodyPins { openGeneration.set(generation, usableByteCount: usableByteCount) }
  }

  func leave() {
    let (path, deletesFile) = (session.paths.database, deletesFile)
    session.leave(ifLast: { if deletesFile { _ = FileCalls.remove(path) } })
  }
}

/// A claim on one version and what is needed to read it. A plain value: whoever takes one calls `end` exactly once, also of a file without a session,
/// which stays open otherwise.
///
/// `Snapshot` does that by itself.
package struct ReadTransaction: Sendable {
  private let readGeneration: Uncounted<Generation>
  package let pin: Pin
  /// Nil without a lock file. Held by the generation.
  private let participation: Uncounted<Participation>?
  /// What it leaves the open generation with, which holds the generation for it; 0 when it has a reference of its own.
  private let turn: UInt32

  /// Holds the generation by a reference.
  init(generation: Generation, participation: Uncounted<Participation>?, pin: Pin) {
    readGeneration = Uncounted(retaining: generation)
    self.participation = participation
    self.pin = pin
    turn = 0
  }

  /// Has entered the open generation of `participation`.
  @inline(__always) init(entered generation: Uncounted<Generation>, turn: UInt32, participation: Uncounted<Participation>, pin: Pin) {
    readGeneration = generation
    self.participation = participation
    self.pin = pin
    self.turn = turn
  }

  /// Valid until `end`; whoever keeps it holds it.
  var generation: Generation { readGeneration.counted }

  /// Null in a database without any commit: no tables.
  @inline(__always) package var topRef: Ref { pin.topRef }
  @inline(__always) package var version: UInt64 { pin.version }
  /// The logical size of the file in this version.
  @inline(__always) package var byteCount: UInt64 { pin.byteCount }
  @inline(__always) package var kind: PinKind { pin.kind }
  /// Valid until `end`.
  @inline(__always) package var space: NodeSpace { readGeneration.use { $0.mapping.readerSpace(logicalByteCount: pin.byteCount) } }

  @inline(__always) package func end() {
    guard turn != 0, let participation else { return endWithReference() }
    let hasReference = participation.use { (participation) in
      participation.session.unpin(pin) { participation.openGeneration.leave(turn) }
    }
    if hasReference { readGeneration.release() }
  }

  @inline(never) private func endWithReference() {
    participation?.use { $0.session.unpin(pin) }
    readGeneration.release()
  }

  /// Claims the same version once more; a frozen claim lets its history go.
  package func again(_ kind: PinKind) throws(StorageError) -> ReadTransaction {
    let again = try participation?.use { (participation) throws(StorageError) in try participation.session.pin(kind, same: pin) }
    return ReadTransaction(generation: generation, participation: participation, pin: again ?? pin)
  }
}

/// A version that stays readable as long as this object lives. Any thread.
package final class Snapshot: Sendable {
  package let transaction: ReadTransaction

  /// Takes over the claim.
  package init(_ transaction: ReadTransaction) { self.transaction = transaction }

  deinit { transaction.end() }

  package var space: NodeSpace { transaction.space }
  /// Null in a database without any commit: no tables.
  package var topRef: Ref { transaction.topRef }
  package var version: UInt64 { transaction.version }
  package var byteCount: UInt64 { transaction.byteCount }

  /// The same version, claimed in another way.
  package func again(_ kind: PinKind) throws(StorageError) -> Snapshot { Snapshot(try transaction.again(kind)) }

  /// The changesets that lead from version `base` to this one, oldest first. H2.
  ///
  /// The claim on `base` must be held until this returns: it is what keeps them.
  /// - Throws: `.versionNotAvailable` when the history does not reach back that far.
  package func changesets(after base: UInt64) throws(StorageError) -> [[UInt8]] {
    guard base < version else { return [] }
    let top = try TopArray(space, at: topRef)
    guard let log = try top.log(space) else { throw .versionNotAvailable(version: base) }
    return try log.changesets(space, after: base, through: version)
  }
}
