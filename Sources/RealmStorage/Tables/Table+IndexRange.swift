extension Table {
  /// Whether the index of a column can be walked in the order of its values.
  package static func hasOrderedIndex(_ type: ColumnType) -> Bool {
    switch type {
    case .string, .objectID, .uuid: true
    default: false
    }
  }

  /// Objects whose value lies in a range, by the column's index; ascending, without those whose value is null.
  /// - Returns: nil if there are more than `limit`, or finding them makes as much work.
  /// - Throws: `.invalidArgument` if the column has no general index, or one without order; `.interrupted`, asked at every node.
  package func indexedObjects(
    _ columnKey: ColumnKey, in range: IndexRange, limit: Int, _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> [ObjectKey]? {
    let column = try column(columnKey)
    let root = try indexRoot(column)
    guard !root.isNull, !column.attributes.contains(.fullTextIndexed), Self.hasOrderedIndex(column.type) else {
      throw .invalidArgument(reason: "the property has no search index that can be walked in order")
    }
    return try SearchIndex.objects(
      space, root, in: range, limit: limit, isText: column.type == .string, ColumnValues(self, column), cancellation)
  }

  /// How many links lead to an object from one backlink column, with repetitions.
  package func backlinkCount(_ key: ObjectKey, _ column: ColumnKey) throws(StorageError) -> Int {
    let row = try row(key)
    let element = try space.refs(at: row.leaf(column)).element(row.row)
    if element == 0 { return 0 }
    return element & 1 == 1 ? 1 : try BPlusTree(root: Ref(element: element), family: IntegerFamily()).count(space)
  }
}
