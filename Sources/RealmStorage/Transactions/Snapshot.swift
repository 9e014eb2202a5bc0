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
  private let deletesFile: Bool

  /// - Parameter deletesFile: the file lives as long as its session (T6.5).
  init(session: Session, deletesFile: Bool) {
    self.session = session
    self.deletesFile = deletesFile
  }

  deinit { leave() }

  func leave() {
    let (path, deletesFile) = (session.paths.database, deletesFile)
    session.leave(ifLast: { if deletesFile { _ = FileCalls.remove(path) } })
  }
}

/// A claim on one version and what is needed to read it. A plain value: whoever takes one calls `end` exactly once.
///
/// `Snapshot` does that by itself.
package struct ReadTransaction: Sendable {
  let generation: Generation
  package let pin: Pin
  /// Nil without a lock file. Held by the generation.
  private let session: Uncounted<Session>?

  @inline(__always) init(generation: Generation, session: Uncounted<Session>?, pin: Pin) {
    self.generation = generation
    self.session = session
    self.pin = pin
  }

  /// Null in a database without any commit: no tables.
  @inline(__always) package var topRef: Ref { pin.topRef }
  @inline(__always) package var version: UInt64 { pin.version }
  /// The logical size of the file in this version.
  @inline(__always) package var byteCount: UInt64 { pin.byteCount }
  @inline(__always) package var kind: PinKind { pin.kind }
  /// Valid until `end`.
  @inline(__always) package var space: NodeSpace { generation.mapping.readerSpace(logicalByteCount: pin.byteCount) }

  @inline(__always) package func end() { withExtendedLifetime(generation) { session?.use { $0.unpin(pin) } } }

  /// Claims the same version once more; a frozen claim lets its history go.
  package func again(_ kind: PinKind) throws(StorageError) -> ReadTransaction {
    guard let session else { return self }
    let again = try session.use { (session) throws(StorageError) in try session.pin(kind, same: pin) }
    return ReadTransaction(generation: generation, session: session, pin: again)
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
