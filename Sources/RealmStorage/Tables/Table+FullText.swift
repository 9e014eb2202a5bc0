extension Table {
  /// Objects whose text contains a token, or one that begins with `prefix`, by the column's full-text index; ascending.
  /// - Parameter token: as the tokenizer gives it.
  /// - Throws: `.invalidArgument` if the column has no full-text index; `.interrupted`.
  package func fullTextObjects(
    _ columnKey: ColumnKey, token: [UInt8], _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> [ObjectKey] {
    try FullTextIndex.find(space, fullTextRoot(columnKey), token: token, cancellation)
  }
  package func fullTextObjects(
    _ columnKey: ColumnKey, prefix: [UInt8], _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> [ObjectKey] {
    try FullTextIndex.find(space, fullTextRoot(columnKey), prefix: prefix, cancellation)
  }

  private func fullTextRoot(_ columnKey: ColumnKey) throws(StorageError) -> Ref {
    let column = try column(columnKey)
    guard column.attributes.contains(.fullTextIndexed) else { throw .invalidArgument(reason: "the property has no full-text index") }
    return try indexRoot(column)
  }
}
