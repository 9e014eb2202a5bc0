extension InnerNode {
  /// The same node after its slots were changed in place.
  func reread(_ space: NodeSpace) throws(StorageError) -> InnerNode { try InnerNode(space, space.node(at: node.ref)) }
}
