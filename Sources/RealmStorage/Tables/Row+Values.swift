// Properties by type, straight from the mapped file: no allocation, no `Value` in between.

extension Row {
  /// A nullable Int property.
  @inline(__always) package func optionalInt(_ column: ColumnKey) throws(StorageError) -> Int64? {
    try NullableIntegerLeaf(space, leaf(column)).int(row)
  }

  /// A Bool property, required or not.
  @inline(__always) package func bool(_ column: ColumnKey) throws(StorageError) -> Bool? {
    switch try space.integers(at: leaf(column)).element(row) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }

  @inline(__always) package func double(_ column: ColumnKey) throws(StorageError) -> Double? {
    try DoubleLeaf(space, leaf(column)).double(row)
  }
  @inline(__always) package func float(_ column: ColumnKey) throws(StorageError) -> Float? {
    try FloatLeaf(space, leaf(column)).float(row)
  }
  @inline(__always) package func timestamp(_ column: ColumnKey) throws(StorageError) -> Timestamp? {
    try TimestampLeaf(space, leaf(column)).timestamp(row)
  }
  @inline(__always) package func objectID(_ column: ColumnKey) throws(StorageError) -> ObjectID? {
    try FixedBytesLeaf(space, leaf(column), .objectID).objectID(row)
  }
  @inline(__always) package func uuid(_ column: ColumnKey) throws(StorageError) -> UUIDBytes? {
    try FixedBytesLeaf(space, leaf(column), .uuid).uuid(row)
  }
  @inline(__always) package func decimal(_ column: ColumnKey) throws(StorageError) -> Decimal128? {
    try DecimalLeaf(space, leaf(column)).decimal(row)
  }

  /// The target of a single link; nil also where the target is a tombstone.
  @inline(__always) package func link(_ column: ColumnKey) throws(StorageError) -> ObjectKey? {
    let stored = try space.integers(at: leaf(column)).element(row)
    return stored > 0 ? ObjectKey(stored - 1) : nil
  }

  /// Lends the UTF-8 bytes of a String property (nil for null), which lie in the mapped file.
  @inline(__always)
  package func withText<Result>(
    _ column: ColumnDescription, _ body: (RawSpan?) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try StringLeaf(space, leaf(column.key), enumKeys: column.enumKeysRef).withBytes(row, body)
  }

  /// Lends the bytes of a Data property (nil for null), which lie in the mapped file.
  package func withData<Result>(_ column: ColumnKey, _ body: (RawSpan?) throws(StorageError) -> Result) throws(StorageError) -> Result {
    try BinaryLeaf(space, leaf(column)).withBytes(row, body)
  }
}
