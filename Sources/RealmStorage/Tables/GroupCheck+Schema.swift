// What the columns of a table say about each other and about other tables. F4.2-F4.7.

extension GroupCheck {
  func checkTables() {
    for slot in tables.indices {
      guard let table = tables[slot] else { continue }
      checker.place.table = table.name
      // What was not written is as it was: most commits change no schema.
      if isInFocus(table.description.key), checker.covers(table.description.specRef) { checkSchema(table) }
      checker.attempt("objects") { () throws(StorageError) in try checkObjects(slot) }
      (checker.place.column, checker.place.object) = ("", nil)
    }
    checker.place.table = ""
    // Which of them match can be told only of all there are.
    if checker.coversEverything { checkLinks() }
    for table in tables {
      guard let table, isInFocus(table.description.key), !deferred.contains(table.description.key) else { continue }
      checker.place.table = table.name
      for column in table.description.columns where !column.indexRef.isNull {
        checker.place.column = label(column)
        checker.attempt("index") { () throws(StorageError) in try checkIndex(table, column) }
      }
      checker.place.column = ""
    }
    checker.place.table = ""
  }

  func label(_ column: ColumnDescription) -> String {
    column.isPublic ? String(decoding: column.name, as: UTF8.self) : "(backlinks, leaf index \(column.leafIndex))"
  }

  func table(_ key: TableKey) -> CheckedTable? {
    guard key.slot < tables.count, let table = tables[key.slot], table.description.key == key else { return nil }
    return table
  }
  func column(_ table: TableKey, _ key: ColumnKey) -> ColumnDescription? {
    guard let table = self.table(table), let position = table.positionsByKey[key] else { return nil }
    return table.description.columns[position]
  }

  /// The rules of a schema:
  ///  1. names of tables and columns are there, not too long and not used twice;  2. the spec says of a column what its key says;
  ///  3. exactly marked columns and the primary key have an index, and its type may be indexed;
  ///  4. a link and its backlink column name each other;  5. an embedded table has no primary key.
  private func checkSchema(_ table: CheckedTable) {
    let description = table.description
    if description.name.isEmpty { checker.fail("the table in slot \(description.key.slot) has no name") }
    if description.name.count > 63 { checker.fail("the name is longer than 63 bytes") }
    var names: Set<[UInt8]> = []
    for (position, column) in description.columns.enumerated() {
      checker.place.column = label(column)
      if column.isPublic {
        if column.name.isEmpty { checker.fail("the name is empty") }
        if !names.insert(column.name).inserted { checker.fail("the name is used twice") }
      }
      checkColumnNumbers(column)
      checkIndexMarks(column, isPrimaryKey: position == description.primaryKeyPosition)
      checkOpposite(description, column)
    }
    checker.place.column = ""
    if description.kind == .embedded && description.primaryKeyPosition != nil { checker.fail("an embedded table has a primary key") }
  }

  private func checkColumnNumbers(_ column: ColumnDescription) {
    if (column.type == .backlink) == column.isPublic { checker.fail("backlink columns must follow all public columns") }
    // Files upgraded from formats below 24 keep 13 in the types array (F11).
    let specType = column.specTypeNumber == Int(ColumnType.legacyLinkList.rawValue) ? Int(ColumnType.link.rawValue) : column.specTypeNumber
    if specType != Int(column.type.rawValue) { checker.fail("the spec says type \(column.specTypeNumber), the column key \(column.key.typeNumber)") }
    let inSpec = column.specAttributes.rawValue & 0xFC
    var inKey = column.key.attributes
    if column.key.typeNumber == Int(ColumnType.legacyLinkList.rawValue) { inKey.insert(.list) }
    if inSpec != inKey.rawValue { checker.fail("the spec says attributes \(column.specAttributes.rawValue), the column key \(inKey.rawValue)") }
    if column.attributes.intersection(.collection).rawValue.nonzeroBitCount > 1 { checker.fail("it has more than one collection attribute") }
    if column.isDictionary {
      if checker.format < 21 { checker.fail("it is a dictionary, which format \(checker.format) does not have") }
      if column.keyTypeNumber != Int(ColumnType.string.rawValue) && !column.hasIntegerKeys {
        checker.fail("the dictionary's key type is \(column.keyTypeNumber)")
      }
    } else if column.keyTypeNumber != 0 {
      checker.fail("it has a key type but is no dictionary")
    }
  }

  private func checkIndexMarks(_ column: ColumnDescription, isPrimaryKey: Bool) {
    let isMarked = !column.specAttributes.isDisjoint(with: [.indexed, .fullTextIndexed])
    if isMarked && column.indexRef.isNull { checker.fail("it is marked as indexed but has no index") }
    if !column.indexRef.isNull && !isMarked && !isPrimaryKey {
      checker.note("it has an index without being marked as indexed, as after the original made it optional")
    }
    if !column.indexRef.isNull && !mayHaveIndex(column) { checker.fail("it has an index, which a property of this type cannot have") }
    guard isPrimaryKey else { return }
    if column.isCollection { checker.fail("the primary key is a collection") }
    if column.indexRef.isNull && checker.format >= 22 { checker.fail("the primary key has no search index") }
    switch column.type {
    case .int, .string, .objectID, .uuid: break
    default: checker.fail("the primary key has type \(column.type)")
    }
  }

  /// F9: the C++ API makes an index of the words of a list, too.
  private func mayHaveIndex(_ column: ColumnDescription) -> Bool {
    if column.specAttributes.contains(.fullTextIndexed) { return column.type == .string && !column.isCollection }
    return column.isCollection ? column.type == .string && column.isList : column.type.hasIndexes
  }

  /// F4.4: links and backlink columns point at each other.
  private func checkOpposite(_ description: TableDescription, _ column: ColumnDescription) {
    guard column.type == .link || column.type == .backlink else {
      if column.oppositeTable != .null || column.oppositeColumn != .null { checker.fail("it is no link but has an opposite column") }
      return
    }
    guard let target = table(column.oppositeTable) else {
      if !checker.coversEverything { return }
      return checker.fail("the opposite table \(column.oppositeTable.rawValue) does not exist")
    }
    if column.type == .link && target.description.kind == .asymmetric { checker.fail("its class is asymmetric, which nothing can link to") }
    guard let opposite = self.column(column.oppositeTable, column.oppositeColumn) else {
      let text = "the opposite column \(column.oppositeColumn.rawValue) does not exist"
      // Backlink columns of removed Mixed columns stay behind (F4.4).
      return column.type == .link ? checker.fail(text) : checker.note(text)
    }
    if column.type == .backlink && column.oppositeTable == description.key && column.leafIndex < opposite.leafIndex {
      checker.note("the links it belongs to have a later slot: the original may stop when it deletes an object that has one (F4.5)")
    }
    let pointsBack = opposite.oppositeTable == description.key && opposite.oppositeColumn == column.key
    if column.type == .link {
      if opposite.type != .backlink || !pointsBack { checker.fail("the opposite column does not point back") }
    } else if opposite.type == .link {
      if !pointsBack { checker.fail("the opposite column does not point back") }
    } else if opposite.type != .mixed && opposite.type != .typedLink {
      checker.fail("the opposite column has type \(opposite.type), which holds no links")
    }
  }
}
