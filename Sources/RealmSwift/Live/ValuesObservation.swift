import RealmStorage

/// Values of a collection, perhaps in another order or each once, that are observed: an element is the place in the collection that it comes
/// from, whatever value it has, so that two equal ones are not taken for each other.
final class ValuesObservation: CollectionObservation {
  private let collection: CollectionCore
  private var place: CollectionAddress?
  private var collectionCount = 0
  private var positions: [Int] = []

  init(_ collection: CollectionCore, _ results: ResultsCore, _ keyPaths: KeyPathSelection?, _ report: @escaping (PositionChanges?) -> Void) {
    self.collection = collection
    super.init(results, keyPaths, report)
  }

  override var address: CollectionAddress? { place }
  override var rememberedCount: Int { positions.count }

  override func remember() throws {
    let collection = try collection.reading()
    place = try collection.address()
    collectionCount = try collection.count()
    positions = try results.valuePositions()
  }

  override func changes(_ step: VersionStep) throws -> PositionChanges? {
    let elements = place.flatMap { step.changes.collections[$0] }
    var inner = (elements ?? ElementChanges()).positions(oldCount: collectionCount)
    if let elements, !elements.changedIdentities.isEmpty {
      inner.modify(new: try collection.reading().positions(ofIdentities: elements.changedIdentities))
    }
    let (old, count) = (positions, collectionCount)
    try remember()
    // New elements get numbers that no old position has.
    let inserted = Set(inner.insertions)
    var numbers = [Int](repeating: 0, count: collectionCount)
    let stays = numbers.indices.filter { !inserted.contains($0) }
    for (position, former) in zip(stays, inner.oldPositions(stays)) { numbers[position] = former }
    for position in inner.insertions { numbers[position] = count + position }
    let modified = Set(inner.newModifications.map { ObjectKey(Int64(numbers[$0])) })
    let new = positions.map { ObjectKey(Int64(numbers[$0])) }
    var changes = KeyDifference.positions(from: old.map { ObjectKey(Int64($0)) }, to: new) { modified.contains($0) }
    changes.modify(new: new.indices.filter { modified.contains(new[$0]) })
    changes.modify(new: try changedLinks(step))
    return changes
  }
}
