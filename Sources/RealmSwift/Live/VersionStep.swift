import RealmQuery
import RealmStorage

/// From the version that observers were told of last to the one that the realm shows: what all of them need, found out once.
final class VersionStep {
  let core: RealmCore
  let group: Group
  let changes: VersionChanges
  /// All commits in between were made through this realm.
  let isOwn: Bool
  private let old: Snapshot
  private var openedOldGroup: Group?
  private var linked: [Int: [TableKey: KeySet]] = [:]

  /// How many links away something may change to count as a change of an object.
  static let linkCount = 3

  init(_ core: RealmCore, from old: Snapshot, to new: Snapshot, watching watched: WatchedCollections, isOwn: Bool) throws {
    self.core = core
    self.old = old
    self.isOwn = isOwn
    group = try core.group()
    changes = try VersionChanges(new.changesets(after: old.version), watching: watched)
  }

  /// The tables of the older version.
  func oldGroup() throws -> Group {
    if let openedOldGroup { return openedOldGroup }
    let group = try old.openGroup()
    openedOldGroup = group
    return group
  }

  /// An object as it was in the older version, frozen.
  func oldObject(like object: ObjectBase) throws -> ObjectBase? {
    guard let binding = object.binding else { return nil }
    let frozen = try oldRealm ?? RealmCore(frozen: old.again(.frozen), core.file, core.configuration)
    oldRealm = frozen
    return frozen.accessor(try frozen.binding(named: binding.className), object.key)
  }
  private var oldRealm: RealmCore?

  private func reach() throws -> ChangeReach { ChangeReach(changes, from: try oldGroup(), to: group) }

  /// The objects, by table, that count as changed because they, or something close behind their links, were changed.
  func changedObjects() throws -> [TableKey: KeySet] { try objects(within: Self.linkCount) }

  /// The objects from which something that was changed is at most so many links away.
  func objects(within linkCount: Int) throws -> [TableKey: KeySet] {
    if let known = linked[linkCount] { return known }
    let found = try reach().objects(within: linkCount)
    linked[linkCount] = found
    return found
  }

  /// The objects of one class that count as changed.
  /// - Parameter keyPaths: nil for the usual links.
  func changedObjects(of table: TableKey, _ keyPaths: KeyPathSelection?) throws -> KeySet {
    guard let keyPaths else { return try changedObjects()[table] ?? KeySet() }
    let reach = try reach()
    return try keyPaths.paths.reduce(into: KeySet()) { $0.formUnion(try reach.objects($1.steps)) }
  }

  /// For each key path, by the first property on it, the objects that count as changed.
  func changedObjects(_ keyPaths: KeyPathSelection) throws -> [(slot: Int, objects: KeySet)] {
    let reach = try reach()
    return try keyPaths.paths.map { ($0.slot, try reach.objects($0.steps)) }
  }
}
