// Links in a collection of Mixed values and in the collections nested in it.

extension ObjectCollection {
  /// Elements of a collection that are links.
  struct Links {
    let collection: ObjectCollection
    /// Ascending.
    let indexes: [Int]
  }

  // The trees are gone through by their roots. The steps to a collection are put together, last one first, where something was found in it.

  private func step(to index: Int, in place: Place) throws(StorageError) -> PathStep {
    guard place.kind == .dictionary else { return .index(index) }
    guard case .string(let key) = try keyTree(place).element(space, index) else { throw .typeMismatch(reason: "the keys are no strings") }
    return .key(key)
  }

  private func nested(reversed steps: [PathStep]) -> ObjectCollection {
    ObjectCollection(table: table, object: object, column: column, path: path + steps.reversed())
  }

  /// The first of this collection and those nested in it that holds a link, and where.
  func findNested(_ link: ObjectLink) throws(StorageError) -> (collection: ObjectCollection, index: Int)? {
    try find(link, in: place(), depth: 0).map { (nested(reversed: $0.steps), $0.index) }
  }

  private func find(_ link: ObjectLink, in place: Place, depth: Int) throws(StorageError) -> (steps: [PathStep], index: Int)? {
    guard depth <= Table.nestingLimit, !place.root.isNull else { return nil }
    let space = space
    var found: (steps: [PathStep], index: Int)?
    try values(place).forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      let leaf = try MixedLeaf(space, leaf)
      let direct = try leaf.firstIndex(of: link)
      // What stands in front of the element comes first, and what is nested there.
      if try leaf.hasCollections {
        for index in 0..<(direct ?? count) where try leaf.isNonEmptyCollection(index) {
          found = try find(link, in: nestedPlace(leaf.value(index)), depth: depth + 1)
          if found == nil { continue }
          found?.steps.append(try step(to: first + index, in: place))
          return false
        }
      }
      if let direct { found = ([], first + direct) }
      return found == nil
    }
    return found
  }

  /// All links to some objects of a table, in this collection and in those nested in it. What is nested comes before what it is nested in, so that
  /// taking them out in this order leaves the way to those that follow.
  func nestedLinks(to targets: KeySet, in target: TableKey) throws(StorageError) -> [Links] {
    var found: [(steps: [PathStep], indexes: [Int])] = []
    try collect(targets, target, in: place(), depth: 0, to: &found)
    return found.map { Links(collection: nested(reversed: $0.steps), indexes: $0.indexes) }
  }

  private func collect(
    _ targets: KeySet, _ target: TableKey, in place: Place, depth: Int, to found: inout [(steps: [PathStep], indexes: [Int])]
  ) throws(StorageError) {
    guard depth <= Table.nestingLimit, !place.root.isNull else { return }
    let (tree, space) = (try values(place), space)
    try tree.forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      let leaf = try MixedLeaf(space, leaf)
      guard try leaf.hasCollections else { return true }
      for index in 0..<count where try leaf.isNonEmptyCollection(index) {
        let known = found.count
        try collect(targets, target, in: nestedPlace(leaf.value(index)), depth: depth + 1, to: &found)
        if found.count == known { continue }
        let step = try step(to: first + index, in: place)
        for new in known..<found.count { found[new].steps.append(step) }
      }
      return true
    }
    let indexes = try tree.indexes(ofLinksTo: targets, in: target, space)
    if !indexes.isEmpty { found.append(([], indexes)) }
  }
}
