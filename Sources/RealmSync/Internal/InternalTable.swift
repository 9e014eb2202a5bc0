import RealmStorage

/// A table in which a file keeps something of its synchronisation. It is no class: nobody sees it, and peers never hear of it. Source: Y4.
struct InternalTable: Sendable {
  struct Property: Sendable {
    let name: String
    var type = ColumnType.int
    var attributes: ColumnAttributes = []
    /// The embedded table that it leads to.
    var target: String?

    static func int(_ name: String, _ attributes: ColumnAttributes = []) -> Self { Self(name: name, attributes: attributes) }
    static func string(_ name: String, _ attributes: ColumnAttributes = []) -> Self { Self(name: name, type: .string, attributes: attributes) }
    static func timestamp(_ name: String, _ attributes: ColumnAttributes = []) -> Self {
      Self(name: name, type: .timestamp, attributes: attributes)
    }
    static func list(_ name: String, of target: String) -> Self { Self(name: name, type: .link, attributes: .list, target: target) }
    static func object(_ name: String, _ target: String) -> Self { Self(name: name, type: .link, attributes: .nullable, target: target) }
  }

  let name: String
  var isEmbedded = false
  /// Of its own, or one of the others.
  var primaryKey: Property?
  let properties: [Property]

  /// - Throws: `.badState` if the table is of another form.
  func check(_ table: Table) throws(SyncError) {
    func require(_ condition: Bool, _ what: String) throws(SyncError) {
      if !condition { throw .badState("the table '\(name)', in which the file keeps its synchronisation, is of an unknown form: \(what)") }
    }
    try require((table.kind == .embedded) == isEmbedded, isEmbedded ? "it is not embedded" : "it is embedded")
    let columns = table.publicColumns
    let expected = (primaryKey.map { [$0] } ?? []) + properties
    try require(columns.count == expected.count, "it has \(columns.count) properties instead of \(expected.count)")
    try require(
      (table.primaryKeyColumn?.name).map { $0.elementsEqual(primaryKey?.name.utf8 ?? "".utf8) } ?? (primaryKey == nil), "another primary key")
    for property in expected {
      guard let column = columns.first(where: { $0.name.elementsEqual(property.name.utf8) }) else {
        throw .badState("the table '\(name)', in which the file keeps its synchronisation, has no '\(property.name)'")
      }
      let form: ColumnAttributes = [.list, .set, .dictionary, .nullable]
      let isSame = column.type == property.type && column.attributes.intersection(form) == property.attributes
      try require(isSame, "'\(property.name)' has another type")
      guard let target = property.target else { continue }
      let linked = try storing { () throws(StorageError) in try table.group.table(column.oppositeTable) }
      try require(linked.nameText == target, "'\(property.name)' leads to '\(linked.nameText)'")
    }
  }

  /// Adds the table without what leads to others.
  func create(in group: Group) throws(SyncError) {
    try storing { () throws(StorageError) in
      let table = try group.addTable(name, kind: isEmbedded ? .embedded : .topLevel)
      guard let primaryKey else { return }
      let column = try table.addColumn(ColumnDefinition(primaryKey.name, primaryKey.type, primaryKey.attributes))
      try table.setPrimaryKey(column)
    }
  }

  func addProperties(in group: Group) throws(SyncError) {
    try storing { () throws(StorageError) in
      guard let table = try group.table(named: name) else { throw .noSuchTable(name: name) }
      try table.addColumns(
        properties.map { (property) throws(StorageError) in
          let target = try property.target.map { (name) throws(StorageError) -> TableKey in
            guard let table = try group.table(named: name) else { throw .noSuchTable(name: name) }
            return table.key
          }
          return ColumnDefinition(property.name, property.type, property.attributes, target: target)
        })
    }
  }
}
