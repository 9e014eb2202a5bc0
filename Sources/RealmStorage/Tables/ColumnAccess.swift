/// What hot paths need to know of a column: trivial to copy, unlike `ColumnDescription`.
struct ColumnAccess {
  let key: ColumnKey
  let kind: LeafKind
  let isNullable: Bool
  /// Storing a value changes nothing but its leaf: no index, links, collections, enumerated strings, and not the primary key.
  let isPlain: Bool
  /// Its strings are numbers of distinct ones, which its description says the place of.
  let isEnumerated: Bool
  let isFullTextIndexed: Bool
  /// Of links and backlinks.
  let oppositeTable: TableKey
  let oppositeColumn: ColumnKey

  /// - Parameter column: nil for a vacant leaf index.
  init(_ column: ColumnDescription?, primaryKey: ColumnKey?) {
    guard let column else {
      (key, kind, isNullable, isPlain, isEnumerated, isFullTextIndexed) = (.null, .int, false, false, false, false)
      (oppositeTable, oppositeColumn) = (.null, .null)
      return
    }
    (key, kind, isNullable) = (column.key, column.leafKind, column.isNullable)
    (isEnumerated, isFullTextIndexed) = (!column.enumKeysRef.isNull, column.attributes.contains(.fullTextIndexed))
    (oppositeTable, oppositeColumn) = (column.oppositeTable, column.oppositeColumn)
    switch column.type {
    case .link, .mixed, .backlink, .typedLink: isPlain = false
    default: isPlain = column.indexRef.isNull && !column.isCollection && column.enumKeysRef.isNull && column.key != primaryKey
    }
  }
}
