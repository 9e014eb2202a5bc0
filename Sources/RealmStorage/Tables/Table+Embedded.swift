extension Table {
  /// Creates an embedded object as the value of a link property; one that was there is deleted.
  package func setEmbedded(_ key: ObjectKey, _ columnKey: ColumnKey) throws(StorageError) -> ObjectKey {
    let column = try column(columnKey)
    guard !column.isCollection else { throw .typeMismatch(reason: "the property is a collection") }
    guard try contains(key) else { throw .noSuchObject(key: key) }
    let replacesOne = try value(key, columnKey).linkedKey != nil
    let (target, new) = try newEmbedded(column)
    try replaceLink(writing(), key, column, target, .link(new))
    group.log.set(self.key, columnKey, key)
    if let recorder = group.recorder { try recorder.didSetEmbedded(self, key, columnKey, replacesOne: replacesOne) }
    return new
  }

  func newEmbedded(_ column: ColumnDescription) throws(StorageError) -> (Table, ObjectKey) {
    guard column.type == .link else { throw .typeMismatch(reason: "the property holds no embedded objects") }
    let target = try group.table(column.oppositeTable)
    guard target.kind == .embedded else { throw .typeMismatch(reason: "'\(target.className)' is no embedded class") }
    return (target, try target.createEmbedded())
  }
}
