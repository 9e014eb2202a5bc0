// Removing many elements of a leaf: what lies between them moves once, not once for each of them.

extension Leaf {
  /// Removes elements, with the outcome of `remove` for one after the other from the last one on.
  /// - Parameter rows: ascending and different.
  package static func remove<Rows: BidirectionalCollection<Int>>(
    _ scratch: Scratch, _ slot: ColumnSlot, _ ref: inout Ref, rows: Rows
  ) throws(StorageError) {
    switch slot.kind {
    case .int, .bool, .link, .linkElement, .backlink, .collection: return try scratch.remove(&ref, rows: rows)
    case .float: return try FloatLeaf.remove(scratch, &ref, rows: rows)
    case .double: return try DoubleLeaf.remove(scratch, &ref, rows: rows)
    case .string: if try StringLeaf.removeShort(scratch, &ref, rows: rows) { return }
    default: break
    }
    for row in rows.reversed() { try remove(scratch, slot, &ref, row) }
  }
}
