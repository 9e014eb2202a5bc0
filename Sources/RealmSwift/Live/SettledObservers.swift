import RealmStorage

/// The version that observers share who have nothing to look at; held as long as one of them is there.
final class SettledVersion {
  fileprivate(set) var snapshot: Snapshot
  fileprivate init(_ snapshot: Snapshot) { self.snapshot = snapshot }
}

/// Observers that are at the same version, by what can concern them: a commit costs what it touches, not how many there are.
///
/// Those that were taken out on another thread stay listed by their numbers until the lists are made anew.
struct SettledObservers {
  private weak var shared: SettledVersion?
  /// Collections among them, and some that were: what their logs say is read in vain.
  private(set) var watched = WatchedCollections()
  private var interests: [UInt64: ObservationInterest] = [:]
  private var byTable: [TableKey: Set<UInt64>] = [:]
  private var byObject: [TableKey: [ObjectKey: Set<UInt64>]] = [:]

  var version: SettledVersion? { shared }
  var count: Int { interests.count }
  /// Whether much of it is about observers that are gone.
  func wastes(beside registered: Int) -> Bool { max(interests.count, watched.count) > 2 * registered + 64 }
  var identifiers: [UInt64] { Array(interests.keys) }

  /// Takes in an observer of the version that all others are at, or of the first one.
  /// - Returns: whether it is.
  mutating func add(_ identifier: UInt64, _ observation: Observation, _ interest: ObservationInterest) -> Bool {
    guard let base = observation.base else { return false }
    let version = shared ?? SettledVersion(base)
    guard version.snapshot.version == base.version else { return false }
    shared = version
    observation.settled = version
    interests[identifier] = interest
    for table in interest.tables { byTable[table, default: []].insert(identifier) }
    for object in interest.objects { byObject[object.table, default: [:]][object.key, default: []].insert(identifier) }
    if let address = observation.address { watched.insert(address) }
    return true
  }

  mutating func remove(_ identifier: UInt64) {
    guard let interest = interests.removeValue(forKey: identifier) else { return }
    for table in interest.tables { byTable[table]?.remove(identifier) }
    for object in interest.objects {
      byObject[object.table]?[object.key]?.remove(identifier)
      if byObject[object.table]?[object.key]?.isEmpty == true { byObject[object.table]?[object.key] = nil }
    }
  }

  /// All that are left have nothing to say of a newer version.
  func advance(to snapshot: Snapshot) { shared?.snapshot = snapshot }

  /// Who may have something to say.
  func concerned(by changes: VersionChanges) -> Set<UInt64> {
    if changes.hasNewSchema { return Set(interests.keys) }
    var found: Set<UInt64> = []
    for (table, objects) in changes.tables where !objects.isEmpty {
      if let observers = byTable[table] { found.formUnion(observers) }
      guard let observed = byObject[table], !observed.isEmpty else { continue }
      if observed.count < objects.changed.count + objects.deleted.count {
        for (key, observers) in observed where objects.changed.contains(key) || objects.deleted.contains(key) { found.formUnion(observers) }
      } else {
        objects.changed.forEach { if let observers = observed[$0] { found.formUnion(observers) } }
        objects.deleted.forEach { if let observers = observed[$0] { found.formUnion(observers) } }
      }
    }
    return found
  }
}
