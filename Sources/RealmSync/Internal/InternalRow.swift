import RealmStorage

/// An object of an internal table, by the names of its properties.
struct InternalRow {
  let table: Table
  let key: ObjectKey

  private func column(_ name: String) throws(SyncError) -> ColumnDescription {
    guard let column = table.publicColumns.first(where: { $0.name.elementsEqual(name.utf8) }) else {
      throw .badState("the table '\(table.nameText)' has no '\(name)'")
    }
    return column
  }

  private func value(_ name: String) throws(SyncError) -> Value {
    let column = try column(name)
    return try storing { () throws(StorageError) in try table.value(key, column.key) }
  }

  private func isNull(_ name: String) throws(SyncError) -> Bool { if case .null = try value(name) { true } else { false } }

  private func wrong(_ name: String) -> SyncError { .badState("'\(name)' of an object of '\(table.nameText)' is of another type") }

  // MARK: Reading

  func int(_ name: String) throws(SyncError) -> Int64 {
    guard case .int(let number) = try value(name) else { throw wrong(name) }
    return number
  }

  /// The original stores numbers without sign as they are.
  func unsigned(_ name: String) throws(SyncError) -> UInt64 { UInt64(bitPattern: try int(name)) }

  func optionalInt(_ name: String) throws(SyncError) -> Int64? { try isNull(name) ? nil : int(name) }

  func text(_ name: String) throws(SyncError) -> String {
    guard case .string(let bytes) = try value(name) else { throw wrong(name) }
    return String(decoding: bytes, as: UTF8.self)
  }

  func optionalText(_ name: String) throws(SyncError) -> String? { try isNull(name) ? nil : text(name) }

  func timestamp(_ name: String) throws(SyncError) -> Timestamp {
    guard case .timestamp(let time) = try value(name) else { throw wrong(name) }
    return time
  }

  func optionalTimestamp(_ name: String) throws(SyncError) -> Timestamp? { try isNull(name) ? nil : timestamp(name) }

  func objectID(_ name: String) throws(SyncError) -> ObjectID {
    guard case .objectID(let id) = try value(name) else { throw wrong(name) }
    return id
  }

  /// Nothing for null.
  func bytes(_ name: String) throws(SyncError) -> [UInt8] {
    switch try value(name) {
    case .binary(let bytes): return bytes
    case .null: return []
    default: throw wrong(name)
    }
  }

  /// The embedded object of a property, if there is one.
  func object(_ name: String) throws(SyncError) -> InternalRow? {
    let column = try column(name)
    return try storing { () throws(StorageError) in
      guard case .link(let target) = try table.value(key, column.key) else { return nil }
      return InternalRow(table: try table.group.table(column.oppositeTable), key: target)
    }
  }

  /// The embedded objects of a list.
  func list(_ name: String, atMost limit: Int = .max) throws(SyncError) -> [InternalRow] {
    let column = try column(name)
    return try storing { () throws(StorageError) in
      let list = try table.collection(key, column.key)
      let target = try table.group.table(column.oppositeTable)
      var rows: [InternalRow] = []
      for index in 0..<min(limit, try list.count()) {
        if case .link(let element) = try list.value(at: index) { rows.append(InternalRow(table: target, key: element)) }
      }
      return rows
    }
  }

  func count(_ name: String) throws(SyncError) -> Int {
    let column = try column(name)
    return try storing { () throws(StorageError) in try table.collection(key, column.key).count() }
  }

  // MARK: Writing

  func set(_ name: String, _ value: Value) throws(SyncError) {
    let column = try column(name)
    try storing { () throws(StorageError) in try table.set(key, column.key, value) }
  }

  func set(_ name: String, _ text: String?) throws(SyncError) { try set(name, text.map { .string(Array($0.utf8)) } ?? .null) }

  func set(_ name: String, _ number: UInt64) throws(SyncError) { try set(name, .int(Int64(bitPattern: number))) }

  func makeObject(_ name: String) throws(SyncError) -> InternalRow {
    let column = try column(name)
    return try storing { () throws(StorageError) in
      InternalRow(table: try table.group.table(column.oppositeTable), key: try table.setEmbedded(key, column.key))
    }
  }

  func append(to name: String) throws(SyncError) -> InternalRow {
    let column = try column(name)
    return try storing { () throws(StorageError) in
      let list = try table.collection(key, column.key)
      return InternalRow(table: try table.group.table(column.oppositeTable), key: try list.insertEmbedded(at: list.count()))
    }
  }

  func removeAll(of name: String) throws(SyncError) {
    let column = try column(name)
    try storing { () throws(StorageError) in try table.collection(key, column.key).removeAll() }
  }

  func remove() throws(SyncError) { try storing { () throws(StorageError) in try table.remove(key) } }
}
