// Pass 1: every node that the top array owns, and nothing else. F2.5, F2.6, F8.3.

extension Verifier {
  private struct Frame {
    let node: Node
    var next: Int
  }

  /// Walks all refs. Each node has one parent, lies inside the logical size and shares no byte with another; a node that breaks this is
  /// reported and not descended into, so the walk is linear in the file's size whatever it holds.
  func reachEverything() {
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
  private func enter(_ ref: Ref, parent: Node?, slot: Int) -> Node? {
    func origin() -> String { parent.map { " (element \(slot) of node \($0.ref))" } ?? " (the top array)" }
    if reached.contains(ref) {
      failGlobally("node \(ref) is reachable twice" + origin())
      return nil
    }
    let node: Node
    do throws(StorageError) {
      node = try space.node(at: ref)
    } catch {
      failGlobally(Verifier.text(error) + origin())
      return nil
    }
    let byteCount = UInt64(node.byteCount)
    guard ref.byteOffset + byteCount <= logicalByteCount else {
      failGlobally("node \(ref) of \(byteCount) bytes extends beyond the logical size \(logicalByteCount)" + origin())
      return nil
    }
    guard occupied.insert(start: ref.byteOffset, byteCount: byteCount) else {
      failGlobally("node \(ref) of \(byteCount) bytes overlaps another node" + origin())
      return nil
    }
    // Such nodes are not usable: no role may read their elements.
    let header = node.header
    if header.hasRefs && header.schemeBits != 0 {
      failGlobally("node \(ref) has the refs flag but width scheme \(header.schemeBits)" + origin())
      return nil
    }
    if header.isInner && !header.hasRefs {
      failGlobally("node \(ref) is an inner node without the refs flag" + origin())
      return nil
    }
    _ = reached.insert(ref)
    reachedCount += 1
    result.usedByteCount += byteCount
    if !isStreaming && ref.byteOffset >> 26 != (ref.byteOffset + byteCount - 1) >> 26 {
      note("node \(ref) of \(byteCount) bytes crosses a multiple of 64 MiB")
    }
    return header.hasRefs && header.widthIndex > 0 ? node : nil
  }

  /// Names the reached nodes that no role claimed.
  func reportUnclaimed() {
    var named = 0
    var offset: UInt64 = 24
    while offset < space.fileLimit && named < 20 {
      let ref = Ref(offset)
      if reached.contains(ref) && !claimed.contains(ref) {
        failGlobally("node \(ref) is reachable but has no known role")
        named += 1
        if let visitor, let node = try? space.node(at: ref) { visitor(node, 0, "node without a known role") }
      }
      offset += 8
    }
    let rest = reachedCount - claimedCount - named
    if rest > 0 { failGlobally("\(rest) more nodes are reachable but have no known role") }
  }
}
