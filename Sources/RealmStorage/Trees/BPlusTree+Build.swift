extension BPlusTree<IntegerFamily> {
  /// A tree of the given elements: full leaves in compact form, as appending one after the other gives.
  static func build(_ scratch: Scratch, _ elements: [Int64]) throws(StorageError) -> BPlusTree {
    let family = IntegerFamily()
    guard elements.count > family.fanOut else { return BPlusTree(root: try scratch.createIntegers(elements), family: family) }
    guard elements.count <= family.fanOut * family.fanOut else {
      var tree = try create(scratch, family: family)
      for element in elements { try tree.append(scratch, element) }
      return tree
    }
    var slots: [Int64] = [Int64(family.fanOut) << 1 | 1]
    for begin in stride(from: 0, to: elements.count, by: family.fanOut) {
      let leaf = Array(elements[begin..<min(begin + family.fanOut, elements.count)])
      slots.append(try scratch.createIntegers(leaf).element)
    }
    slots.append(Int64(elements.count) << 1 | 1)
    var root = try scratch.createRefs(count: 0, capacity: slots.count, flags: NodeHeader.Flags.inner)
    try scratch.insert(&root, 0, contentsOf: slots)
    return BPlusTree(root: root, family: family)
  }
}
