import RealmStorage

/// What a file says about its classes: as JSON, for people, and as Swift source.
package enum SchemaText {
  /// The fields of a column in exports and schemas, without braces.
  static func appendColumn(_ column: ColumnDescription, isPrimaryKey: Bool, _ index: TableIndex, to output: inout [UInt8]) {
    func add(_ text: String) { output.append(contentsOf: text.utf8) }
    add("\"name\":")
    CanonicalJSON.appendString(SchemaNames.repaired(column.name), to: &output)
    add(",\"type\":\"\(SchemaNames.type(column.type))\"")
    if column.isNullable { add(",\"nullable\":true") }
    if column.isList {
      add(",\"collection\":\"list\"")
    } else if column.isSet {
      add(",\"collection\":\"set\"")
    } else if column.isDictionary {
      let keyType = UInt8(exactly: column.keyTypeNumber).flatMap { ColumnType(rawValue: $0) }
      add(",\"collection\":\"dictionary\",\"keyType\":" + (keyType.map { "\"\(SchemaNames.type($0))\"" } ?? "\(column.keyTypeNumber)"))
    }
    if column.type == .link {
      add(",\"target\":")
      if let name = index.name(column.oppositeTable) { CanonicalJSON.appendString(name, to: &output) } else { add("null") }
    }
    if isPrimaryKey { add(",\"primaryKey\":true") }
    if column.attributes.contains(.indexed) { add(",\"indexed\":true") }
    if column.specAttributes.contains(.fullTextIndexed) { add(",\"fulltext\":true") }
    if !column.enumKeysRef.isNull { add(",\"enumerated\":true") }
  }

  /// Equal, as JSON, to what `realm_inspect.py schema` prints.
  package static func json(_ file: OpenFile) -> [UInt8] {
    var output: [UInt8] = []
    func add(_ text: String) { output.append(contentsOf: text.utf8) }
    guard let group = file.group else { return Array("{\"fileFormat\":\(file.format),\"tables\":[]}\n".utf8) }
    let index = TableIndex(file.tables)
    let history = SchemaNames.historyType(group.historyType).map { "\"\($0)\"" } ?? "\(group.historyType)"
    add("{\n \"fileFormat\": \(file.format),\n \"streamingForm\": \(file.isStreaming),\n \"version\": \(group.storedVersion ?? 0),\n")
    add(" \"historyType\": \(history),\n \"historySchemaVersion\": \(group.historySchemaVersion),\n \"tables\": [")
    var next = 0
    for slot in 0..<group.tableSlotCount {
      add(slot > 0 ? ",\n  " : "\n  ")
      if case .free(let tag) = group.tableSlot(slot) {
        add("{\"free\":true,\"nextTag\":\(tag.map(String.init) ?? "null")}")
        continue
      }
      appendTable(file.tables[next], index, to: &output)
      next += 1
    }
    add("\n ]\n}\n")
    return output
  }

  private static func appendTable(_ table: TableDescription, _ index: TableIndex, to output: inout [UInt8]) {
    func add(_ text: String) { output.append(contentsOf: text.utf8) }
    add("{\"name\":")
    CanonicalJSON.appendString(SchemaNames.repaired(table.name), to: &output)
    add(",\"key\":\(table.key.rawValue),\"type\":\"\(SchemaNames.kind(table.kind))\"")
    if let column = table.primaryKeyColumn {
      add(",\"primaryKey\":")
      CanonicalJSON.appendString(SchemaNames.repaired(column.name), to: &output)
    }
    add(",\"columns\":[")
    for (position, column) in table.columns.enumerated() {
      add(position > 0 ? ",\n   {" : "\n   {")
      appendColumn(column, isPrimaryKey: position == table.primaryKeyPosition, index, to: &output)
      // As the format numbers them: formats below 24 have link lists with a type of their own.
      add(",\"columnKey\":\"0x\(String(column.key.rawValue, radix: 16))\",\"leafIndex\":\(column.leafIndex),\"tag\":\(column.key.tag)")
      if !column.isPublic {
        let table = index.table(column.oppositeTable).map { SchemaNames.text($0.name) } ?? "?"
        let origin = index.column(column.oppositeTable, column.oppositeColumn).map { SchemaNames.text($0.name) } ?? "?"
        add(",\"origin\":")
        CanonicalJSON.appendString(Array("\(table).\(origin)".utf8), to: &output)
      }
      add("}")
    }
    add("]}")
  }

  // MARK: For people

  /// One block per class: its properties with types, keys and indexes.
  /// - Parameter classNames: those to print; nil for all.
  package static func readable(_ file: OpenFile, classNames: Set<ExactName>? = nil) -> String {
    let index = TableIndex(file.tables)
    var text = ""
    for table in file.classes where classNames?.contains(ExactName(className(table.name))) ?? true {
      var head = TableName(table.name).title
      if table.kind == .embedded { head += " (embedded)" }
      if table.kind == .asymmetric { head += " (asymmetric)" }
      text += text.isEmpty ? "" : "\n"
      text += head + "\n"
      let rows = table.publicColumns.enumerated().map { position, column in
        (SchemaNames.text(column.name), SwiftSource.type(column, index), marks(column, isPrimaryKey: position == table.primaryKeyPosition))
      }
      let width = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
      let typeWidth = rows.map { DisplayWidth.of($0.1) }.max() ?? 0
      for row in rows {
        let name = DisplayWidth.fit(row.0, width)
        let type = row.2.isEmpty ? row.1 : DisplayWidth.fit(row.1, typeWidth)
        text += "  \(name)  \(type)" + (row.2.isEmpty ? "" : "  \(row.2)") + "\n"
      }
      for column in table.columns where !column.isPublic {
        guard let origin = index.table(column.oppositeTable),
          let source = index.column(column.oppositeTable, column.oppositeColumn)
        else { continue }
        text += "  (linked from \(className(origin.name)).\(SchemaNames.text(source.name)))\n"
      }
    }
    return text
  }

  private static func marks(_ column: ColumnDescription, isPrimaryKey: Bool) -> String {
    var marks: [String] = []
    if isPrimaryKey { marks.append("primary key") }
    if column.attributes.contains(.indexed) { marks.append("indexed") }
    if column.specAttributes.contains(.fullTextIndexed) { marks.append("full-text index") }
    return marks.joined(separator: ", ")
  }

  static let classPrefix = Array("class_".utf8)
  package static func isClass(_ name: [UInt8]) -> Bool { name.starts(with: classPrefix) }
  /// The name of the model class, or of the table if it is none.
  package static func className(_ name: [UInt8]) -> String {
    SchemaNames.text(isClass(name) ? Array(name.dropFirst(classPrefix.count)) : name)
  }
}
