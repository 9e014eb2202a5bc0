// Where elements are that are known by something else.

extension ObjectCollection {
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

  /// Those of some objects of the target class that a list or set of links holds, as their backlinks say: does not read the collection.
  package func members(among objects: Set<ObjectKey>) throws(StorageError) -> Set<ObjectKey> {
    guard path.isEmpty, column.type == .link else { return objects }
    let target = try table.group.table(column.oppositeTable)
    var members: Set<ObjectKey> = []
    for key in objects {
      guard try target.contains(key) else { continue }
      if try target.hasBacklink(key, column.oppositeColumn, from: object) { members.insert(key) }
    }
    return members
  }

  /// The positions of links to some objects, ascending. A list is read once, as whole leaves; in a set they are looked up.
  package func positions(ofLinks objects: Set<ObjectKey>) throws(StorageError) -> [Int] {
    let place = try place()
    guard !place.root.isNull, !objects.isEmpty else { return [] }
    let (tree, space) = (try values(place), space)
    var positions: [Int] = []
    if place.kind == .set {
      for key in objects {
        let (index, exists) = try find(.link(key), inSet: tree)
        if exists { positions.append(index) }
      }
      return positions.sorted()
    }
    // Few are searched for one after the other, many are asked for by each element.
    let isFew = objects.count <= 8
    try tree.forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      let node = try space.integers(at: leaf)
      if isFew {
        for key in objects {
          var next = 0
          while let index = node.firstIndex(of: key.rawValue, from: next) {
            positions.append(first + index)
            next = index + 1
          }
        }
      } else {
        for index in 0..<count where objects.contains(ObjectKey(node.element(unchecked: index))) { positions.append(first + index) }
      }
      return true
    }
    return positions.sorted()
  }
}
