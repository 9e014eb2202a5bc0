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
}
