/// Builds the index of an Int column from distinct values: one sort, full nodes, little memory. F9.
struct IntegerIndexBuilder {
  /// Per object: the key of the index's first level, moved so that unsigned numbers have the order of the signed keys, in the upper
  /// half; the object key in the lower one.
  private var order: [UInt64] = []

  init(reservingCount count: Int) { order.reserveCapacity(count) }

  /// Objects come by their keys.
  /// - Returns: false if the object key has more than 32 bits, for which there is no room.
  @inline(__always) mutating func append(_ object: ObjectKey, _ value: Int64) -> Bool {
    guard object.rawValue >> 32 == 0 else { return false }
    order.append(UInt64(IndexKey.sortable(ofInt: value)) << 32 | UInt64(object.rawValue))
    return true
  }

  /// - Returns: the root, or nil if two values share their first four index bytes, so that deeper levels are needed.
  mutating func build(_ scratch: Scratch) throws(StorageError) -> Ref? {
    radixSort(&order, fromBit: 32)
    for position in order.indices.dropFirst() where order[position] >> 32 == order[position - 1] >> 32 { return nil }
    if order.isEmpty { return try IndexLevel.create(scratch) }
    var keys: [Int32] = []
    var nodes: [Ref] = []
    let limit = IndexLimits.leafFanOut
    for begin in stride(from: 0, to: order.count, by: limit) {
      let end = min(begin + limit, order.count)
      let node = try makeNode(scratch, count: end - begin, flags: IndexLevel.flags)
      let nodeKeys = Ref(element: scratch.slot(node, IndexNode.Slot.keys))
      for position in begin..<end {
        scratch.setInt32(nodeKeys, position - begin, key(order[position]))
        scratch.setTagged(node, position - begin + 1, order[position] & 0xFFFF_FFFF)
      }
      keys.append(key(order[end - 1]))
      nodes.append(node)
    }
    return try joined(scratch, keys, nodes)
  }

  /// Puts inner nodes on top until one is left.
  private func joined(_ scratch: Scratch, _ leafKeys: [Int32], _ leaves: [Ref]) throws(StorageError) -> Ref {
    var (keys, nodes) = (leafKeys, leaves)
    while nodes.count > 1 {
      var (parentKeys, parents): ([Int32], [Ref]) = ([], [])
      for begin in stride(from: 0, to: nodes.count, by: IndexLimits.fanOut) {
        let end = min(begin + IndexLimits.fanOut, nodes.count)
        let node = try makeNode(scratch, count: end - begin, flags: IndexLevel.flags | NodeHeader.Flags.inner)
        let nodeKeys = Ref(element: scratch.slot(node, IndexNode.Slot.keys))
        for position in begin..<end {
          scratch.setInt32(nodeKeys, position - begin, keys[position])
          scratch.setChild(node, position - begin + 1, nodes[position])
        }
        parentKeys.append(keys[end - 1])
        parents.append(node)
      }
      (keys, nodes) = (parentKeys, parents)
    }
    return nodes[0]
  }

  private func makeNode(_ scratch: Scratch, count: Int, flags: UInt32) throws(StorageError) -> Ref {
    let node = try scratch.createRefs(count: count + 1, flags: flags)
    scratch.setChild(node, IndexNode.Slot.keys, try scratch.createIntegers(count: count, widthIndex: 6))
    return node
  }

  @inline(__always) private func key(_ item: UInt64) -> Int32 { Int32(bitPattern: UInt32(item >> 32) ^ 0x8000_0000) }
}
