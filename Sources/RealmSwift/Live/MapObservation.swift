import RealmQuery
import RealmStorage

/// What happened to the entries of a map, by keys. Positions and keys ascend.
struct KeyChanges {
  var deletions: [String] = []
  var insertions: [String] = []
  var modifications: [String] = []
}

/// A map that is observed: its log entries name positions in the order of keys.
final class MapObservation: Observation {
  private let collection: CollectionCore
  private let results: ResultsCore
  private let keyPaths: KeyPathSelection?
  private let report: (KeyChanges?) -> Void
  private var place: CollectionAddress?
  private var keys: [String] = []

  /// - Parameter report: nil is the first report.
  init(_ collection: CollectionCore, _ results: ResultsCore, _ keyPaths: [String]?, _ report: @escaping (KeyChanges?) -> Void) throws {
    try collection.core.prepareToObserve()
    try collection.core.requireNoChanges()
    // Stops for one that is gone.
    _ = try collection.reading()
    self.collection = collection
    self.results = results
    self.keyPaths = try results.keySelection(keyPaths)
    self.report = report
    super.init(collection.core)
  }

  override var address: CollectionAddress? { place }

  override func begin() throws -> (() -> Void)? {
    if collection.isInvalidated { hasEnded = true } else { try remember() }
    return { [report] in report(nil) }
  }

  private func remember() throws {
    place = try collection.reading().address()
    keys = try collection.allKeys()
  }

  override func advance(_ step: VersionStep) throws -> (() -> Void)? {
    var changes = KeyChanges()
    if collection.isInvalidated {
      hasEnded = true
      changes.deletions = keys
    } else {
      let elements = place.flatMap { step.changes.collections[$0] }
      var positions = (elements ?? ElementChanges()).positions(oldCount: keys.count)
      if let elements, !elements.changedIdentities.isEmpty {
        positions.modify(new: try collection.reading().positions(ofIdentities: elements.changedIdentities))
      }
      positions.modify(new: try changedPositions(step))
      let old = keys
      try remember()
      changes.deletions = positions.deletions.map { old[$0] }
      changes.insertions = positions.insertions.map { keys[$0] }
      changes.modifications = positions.newModifications.map { keys[$0] }
    }
    if changes.deletions.isEmpty && changes.insertions.isEmpty && changes.modifications.isEmpty { return nil }
    return { [report, changes] in report(changes) }
  }

  /// Where objects are that count as changed.
  private func changedPositions(_ step: VersionStep) throws -> [Int] {
    let table = results.target.flatMap { $0.hasTable ? $0.tableKey : nil }
    if table == nil && keyPaths != nil { return [] }
    let changed: [TableKey: KeySet]
    if let table { changed = [table: try step.changedObjects(of: table, keyPaths)] } else { changed = try step.changedObjects() }
    if changed.values.allSatisfy(\.isEmpty) { return [] }
    return try collection.allValues().enumerated().compactMap { position, value in
      switch value {
      case .link(let key): table.flatMap { changed[$0]?.contains(key) } == true ? position : nil
      case .typedLink(let link): changed[link.table]?.contains(link.key) == true ? position : nil
      default: nil
      }
    }
  }
}
