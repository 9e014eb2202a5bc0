extension Cluster {
  /// The value of a row; what comparisons of rows with equal keys read.
  package func value(_ space: NodeSpace, _ column: LeafColumn, _ row: Int) throws(StorageError) -> Value {
    try LeafReader(space, self.column(column.leafIndex), column.kind, enumKeys: column.enumKeys).value(row)
  }
}
