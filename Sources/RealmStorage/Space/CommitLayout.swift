/// Gives every new node of a write transaction its place in the file. `transactions.md` 8.7.
///
/// Three passes over the same list, children before parents: collect (and measure), `assign` refs, `write`. Scratch memory stays as it is,
/// ref arrays are encoded with the final refs on the way out: so the whole size is known before anything is written, and the sealed
/// transaction stays readable.
package struct CommitLayout {
  private let space: NodeSpace
  private let roots: [Ref]
  /// Where in `nodes` the roots are; nil for those that lie in the file.
  private var rootPositions: [Int?] = []
  /// Children before parents, so that the results for a node's new children are the last ones on a stack when the node comes.
  private var nodes: [Placement] = []
  private var remainingByteCount: UInt64
  /// Of all new nodes, with refs counted in the width they will probably have.
  package private(set) var byteCountEstimate: UInt64 = 0
  private let refByteCount: Int
  private static let largeByteCount = 1 << 16

  private struct Placement {
    let source: Ref
    /// Without refs and large enough to leave a noticeable hole.
    let isLarge: Bool
    var target: UInt64 = 0
  }

  /// - Parameter roots: the trees to lay out; those that lie in the file stay where they are.
  /// - Throws: `.corruptNode` when a tree is too deep, or some node is reached more than once.
  package init(scratch: Scratch, roots: [Ref]) throws(StorageError) {
    space = scratch.space
    self.roots = roots
    // Every node is reached once, so together they are no larger than what was handed out.
    remainingByteCount = scratch.usedByteCount
    refByteCount = scratch.space.fileLimit + scratch.usedByteCount < 1 << 31 ? 4 : 8
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
    if node.header.hasRefs {
      guard node.header.schemeBits == 0 else { throw node.broken("is no ref array") }
      for step in 0..<node.count {
        let element = node.element(unchecked: Self.index(node, step))
        if element & 1 != 0 || element == 0 { continue }
        let child = Ref(element: element)
        if space.isDirty(child) {
          try collect(child, depth: depth + 1)
        } else if child.byteOffset >= space.fileLimit {
          throw node.broken("holds the ref \(child), which lies outside the file")
        }
      }
      byteCountEstimate += UInt64(8 + (node.count * refByteCount + 7) & ~7)
    } else {
      byteCountEstimate += UInt64(node.byteCount)
    }
    nodes.append(Placement(source: ref, isLarge: !node.header.hasRefs && node.byteCount >= CommitLayout.largeByteCount))
  }

  /// The order in which children are laid out: the subtrees of inner nodes ascending, as scans read them; the others descending, so that the
  /// keys and the first columns of a cluster lie next to it, mostly on the same page.
  @inline(__always) private static func index(_ node: Node, _ step: Int) -> Int { node.header.isInner ? step : node.count - 1 - step }

  /// The elements of a ref array with the final refs of new children, which are taken from the end of `results`.
  private func translate(_ node: Node, _ results: inout [UInt64], into elements: inout [Int64]) {
    let count = node.count
    elements.removeAll(keepingCapacity: true)
    for index in 0..<count { elements.append(node.element(unchecked: index)) }
    var step = count - 1
    while step >= 0 {
      let index = Self.index(node, step)
      let element = elements[index]
      if element & 1 == 0, element != 0, space.isDirty(Ref(element: element)) {
        elements[index] = Int64(bitPattern: results.removeLast())
      }
      step -= 1
    }
  }

  /// Finds places for all nodes.
  /// - Returns: false if there is no room for some node below the allocator's limit. May be called again, with another allocator.
  /// - Throws: `.invalidArgument` for a node of 64 MiB or more.
  package mutating func assign(_ allocator: inout SpaceAllocator) throws(StorageError) -> Bool {
    // Large nodes first: should the estimate be a little short, a small node goes elsewhere, and no large hole is left.
    for position in nodes.indices where nodes[position].isLarge {
      guard let target = try place(space.node(at: nodes[position].source), byteCount: nil, &allocator) else { return false }
      nodes[position].target = target
    }
    var results: [UInt64] = []
    var elements: [Int64] = []
    for position in nodes.indices {
      if nodes[position].isLarge {
        results.append(nodes[position].target)
        continue
      }
      let node = try space.node(at: nodes[position].source)
      var byteCount: Int?
      if node.header.hasRefs {
        translate(node, &results, into: &elements)
        byteCount = node.header.with(widthIndex: NodeHeader.widthIndex(ofRefs: elements[...])).nodeByteCount
      }
      guard let target = try place(node, byteCount: byteCount, &allocator) else { return false }
      nodes[position].target = target
      results.append(target)
    }
    return true
  }

  private func place(_ node: Node, byteCount: Int?, _ allocator: inout SpaceAllocator) throws(StorageError) -> UInt64? {
    let byteCount = byteCount ?? node.byteCount
    guard byteCount < NodeHeader.nodeByteLimit else {
      throw .invalidArgument(reason: "a node of \(byteCount) bytes; the format allows less than 64 MiB")
    }
    return allocator.allocate(UInt64(byteCount))
  }

  /// Writes all nodes to the assigned places.
  package func write(to writer: NodeWriter) throws(StorageError) {
    var results: [UInt64] = []
    var elements: [Int64] = []
    for placement in nodes {
      let node = try space.node(at: placement.source)
      try writer.seek(to: placement.target)
      if node.header.hasRefs {
        translate(node, &results, into: &elements)
        let header = node.header.with(widthIndex: NodeHeader.widthIndex(ofRefs: elements[...]))
        try writer.append(header: header, elements[...])
      } else {
        try writer.append(node)
      }
      results.append(placement.target)
    }
  }

  /// Where the roots lie after the commit, in the order of `init`.
  package var finalRoots: [Ref] {
    var result = roots
    for (index, position) in rootPositions.enumerated() {
      if let position { result[index] = Ref(nodes[position].target) }
    }
    return result
  }
}
