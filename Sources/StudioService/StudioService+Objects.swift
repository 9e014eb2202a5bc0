import RealmInspection
import RealmQuery
import RealmStorage

// Classes, their objects, one object.

extension StudioService {
  /// What the page has to know before it can ask anything else.
  func describeFile() throws -> StudioJSON {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if isLocked { return ["path": .text(path), "name": .text(name), "locked": true] }
    let live = try live()
    let opened = try live.opened()
    let snapshot = try live.current()
    let group = try snapshot.openGroup()
    let index = TableIndex(opened.tables)
    var classes: [StudioJSON] = []
    for table in opened.tables where SchemaText.isClass(table.name) { classes.append(try describe(table, group, index)) }
    return [
      "path": .text(path), "name": .text(name), "locked": false, "format": StudioJSON(opened.format), "version": StudioJSON(snapshot.version),
      "encrypted": .bool(encryptionKey != nil), "writable": .bool(live.isWritable), "readOnly": .bool(isReadOnly),
      "readOnlyReason": StudioJSON(live.readOnlyReason), "needsUpgrade": .bool(live.needsUpgrade), "classes": .array(classes),
    ]
  }

  private func describe(_ table: TableDescription, _ group: Group, _ index: TableIndex) throws(StorageError) -> StudioJSON {
    var properties: [StudioJSON] = []
    for column in table.publicColumns {
      let target = column.type == .link ? index.table(column.oppositeTable) : nil
      let isKey = column.key == table.primaryKeyColumn?.key
      properties.append([
        "name": .text(SchemaNames.text(column.name)), "type": .text(TypeWords.word(column.type)), "optional": .bool(column.isNullable),
        "collection": StudioJSON(column.isList ? "list" : column.isSet ? "set" : column.isDictionary ? "dictionary" : nil),
        "target": StudioJSON(target.map { SchemaText.className($0.name) }), "embedded": .bool(target?.kind == .embedded),
        "primaryKey": .bool(isKey), "indexed": .bool(column.attributes.contains(.indexed) || isKey),
        "fulltext": .bool(column.specAttributes.contains(.fullTextIndexed)),
      ])
    }
    return [
      "name": .text(SchemaText.className(table.name)),
      "kind": .text(table.kind == .embedded ? "embedded" : table.kind == .asymmetric ? "asymmetric" : "class"),
      "count": StudioJSON(try group.table(table.key).count()), "properties": .array(properties),
    ]
  }

  // MARK: Rows

  private static let rowLimit = 500

  /// What a request selects: `class`, `q`, `sort`, `desc`.
  static func selection(_ query: [String: String]) throws(StudioProblem) -> ResultCache.Key {
    var text = query["q"] ?? ""
    while text.last?.isWhitespace == true { text.removeLast() }
    let sort = query["sort"].flatMap { $0.isEmpty ? nil : $0 }
    return ResultCache.Key(
      className: try self.text("class", query), text: text == "TRUEPREDICATE" ? "" : text, sort: sort, isAscending: query["desc"] != "1")
  }

  /// The objects of a selection, in order.
  enum Selected {
    case all(Table)
    case keys(KeySequence)

    func count() throws(StorageError) -> Int {
      switch self {
      case .all(let table): try table.count()
      case .keys(let keys): keys.count
      }
    }
    func key(at position: Int) throws(StorageError) -> ObjectKey {
      switch self {
      case .all(let table): try table.key(at: position)
      case .keys(let keys): keys[position]
      }
    }
  }

  func select(_ selection: ResultCache.Key, _ live: LiveFile, _ snapshot: Snapshot, _ group: Group) throws -> (Table, Selected) {
    let table = try Self.table(selection.className, group)
    if selection.text.isEmpty && selection.sort == nil { return (table, .all(table)) }
    if let known = live.results.withLock({ $0.keys(selection, at: snapshot.version) }) { return (table, .keys(known)) }
    guard let plan = try ResultCache.plan(selection, in: group) else { throw StudioProblem("There is no such class.", status: 404) }
    let keys = try plan.keys()
    let facts = ResultCache.Facts(plan)
    live.results.withLock { $0.keep(keys, facts, for: selection, at: snapshot.version) }
    return (table, .keys(keys))
  }

  /// A window of a selection.
  func rows(_ query: [String: String]) throws -> StudioJSON {
    let clock = ContinuousClock.now
    let live = try live()
    let snapshot = try live.current()
    let group = try snapshot.openGroup()
    let (table, selected) = try select(Self.selection(query), live, snapshot, group)
    let total = try selected.count()
    let start = min(try Self.number("from", query, default: 0), total)
    let end = min(total, start + min(Self.rowLimit, try Self.number("count", query, default: 100)))
    let hidden = Set((query["hide"] ?? "").split(separator: "\u{1F}").map { ExactName(String($0)) })
    let printer = CellPrinter(group)
    var rows: [StudioJSON] = []
    for position in start..<end {
      let row = try table.row(selected.key(at: position))
      var cells: [StudioJSON] = [StudioJSON(row.key)]
      for column in table.publicColumns {
        cells.append(hidden.contains(ExactName(SchemaNames.text(column.name))) ? .null : try printer.cell(table, row, column))
      }
      rows.append(.array(cells))
    }
    withExtendedLifetime(snapshot) {}
    return [
      "version": StudioJSON(snapshot.version), "total": StudioJSON(total), "from": StudioJSON(start), "rows": .array(rows),
      "milliseconds": .fraction(Self.milliseconds(since: clock)),
    ]
  }

  static func milliseconds(since clock: ContinuousClock.Instant) -> Double {
    let components = clock.duration(to: .now).components
    return (Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 * 100).rounded() / 100
  }

  // MARK: One object

  /// How much of an object is shown at once.
  private enum Limit {
    static let text = 100_000
    static let elements = 100
    static let json = 1 << 18
    static let origins = 20
  }

  func object(_ query: [String: String]) throws -> StudioJSON {
    let live = try live()
    let snapshot = try live.current()
    let group = try snapshot.openGroup()
    let table = try Self.table(Self.text("class", query), group)
    let key = try Self.key(query)
    let row = try table.row(key)
    let printer = CellPrinter(group, textLimit: Limit.text)
    let opened = try OpenFile(live.database, at: snapshot)
    let texts = try texts(of: key, table, opened)
    var properties: [StudioJSON] = []
    for (column, text) in zip(table.publicColumns, texts) {
      var members: [(name: String, value: StudioJSON)] = [
        ("name", .text(SchemaNames.text(column.name))), ("cell", try printer.cell(table, row, column)),
        ("json", text.count > Limit.json ? .null : .text(String(decoding: text, as: UTF8.self))),
      ]
      if try column.isCollection || holdsCollection(row, column) {
        let collection = try table.collection(key, column.key)
        members.append(("elements", .array(try printer.elements(collection, column, from: 0, limit: Limit.elements))))
      }
      properties.append(.object(members))
    }
    return [
      "class": .text(SchemaText.className(table.state.name)), "key": StudioJSON(key), "title": .text(try printer.name(of: key, in: table)),
      "version": StudioJSON(snapshot.version), "properties": .array(properties), "links": .array(try origins(of: key, table, group)),
    ]
  }

  /// The plain JSON of each property.
  func texts(of key: ObjectKey, _ table: Table, _ opened: OpenFile) throws(StorageError) -> [[UInt8]] {
    guard let description = opened.tables.first(where: { $0.key == table.key }) else { throw .noSuchObject(key: key) }
    return try PlainPrinter(Exporter(opened, digestLimit: nil, to: MemorySink())).object(key, description).fields
  }

  private func holdsCollection(_ row: Row, _ column: ColumnDescription) throws(StorageError) -> Bool {
    guard column.type == .mixed else { return false }
    switch try row.value(column) {
    case .list, .dictionary: return true
    default: return false
    }
  }

  /// Who links here.
  private func origins(of key: ObjectKey, _ table: Table, _ group: Group) throws(StorageError) -> [StudioJSON] {
    let printer = CellPrinter(group)
    var origins: [StudioJSON] = []
    for column in table.backlinkColumns {
      let count = try table.backlinkCount(key, column.key)
      if count == 0 { continue }
      let origin = try group.table(column.oppositeTable)
      let keys = try table.backlinks(key, column.key).prefix(Limit.origins)
      var shown: [StudioJSON] = []
      for origin in keys { shown.append(try printer.link(origin, column.oppositeTable)) }
      origins.append([
        "class": .text(SchemaText.className(origin.state.name)),
        "property": .text(SchemaNames.text(try origin.column(column.oppositeColumn).name)), "count": StudioJSON(count), "objects": .array(shown),
      ])
    }
    return origins
  }

  /// More of a collection.
  func elements(_ query: [String: String]) throws -> StudioJSON {
    let live = try live()
    let snapshot = try live.current()
    let group = try snapshot.openGroup()
    let table = try Self.table(Self.text("class", query), group)
    let column = try table.column(named: Self.text("property", query))
    let collection = try table.collection(Self.key(query), column.key)
    let start = try Self.number("from", query, default: 0)
    let limit = min(Self.rowLimit, try Self.number("count", query, default: Limit.elements))
    let elements = try CellPrinter(group, textLimit: Limit.text).elements(collection, column, from: start, limit: limit)
    withExtendedLifetime(snapshot) {}
    return ["count": StudioJSON(try collection.count()), "from": StudioJSON(start), "elements": .array(elements)]
  }

  /// The bytes of a data property: a picture as such, everything else to be saved.
  func blob(_ query: [String: String]) throws -> StudioAnswer {
    let live = try live()
    let snapshot = try live.current()
    let table = try Self.table(Self.text("class", query), snapshot.openGroup())
    let column = try table.column(named: Self.text("property", query))
    var value = column.isCollection ? Value.null : try table.value(Self.key(query), column.key)
    if let place = query["index"].flatMap({ Int($0) }), column.isCollection {
      value = try table.collection(Self.key(query), column.key).value(at: place)
    }
    withExtendedLifetime(snapshot) {}
    guard case .binary(let bytes) = value else { throw StudioProblem("There is no data there.", status: 404) }
    let picture = CellPrinter.pictureType(bytes)
    return StudioAnswer(
      body: .bytes(bytes), contentType: picture ?? "application/octet-stream", downloadName: picture == nil || query["save"] == "1" ? "data.bin" : nil
    )
  }
}
