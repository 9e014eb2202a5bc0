extension ObjectCollection {
  /// How the log names the collection.
  /// - Throws: `.invalidArgument` or `.typeMismatch` if it is not there.
  package func address() throws(StorageError) -> CollectionAddress {
    var keys: [Int64] = []
    if !path.isEmpty {
      var place = try ObjectCollection(table: table, object: object, column: column, path: []).place()
      for step in path {
        let (tree, index) = try locate(step, in: place)
        let position = try tree.locate(space, index)
        keys.append(try MixedLeaf(space, position.leaf).key(position.index))
        place = try nestedPlace(tree.element(space, index))
      }
    }
    return CollectionAddress(table: table.key, column: column.key, object: object, path: keys)
  }

  /// The positions of elements that are collections, given by their stable keys; those that are gone are left out.
  package func positions(ofIdentities identities: Set<Int64>) throws(StorageError) -> [Int] {
    let place = try place()
    guard !place.root.isNull else { return [] }
    let (tree, space) = (try values(place), space)
    var positions: [Int] = []
    try tree.forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      let leaf = try MixedLeaf(space, leaf)
      for index in 0..<count where identities.contains(try leaf.key(index)) { positions.append(first + index) }
      return true
    }
    return positions
  }
}
