// What the columns of a table say about each other and about other tables. F4.2-F4.7.

extension Verifier {
  func verifyTables() {
    for slot in tables.indices {
      guard let table = tables[slot] else { continue }
      tableName = table.name
      verifySchema(table)
      attempt("objects") { () throws(StorageError) in try verifyObjects(slot) }
      (columnName, objectKey) = ("", nil)
    }
    tableName = ""
    verifyLinks()
    for table in tables {
      guard let table else { continue }
      tableName = table.name
      for column in table.description.columns where !column.indexRef.isNull {
        columnName = label(column)
        attempt("index") { () throws(StorageError) in try verifyIndex(table, column) }
      }
      columnName = ""
    }
    tableName = ""
  }

  func label(_ column: ColumnDescription) -> String {
    column.isPublic ? String(decoding: column.name, as: UTF8.self) : "(backlinks, leaf index \(column.leafIndex))"
  }

  func table(_ key: TableKey) -> VerifiedTable? {
    guard key.slot < tables.count, let table = tables[key.slot], table.description.key == key else { return nil }
    return table
  }
  func column(_ table: TableKey, _ key: ColumnKey) -> ColumnDescription? {
    guard let table = self.table(table), let position = table.positionsByKey[key] else { return nil }
    return table.description.columns[position]
  }

  private func verifySchema(_ table: VerifiedTable) {
    let description = table.description
    if description.name.isEmpty { fail("the table in slot \(description.key.slot) has no name") }
    if description.name.count > 63 { fail("the name is longer than 63 bytes") }
    var names: Set<[UInt8]> = []
    for (position, column) in description.columns.enumerated() {
      columnName = label(column)
      if column.isPublic {
        if column.name.isEmpty { fail("the name is empty") }
        if !names.insert(column.name).inserted { fail("the name is used twice") }
      }
      verifyColumnNumbers(column)
      verifyIndexMarks(column, isPrimaryKey: position == description.primaryKeyPosition)
      verifyOpposite(description, column)
    }
    columnName = ""
    if description.kind == .embedded && description.primaryKeyPosition != nil { fail("an embedded table has a primary key") }
  }

  private func verifyColumnNumbers(_ column: ColumnDescription) {
    if (column.type == .backlink) == column.isPublic { fail("backlink columns must follow all public columns") }
    // Files upgraded from formats below 24 keep 13 in the types array (F11).
    let specType = column.specTypeNumber == Int(ColumnType.legacyLinkList.rawValue) ? Int(ColumnType.link.rawValue) : column.specTypeNumber
    if specType != Int(column.type.rawValue) { fail("the spec says type \(column.specTypeNumber), the column key \(column.key.typeNumber)") }
    let inSpec = column.specAttributes.rawValue & 0xFC
    var inKey = column.key.attributes
    if column.key.typeNumber == Int(ColumnType.legacyLinkList.rawValue) { inKey.insert(.list) }
    if inSpec != inKey.rawValue { fail("the spec says attributes \(column.specAttributes.rawValue), the column key \(inKey.rawValue)") }
    if column.attributes.intersection(.collection).rawValue.nonzeroBitCount > 1 { fail("it has more than one collection attribute") }
    if column.isDictionary {
      if format < 21 { fail("it is a dictionary, which format \(format) does not have") }
      if column.keyTypeNumber != Int(ColumnType.string.rawValue) && !column.hasIntegerKeys {
        fail("the dictionary's key type is \(column.keyTypeNumber)")
      }
    } else if column.keyTypeNumber != 0 {
      fail("it has a key type but is no dictionary")
    }
  }

  private func verifyIndexMarks(_ column: ColumnDescription, isPrimaryKey: Bool) {
    let isMarked = !column.specAttributes.isDisjoint(with: [.indexed, .fullTextIndexed])
    if isMarked && column.indexRef.isNull { fail("it is marked as indexed but has no index") }
    if !column.indexRef.isNull && !isMarked && !isPrimaryKey { fail("it has an index but is neither marked as indexed nor the primary key") }
    guard isPrimaryKey else { return }
    if column.indexRef.isNull && format >= 22 { fail("the primary key has no search index") }
    switch column.type {
    case .int, .string, .objectID, .uuid: break
    default: fail("the primary key has type \(column.type)")
    }
  }

  /// F4.4: links and backlink columns point at each other.
  private func verifyOpposite(_ description: TableDescription, _ column: ColumnDescription) {
    guard column.type == .link || column.type == .backlink else {
      if column.oppositeTable != .null || column.oppositeColumn != .null { fail("it is no link but has an opposite column") }
      return
    }
    guard table(column.oppositeTable) != nil else {
      return fail("the opposite table \(column.oppositeTable.rawValue) does not exist")
    }
    guard let opposite = self.column(column.oppositeTable, column.oppositeColumn) else {
      let text = "the opposite column \(column.oppositeColumn.rawValue) does not exist"
      // Backlink columns of removed Mixed columns stay behind (F4.4).
      return column.type == .link ? fail(text) : note(text)
    }
    let pointsBack = opposite.oppositeTable == description.key && opposite.oppositeColumn == column.key
    if column.type == .link {
      if opposite.type != .backlink || !pointsBack { fail("the opposite column does not point back") }
    } else if opposite.type == .link {
      if !pointsBack { fail("the opposite column does not point back") }
    } else if opposite.type != .mixed && opposite.type != .typedLink {
      fail("the opposite column has type \(opposite.type), which holds no links")
    }
  }
}
