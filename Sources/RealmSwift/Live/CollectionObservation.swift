import RealmQuery
import RealmStorage

/// A collection that is observed, by positions.
class CollectionObservation: Observation {
  let results: ResultsCore
  let keyPaths: KeyPathSelection?
  /// Nil is the first report.
  private let report: (PositionChanges?) -> Void

  init(_ results: ResultsCore, _ keyPaths: KeyPathSelection?, _ report: @escaping (PositionChanges?) -> Void) {
    self.results = results
    self.keyPaths = keyPaths
    self.report = report
    super.init(results.core)
  }

  /// That of the elements, if all of them are objects of one class.
  final var targetTable: TableKey? { results.target.flatMap { $0.hasTable ? $0.tableKey : nil } }

  override func begin() throws -> (() -> Void)? {
    if results.isInvalidated { hasEnded = true } else { try remember() }
    return { [report] in report(nil) }
  }

  override func advance(_ step: VersionStep) throws -> (() -> Void)? {
    let changes: PositionChanges?
    if results.isInvalidated {
      hasEnded = true
      changes = .removingAll(rememberedCount)
    } else {
      changes = try self.changes(step)
    }
    guard let changes, !changes.isEmpty else { return nil }
    return { [report] in report(changes) }
  }

  // MARK: For subclasses

  /// How many elements there were.
  var rememberedCount: Int { 0 }
  /// Takes in the present contents.
  func remember() throws {}
  /// Takes in the contents of a newer version.
  func changes(_ step: VersionStep) throws -> PositionChanges? { nil }

  /// The positions of elements that link to changed objects: looks at all of them.
  final func changedLinks(_ step: VersionStep) throws -> [Int] {
    if let targetTable {
      let changed = try step.changedObjects(of: targetTable, keyPaths)
      if changed.isEmpty { return [] }
      return try results.keys().enumerated().compactMap { changed.contains($1) ? $0 : nil }
    }
    guard keyPaths == nil else { return [] }
    let changed = try step.changedObjects()
    if changed.isEmpty { return [] }
    return try results.values().enumerated().compactMap { position, value in
      if case .typedLink(let link) = value, changed[link.table]?.contains(link.key) == true { position } else { nil }
    }
  }
}

/// A list or set that is observed: its log entries say what happened to positions.
final class ListObservation: CollectionObservation {
  private let collection: CollectionCore
  private var place: CollectionAddress?
  private var count = 0
  private var positions = LinkPositions()

  init(_ collection: CollectionCore, _ results: ResultsCore, _ keyPaths: KeyPathSelection?, _ report: @escaping (PositionChanges?) -> Void) {
    self.collection = collection
    super.init(results, keyPaths, report)
  }

  override var address: CollectionAddress? { place }
  override var rememberedCount: Int { count }

  /// The object that it belongs to, and its elements.
  override func interest(_ group: Group) throws -> ObservationInterest? {
    guard keyPaths == nil, let place, collection.path.isEmpty else { return nil }
    let owner = ObjectLink(table: place.table, key: place.object)
    guard let targetTable else { return collection.property.type != .any ? ObservationInterest(objects: [owner]) : nil }
    var interest = try ObservationInterest.objects(of: targetTable, group)
    interest?.objects.insert(owner)
    return interest
  }

  override func remember() throws {
    let collection = try collection.reading()
    place = try collection.address()
    count = try collection.count()
  }

  override func changes(_ step: VersionStep) throws -> PositionChanges? {
    let elements = place.flatMap { step.changes.collections[$0] }
    var changes = (elements ?? ElementChanges()).positions(oldCount: count)
    let list = try collection.reading()
    if let elements, !elements.changedIdentities.isEmpty { changes.modify(new: try list.positions(ofIdentities: elements.changedIdentities)) }
    try positions.advance(changes, list)
    if let targetTable {
      changes.modify(new: try positions.find(step.changedObjects(of: targetTable, keyPaths), in: list, count: list.count()))
    } else {
      changes.modify(new: try changedLinks(step))
    }
    try remember()
    return changes
  }
}

/// A whole class that is observed: the cluster tree knows the positions of objects, so nothing has to be remembered.
final class TableObservation: CollectionObservation {
  private let table: TableKey
  private var count = 0

  init(_ table: TableKey, _ results: ResultsCore, _ keyPaths: KeyPathSelection?, _ report: @escaping (PositionChanges?) -> Void) {
    self.table = table
    super.init(results, keyPaths, report)
  }

  override var rememberedCount: Int { count }
  override func interest(_ group: Group) throws -> ObservationInterest? { keyPaths == nil ? try .objects(of: table, group) : nil }
  override func remember() throws { count = try results.count() }

  override func changes(_ step: VersionStep) throws -> PositionChanges? {
    let new = try step.group.table(table)
    var changes = PositionChanges()
    if let objects = step.changes.tables[table] {
      let old = try step.oldGroup().table(table)
      changes.deletions = try old.positions(of: objects.deleted)
      changes.insertions = try new.positions(of: objects.created)
    }
    changes.modify(new: try new.positions(of: step.changedObjects(of: table, keyPaths)))
    changes.oldCount = count
    try remember()
    changes.newCount = count
    return changes
  }
}

/// Results that are observed: kept up to date object by object where that can be done, else what they were is compared with what they are.
final class ResultsObservation: CollectionObservation {
  private(set) var contents = ResultsCore.Contents.nothing
  /// What the contents depend on; nil is everything.
  private(set) var dependencies: ContentsDependencies?
  private var incremental: IncrementalResults?

  override var rememberedCount: Int { contents.count }

  override func interest(_ group: Group) throws -> ObservationInterest? {
    guard keyPaths == nil, let targetTable, let dependencies else { return nil }
    var interest = try ObservationInterest.objects(of: targetTable, group)
    interest?.tables.formUnion(dependencies.tables)
    return interest
  }

  /// What the results are in a version that has not concerned them.
  var settledContents: ResultsCore.Contents? { isSettled ? contents : nil }

  override func begin() throws -> (() -> Void)? {
    results.observation = self
    return try super.begin()
  }

  override func remember() throws {
    contents = try results.contents()
    dependencies = try results.dependencies()
    incremental = if case .keys(let keys) = contents { try IncrementalResults(results, keys) } else { nil }
  }

  override func changes(_ step: VersionStep) throws -> PositionChanges? {
    let changed = try targetTable.map { try step.changedObjects(of: $0, keyPaths) } ?? KeySet()
    if let dependencies, !step.affects(dependencies) {
      // The same elements: nobody has to look for them again.
      results.adopt(contents)
      var changes = PositionChanges()
      (changes.oldCount, changes.newCount) = (contents.count, contents.count)
      try modify(&changes, changed, step)
      return changes
    }
    if var changes = try advanceIncrementally(step) {
      results.adopt(contents)
      try modify(&changes, changed, step)
      return changes
    }
    let old = contents
    try remember()
    guard case .keys(let before) = old, case .keys(let after) = contents else { return nil }
    var changes = KeyDifference.positions(from: before.array(), to: after.array(), mayRepeat: results.mayRepeat) { changed.contains($0) }
    try modify(&changes, changed, step)
    return changes
  }

  private func advanceIncrementally(_ step: VersionStep) throws -> PositionChanges? {
    if incremental == nil { return nil }
    // Nobody else may hold the keys while they are changed.
    contents = .nothing
    results.forgetFormerContents()
    let changes = try incremental?.advance(step)
    if let keys = incremental?.keys { contents = .keys(keys) }
    return changes
  }

  private func modify(_ changes: inout PositionChanges, _ changed: KeySet, _ step: VersionStep) throws {
    guard !changed.isEmpty, case .keys(let keys) = contents else { return }
    changes.modify(new: try incremental?.positions(of: changed, step) ?? keys.positions(of: changed))
  }
}
