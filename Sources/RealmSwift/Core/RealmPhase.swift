import RealmStorage

/// What a realm is doing, with everything that belongs to it and to nothing else.
///
/// A transition builds the new phase completely before `RealmCore.enter` puts it in place: what throws on the way leaves the old one.
enum RealmPhase {
  /// No version is held: the next access begins to read.
  case idle
  case reading(Reading)
  case writing(Writing)
  /// A commit is on its way to the disk, or held for further writes: the next access begins it and waits for it.
  case committing(PendingCommit)
  /// A migration block works inside of a transaction that somebody else ends.
  case migrating(Group)
  /// Nothing can be read any more: of a frozen realm that was invalidated, and after a migration.
  case closed

  struct Reading {
    let snapshot: Snapshot
    let group: Group
  }

  /// A class, so that whoever asks for the tables, which happens at every access, copies one reference and not what others need.
  final class Writing {
    let transaction: WriteTransaction
    let group: Group
    /// What objects that are made now remember, see `ObjectEpoch`.
    let number: UInt32
    /// The transaction surely ends on the thread on which it began, and nowhere else.
    let staysOnThread: Bool
    /// What other blocks did in this transaction before, and what waits for it.
    let joined: Joined?

    init(transaction: WriteTransaction, group: Group, number: UInt32, staysOnThread: Bool, joined: Joined? = nil) {
      self.transaction = transaction
      self.group = group
      self.number = number
      self.staysOnThread = staysOnThread
      self.joined = joined
    }
  }

  /// The earlier part of a transaction that several blocks write in one after the other.
  struct Joined {
    /// Waits for the end of the present block.
    let commit: PendingCommit
    /// Where the present block begins; nil if it cannot be rolled back.
    let savepoint: WriteTransaction.Savepoint?
    /// Bytes of the log that are not the present block's.
    let logByteCount: Int
  }

  /// The tables that can be seen at once.
  @inline(__always) var group: Group? {
    switch self {
    case .reading(let reading): reading.group
    case .writing(let writing): writing.group
    case .migrating(let group): group
    case .idle, .committing, .closed: nil
    }
  }

  /// The version that reads see; nil when none is held.
  var version: UInt64? {
    switch self {
    case .reading(let reading): reading.snapshot.version
    case .writing(let writing): writing.transaction.base.version
    case .idle, .committing, .migrating, .closed: nil
    }
  }
}
