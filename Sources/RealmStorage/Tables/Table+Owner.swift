/// Where the one link to an embedded object lies.
struct EmbeddedOwner {
  let table: Table
  let object: ObjectKey
  let column: ColumnDescription

  /// From the property to the link; nil if the property is the link.
  func step(to link: ObjectLink) throws(StorageError) -> PathStep? {
    guard column.isCollection else { return nil }
    let collection = ObjectCollection(table: table, object: object, column: column, path: [])
    guard let index = try collection.firstIndex(of: link) else {
      throw .corruptNode(ref: table.state.ref, reason: "object \(object.rawValue) of '\(table.className)' has no link to an object that it owns")
    }
    return column.isDictionary ? .key(try collection.key(at: index)) : .index(index)
  }
}

extension Table {
  /// The object that owns an embedded one; nil as long as nothing does.
  func owner(of key: ObjectKey) throws(StorageError) -> EmbeddedOwner? {
    for index in state.backlinkColumns {
      guard let column = state.columns[index], let origin = try backlinks(key, column.key).first else { continue }
      let table = try group.table(column.oppositeTable)
      return EmbeddedOwner(table: table, object: origin, column: try table.column(column.oppositeColumn))
    }
    return nil
  }
}
