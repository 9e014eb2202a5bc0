extension LeafColumn {
  package init(_ column: ColumnDescription) {
    self.init(leafIndex: column.leafIndex, kind: column.leafKind, isNullable: column.isNullable, enumKeys: column.enumKeysRef)
  }
}
