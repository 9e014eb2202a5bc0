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

  /// The identity of the collection that a Mixed property holds, below which this one lies; 0 for other properties, and if it has none.
  package func rootIdentity() throws(StorageError) -> Int64 {
    if column.isCollection { return 0 }
    let row = try table.row(object)
    return try MixedLeaf(space, row.leaf(column.key)).key(row.row)
  }
}
