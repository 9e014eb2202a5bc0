import RealmStorage

/// What is observed through one realm besides the realm itself: objects and collections.
///
/// All of them are at the same version between two deliveries. Everything that is to be said is found out before the first block is called,
/// because a block may go on to another version by beginning to write. Blocks run in the confinement; observations are taken out on any thread.
final class LiveObservers {
  let registry = ObserverRegistry<Observation>()
  // In the confinement only:
  private var deliveries: [Delivery] = []
  private(set) var isDelivering = false
  private var isPreparing = false
  /// Versions that were made through this realm and not told yet.
  private var ownVersions: Set<UInt64> = []
  /// The version up to which they were forgotten, because everybody knows of them.
  private var knownVersion: UInt64 = 0
  /// Who is asked at every commit, by number: those that have not begun or are behind, and those whom anything may concern.
  private var active: Set<UInt64> = []
  private var settled = SettledObservers()

  private typealias Entry = ObserverRegistry<Observation>.Entry

  private struct Delivery {
    let identifier: UInt64
    let report: () -> Void
  }

  var isEmpty: Bool { registry.isEmpty }
  /// Of the version that the realm shows.
  var hasDueCalls: Bool { !deliveries.isEmpty }
  /// How many are listed, those among them that are gone.
  var listedCount: Int { active.count + settled.count }

  func observation(of token: NotificationToken) -> Observation? { registry.entry(token.identifier)?.content }

  func add(_ observation: Observation, _ identifier: UInt64) {
    registry.add(identifier, observation)
    active.insert(identifier)
  }

  // MARK: Delivering

  /// The realm has committed a version itself.
  func noteOwnCommit(_ version: UInt64) { if !isEmpty { ownVersions.insert(version) } }

  /// Reports what is different in the version that the realm shows.
  /// - Parameter onlyBeginnings: only to those who have heard nothing yet.
  func deliver(_ core: RealmCore, onlyBeginnings: Bool = false) {
    drain(core)
    orStop(core) { try prepare(core, onlyBeginnings: onlyBeginnings) }
    drain(core)
  }

  /// Makes the calls that are due. A block that begins to write makes the rest of them first.
  func drain(_ core: RealmCore) {
    if deliveries.isEmpty { return }
    let isOutermost = !isDelivering
    isDelivering = true
    while !deliveries.isEmpty {
      let delivery = deliveries.removeFirst()
      guard registry.contains(delivery.identifier) else { continue }
      delivery.report()
      Metering.meter?.notified()
    }
    guard isOutermost else { return }
    isDelivering = false
    core.catchUp()
  }

  /// Finds out what is to be reported of the version that the realm shows.
  func prepare(_ core: RealmCore, onlyBeginnings: Bool = false) throws {
    if isPreparing || core.isInWriteTransaction || core.isFrozen { return }
    if registry.isEmpty { return forgetAll() }
    isPreparing = true
    defer { isPreparing = false }
    let group = try core.group()
    guard let snapshot = core.snapshot else { return }
    var steps: [UInt64: VersionStep] = [:]
    renewLists()
    if !onlyBeginnings, let version = settled.version, version.snapshot.version != snapshot.version {
      let step = try step(core, from: version.snapshot, to: snapshot, &steps)
      for identifier in settled.concerned(by: step.changes) { unsettle(identifier) }
      settled.advance(to: snapshot)
    }
    var oldest = snapshot.version
    for identifier in active.sorted() {
      guard let entry = registry.entry(identifier), !entry.content.hasEnded else {
        active.remove(identifier)
        continue
      }
      let observation = entry.content
      if observation.base?.version != snapshot.version {
        if observation.isWaiting {
          if !onlyBeginnings { observation.isBehind = true }
          if observation.base == nil || observation.isBehind { observation.wakeAsker?() }
          if let base = observation.base { oldest = min(oldest, base.version) }
          continue
        }
        if onlyBeginnings && observation.base != nil && !observation.isBehind { continue }
        if let report = try advance(observation, to: snapshot, core, &steps) { deliveries.append(Delivery(identifier: identifier, report: report)) }
      }
      try settle(identifier, observation, group)
    }
    if !onlyBeginnings { forgetOwnVersions(upTo: oldest) }
  }

  /// Takes in the version that the realm shows.
  /// - Returns: the call that reports it.
  private func advance(
    _ observation: Observation, to snapshot: Snapshot, _ core: RealmCore, _ steps: inout [UInt64: VersionStep]
  ) throws -> (() -> Void)? {
    let report: (() -> Void)?
    if let base = observation.base {
      let step = try step(core, from: base, to: snapshot, &steps)
      report = try observation.advance(step)
    } else if observation.isOfInvalidatedRealm {
      // A first report would hand out what stops whoever looks at it.
      (observation.hasEnded, report) = (true, nil)
    } else {
      report = try observation.begin()
    }
    observation.base = snapshot
    observation.isBehind = false
    return report
  }

  /// Reports to somebody who asks what is different in the version that the realm shows. Nothing is reported if nothing can be different, and in a
  /// write transaction.
  func report(to token: NotificationToken, _ core: RealmCore) {
    if isPreparing || core.isInWriteTransaction || core.isFrozen { return }
    guard let observation = observation(of: token), !observation.hasEnded, observation.base == nil || observation.isBehind else { return }
    isPreparing = true
    defer { isPreparing = false }
    orStop(core) {
      let group = try core.group()
      guard let snapshot = core.snapshot else { return }
      var steps: [UInt64: VersionStep] = [:]
      let report = try advance(observation, to: snapshot, core, &steps)
      try settle(token.identifier, observation, group)
      guard let report else { return }
      report()
      Metering.meter?.notified()
    }
  }

  private func forgetOwnVersions(upTo version: UInt64) {
    // A loop that is busy for long must not cost every commit a look at all of them.
    if version == knownVersion { return }
    knownVersion = version
    ownVersions = ownVersions.filter { $0 > version }
  }

  /// It is only asked from now on when something changes that may concern it.
  private func settle(_ identifier: UInt64, _ observation: Observation, _ group: Group) throws {
    guard !observation.hasEnded, let interest = try observation.interest(group) else { return }
    if settled.add(identifier, observation, interest) { active.remove(identifier) }
  }

  /// Leaves out what is listed only because it was there once.
  private func renewLists() {
    guard settled.wastes(beside: registry.count) else { return }
    for identifier in settled.identifiers { unsettle(identifier) }
    settled = SettledObservers()
  }

  /// From now on it is asked at every commit.
  private func unsettle(_ identifier: UInt64) {
    settled.remove(identifier)
    guard let observation = registry.entry(identifier)?.content else { return }
    // Of its own again, as others go on.
    observation.base = observation.base
    active.insert(identifier)
  }

  /// Nobody is left.
  private func forgetAll() {
    if active.isEmpty && settled.count == 0 { return }
    active = []
    settled = SettledObservers()
  }

  /// One for all who are at the same version: looking for what changed costs as much as there are observers.
  private func step(_ core: RealmCore, from base: Snapshot, to snapshot: Snapshot, _ steps: inout [UInt64: VersionStep]) throws -> VersionStep {
    if let step = steps[base.version] { return step }
    var watched = settled.version?.snapshot.version == base.version ? settled.watched : WatchedCollections()
    for identifier in active {
      guard let observation = registry.entry(identifier)?.content, observation.base?.version == base.version else { continue }
      if let address = observation.address { watched.insert(address) }
    }
    let isOwn = base.version < snapshot.version && (base.version + 1...snapshot.version).allSatisfy { ownVersions.contains($0) }
    let step = try VersionStep(core, from: base, to: snapshot, watching: watched, isOwn: isOwn)
    steps[base.version] = step
    return step
  }

  /// Takes in the version that the realm has just committed without telling the owners of some tokens. Who is not ready for changes yet will be told of
  /// it after all, together with what came before.
  func skip(_ tokens: [NotificationToken], _ core: RealmCore) {
    let skipped = tokens.map(\.identifier).filter { identifier in
      guard let observation = registry.entry(identifier)?.content else { return false }
      return !observation.hasEnded && !observation.isWaiting
    }
    if skipped.isEmpty { return }
    orStop(core) {
      guard let snapshot = core.snapshot else { return }
      var steps: [UInt64: VersionStep] = [:]
      for identifier in skipped {
        guard let observation = registry.entry(identifier)?.content, let base = observation.base else { continue }
        let step = try step(core, from: base, to: snapshot, &steps)
        unsettle(identifier)
        _ = try observation.advance(step)
        observation.base = snapshot
      }
    }
  }
}
