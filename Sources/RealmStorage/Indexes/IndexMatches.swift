/// The objects with one value, as the index of a column names them; good while nothing is written.
package enum IndexMatches {
  case none
  case object(ObjectKey)
  /// All of a list, which is not read before it is asked for.
  case list(Ref, count: Int)
  /// Of a Mixed column, or of values that share their first 204 bytes: compared one by one.
  case objects([ObjectKey])

  package var count: Int {
    switch self {
    case .none: 0
    case .object: 1
    case .list(_, let count): count
    case .objects(let keys): keys.count
    }
  }

  /// - Throws: `.interrupted`.
  package func append(to keys: inout [ObjectKey], _ space: NodeSpace, _ cancellation: Cancellation?) throws(StorageError) {
    switch self {
    case .none: break
    case .object(let key): keys.append(key)
    case .objects(let all): keys += all
    case .list(let ref, let count):
      keys.reserveCapacity(keys.count + count)
      try IndexList(ref).forEach(space) { (key) throws(StorageError) -> Bool in
        if keys.count % Cancellation.blockSize == 0 { try cancellation?.check() }
        keys.append(key)
        return true
      }
    }
  }
}

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
