/// Where an object's leaves are: what a `Row` knows in eight words, for whoever keeps one per object. Valid as long as the row is.
package struct RowPlace {
  private let space: NodeSpace
  private let cluster: Node
  /// The place in the cluster.
  package var row: Int

  @inline(__always) package init(_ row: Row) { (space, cluster, self.row) = (row.space, row.cluster.node, row.row) }

  @inline(__always) private func leaf(_ column: ColumnKey) throws(StorageError) -> Ref { try cluster.child(column.leafIndex + 1) }

  @inline(__always) private func integer(_ column: ColumnKey) throws(StorageError) -> Int64 { try space.integers(at: leaf(column)).element(row) }

  package func int(_ column: ColumnKey) throws(StorageError) -> Int64 { try integer(column) }
  package func optionalInt(_ column: ColumnKey) throws(StorageError) -> Int64? { try NullableIntegerLeaf(space, leaf(column)).int(row) }
  package func bool(_ column: ColumnKey) throws(StorageError) -> Bool? {
    switch try integer(column) {
    case 0: false
    case 1: true
    default: nil
    }
  }
  package func double(_ column: ColumnKey) throws(StorageError) -> Double? { try DoubleLeaf(space, leaf(column)).double(row) }
  package func float(_ column: ColumnKey) throws(StorageError) -> Float? { try FloatLeaf(space, leaf(column)).float(row) }
  package func timestamp(_ column: ColumnKey) throws(StorageError) -> Timestamp? { try TimestampLeaf(space, leaf(column)).timestamp(row) }
  /// The target of a single link; nil also where the target is a tombstone.
  package func link(_ column: ColumnKey) throws(StorageError) -> ObjectKey? {
    let stored = try integer(column)
    return stored > 0 ? ObjectKey(stored - 1) : nil
  }
  /// A String property whose strings are not enumerated; short ones need no allocation. Bytes that are no UTF-8 are repaired.
  package func string(_ column: ColumnKey) throws(StorageError) -> String? {
    guard let bytes = try unsafe StringLeaf(space, leaf(column)).bytes(row) else { return nil }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}
