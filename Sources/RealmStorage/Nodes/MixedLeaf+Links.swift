extension MixedLeaf {
  /// The first element that is this link. Looks for its key among the payload, so that no value is made of the elements in front of it.
  /// - Throws: `.corruptNode`.
  func firstIndex(of link: ObjectLink) throws(StorageError) -> Int? {
    let ref = try root.child(Slot.pairs)
    if ref.isNull { return nil }
    let pairs = try space.integers(at: ref)
    var result: Int?
    var start = 1
    // A pair is a table and a key. Entries do not have to be in the order of the elements.
    while let place = pairs.firstIndex(of: link.key.rawValue, from: start) {
      start = place + 1
      guard place & 1 == 1, pairs.element(unchecked: place - 1) == Int64(link.table.rawValue) else { continue }
      let composite = Composite(.typedLink, slot: Slot.pairs, place >> 1)
      guard let index = composites.firstIndex(of: composite.bits), index < result ?? .max else { continue }
      if index == 0 { return 0 }
      result = index
    }
    return result
  }
}
