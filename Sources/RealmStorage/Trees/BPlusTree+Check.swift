// B+ trees and cluster trees: shape, counts, offsets, keys. F5, F7.

/// The keys of one cluster.
struct ClusterRows {
  let base: UInt64
  let keys: Node?
  let count: Int
  @inline(__always) func unsignedKey(_ row: Int) -> UInt64 { base &+ (keys?.unsignedElement(unchecked: row) ?? UInt64(row)) }
  @inline(__always) func key(_ row: Int) -> Int64 { Int64(bitPattern: unsignedKey(row)) }
}

extension Verifier {
  private static let treeDepthLimit = 12

  /// Checks a B+ tree; `leaf` claims and checks each leaf and returns its element count.
  /// - Parameter leafLimit: elements in the root if it is a leaf; below the root it is always 1000.
  func bplusTree(
    _ ref: Ref, _ role: @autoclosure () -> String, leafLimit: Int = 1000, level: Int = 0, leaf: (Ref) throws(StorageError) -> Int
  ) throws(StorageError) -> (count: Int, height: Int) {
    guard reached.contains(ref) else { throw .corruptNode(ref: ref, reason: "\(role()) is no usable node of the tree") }
    let node = try space.node(at: ref)
    guard node.header.isInner else {
      let count = try leaf(ref)
      if count > leafLimit { fail("\(role()): the leaf \(ref) has \(count) elements") }
      return (count, 0)
    }
    guard level < Verifier.treeDepthLimit else { throw node.broken("\(role()) is too deep") }
    _ = try claim(ref, role() + " (inner)")
    let childCount = node.count - 2
    guard childCount >= 1 else { throw node.broken("\(role()): an inner node has \(node.count) slots") }
    if childCount > 1000 { fail("\(role()): the inner node \(ref) has \(childCount) children") }
    guard let total = try node.tagged(node.count - 1) else { throw node.broken("\(role()): the total is missing") }
    depth += 1
    defer { depth -= 1 }
    let first = node.element(unchecked: 0)
    let perChild = first & 1 == 1 ? first >> 1 : 0
    var offsets: Node?
    if first & 1 == 1 {
      var power = perChild
      while power > 1 && power % 1000 == 0 { power /= 1000 }
      if power != 1 || perChild < 1000 { fail("\(role()): \(perChild) elements per child in \(ref) is no power of 1000") }
    } else {
      let array = try claimIntegers(Ref(element: first), role() + " offsets")
      guard array.count == childCount - 1 else { throw array.broken("\(array.count) offsets for \(childCount) children") }
      offsets = array
    }
    var (count, height) = (0, -1)
    for index in 0..<childCount {
      let child = try node.child(index + 1)
      let isLast = index == childCount - 1
      let below = try bplusTree(child, role(), leafLimit: 1000, level: level + 1, leaf: leaf)
      if below.count == 0 { fail("\(role()): the child \(child) is empty") }
      if height >= 0 && height != below.height { fail("\(role()): the leaves below \(ref) lie at different depths") }
      height = below.height
      count += below.count
      if let offsets {
        if !isLast && offsets.unsignedElement(unchecked: index) != UInt64(count) {
          fail("\(role()): offset \(index) of \(ref) is \(offsets.unsignedElement(unchecked: index)), \(count) elements precede the next child")
        }
      } else if Int64(below.count) > perChild || !isLast && Int64(below.count) != perChild {
        fail("\(role()): the child \(child) has \(below.count) elements, the compact form says \(perChild)")
      }
    }
    if UInt64(count) != total { fail("\(role()): \(ref) says \(total) elements, there are \(count)") }
    return (count, height + 1)
  }

  /// Checks a cluster tree; `body` checks the columns of each cluster.
  /// - Parameter previous: the last key met, to see that keys ascend over the whole tree.
  func clusterTree(
    _ ref: Ref, _ role: String, base: UInt64 = 0, level: Int = 0, expectedDepth: Int? = nil, previous: inout UInt64?,
    body: (Node, ClusterRows) throws(StorageError) -> Void
  ) throws(StorageError) -> Int {
    guard reached.contains(ref) else { throw .corruptNode(ref: ref, reason: "\(role) is no usable node of the tree") }
    let node = try space.refs(at: ref)
    guard level <= 10 else { throw node.broken("\(role) is too deep") }
    guard node.header.isInner else {
      return try cluster(node, role, base: base, level: level, expectedDepth: expectedDepth, previous: &previous, body: body)
    }
    _ = try claim(ref, role + " (inner)")
    guard node.count >= 4, let nodeDepth = try node.tagged(1), let total = try node.tagged(2) else {
      throw node.broken("\(role): an inner node lacks depth, count or children")
    }
    let childCount = node.count - 3
    guard nodeDepth >= 1, nodeDepth <= 10, childCount <= Cluster.objectLimit else {
      throw node.broken("\(role): an inner node has depth \(nodeDepth) and \(childCount) children")
    }
    if let expectedDepth, expectedDepth != Int(nodeDepth) { fail("\(role): \(ref) has depth \(nodeDepth), expected was \(expectedDepth)") }
    depth += 1
    defer { depth -= 1 }
    let offsets = try clusterOffsets(node, role, childCount: childCount)
    var count = 0
    for index in 0..<childCount {
      let shift = 8 * nodeDepth
      let start = offsets?.unsignedElement(unchecked: index) ?? (shift < 64 ? UInt64(index) << shift : 0)
      count += try clusterTree(
        node.child(index + 3), role, base: base &+ start, level: level + 1, expectedDepth: Int(nodeDepth) - 1, previous: &previous,
        body: body)
    }
    if UInt64(count) != total { fail("\(role): \(ref) says \(total) objects, there are \(count)") }
    return count
  }

  /// Nil in compact form.
  private func clusterOffsets(_ node: Node, _ role: String, childCount: Int) throws(StorageError) -> Node? {
    if node.element(unchecked: 0) == 0 { return nil }
    let array = try claimIntegers(node.child(0), role + " offsets")
    guard array.count == childCount else { throw array.broken("\(array.count) offsets for \(childCount) children") }
    if array.unsignedElement(unchecked: 0) != 0 { note("\(role): the first offset of \(node.ref) is not 0") }
    for index in 1..<max(childCount, 1) where array.unsignedElement(unchecked: index - 1) >= array.unsignedElement(unchecked: index) {
      throw array.broken("\(role): the offsets do not ascend")
    }
    return array
  }

  private func cluster(
    _ node: Node, _ role: String, base: UInt64, level: Int, expectedDepth: Int?, previous: inout UInt64?,
    body: (Node, ClusterRows) throws(StorageError) -> Void
  ) throws(StorageError) -> Int {
    _ = try claim(node.ref, role + " cluster")
    if let expectedDepth, expectedDepth != 0 { fail("\(role): the cluster \(node.ref) lies \(expectedDepth) levels above the bottom") }
    guard node.count >= 1 else { throw node.broken("\(role): an empty cluster array") }
    let first = node.element(unchecked: 0)
    depth += 1
    defer { depth -= 1 }
    let keys = first & 1 == 1 ? nil : try claimIntegers(Ref(element: first), role + " keys")
    let count = keys?.count ?? Int(truncatingIfNeeded: first >> 1)
    guard count >= 0, count <= Cluster.objectLimit else { throw node.broken("\(role): a cluster of \(count) objects") }
    if level > 0 && count == 0 { fail("\(role): the cluster \(node.ref) is empty") }
    let rows = ClusterRows(base: base, keys: keys, count: count)
    for row in 0..<count {
      let key = rows.unsignedKey(row)
      if let previous, previous >= key {
        fail("\(role): key \(Int64(bitPattern: key)) follows \(Int64(bitPattern: previous)) in \(node.ref)")
        break
      }
      previous = key
    }
    if count > 0 { previous = rows.unsignedKey(count - 1) }
    try body(node, rows)
    return count
  }
}
