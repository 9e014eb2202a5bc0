/// Gives every new node of a write transaction its place in the file. T8.7.
///
/// Three passes over the same list, children before parents: collect (and measure), `assign` refs, `write`. Scratch memory stays as it is,
/// ref arrays are encoded with the final refs on the way out: so the whole size is known before anything is written, and the sealed
/// transaction stays readable.
package struct CommitLayout {
  private let space: NodeSpace
  private let roots: [Ref]
  /// Where in `nodes` the roots are; nil for those that lie in the file.
  private var rootPositions: [Int?] = []
  /// In post-order: the subtrees of a node's new children end right before it.
  private var nodes: [Placement] = []
  /// The positions in `nodes` in the order in which they are laid out: children before parents as well, but where there is room for a long run
  /// the leaves of neighbouring clusters column by column. A subtree takes up the same range in both arrays until places are assigned.
  private var order: [Int32] = []
  private var remainingByteCount: UInt64
  /// Of all new nodes, with refs counted in the width they will probably have.
  package private(set) var byteCountEstimate: UInt64 = 0
  private let refByteCount: Int
  private static let largeByteCount: Int32 = 1 << 16
  /// Among the roots; what comes behind it is no table.
  private static let tablesRoot = 1

  private struct Placement {
    let source: Ref
    /// 0 for a ref array, whose size depends on where its children go.
    let leafByteCount: Int32
    /// Of a ref array.
    var widthIndex: UInt32 = 0
    /// The new nodes of its subtree, itself included.
    let subtreeCount: Int32
    var target: UInt64 = 0
    /// It has its place whatever becomes of the others.
    var isInHole = false
  }

  /// - Parameter roots: the trees to lay out, in the order of `Commit.Roots`; those that lie in the file stay where they are.
  /// - Throws: `.corruptNode` when a tree is too deep, or some node is reached more than once.
  package init(scratch: Scratch, roots: [Ref]) throws(StorageError) {
    space = scratch.space
    self.roots = roots
    // Every node is reached once, so together they are no larger than what was handed out.
    remainingByteCount = scratch.usedByteCount
    // With room for what an extension may add to what is needed.
    refByteCount = scratch.space.fileLimit + scratch.usedByteCount < 1 << 31 - 1 << 28 ? 4 : 8
    for root in roots {
      let isDirty = space.isDirty(root)
      if isDirty { try collect(root, depth: 0) }
      rootPositions.append(isDirty ? nodes.count - 1 : nil)
    }
  }

  package var nodeCount: Int { nodes.count }

  private mutating func collect(_ ref: Ref, depth: Int) throws(StorageError) {
    let node = try space.node(at: ref)
    guard depth < Scratch.depthLimit else { throw node.broken("the tree is nested too deeply") }
    guard UInt64(node.byteCount) <= remainingByteCount else { throw node.broken("is reached more than once") }
    remainingByteCount -= UInt64(node.byteCount)
    let start = nodes.count
    if node.header.hasRefs {
      guard node.header.schemeBits == 0 else { throw node.broken("is no ref array") }
      let isAboveClusters = ColumnwiseOrder.applies(to: node)
      var group: [Int] = []
      for step in 0..<node.count {
        let element = node.element(unchecked: Self.index(node, step))
        if element & 1 != 0 || element == 0 { continue }
        let child = Ref(element: element)
        if space.isDirty(child) {
          try collect(child, depth: depth + 1)
          if isAboveClusters { try add(nodes.count - 1, to: &group) }
        } else if child.byteOffset >= space.fileLimit {
          throw node.broken("holds the ref \(child), which lies outside the file")
        }
      }
      try layColumnwise(group)
      byteCountEstimate += UInt64(8 + (node.count * refByteCount + 7) & ~7)
    } else {
      byteCountEstimate += UInt64(node.byteCount)
    }
    order.append(Int32(nodes.count))
    // Nodes of 64 MiB and more are refused by `assign`.
    let leafByteCount = node.header.hasRefs ? 0 : Int32(clamping: node.byteCount)
    nodes.append(Placement(source: ref, leafByteCount: leafByteCount, subtreeCount: Int32(nodes.count + 1 - start)))
  }

  /// A node above clusters has a child more: a cluster waits for its neighbours, anything else ends the group.
  private mutating func add(_ position: Int, to group: inout [Int]) throws(StorageError) {
    let isMember = try ColumnwiseOrder.includes(space.node(at: nodes[position].source).header)
    if isMember { group.append(position) }
    if isMember && group.count < ColumnwiseOrder.clusterLimit { return }
    try layColumnwise(group)
    group.removeAll(keepingCapacity: true)
  }

  /// Brings the subtrees of neighbouring clusters, which were collected one after the other, into the order of the file.
  private mutating func layColumnwise(_ clusters: [Int]) throws(StorageError) {
    guard clusters.count > 1 else { return }
    let start = clusters[0] + 1 - Int(nodes[clusters[0]].subtreeCount)
    var subtrees: [[Range<Int>]] = []
    for cluster in clusters {
      let node = try space.node(at: nodes[cluster].source)
      var ranges: [Range<Int>] = []
      // Children were collected from the last one to the first.
      var end = cluster
      for slot in 0..<node.count {
        let first = isNew(node.element(unchecked: slot)) ? end - Int(nodes[end - 1].subtreeCount) : end
        ranges.append(first - start..<end - start)
        end = first
      }
      subtrees.append(ranges)
    }
    let collected = Array(order[start...])
    order.removeSubrange(start...)
    try ColumnwiseOrder.forEachPart(slotCounts: subtrees.map(\.count)) { (cluster, slot) throws(StorageError) in
      if let slot { order += collected[subtrees[cluster][slot]] } else { order.append(Int32(clusters[cluster])) }
    }
  }

  @inline(__always) private func isNew(_ element: Int64) -> Bool { element & 1 == 0 && element != 0 && space.isDirty(Ref(element: element)) }

  /// The order in which children are collected: the subtrees of inner nodes ascending, as scans read them; the others descending, so that the
  /// keys and the first column of a cluster lie next to it, mostly on the same page.
  @inline(__always) private static func index(_ node: Node, _ step: Int) -> Int { node.header.isInner ? step : node.count - 1 - step }

  /// The elements of a ref array with the final refs of its new children.
  private func translate(_ position: Int, _ node: Node, into elements: inout [Int64]) {
    let count = node.count
    elements.removeAll(keepingCapacity: true)
    for index in 0..<count { elements.append(node.element(unchecked: index)) }
    var child = position - 1
    var step = count - 1
    while step >= 0 {
      let index = Self.index(node, step)
      if isNew(elements[index]) {
        elements[index] = Int64(bitPattern: nodes[child].target)
        child -= Int(nodes[child].subtreeCount)
      }
      step -= 1
    }
  }

  /// Puts some nodes of tables into holes of exactly their size, if the free list is long. Those deepest down come first: what lies near the
  /// roots is replaced by nearly every commit, and goes together, and so does the history.
  /// - Returns: the bytes that need no other place.
  package mutating func fillHoles(_ allocator: inout SpaceAllocator) throws(StorageError) -> UInt64 {
    var remaining = allocator.fillableHoleCount
    var byteCount: UInt64 = 0
    var elements: [Int64] = []
    for position in nodes.indices.prefix(min(2 * remaining, rootPositions[Self.tablesRoot] ?? 0)) where remaining > 0 {
      var header = try space.node(at: nodes[position].source).header
      if header.hasRefs {
        // Where its children go is not known yet: 32 bits for each suffice.
        guard refByteCount == 4 else { continue }
        _ = try decideByteCount(position, &elements)
        header = header.with(widthIndex: max(nodes[position].widthIndex, 6))
      }
      guard let hole = allocator.fillHole(UInt64(header.nodeByteCount)) else { continue }
      nodes[position].target = hole
      nodes[position].widthIndex = header.widthIndex
      nodes[position].isInHole = true
      remaining -= 1
      byteCount += UInt64(header.nodeByteCount)
    }
    return byteCount
  }

  /// Finds places for all other nodes.
  /// - Returns: false if there is no room for some node below the allocator's limit. May be called again, with another allocator.
  /// - Throws: `.invalidArgument` for a node of 64 MiB or more.
  package mutating func assign(_ allocator: inout SpaceAllocator) throws(StorageError) -> Bool {
    if allocator.fillsHoles { return try assignLargestFirst(&allocator) }
    // Leaves of one column that are torn apart anyway leave more pieces of holes unused than a mixture of sizes does.
    if allocator.scatters { order = Array(0..<Int32(nodes.count)) }
    return try assignInOrder(&allocator)
  }

  /// One piece behind the other, so that a node's children have their places when its own size is asked for.
  private mutating func assignInOrder(_ allocator: inout SpaceAllocator) throws(StorageError) -> Bool {
    // Large nodes first: should the estimate be a little short, a small node goes elsewhere, and no large hole is left.
    for isLarge in [true, false] {
      var elements: [Int64] = []
      for position in order.lazy.map(Int.init) where (nodes[position].leafByteCount >= Self.largeByteCount) == isLarge {
        if nodes[position].isInHole { continue }
        guard try place(position, byteCount: decideByteCount(position, &elements), &allocator) else { return false }
      }
    }
    return true
  }

  /// For holes of all sizes: what fits into few of them must not wait until they are filled with what fits anywhere. A ref array is as wide as
  /// the largest ref needs that there can be.
  private mutating func assignLargestFirst(_ allocator: inout SpaceAllocator) throws(StorageError) -> Bool {
    for position in nodes.indices { nodes[position].target = refByteCount == 4 ? 1 << 30 : 1 << 62 }
    var elements: [Int64] = []
    var sizes: [(byteCount: Int, order: Int)] = []
    sizes.reserveCapacity(order.count)
    for (index, position) in order.enumerated() { sizes.append((try decideByteCount(Int(position), &elements), index)) }
    sizes.sort { $0.byteCount != $1.byteCount ? $0.byteCount > $1.byteCount : $0.order < $1.order }
    for (byteCount, index) in sizes {
      guard try place(Int(order[index]), byteCount: byteCount, &allocator) else { return false }
    }
    // From now on it is the order of writing.
    order.sort { nodes[Int($0)].target < nodes[Int($1)].target }
    return true
  }

  /// The size of a node, and for a ref array its width, by the places that its children have at present.
  private mutating func decideByteCount(_ position: Int, _ elements: inout [Int64]) throws(StorageError) -> Int {
    let leafByteCount = nodes[position].leafByteCount
    if leafByteCount > 0 { return Int(leafByteCount) }
    let node = try space.node(at: nodes[position].source)
    translate(position, node, into: &elements)
    let header = node.header.with(widthIndex: NodeHeader.widthIndex(ofRefs: elements[...]))
    nodes[position].widthIndex = header.widthIndex
    return header.nodeByteCount
  }

  private mutating func place(_ position: Int, byteCount: Int, _ allocator: inout SpaceAllocator) throws(StorageError) -> Bool {
    guard byteCount < NodeHeader.nodeByteLimit else {
      throw .invalidArgument(reason: "a node of \(byteCount) bytes; the format allows less than 64 MiB")
    }
    guard let target = allocator.allocate(UInt64(byteCount)) else { return false }
    nodes[position].target = target
    return true
  }

  /// Writes all nodes to the assigned places.
  package func write(to writer: NodeWriter) throws(StorageError) {
    var elements: [Int64] = []
    // Single holes first, so that they do not tear runs apart.
    for position in nodes.indices.prefix(2 * SpaceAllocator.holeLimit) where nodes[position].isInHole { try write(position, to: writer, &elements) }
    for position in order.lazy.map(Int.init) where !nodes[position].isInHole { try write(position, to: writer, &elements) }
  }

  private func write(_ position: Int, to writer: NodeWriter, _ elements: inout [Int64]) throws(StorageError) {
    let placement = nodes[position]
    let node = try space.node(at: placement.source)
    try writer.seek(to: placement.target)
    if node.header.hasRefs {
      translate(position, node, into: &elements)
      try writer.append(header: node.header.with(widthIndex: placement.widthIndex), elements[...])
    } else {
      try writer.append(node)
    }
  }

  /// Where the nodes lie after the commit, in no particular order.
  var targets: [Ref] { nodes.map { Ref($0.target) } }

  /// Where the roots lie after the commit, in the order of `init`.
  package var finalRoots: [Ref] {
    var result = roots
    for (index, position) in rootPositions.enumerated() {
      if let position { result[index] = Ref(nodes[position].target) }
    }
    return result
  }
}
