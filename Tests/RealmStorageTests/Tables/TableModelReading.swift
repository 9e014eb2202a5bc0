@testable import RealmStorage

extension TableModel {
  /// What a group holds.
  init(reading group: Group) throws {
    for key in try group.tableKeys() {
      let table = try group.table(key)
      var new = ModelTable(key: key, name: table.nameText, kind: table.kind)
      new.primaryKey = table.state.primaryKey
      new.columns = table.publicColumns.map { column in
        ModelColumn(
          key: column.key, name: String(decoding: column.name, as: UTF8.self), type: column.type, attributes: column.key.attributes,
          target: column.type == .link ? column.oppositeTable : nil, isIndexed: column.attributes.contains(.indexed),
          isFullText: column.attributes.contains(.fullTextIndexed))
      }
      for object in try table.keys() {
        new.add(object)
        for column in new.columns { new[object, column.key] = try TableComparison.value(table, object, column.key) }
      }
      for tombstone in try table.tombstoneKeys() {
        new.tombstones[tombstone] = try new.primaryKey.map { try table.value(tombstone, $0) } ?? .null
      }
      tables[key] = new
    }
  }
}
