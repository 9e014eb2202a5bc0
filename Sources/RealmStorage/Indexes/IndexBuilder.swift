/// The index bytes (F9.1) of all objects of a column, collected to build its index in one go.
package struct IndexItems {
  fileprivate var bytes: [UInt8] = []
  private var starts: [Int] = [0]
  private var nulls: [Bool] = []
  fileprivate var objects: [Int64] = []

  package init(reservingCount count: Int) {
    starts.reserveCapacity(count + 1)
    nulls.reserveCapacity(count)
    objects.reserveCapacity(count)
  }

  package var count: Int { objects.count }

  /// Adds an object; they come in ascending order. `body` appends the bytes of the value, and returns false for null.
  @inline(__always)
  package mutating func append(_ object: ObjectKey, _ body: (inout [UInt8]) throws(StorageError) -> Bool) throws(StorageError) {
    let hasValue = try body(&bytes)
    starts.append(bytes.count)
    nulls.append(!hasValue)
    objects.append(object.rawValue)
  }

  fileprivate func range(_ item: Int) -> Range<Int> { starts[item]..<starts[item + 1] }

  /// The key of an item on the level at `offset`, moved so that unsigned numbers have the order of the signed keys.
  @inline(__always) fileprivate func key(_ item: Int, offset: Int) -> UInt32 {
    // SAFETY: a byte has no padding.
    let key = nulls[item] ? IndexKey.null : unsafe IndexKey.key(ofBytes: bytes.span.bytes.extracting(range(item)), offset: offset)
    return UInt32(bitPattern: key) ^ 0x8000_0000
  }

  fileprivate func haveSameBytes(_ a: Int, _ b: Int) -> Bool {
    let (left, right) = (range(a), range(b))
    guard left.count == right.count, nulls[a] == nulls[b] else { return false }
    for index in 0..<left.count where bytes[left.lowerBound &+ index] != bytes[right.lowerBound &+ index] { return false }
    return true
  }

  /// Null first, then by bytes.
  fileprivate func isOrdered(_ a: Int, before b: Int) -> Bool {
    if nulls[a] != nulls[b] { return nulls[a] }
    return bytes[range(a)].lexicographicallyPrecedes(bytes[range(b)])
  }
}

/// Builds a general index from all its objects: sorts them level by level and fills every node before the next. F9.
///
/// Gives what inserting the objects in the order of their keys would give, with fuller nodes. Not for Mixed columns, where different
/// values may have the same bytes.
struct IndexBuilder {
  private let scratch: Scratch
  private let items: IndexItems
  private let fanOut: Int
  /// Per object: key on the present level in the upper half, number of the item in the lower one.
  private var order: [UInt64]
  private var spare: [UInt64] = []

  static func build(_ scratch: Scratch, _ items: IndexItems, fanOut: Int = IndexLimits.fanOut) throws(StorageError) -> Ref {
    guard items.count <= Int(UInt32.max) else { throw .invalidArgument(reason: "an index of more than 4294967295 objects") }
    var builder = IndexBuilder(scratch, items, fanOut)
    return try builder.level(0..<items.count, offset: 0)
  }

  private init(_ scratch: Scratch, _ items: IndexItems, _ fanOut: Int) {
    (self.scratch, self.items, self.fanOut) = (scratch, items, fanOut)
    order = (0..<items.count).map { UInt64($0) }
  }

  @inline(__always) private func item(_ position: Int) -> Int { Int(order[position] & 0xFFFF_FFFF) }

  /// The root of a level for the items in `range` of `order`.
  private mutating func level(_ range: Range<Int>, offset: Int) throws(StorageError) -> Ref {
    for position in range {
      let item = item(position)
      order[position] = UInt64(items.key(item, offset: offset)) << 32 | UInt64(item)
    }
    sort(range)
    var keys: [Int64] = []
    var entries: [Int64] = []
    var begin = range.lowerBound
    while begin < range.upperBound {
      let key = order[begin] >> 32
      var end = begin + 1
      while end < range.upperBound && order[end] >> 32 == key { end += 1 }
      // What lies deeper overwrites the keys in this part of `order`.
      entries.append(try entry(begin..<end, offset: offset).element)
      keys.append(Int64(Int32(bitPattern: UInt32(key) ^ 0x8000_0000)))
      begin = end
    }
    return try tree(keys, entries)
  }

  private mutating func entry(_ range: Range<Int>, offset: Int) throws(StorageError) -> IndexEntry {
    let first = item(range.lowerBound)
    if range.count == 1 { return IndexEntry(ObjectKey(items.objects[first])) }
    if range.dropFirst().allSatisfy({ items.haveSameBytes(first, item($0)) }) { return try list(range) }
    if IndexLimits.allowsLevel(below: offset) { return IndexEntry(try level(range, offset: offset + 4)) }
    let source = items
    order[range].sort { (a, b) in
      let (left, right) = (Int(a & 0xFFFF_FFFF), Int(b & 0xFFFF_FFFF))
      if source.isOrdered(left, before: right) { return true }
      return !source.isOrdered(right, before: left) && left < right
    }
    return try list(range)
  }

  private func list(_ range: Range<Int>) throws(StorageError) -> IndexEntry {
    if range.count <= fanOut { return IndexEntry(try scratch.createIntegers(range.map { items.objects[item($0)] })) }
    var tree = try BPlusTree.create(scratch, family: IntegerFamily())
    for position in range { try tree.append(scratch, items.objects[item(position)]) }
    return IndexEntry(tree.root)
  }

  /// A B+ tree of full nodes.
  private func tree(_ keys: [Int64], _ entries: [Int64]) throws(StorageError) -> Ref {
    if keys.isEmpty { return try IndexLevel.create(scratch) }
    var (keys, entries) = (keys, entries)
    var flags = IndexLevel.flags
    var limit = min(fanOut, IndexLimits.leafFanOut)
    while true {
      var parentKeys: [Int64] = []
      var nodes: [Int64] = []
      var begin = 0
      while begin < keys.count {
        let end = min(begin + limit, keys.count)
        var node = try scratch.createRefs(count: 1, capacity: end - begin + 1, flags: flags)
        var nodeKeys = try scratch.createIntegers(widthIndex: 6, capacityBytes: (end - begin) * 4)
        try scratch.insert(&nodeKeys, 0, contentsOf: Array(keys[begin..<end]))
        scratch.setChild(node, IndexNode.Slot.keys, nodeKeys)
        try scratch.insert(&node, 1, contentsOf: Array(entries[begin..<end]))
        nodes.append(node.element)
        parentKeys.append(keys[end - 1])
        begin = end
      }
      if nodes.count == 1 { return Ref(element: nodes[0]) }
      (keys, entries, flags, limit) = (parentKeys, nodes, IndexLevel.flags | NodeHeader.Flags.inner, fanOut)
    }
  }

  // MARK: Sorting

  private static let radixLimit = 1024

  /// Sorts a part of `order`, whose lower halves ascend.
  private mutating func sort(_ range: Range<Int>) {
    if range.count < Self.radixLimit { return order[range].sort() }
    let first = order[range.lowerBound]
    var varying: UInt64 = 0
    for position in range { varying |= order[position] ^ first }
    for shift in [32, 40, 48, 56] as [UInt64] where varying >> shift & 0xFF != 0 { distribute(range, shift: shift) }
  }

  /// One stable pass of a radix sort.
  private mutating func distribute(_ range: Range<Int>, shift: UInt64) {
    var places = [Int](repeating: 0, count: 256)
    for position in range { places[Int(order[position] >> shift & 0xFF)] += 1 }
    var total = range.lowerBound
    for digit in 0..<256 { (places[digit], total) = (total, total + places[digit]) }
    if spare.count < order.count { spare = [UInt64](repeating: 0, count: order.count) }
    for position in range {
      let digit = Int(order[position] >> shift & 0xFF)
      spare[places[digit]] = order[position]
      places[digit] &+= 1
    }
    for position in range { order[position] = spare[position] }
  }
}
