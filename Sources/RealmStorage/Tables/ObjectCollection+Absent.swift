// Links to objects that are not there, or not yet: lists and sets in files that synchronise keep them, and programs do not see them (C5).

extension ObjectCollection {
  /// The collection as programs see it: positions and counts are those of the links that lead somewhere. Others are as they are.
  package func showingWhatIsThere() throws(StorageError) -> ObjectCollection {
    guard try mayHoldAbsent, try table.group.table(column.oppositeTable).hasTombstones else { return self }
    return showing(absent: false)
  }

  /// Whether links may appear and vanish here although nobody changes the collection: their objects come by themselves.
  package var mayHideElements: Bool {
    get throws(StorageError) {
      guard try mayHoldAbsent else { return false }
      if try table.group.synchronises { return true }
      return try table.group.table(column.oppositeTable).hasTombstones
    }
  }

  private var mayHoldAbsent: Bool {
    get throws(StorageError) { path.isEmpty && column.type == .link && (column.isList || column.isSet) }
  }

  /// The collection as it is stored.
  var everything: ObjectCollection { showing(absent: true) }

  private func showing(absent: Bool) -> ObjectCollection {
    hidesAbsent != absent ? self : ObjectCollection(table: table, object: object, column: column, path: path, hidesAbsent: !absent)
  }

  /// The stored positions of links to what is not there, ascending.
  func absentPositions(_ place: Place) throws(StorageError) -> [Int] {
    // F6.6: the flag says whether there are any.
    guard !place.root.isNull, try space.node(at: place.root).header.hasContext else { return [] }
    var positions: [Int] = []
    let space = space
    try values(place).forEachLeaf(space) { (leaf, first, _) throws(StorageError) in
      let node = try space.integers(at: leaf)
      for index in 0..<node.count where ObjectKey(node.element(unchecked: index)).isUnresolved { positions.append(first + index) }
      return true
    }
    return positions
  }

  /// Where an element is stored of which the position is known among those that are shown. What is inserted there comes behind links that do not show.
  /// Positions that do not exist lead to such.
  func stored(_ position: Int) throws(StorageError) -> Int {
    try Self.stored(position, absentPositions(place()))
  }

  /// The same of several.
  func stored(_ positions: [Int]) throws(StorageError) -> [Int] {
    let absent = try absentPositions(place())
    return positions.map { Self.stored($0, absent) }
  }

  private static func stored(_ position: Int, _ absent: [Int]) -> Int {
    var stored = position
    for absent in absent {
      if absent > stored { break }
      stored += 1
    }
    return stored
  }
}
