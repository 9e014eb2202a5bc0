package import RealmStorage

/// From which objects changes can be seen: the changed objects themselves, and those from which links lead to them.
///
/// Goes backwards, from what changed along the links that lead to it, so that its cost follows the changes and what refers to them.
package struct ChangeReach {
  /// The newer version.
  private let group: Group
  /// The older one, for links that are gone.
  private let oldGroup: Group
  private let changes: VersionChanges

  package init(_ changes: VersionChanges, from oldGroup: Group, to group: Group) {
    (self.changes, self.oldGroup, self.group) = (changes, oldGroup, group)
  }

  /// The objects from which a changed object is at most so many links away.
  package func objects(within linkCount: Int) throws(StorageError) -> [TableKey: KeySet] {
    var all: [TableKey: KeySet] = [:]
    for (table, changes) in changes.tables where !changes.changed.isEmpty { all[table] = changes.changed }
    var frontier = all
    for _ in 0..<linkCount where !frontier.isEmpty {
      var next: [TableKey: KeySet] = [:]
      for (key, objects) in frontier {
        let table = try group.table(key)
        for column in table.backlinkColumns {
          let origin = column.oppositeTable
          var found = next.removeValue(forKey: origin) ?? KeySet()
          try table.addOrigins(of: objects, column.key, besides: all[origin] ?? KeySet(), limit: group.table(origin).count(), to: &found)
          if !found.isEmpty { next[origin] = found }
        }
      }
      for (table, objects) in next { all[table, default: KeySet()].formUnion(objects) }
      frontier = next
    }
    return all
  }

  /// A property on a key path.
  package struct Step {
    let table: TableKey
    let kind: Kind
    enum Kind {
      case column(ColumnKey)
      /// The objects of a table that link through a column.
      case backlink(TableKey, ColumnKey)
    }

    /// A property of the objects of a table.
    package init(_ column: ColumnKey, of table: TableKey) { (self.table, kind) = (table, .column(column)) }
    /// The links to objects of a table.
    package init(linksTo table: TableKey, from origin: TableKey, _ column: ColumnKey) { (self.table, kind) = (table, .backlink(origin, column)) }
  }

  /// The objects of the first step's table for which the last property of a path was changed, or a link on the way.
  ///
  /// Backlinks count as changed for the objects that are linked to now by an object that is new or whose link was set, at the end of a path; on
  /// the way only for those that it did not link to before. Links that went count nowhere.
  package func objects(_ path: [Step]) throws(StorageError) -> KeySet {
    var reached = KeySet()
    for (place, step) in path.enumerated().reversed() {
      switch step.kind {
      case .column(let column):
        reached = try origins(of: reached, step.table, column)
        reached.formUnion(changed(step.table, column))
      case .backlink(let origin, let column):
        var targets = KeySet()
        let table = try group.table(origin)
        for object in reached.ascending() { try addTargets(table, column, object, &targets) }
        try addNewTargets(origin, column, isLast: place == path.count - 1, &targets)
        reached = targets
      }
    }
    return reached
  }

  private func changed(_ table: TableKey, _ column: ColumnKey) -> KeySet { changes.tables[table]?.changed(in: column) ?? KeySet() }

  /// The objects that link to some others through a column.
  private func origins(of targets: KeySet, _ table: TableKey, _ column: ColumnKey) throws(StorageError) -> KeySet {
    if targets.isEmpty { return KeySet() }
    let description = try group.table(table).column(column)
    guard description.type == .link else { return KeySet() }
    let target = try group.table(description.oppositeTable)
    var origins = KeySet()
    try target.addOrigins(
      of: targets, description.oppositeColumn, besides: KeySet(), limit: group.table(table).count(), to: &origins)
    return origins
  }

  private func addTargets(_ table: Table, _ column: ColumnKey, _ key: ObjectKey, _ targets: inout KeySet) throws(StorageError) {
    guard let description = table.columnOrNil(column), try table.contains(key) else { return }
    let target = try table.group.table(description.oppositeTable)
    let kind: Hop.Kind = description.isCollection ? .collection(description, .all) : .link(description)
    try Hop(kind: kind, origin: table, target: target).forEachTarget(table.row(key), nil) { targets.insert($0) }
  }

  /// What new objects link to, and those whose links were set.
  /// - Parameter isLast: also what they linked to before.
  private func addNewTargets(
    _ origin: TableKey, _ column: ColumnKey, isLast: Bool, _ targets: inout KeySet
  ) throws(StorageError) {
    guard let changes = changes.tables[origin] else { return }
    let new = try group.table(origin)
    for key in changes.created.ascending() { try addTargets(new, column, key, &targets) }
    for key in changed(origin, column).ascending() {
      var (present, former) = (KeySet(), KeySet())
      try addTargets(new, column, key, &present)
      if !isLast { try addTargets(oldGroup.table(origin), column, key, &former) }
      present.forEach { if !former.contains($0) { targets.insert($0) } }
    }
  }
}
