/// How the leaf array of one column is made; nil in a layout stands for a vacant leaf index.
package struct ColumnSlot: Sendable {
  package var kind: LeafKind
  package var isNullable: Bool
  /// For enumerated strings, whose leaves are integers: the index that new objects get.
  package var enumeratedDefault: Int64?

  package init(kind: LeafKind, isNullable: Bool, enumeratedDefault: Int64? = nil) {
    (self.kind, self.isNullable, self.enumeratedDefault) = (kind, isNullable, enumeratedDefault)
  }
}
