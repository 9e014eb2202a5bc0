/// A leaf of a cluster tree: up to 256 objects, one leaf array per column. F7.1.
package struct Cluster {
  /// Places in the node.
  package enum Slot {
    /// A tagged number of objects whose keys are 0, 1, 2, ..., or a ref to their keys.
    package static let keys = 0
    /// The leaf of the column with leaf index 0; the others follow.
    package static let firstColumn = 1
  }

  package let node: Node
  /// What a key in the leaf is relative to.
  package let offset: UInt64
  package let count: Int
  /// Null in compact form, where the keys are 0, 1, 2, ...
  private let keyArray: Node?

  package static let objectLimit = 256

  @inline(__always) package init(_ space: NodeSpace, _ node: Node, offset: UInt64) throws(StorageError) {
    guard node.count > 0, !node.header.isInner else { throw node.broken("is no cluster") }
    let first = node.slot(unchecked: Slot.keys)
    self.node = node
    self.offset = offset
    if first & 1 == 1 {
      count = Int(truncatingIfNeeded: first >> 1)
      keyArray = nil
    } else {
      let keys = try space.integers(at: Ref(element: first))
      count = keys.count
      keyArray = keys
    }
    guard count >= 0, count <= Cluster.objectLimit else { throw badCount() }
  }
  /// Of a damaged file: objects of whose keys nothing can be read; see `unknownOffset`.
  package init(withoutKeys node: Node, count: Int) {
    (self.node, offset, keyArray) = (node, Cluster.unknownOffset, nil)
    self.count = min(max(count, 0), Cluster.objectLimit)
  }
  /// Makes keys that no object has: negative ones.
  static let unknownOffset: UInt64 = 1 << 63

  @inline(never) private func badCount() -> StorageError { node.broken("a cluster of \(count) objects") }

  package var isCompact: Bool { keyArray == nil }

  /// The key of a row; the caller guarantees `0 <= row < count`.
  @inline(__always) package func key(_ row: Int) -> ObjectKey {
    ObjectKey(Int64(bitPattern: offset &+ relativeKey(row)))
  }
  /// The same relative to `offset`, under the same condition.
  @inline(__always) func relativeKey(_ row: Int) -> UInt64 {
    if let keyArray { keyArray.unsignedElement(unchecked: row) } else { UInt64(row) }
  }
  /// Rows whose key is below `relative`: where it is, or would be inserted.
  @inline(__always) func insertionRow(_ relative: UInt64) -> Int {
    guard let keyArray else { return Int(min(relative, UInt64(count))) }
    return relative == 0 ? 0 : keyArray.countNotAbove(unsigned: relative - 1)
  }
  @inline(__always) package func row(ofRelative relative: UInt64) -> Int? {
    guard let keyArray else { return relative < UInt64(count) ? Int(relative) : nil }
    return keyArray.index(ofUnsigned: relative)
  }
  /// The leaf array of a column; null if the leaf index is vacant.
  @inline(__always) package func column(_ leafIndex: Int) throws(StorageError) -> Ref { try node.child(Slot.firstColumn + leafIndex) }
}

/// An inner node of a cluster tree: `[0 or offsets, #depth, #objects, children...]`. F7.2.
struct ClusterInner {
  enum Slot {
    /// 0 in compact form.
    static let offsets = 0
    static let depth = 1
    static let objectCount = 2
    static let firstChild = 3
  }

  /// What the depth is in a node whose children are clusters: the depth 1.
  static let lastLevelTag: Int64 = 3

  let node: Node
  let depth: Int
  let childCount: Int
  private let offsets: Node?

  /// - Throws: for what is no inner node, whatever its offsets.
  @inline(__always) static func depth(of node: Node) throws(StorageError) -> Int {
    // A node that is about to be split has one child too many.
    guard node.count > Slot.firstChild, node.count <= Slot.firstChild + 1 + Cluster.objectLimit else {
      throw node.broken("is no inner node of a cluster tree")
    }
    let tag = node.element(unchecked: Slot.depth)
    guard tag & 1 == 1, tag > 1, tag >> 1 <= 8 else { throw node.broken("the depth of a cluster node is missing") }
    return Int(tag >> 1)
  }

  @inline(__always) init(_ space: NodeSpace, _ node: Node) throws(StorageError) {
    self.node = node
    depth = try Self.depth(of: node)
    childCount = node.count - Slot.firstChild
    let first = node.element(unchecked: Slot.offsets)
    if first == 0 {
      offsets = nil
    } else {
      let array = try space.integers(at: Ref(element: first))
      // The first offset ought to be 0; if it is not, keys below it are not found.
      guard array.count == childCount else {
        throw array.broken("the offsets of a cluster node do not fit its \(childCount) children")
      }
      offsets = array
    }
  }

  /// The child of an inner node whose range holds a relative key, and the key that the range starts with.
  @inline(__always)
  static func place(of relative: UInt64, _ space: NodeSpace, _ node: Node) throws(StorageError) -> (child: Int, start: UInt64) {
    // The compact form straight from the node; whatever looks different is decoded with all checks.
    if node.count > Slot.firstChild, node.count <= Slot.firstChild + 1 + Cluster.objectLimit, node.slot(unchecked: Slot.offsets) == 0 {
      let tag = node.slot(unchecked: Slot.depth)
      if tag & 1 == 1, tag > 1, tag < 16 {
        let shift = UInt64(bitPattern: tag) >> 1 &* 8
        let child = min(relative >> shift, UInt64(node.count &- (Slot.firstChild &+ 1)))
        return (Int(child), child << shift)
      }
    }
    return try decodedPlace(of: relative, space, node)
  }
  @inline(never)
  private static func decodedPlace(of relative: UInt64, _ space: NodeSpace, _ node: Node) throws(StorageError) -> (child: Int, start: UInt64) {
    let inner = try ClusterInner(space, node)
    let child = inner.child(containing: relative)
    return (child, inner.offset(child))
  }

  var isCompact: Bool { offsets == nil }
  @inline(__always) var objectCount: Int { Self.objectCount(node.element(unchecked: Slot.objectCount)) }

  /// What the slot says, or where it says what cannot be the nearest number that can be: of such numbers many may be added.
  static func objectCount(_ slot: Int64) -> Int { min(max(Int(slot >> 1), 0), 1 << 47) }

  /// The caller guarantees `0 <= child < childCount`.
  @inline(__always) func offset(_ child: Int) -> UInt64 {
    if let offsets { offsets.unsignedElement(unchecked: child) } else { shiftLeft(UInt64(child), 8 * depth) }
  }
  /// The child whose range holds the relative key.
  @inline(__always) func child(containing relative: UInt64) -> Int {
    if let offsets { return max(offsets.countNotAbove(unsigned: relative) - 1, 0) }
    return Int(min(depth >= 8 ? 0 : relative >> UInt64(8 * depth), UInt64(childCount - 1)))
  }
  @inline(__always) private func shiftLeft(_ value: UInt64, _ bits: Int) -> UInt64 { bits >= 64 ? 0 : value << UInt64(bits) }
}
