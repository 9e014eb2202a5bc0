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

  private typealias Entry = ObserverRegistry<Observation>.Entry

  private struct Delivery {
    let identifier: UInt64
    let report: () -> Void
  }

  var isEmpty: Bool { registry.isEmpty }

  func observation(of token: NotificationToken) -> Observation? { registry.entry(token.identifier)?.content }

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
      if registry.contains(delivery.identifier) { delivery.report() }
    }
    guard isOutermost else { return }
    isDelivering = false
    core.catchUp()
  }

  private func prepare(_ core: RealmCore, onlyBeginnings: Bool) throws {
    if isPreparing || core.isInWriteTransaction || core.isFrozen { return }
    let entries = registry.all
    if entries.isEmpty { return }
    isPreparing = true
    defer { isPreparing = false }
    _ = try core.group()
    guard let snapshot = core.snapshot else { return }
    var steps: [UInt64: VersionStep] = [:]
    for entry in entries where !entry.content.hasEnded {
      let observation = entry.content
      if observation.isWaiting {
        if !onlyBeginnings { observation.isBehind = true }
        continue
      }
      let report: (() -> Void)?
      if let base = observation.base {
        if onlyBeginnings && !observation.isBehind || base.version == snapshot.version { continue }
        let step = try steps[base.version] ?? step(core, from: base, to: snapshot, entries)
        steps[base.version] = step
        report = try observation.advance(step)
      } else {
        report = try observation.begin()
      }
      observation.base = snapshot
      observation.isBehind = false
      if let report { deliveries.append(Delivery(identifier: entry.identifier, report: report)) }
    }
    if !onlyBeginnings { ownVersions.removeAll() }
  }

  private func step(_ core: RealmCore, from base: Snapshot, to snapshot: Snapshot, _ entries: [Entry]) throws -> VersionStep {
    let watched = entries.filter { $0.content.base?.version == base.version }.compactMap { $0.content.address }
    let isOwn = base.version < snapshot.version && (base.version + 1...snapshot.version).allSatisfy { ownVersions.contains($0) }
    return try VersionStep(core, from: base, to: snapshot, watching: Set(watched), isOwn: isOwn)
  }

  /// Takes in the version that the realm has just committed without telling the owners of some tokens. Who is not ready for changes yet will be told of
  /// it after all, together with what came before.
  func skip(_ tokens: [NotificationToken], _ core: RealmCore) {
    let skipped = Set(tokens.map(\.identifier))
    let entries = registry.all.filter { skipped.contains($0.identifier) && !$0.content.hasEnded && !$0.content.isWaiting }
    if entries.isEmpty { return }
    orStop(core) {
      guard let snapshot = core.snapshot else { return }
      for entry in entries {
        guard let base = entry.content.base else { continue }
        _ = try entry.content.advance(step(core, from: base, to: snapshot, entries))
        entry.content.base = snapshot
      }
    }
  }
}
