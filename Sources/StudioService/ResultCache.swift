import RealmInspection
import RealmQuery
import RealmStorage

/// What the queries of the page selected last, kept true from version to version: a commit costs what it changed.
struct ResultCache {
  struct Key: Hashable, Sendable {
    let className: String
    /// Empty for all objects.
    let text: String
    /// A property to order by, before what the text says.
    let sort: String?
    let isAscending: Bool

    /// By bytes: what a query compares with is another text where a letter is written in another way.
    static func == (a: Key, b: Key) -> Bool {
      ExactName(a.className) == ExactName(b.className) && ExactName(a.text) == ExactName(b.text)
        && a.sort.map(ExactName.init) == b.sort.map(ExactName.init) && a.isAscending == b.isAscending
    }
  }

  private struct Entry {
    let facts: Facts
    var keys: KeySequence
    var version: UInt64
    var lastUse: UInt64
  }
  /// What of a query decides whether its result can be kept.
  struct Facts: Sendable {
    let table: TableKey
    let dependencies: QueryDependencies
    let onlySorts: Bool

    init(_ plan: QueryPlan) { (table, dependencies, onlySorts) = (plan.table.key, plan.dependencies, plan.onlySorts) }
  }
  private var entries: [Key: Entry] = [:]
  private var useCount: UInt64 = 0
  private static let limit = 6

  mutating func removeAll() { entries.removeAll() }

  /// What the query selects in a version; nil if it is not known.
  mutating func keys(_ key: Key, at version: UInt64) -> KeySequence? {
    guard let entry = entries[key], entry.version == version else { return nil }
    useCount += 1
    entries[key]?.lastUse = useCount
    return entry.keys
  }

  mutating func keep(_ keys: KeySequence, _ facts: Facts, for key: Key, at version: UInt64) {
    useCount += 1
    entries[key] = Entry(facts: facts, keys: keys, version: version, lastUse: useCount)
    if entries.count > Self.limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) { entries[oldest.key] = nil }
  }

  /// Brings everything to a new version; what cannot be brought there cheaply is evaluated anew when it is asked for.
  mutating func advance(to snapshot: Snapshot, _ changes: VersionChanges?) {
    guard let changes, !changes.hasNewSchema else { return entries.removeAll() }
    for (key, entry) in entries { entries[key] = Self.advanced(entry, key, to: snapshot, changes) }
  }

  /// More changes than this, and evaluating anew is as good.
  private static let changeLimit = 2000

  private static func advanced(_ entry: Entry, _ key: Key, to snapshot: Snapshot, _ changes: VersionChanges) -> Entry? {
    var entry = entry
    entry.version = snapshot.version
    let dependencies = entry.facts.dependencies
    // What is set decides only where the query looks at it.
    func matters(_ table: VersionChanges.TableChanges) -> Bool { dependencies.columns.map { table.changesAny(of: $0) } ?? !table.changed.isEmpty }
    let touched = changes.tables.filter { key, table in
      (dependencies.includesAllTables || dependencies.tables.contains(key))
        && (!table.created.isEmpty || !table.deleted.isEmpty || matters(table))
    }
    if touched.isEmpty { return entry }
    let table = entry.facts.table
    guard touched.keys.allSatisfy({ $0 == table }), dependencies.reach == 0, let own = touched[table], entry.facts.onlySorts else { return nil }
    var moved = own.changed
    if let columns = dependencies.columns { moved = columns.reduce(into: KeySet()) { $0.formUnion(own.changed(in: $1)) } }
    guard own.created.count + own.deleted.count + moved.count <= changeLimit else { return nil }
    let arrivals = own.created.union(moved)
    let gone = own.deleted.union(arrivals)
    if arrivals.isEmpty {
      entry.keys.remove(at: entry.keys.positions(of: gone))
      return entry
    }
    do {
      guard let plan = try Self.plan(key, in: snapshot.openGroup()), let order = PlainOrder(plan) else { return nil }
      entry.keys.remove(at: entry.keys.positions(of: gone))
      for object in arrivals.ascending() where try plan.matches(object) {
        entry.keys.insert(object, at: try place(of: object, in: entry.keys, order))
      }
      return entry
    } catch { return nil }
  }

  /// Where an object belongs.
  private static func place(of object: ObjectKey, in keys: KeySequence, _ order: PlainOrder) throws(QueryError) -> Int {
    let place = try order.place(of: object)
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if try order.precedes(keys[middle], place) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The plan of a query; nil for a class that does not exist.
  static func plan(_ key: Key, in group: Group) throws -> QueryPlan? {
    guard let table = try Preparation.table(named: key.className, group) else { return nil }
    var query = try Query(key.text.isEmpty ? "TRUEPREDICATE" : key.text, acceptsISODates: true)
    if let sort = key.sort {
      query.descriptors.append(.sort([SortKey(QueryPath([.name(sort)]), ascending: key.isAscending)]))
    }
    return try query.bind(table, in: group)
  }
}
