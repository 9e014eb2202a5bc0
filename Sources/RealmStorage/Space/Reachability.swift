/// The first pass over a version: every node that the top array owns, and nothing else. F2.5, F2.6, F8.3.
struct Reachability {
  let space: NodeSpace
  let logicalByteCount: UInt64
  let isStreaming: Bool
  /// Starts of the nodes that were accepted.
  private(set) var reached: UnitBitmap
  /// Bytes of nodes and free blocks.
  var occupied: UnitBitmap
  private(set) var nodeCount = 0
  /// Bytes in reachable nodes.
  private(set) var usedByteCount: UInt64 = 0
  var report: CheckReport

  private struct Frame {
    let node: Node
    var next: Int
  }

  /// - Parameter isStreaming: streaming files may have nodes that cross 64 MiB boundaries.
  init(_ space: NodeSpace, top: Ref, isStreaming: Bool, report: CheckReport) {
    (self.space, self.isStreaming, self.report) = (space, isStreaming, report)
    logicalByteCount = Reachability.logicalByteCount(space, top) ?? space.fileLimit
    reached = UnitBitmap(byteCount: space.fileLimit)
    occupied = UnitBitmap(byteCount: space.fileLimit)
    walk(top)
  }

  private static func logicalByteCount(_ space: NodeSpace, _ top: Ref) -> UInt64? {
    guard let array = try? TopArray(space, at: top), let size = try? array.logicalByteCount, size >= TopArray.smallestLogicalByteCount,
      size <= space.fileLimit
    else { return nil }
    return size
  }

  /// Walks all refs. Each node has one parent, lies inside the logical size and shares no byte with another; a node that breaks this is
  /// reported and not descended into, so the walk is linear in the file's size whatever it holds.
  private mutating func walk(_ top: Ref) {
    var stack: [Frame] = []
    if let node = enter(top, parent: nil, slot: 0) { stack.append(Frame(node: node, next: 0)) }
    while let last = stack.indices.last {
      let node = stack[last].node
      let slot = stack[last].next
      guard slot < node.count else {
        stack.removeLast()
        continue
      }
      stack[last].next = slot + 1
      let value = node.element(unchecked: slot)
      if value & 1 == 1 || value == 0 { continue }
      if let child = enter(Ref(element: value), parent: node, slot: slot) { stack.append(Frame(node: child, next: 0)) }
    }
  }

  /// - Returns: the node if its elements are to be followed.
  private mutating func enter(_ ref: Ref, parent: Node?, slot: Int) -> Node? {
    func origin() -> String { parent.map { " (element \(slot) of node \($0.ref))" } ?? " (the top array)" }
    if reached.contains(ref) {
      fail("node \(ref) is reachable twice" + origin())
      return nil
    }
    let node: Node
    do throws(StorageError) {
      node = try space.node(at: ref)
    } catch {
      fail(Checker.text(error) + origin())
      return nil
    }
    let byteCount = UInt64(node.byteCount)
    guard ref.byteOffset + byteCount <= logicalByteCount else {
      fail("node \(ref) of \(byteCount) bytes extends beyond the logical size \(logicalByteCount)" + origin())
      return nil
    }
    guard occupied.insert(start: ref.byteOffset, byteCount: byteCount) else {
      fail("node \(ref) of \(byteCount) bytes overlaps another node" + origin())
      return nil
    }
    // Such nodes are not usable: no role may read their elements.
    let header = node.header
    if let reason = Checker.contradiction(header) {
      fail("node \(ref) \(reason)" + origin())
      return nil
    }
    _ = reached.insert(ref)
    nodeCount += 1
    usedByteCount += byteCount
    if !isStreaming && ref.byteOffset >> 26 != (ref.byteOffset + byteCount - 1) >> 26 {
      report.add(note: "node \(ref) of \(byteCount) bytes crosses a multiple of 64 MiB")
    }
    return header.hasRefs && header.widthIndex > 0 ? node : nil
  }

  private mutating func fail(_ message: String) { report.add(violation: message) }
}
