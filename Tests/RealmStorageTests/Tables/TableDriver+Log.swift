@testable import RealmStorage

extension TableDriver {
  private struct Cell: Hashable {
    let table: TableKey
    let column: ColumnKey
    let object: ObjectKey
  }

  private struct Events {
    var created: Set<ObjectLink> = []
    var removed: Set<ObjectLink> = []
    var touched: Set<Cell> = []
    var insertedTables: Set<TableKey> = []
    var erasedTables: Set<TableKey> = []
    var insertedColumns: Set<Origin> = []
    var erasedColumns: Set<Origin> = []
    var renamed: Set<Origin> = []
    var renamedTables: Set<TableKey> = []
  }
  private typealias Origin = TableModel.Origin

  private func events() throws -> Events {
    var events = Events()
    var table: TableKey?
    var collection: Cell?
    func selected() throws -> TableKey {
      guard let table else { throw Failure(description: "an instruction of the log without a selected table") }
      return table
    }
    for instruction in try LogDecoder.instructions(of: group.log.bytes) {
      switch instruction {
      case .insertTable(let key):
        events.insertedTables.insert(key)
        (table, collection) = (nil, nil)
      case .eraseTable(let key):
        events.erasedTables.insert(key)
        (table, collection) = (nil, nil)
      case .renameTable(let key):
        events.renamedTables.insert(key)
        (table, collection) = (nil, nil)
      case .selectTable(let key): (table, collection) = (key, nil)
      case .createObject(let key): events.created.insert(ObjectLink(table: try selected(), key: key))
      case .removeObject(let key): events.removed.insert(ObjectLink(table: try selected(), key: key))
      case .set(let column, let object): events.touched.insert(Cell(table: try selected(), column: column, object: object))
      case .insertColumn(let column): events.insertedColumns.insert(Origin(table: try selected(), column: column))
      case .eraseColumn(let column): events.erasedColumns.insert(Origin(table: try selected(), column: column))
      case .renameColumn(let column): events.renamed.insert(Origin(table: try selected(), column: column))
      case .selectCollection(let column, let object), .selectNestedCollection(let column, let object, _):
        collection = Cell(table: try selected(), column: column, object: object)
      case .typedLinkChange: _ = try selected()
      default:
        guard let collection else { throw Failure(description: "\(instruction) without a selected collection") }
        events.touched.insert(collection)
      }
    }
    return events
  }

  /// The log of the transaction says everything that differs from the last commit.
  func checkLog(_ context: String) throws {
    let events = try events()
    func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
      if !condition { throw Failure(description: "\(context): the log does not say \(text())") }
    }
    for (key, table) in model.tables {
      guard let old = committed.tables[key] else {
        try require(events.insertedTables.contains(key), "that '\(table.name)' is new")
        continue
      }
      if old.name != table.name { try require(events.renamedTables.contains(key), "that '\(table.name)' got another name") }
      for column in table.columns {
        let origin = Origin(table: key, column: column.key)
        guard let before = old.columns.first(where: { $0.key == column.key }) else {
          try require(events.insertedColumns.contains(origin), "that '\(column.name)' is new")
          continue
        }
        if before.name != column.name { try require(events.renamed.contains(origin), "that '\(column.name)' got another name") }
      }
      for column in old.columns where !table.columns.contains(where: { $0.key == column.key }) {
        try require(events.erasedColumns.contains(Origin(table: key, column: column.key)), "that '\(column.name)' is gone")
      }
      for (object, values) in table.objects {
        let link = ObjectLink(table: key, key: object)
        if events.created.contains(link) { continue }
        guard let before = old.objects[object] else {
          try require(table.kind == .embedded, "that \(object.rawValue) of '\(table.name)' is new")
          continue
        }
        for (column, value) in values {
          guard let other = before[column], other.identityText != value.identityText else { continue }
          // An embedded object may have gone and another one taken its key.
          if events.removed.contains(link) { continue }
          try require(
            events.touched.contains(Cell(table: key, column: column, object: object)),
            "that '\(table.column(column).name)' of \(object.rawValue) of '\(table.name)' changed")
        }
      }
      for object in old.objects.keys where table.objects[object] == nil {
        try require(events.removed.contains(ObjectLink(table: key, key: object)), "that \(object.rawValue) of '\(table.name)' is gone")
      }
    }
    for (key, table) in committed.tables where model.tables[key] == nil {
      try require(events.erasedTables.contains(key), "that '\(table.name)' is gone")
    }
  }
}
