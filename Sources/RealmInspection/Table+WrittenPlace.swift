package import RealmStorage

extension Table {
  /// More levels can neither be written nor read.
  private static let levelLimit = 200

  /// Where a property of an object is written in plain JSON: those of an embedded object are in the property of the object around it.
  /// - Returns: nil for what lies in no object.
  package func writtenPlace(
    _ key: ObjectKey, _ property: String
  ) throws(StorageError) -> (table: Table, key: ObjectKey, property: String)? {
    var place = (table: self, key: key, property: property)
    for _ in 0..<Self.levelLimit {
      if place.table.kind != .embedded { return place }
      var owner: (table: Table, key: ObjectKey, property: String)?
      for column in place.table.backlinkColumns where owner == nil {
        guard let key = try place.table.backlinks(place.key, column.key).first else { continue }
        let table = try group.table(column.oppositeTable)
        owner = (table, key, SchemaNames.text(try table.column(column.oppositeColumn).name))
      }
      guard let owner else { return nil }
      place = owner
    }
    return nil
  }
}
