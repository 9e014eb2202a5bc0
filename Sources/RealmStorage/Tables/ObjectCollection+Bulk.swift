// Operations on several elements of a list at once: the way to the list is found, and made writable, once.

extension ObjectCollection {
  /// Inserts values that are no collections one after the other.
  /// - Throws: as `insert(at:_:)`; nothing has changed then, unless the disk is full.
  package func insert(contentsOf values: [Value], at index: Int) throws(StorageError) {
    if values.isEmpty { return }
    if hidesAbsent { return try everything.insert(contentsOf: values, at: stored(index)) }
    try check(.list, index, isInsertion: true)
    var stored: [Value] = []
    var links: [ObjectLink] = []
    stored.reserveCapacity(values.count)
    for value in values {
      let (element, link) = try admitted(value)
      guard !element.isNestedCollection else { throw .typeMismatch(reason: "nested collections are inserted one by one") }
      stored.append(element)
      if let link { links.append(link) }
    }
    try rawInsert(contentsOf: stored, at: index)
    for link in links { try addLink(link) }
  }

  /// Removes the elements of a range; embedded objects among them are deleted.
  package func removeSubrange(_ range: Range<Int>) throws(StorageError) { try remove(atDescending: Array(range.reversed())) }

  /// Removes elements.
  /// - Parameter indexes: from the last to the first, each once.
  package func remove(atDescending indexes: [Int]) throws(StorageError) {
    guard let last = indexes.first, let first = indexes.last else { return }
    if hidesAbsent { return try everything.remove(atDescending: stored(indexes)) }
    try check(.list, first, isInsertion: false)
    try check(.list, last, isInsertion: false)
    for place in indexes.indices.dropFirst() where indexes[place] >= indexes[place - 1] {
      throw .invalidArgument(reason: "the indexes do not descend")
    }
    let tree = try values(place())
    var released = Released()
    for index in indexes {
      let element = try releaseElement(tree.element(space, index))
      released.links.append(contentsOf: element.links)
      released.trees.append(contentsOf: element.trees)
    }
    try rawRemove(atDescending: indexes)
    try release(released)
  }
}
