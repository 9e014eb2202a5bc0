/// Looks one value after the other up in the index of a column, of which everything else is found out once.
package struct IndexLookup {
  package let space: NodeSpace
  private let root: Ref
  private let source: ColumnValues
  private let isInteger: Bool

  fileprivate init(_ table: Table, _ column: ColumnKey, root: Ref, isInteger: Bool) {
    (space, self.root, source, self.isInteger) = (table.space, root, ColumnValues(table, column), isInteger)
  }

  package func matches(_ value: Value) throws(StorageError) -> IndexMatches {
    if isInteger, case .int(let number) = value { return try SearchIndex.matches(space, root, integer: number, source) }
    return try SearchIndex.matches(space, root, value, source)
  }
}

extension Table {
  /// - Parameter column: as the table describes it now.
  /// - Throws: `.invalidArgument` if the column has no general index.
  package func indexLookup(_ column: ColumnDescription) throws(StorageError) -> IndexLookup {
    let kind = try access(column.key).kind
    let root = try indexRoot(column.key)
    guard !root.isNull, !column.attributes.contains(.fullTextIndexed) else { throw .invalidArgument(reason: "the property has no search index") }
    return IndexLookup(self, column.key, root: root, isInteger: kind == .int || kind == .nullableInt)
  }
}
