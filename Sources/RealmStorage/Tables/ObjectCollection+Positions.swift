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

  /// Where the first link to an object is; links in nested collections do not count.
  func firstIndex(of link: ObjectLink) throws(StorageError) -> Int? {
    let place = try place()
    return place.root.isNull ? nil : try values(place).firstIndex(of: link, space)
  }

  /// The position of the first link to an object of the target class, among the elements that programs see. Reads no leaf behind it.
  package func position(ofLink key: ObjectKey) throws(StorageError) -> Int? {
    guard let stored = try firstIndex(of: ObjectLink(table: column.oppositeTable, key: key)) else { return nil }
    return hidesAbsent ? stored - (try absentPositions(place()).prefix { $0 < stored }.count) : stored
  }

  /// Where the links to some objects of a table are, ascending; those in nested collections do not count.
  func indexes(ofLinksTo targets: KeySet, in table: TableKey) throws(StorageError) -> [Int] {
    let place = try place()
    return place.root.isNull ? [] : try values(place).indexes(ofLinksTo: targets, in: table, space)
  }

  /// Calls `body` with the position and the target of each element of a list of links to objects of one class, until it returns false.
  /// - Returns: whether it was called for all.
  package func forEachLink(_ body: (Int, ObjectKey) -> Bool) throws(StorageError) -> Bool {
    guard path.isEmpty, column.type == .link else { return false }
    let place = try place()
    guard !place.root.isNull else { return true }
    let (tree, space) = (try values(place), space)
    return try tree.forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      let node = try space.integers(at: leaf)
      for index in 0..<count where !body(first + index, ObjectKey(node.element(unchecked: index))) { return false }
      return true
    }
  }

  /// Those of some objects of the target class that a list or set of links holds, as their backlinks say: does not read the collection.
  package func members(among objects: KeySet) throws(StorageError) -> KeySet {
    guard path.isEmpty, column.type == .link else { return objects }
    let target = try table.group.table(column.oppositeTable)
    var members = KeySet()
    try objects.forEach { (key) throws(StorageError) in
      if try target.contains(key), try target.hasBacklink(key, column.oppositeColumn, from: object) { members.insert(key) }
    }
    return members
  }

  /// The positions of links to some objects, ascending. A list is read once, as whole leaves; in a set they are looked up.
  package func positions(ofLinks objects: KeySet) throws(StorageError) -> [Int] {
    let place = try place()
    guard !place.root.isNull, !objects.isEmpty else { return [] }
    let (tree, space) = (try values(place), space)
    var positions: [Int] = []
    if place.kind == .set {
      try objects.forEach { (key) throws(StorageError) in
        let (index, exists) = try find(.link(key), inSet: tree)
        if exists { positions.append(index) }
      }
      return positions.sorted()
    }
    // Few are searched for one after the other, many are asked for by each element.
    let few = objects.areFew ? objects.ascending() : []
    try tree.forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      let node = try space.integers(at: leaf)
      if !few.isEmpty {
        for key in few {
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
