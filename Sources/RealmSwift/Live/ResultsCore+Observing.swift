import RealmQuery
import RealmStorage

extension ResultsCore {
  /// What decides about the elements; nil if everything does.
  func dependencies() throws -> ContentsDependencies? {
    var dependencies = ContentsDependencies()
    switch root.source {
    case .table(let binding): dependencies.tables = [binding.tableKey]
    case .collection(let collection):
      dependencies.tables = [collection.owner.tableKey]
      dependencies.columns = [collection.owner.columns[collection.slot]]
    case .backlinks(let links):
      dependencies.tables = [links.owner.tableKey, links.origin.tableKey]
      dependencies.columns = [links.origin.columns[links.originSlot]]
    case .results, .nothing: break
    }
    if let target, target.hasTable, step != nil {
      let used = QueryDependencies(try plan())
      if used.includesAllTables { return nil }
      dependencies.tables.formUnion(used.tables)
      if let columns = used.columns { dependencies.columns?.formUnion(columns) } else { dependencies.columns = nil }
    }
    return dependencies
  }

  /// - Parameter report: nil is the first report.
  func observation(_ keyPaths: [String]?, _ report: @escaping (PositionChanges?) -> Void) throws -> Observation {
    try core.prepareToObserve()
    try requireValid()
    try core.requireNoChanges()
    let selection = try keySelection(keyPaths)
    if let plainTable, plainTable.hasTable { return TableObservation(plainTable.tableKey, self, selection, report) }
    if case .collection(let collection) = source, step == nil, collection.kind != .dictionary {
      // Stops for one that is gone. Positions in the log are of no use where some elements do not show.
      if try collection.reading().mayHideElements { return ResultsObservation(self, selection, report) }
      return ListObservation(collection, self, selection, report)
    }
    if case .collection(let collection) = root.source, target == nil || step == nil {
      return ValuesObservation(collection, self, selection, report)
    }
    return ResultsObservation(self, selection, report)
  }

  /// Whether an object may be among the elements more than once.
  var mayRepeat: Bool {
    switch root.source {
    case .table, .nothing, .results: false
    case .collection(let collection): collection.kind != .set
    case .backlinks: true
    }
  }

  /// - Parameter keyPaths: none are all.
  func keySelection(_ keyPaths: [String]?) throws -> KeyPathSelection? {
    guard let keyPaths, !keyPaths.isEmpty else { return nil }
    guard let target, target.hasTable else { return nil }
    return try KeyPathSelection(keyPaths, target, core)
  }
}
