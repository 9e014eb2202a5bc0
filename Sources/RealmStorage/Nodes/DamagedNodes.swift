/// Nodes of damaged files whose header says what cannot be, read as others say that they are.
package enum DamagedNodes {
  /// The node at `ref` if it is what `isSound` asks for, or what it is with the header with which it becomes that.
  /// - Parameters:
  ///   - scheme: how its elements are stored.
  ///   - flags: those of its header.
  ///   - count: how many elements it has to have, as other nodes say.
  /// - Returns: nil if no header makes it sound.
  static func node(
    _ space: NodeSpace, _ ref: Ref, _ scheme: WidthScheme, flags: UInt32 = 0, count: Int, isSound: (Node) -> Bool
  ) -> Node? {
    if let node = try? space.node(at: ref), node.header.schemeBits == scheme.rawValue, node.header.flags == flags, node.count == count, isSound(node)
    {
      return node
    }
    // The widest first: narrower ones may find the beginning of what is there.
    for widthIndex in (0...UInt32(7)).reversed() {
      let header = NodeHeader(flags: flags, scheme: scheme, widthIndex: widthIndex, count: count)
      if let node = try? space.node(at: ref, assuming: header), isSound(node) { return node }
    }
    return nil
  }

  /// Whether an element leads to a node.
  static func isRef(_ space: NodeSpace, _ node: Node, _ slot: Int, mayBeNull: Bool) -> Bool {
    guard let ref = try? node.child(slot) else { return false }
    return ref.isNull ? mayBeNull : (try? space.node(at: ref)) != nil
  }

  /// Whether an element is a number or nothing; so is one that is not there.
  static func isTagged(_ node: Node, _ slot: Int) -> Bool {
    slot >= node.count || node.element(unchecked: slot) == 0 || node.element(unchecked: slot) & 1 == 1
  }
}
