import RealmQuery
import RealmStorage

extension ResultsCore {
  /// The tables that decide about the elements; nil if all of them do.
  func dependencies() throws -> Set<TableKey>? {
    var tables: Set<TableKey> = []
    switch root.source {
    case .table(let binding): tables = [binding.tableKey]
    case .collection(let collection): tables = [collection.owner.tableKey]
    case .backlinks(let links): tables = [links.owner.tableKey, links.origin.tableKey]
    case .results, .nothing: break
    }
    if let target, target.hasTable, step != nil {
      let dependencies = QueryDependencies(try plan())
      if dependencies.includesAllTables { return nil }
      tables.formUnion(dependencies.tables)
    }
    return tables
  }

  /// - Parameter report: nil is the first report.
  func observation(_ keyPaths: [String]?, _ report: @escaping (PositionChanges?) -> Void) throws -> Observation {
    try core.prepareToObserve()
    try requireValid()
    try core.requireNoChanges()
    let selection = try keySelection(keyPaths)
    if let plainTable, plainTable.hasTable { return TableObservation(plainTable.tableKey, self, selection, report) }
    if case .collection(let collection) = source, step == nil, collection.kind != .dictionary {
      // Stops for one that is gone.
      _ = try collection.reading()
      return ListObservation(collection, self, selection, report)
    }
    return ResultsObservation(self, selection, report)
  }

  /// - Parameter keyPaths: none are all.
  func keySelection(_ keyPaths: [String]?) throws -> KeyPathSelection? {
    guard let keyPaths, !keyPaths.isEmpty else { return nil }
    guard let target, target.hasTable else { return nil }
    return try KeyPathSelection(keyPaths, target, core)
  }
}
