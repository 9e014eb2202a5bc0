// Leaves: which nodes they own, and what their values must be. F3.

extension Leaf {
  /// Claims a leaf of values and all its nodes and checks its layout:
  ///  1. it has the layout of its kind, and no node of it has another role;  2. it has as many values as there are objects;
  ///  3. the rules of strings and of blobs: `StringLeaf.check`, `BinaryLeaf.check`.
  /// Mixed leaves own other structures, so they have a check of their own: `MixedParts`.
  /// - Parameter rowCount: of the cluster, if the leaf is a column of one.
  static func check(
    _ checker: Checker, _ ref: Ref, _ kind: LeafKind, _ role: @autoclosure () -> String, rowCount: Int? = nil, enumKeys: Ref = .null
  ) throws(StorageError) -> LeafReader {
    let node = try checker.claim(ref, role())
    switch kind {
    case .string:
      if node.header.hasRefs { try checkBlobs(checker, node, role()) }
    case .binary:
      guard node.header.hasRefs else { throw node.broken("\(role()) is no binary leaf") }
      try checkBlobs(checker, node, role())
    case .timestamp:
      guard node.header.hasRefs, node.count == TimestampLeaf.Slot.count else { throw node.broken("\(role()) is no leaf of dates") }
      try checker.below { () throws(StorageError) in
        _ = try checker.claimIntegers(node.child(TimestampLeaf.Slot.seconds), role() + " seconds")
        _ = try checker.claimIntegers(node.child(TimestampLeaf.Slot.nanoseconds), role() + " nanoseconds")
      }
    default:
      guard !node.header.hasRefs else { throw node.broken("\(role()) has the refs flag") }
    }
    let reader = try LeafReader(checker.space, ref, kind, enumKeys: enumKeys)
    if let rowCount, rowCount != reader.count { throw node.broken("\(reader.count) values for \(rowCount) objects") }
    try checker.spend(reader.count, node)
    switch kind {
    case .string: try StringLeaf.check(checker.space, ref, expectedCount: reader.count, enumKeys: enumKeys)
    case .binary: try BinaryLeaf.check(checker.space, ref, expectedCount: reader.count)
    default: break
    }
    return reader
  }

  /// Small and big blobs (F3.6-F3.8).
  private static func checkBlobs(_ checker: Checker, _ node: Node, _ role: @autoclosure () -> String) throws(StorageError) {
    checker.depth += 1
    defer { checker.depth -= 1 }
    guard node.header.hasContext else {
      guard node.count == BlobLeaf.Slot.count else { throw node.broken("\(role()) has \(node.count) parts instead of offsets, bytes and nulls") }
      _ = try checker.claimIntegers(node.child(BlobLeaf.Slot.offsets), role() + " offsets")
      try claimBlob(checker, node.child(BlobLeaf.Slot.blob), role() + " bytes")
      _ = try checker.claimIntegers(node.child(BlobLeaf.Slot.nulls), role() + " nulls")
      return
    }
    try checker.spend(node.count, node)
    for index in 0..<node.count {
      let ref = try node.child(index)
      if ref.isNull { continue }
      func label() -> String { role() + "[\(index)]" }
      guard checker.isUsable(ref), try checker.space.node(at: ref).header.hasContext else {
        try claimBlob(checker, ref, label())
        continue
      }
      let chunks = try checker.claimRefs(ref, label())
      checker.depth += 1
      defer { checker.depth -= 1 }
      for chunk in 0..<chunks.count { try claimBlob(checker, chunks.child(chunk), "chunk \(chunk) of " + label()) }
    }
  }

  private static func claimBlob(_ checker: Checker, _ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) {
    let node = try checker.claim(ref, role())
    guard node.header.schemeBits == WidthScheme.blob.rawValue, !node.header.hasRefs else { throw node.broken("\(role()) is no blob") }
  }
}
