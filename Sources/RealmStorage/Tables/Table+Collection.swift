extension Table {
  /// The collection in a property: a list, set or dictionary, or what a Mixed property holds.
  package func collection(_ object: ObjectKey, _ columnKey: ColumnKey) throws(StorageError) -> ObjectCollection {
    let column = try column(columnKey)
    guard column.isCollection || column.type == .mixed else { throw .typeMismatch(reason: "'\(className)' has no collection there") }
    return ObjectCollection(table: self, object: object, column: column, path: [])
  }
}
