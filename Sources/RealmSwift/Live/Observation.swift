import RealmStorage

/// Something that is observed: knows what it said last, and finds out what there is to say of a newer version.
///
/// Used in the confinement of its realm.
class Observation {
  let core: RealmCore
  /// The version that was reported last; nil before the first report.
  final var base: Snapshot? {
    get { settled?.snapshot ?? ownBase }
    set { (ownBase, settled) = (newValue, nil) }
  }
  private final var ownBase: Snapshot?
  /// Set while a version is only gone over to when something changes that is of interest: the one that all such observers share.
  final var settled: SettledVersion? { didSet { if settled != nil { ownBase = nil } } }
  /// What it knows is so in the version that is being read, though it was not asked.
  final var isSettled: Bool {
    guard let settled, !core.isInWriteTransaction else { return false }
    return settled.snapshot.version == core.snapshot?.version
  }
  /// Nothing will ever be reported any more: what was observed is gone.
  final var hasEnded = false { didSet { if hasEnded { wakeAsker?() } } }
  /// Set if who observes asks for changes and is not told of them: called when there may be something to ask for, or never will be any more. Until it
  /// asks, whatever happens will be one change.
  final var wakeAsker: (() -> Void)?
  /// How much more of it the one who observes wants to be told; nil is everything.
  final var credit: ReportCredit?
  /// The realm has told everybody else of a newer version.
  final var isBehind = false

  final var isWaiting: Bool { wakeAsker != nil || credit?.isUsedUp == true }

  /// What was made of the realm before `invalidate()` cannot be read any more.
  private let invalidation: UInt32
  final var isOfInvalidatedRealm: Bool { invalidation != core.objectEpoch.invalidation }

  init(_ core: RealmCore) {
    self.core = core
    invalidation = core.objectEpoch.invalidation
  }

  /// The collection whose log entries matter.
  var address: CollectionAddress? { nil }

  /// What of a change can concern it; nil is anything. Asked for between two reports.
  func interest(_ group: Group) throws -> ObservationInterest? { nil }

  /// Takes in the present version.
  /// - Returns: the call that reports it; nil if there is none at the beginning.
  func begin() throws -> (() -> Void)? { nil }

  /// Takes in a newer version.
  /// - Returns: the call that reports what is different; nil if nothing is.
  func advance(_ step: VersionStep) throws -> (() -> Void)? { nil }
}
