extension BPlusTree<ValueFamily> {
  /// The first element of a list, set or dictionary that is this link; links in nested collections are none of its elements.
  /// - Throws: `.corruptNode`.
  func firstIndex(of link: ObjectLink, _ space: NodeSpace) throws(StorageError) -> Int? {
    var result: Int?
    try forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      result = try firstIndex(of: link, space, leaf, count).map { first + $0 }
      return result == nil
    }
    return result
  }

  private func firstIndex(of link: ObjectLink, _ space: NodeSpace, _ leaf: Ref, _ count: Int) throws(StorageError) -> Int? {
    switch family.kind {
    case .linkElement: return try space.integers(at: leaf).firstIndex(of: link.key.rawValue)
    case .mixed: return try MixedLeaf(space, leaf).firstIndex(of: link)
    default:
      for index in 0..<count {
        if case .typedLink(let other) = try family.element(space, leaf, index), other == link { return index }
      }
      return nil
    }
  }

  /// The elements of a list, set or dictionary that are links to some objects of a table, ascending.
  /// - Throws: `.corruptNode`.
  func indexes(ofLinksTo targets: KeySet, in table: TableKey, _ space: NodeSpace) throws(StorageError) -> [Int] {
    var indexes: [Int] = []
    try forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      if family.kind == .linkElement {
        let keys = try space.integers(at: leaf)
        for index in 0..<count where targets.contains(ObjectKey(keys.element(unchecked: index))) { indexes.append(first + index) }
      } else {
        for index in 0..<count {
          guard case .typedLink(let link) = try family.element(space, leaf, index), link.table == table else { continue }
          if targets.contains(link.key) { indexes.append(first + index) }
        }
      }
      return true
    }
    return indexes
  }
}
