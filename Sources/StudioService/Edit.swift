import RealmInspection
import RealmQuery
import RealmStorage

/// An object before and after an edit: the JSON of the properties that matter, or nil where the object does not exist.
struct ObjectChange: Sendable {
  let className: String
  let key: ObjectKey
  let before: [ExactName: [UInt8]]?
  let after: [ExactName: [UInt8]]?

  var reversed: ObjectChange { ObjectChange(className: className, key: key, before: after, after: before) }
}

/// One transaction of this session, as what it changed, so that it can be taken back and done again.
struct Edit: Sendable {
  let title: String
  let changes: [ObjectChange]

  var reversed: Edit { Edit(title: title, changes: changes.map(\.reversed)) }
}

/// What can be taken back, and what of that can be done again.
final class UndoHistory: Sendable {
  private struct State {
    var done: [Edit] = []
    var undone: [Edit] = []
  }
  private let state = Locked(State())
  private static let limit = 200

  func add(_ edit: Edit) {
    state.withLock { state in
      state.done.append(edit)
      state.undone = []
      if state.done.count > Self.limit { state.done.removeFirst() }
    }
  }

  /// An edit that cannot be taken back: nor can those before it, which may rely on it.
  func forget() { state.withLock { $0 = State() } }

  var last: Edit? { state.withLock { $0.done.last } }
  var next: Edit? { state.withLock { $0.undone.last } }
  func didUndo() { state.withLock { state in if let edit = state.done.popLast() { state.undone.append(edit) } } }
  func didRedo() { state.withLock { state in if let edit = state.undone.popLast() { state.done.append(edit) } } }

  var description: StudioJSON {
    state.withLock { state in
      [
        "undo": StudioJSON(state.done.last?.title), "redo": StudioJSON(state.undone.last?.title), "count": StudioJSON(state.done.count),
        "titles": .array(state.done.suffix(50).map { .text($0.title) }),
      ]
    }
  }
}

/// A transaction that notes what it changes.
final class Editor {
  let group: Group
  private let base: OpenFile
  private let printer: PlainPrinter
  private var touched: [Touched] = []
  private var places: [Place: Int] = [:]

  private struct Place: Hashable {
    let table: TableKey
    let key: ObjectKey
  }
  private struct Touched {
    let className: String
    let table: TableKey
    let key: ObjectKey
    var before: [ExactName: [UInt8]]?
    /// Nil for all.
    var names: Set<ExactName>?
  }

  /// Edits with more objects cannot be taken back.
  static let limit = 20_000
  /// Nor can such with longer texts.
  private static let byteLimit = 64 << 20
  private var byteCount = 0
  var isTooLong: Bool { touched.count > Self.limit || byteCount > Self.byteLimit }

  /// - Parameter base: the version that the transaction began with.
  init(_ group: Group, base: OpenFile) {
    (self.group, self.base) = (group, base)
    printer = PlainPrinter(Exporter(base, digestLimit: nil, to: MemorySink()))
  }

  /// Whether an object was there when the transaction began.
  func existed(_ table: Table, _ key: ObjectKey) throws(StorageError) -> Bool {
    guard let description = base.tables.first(where: { $0.key == table.key }) else { return false }
    return try ClusterTree.find(base.space, description.clusterRoot, key) != nil
  }

  // MARK: Noting

  /// To be called before properties of an object are set.
  func willChange(_ table: Table, _ key: ObjectKey, _ names: Set<ExactName>) throws(StorageError) {
    if isTooLong { return }
    if let index = places[Place(table: table.key, key: key)] {
      if let known = touched[index].names {
        for name in names.subtracting(known) { touched[index].before?[name] = try Self.texts(key, table.key, [name], base, printer)?[name] }
        touched[index].names = known.union(names)
      }
      return
    }
    note(table, key, before: try Self.texts(key, table.key, names, base, printer), names)
  }

  /// To be called before an object is deleted, with those that link to it.
  func willDelete(_ table: Table, _ key: ObjectKey) throws(StorageError) {
    for column in table.backlinkColumns {
      let origin = try group.table(column.oppositeTable)
      let name = SchemaNames.text(try origin.column(column.oppositeColumn).name)
      for source in try table.backlinks(key, column.key) where !isTooLong {
        guard let place = try origin.writtenPlace(source, name) else { continue }
        try willChange(place.table, place.key, [ExactName(place.property)])
      }
    }
    if isTooLong { return }
    let before = try Self.texts(key, table.key, nil, base, printer)
    if let index = places[Place(table: table.key, key: key)] {
      (touched[index].before, touched[index].names) = (before, nil)
    } else {
      note(table, key, before: before, nil)
    }
  }

  func didCreate(_ table: Table, _ key: ObjectKey) { note(table, key, before: nil, nil) }

  private func note(_ table: Table, _ key: ObjectKey, before: [ExactName: [UInt8]]?, _ names: Set<ExactName>?) {
    byteCount += before?.values.reduce(0) { $0 + $1.count } ?? 0
    places[Place(table: table.key, key: key)] = touched.count
    touched.append(Touched(className: SchemaText.className(table.state.name), table: table.key, key: key, before: before, names: names))
  }

  /// What became of everything that was noted; nil if it cannot be taken back.
  /// - Parameter result: the version that the transaction made.
  func edit(_ title: String, in result: OpenFile) throws(StorageError) -> Edit? {
    if isTooLong { return nil }
    let printer = PlainPrinter(Exporter(result, digestLimit: nil, to: MemorySink()))
    var changes: [ObjectChange] = []
    for object in touched {
      let after = try Self.texts(object.key, object.table, object.names, result, printer)
      changes.append(ObjectChange(className: object.className, key: object.key, before: object.before, after: after))
    }
    return Edit(title: title, changes: changes)
  }

  /// The plain JSON of properties; nil if there is no such object.
  private static func texts(
    _ key: ObjectKey, _ table: TableKey, _ names: Set<ExactName>?, _ file: OpenFile, _ printer: PlainPrinter
  ) throws(StorageError) -> [ExactName: [UInt8]]? {
    guard let description = file.tables.first(where: { $0.key == table }),
      try ClusterTree.find(file.space, description.clusterRoot, key) != nil
    else { return nil }
    var texts: [ExactName: [UInt8]] = [:]
    for (column, text) in zip(description.publicColumns, try printer.object(key, description).fields) {
      let name = ExactName(SchemaNames.text(column.name))
      if names?.contains(name) ?? true { texts[name] = text }
    }
    return texts
  }

  // MARK: Applying

  /// Brings objects to what they are after the changes of an edit.
  /// - Throws: `StudioProblem` if any is not what it was before: somebody else has changed it since.
  func apply(_ edit: Edit) throws {
    var tables: [ExactName: Table] = [:]
    for change in edit.changes {
      let table: Table
      if let known = tables[ExactName(change.className)] { table = known } else { table = try StudioService.table(change.className, group) }
      tables[ExactName(change.className)] = table
      let names = change.before.map { Set($0.keys) }
      guard try Self.texts(change.key, table.key, names, base, printer) == change.before else {
        throw StudioProblem(
          "'\(edit.title)' cannot be done: somebody else has changed \(change.className) #\(change.key.rawValue) since.", status: 409,
          details: [("conflict", true), ("class", .text(change.className)), ("key", StudioJSON(change.key))])
      }
    }
    try checkLinks(edit, tables)
    for change in edit.changes where change.before == nil { try create(change, tables[ExactName(change.className)]!) }
    for change in edit.changes where change.after == nil { try tables[ExactName(change.className)]!.remove(change.key) }
    let preparation = Preparation(group)
    for change in edit.changes {
      guard let after = change.after else { continue }
      let table = tables[ExactName(change.className)]!
      var members: [(name: String, value: ImportValue)] = []
      for (name, text) in after {
        guard let value = ImportValue(json: text) else { throw StudioProblem("'\(name.text)' cannot be restored.") }
        members.append((MemberName.of(name.text), value))
      }
      try table.store(change.key, preparation.fields(members, of: table))
    }
  }

  /// A property of an object.
  private struct PropertyPlace: Hashable {
    let place: Place
    let name: ExactName
  }

  /// - Throws: `StudioProblem` if anything links to an object that is to go which did not before: such a link would be lost.
  private func checkLinks(_ edit: Edit, _ tables: [ExactName: Table]) throws {
    if edit.changes.allSatisfy({ $0.after != nil }) { return }
    var known: Set<PropertyPlace> = []
    for change in edit.changes {
      let place = Place(table: tables[ExactName(change.className)]!.key, key: change.key)
      for name in (change.before ?? [:]).keys { known.insert(PropertyPlace(place: place, name: name)) }
    }
    for change in edit.changes where change.after == nil && change.before != nil {
      let table = tables[ExactName(change.className)]!
      for column in table.backlinkColumns {
        let origin = try group.table(column.oppositeTable)
        let name = SchemaNames.text(try origin.column(column.oppositeColumn).name)
        for source in try table.backlinks(change.key, column.key) {
          guard let place = try origin.writtenPlace(source, name) else { continue }
          if known.contains(PropertyPlace(place: Place(table: place.table.key, key: place.key), name: ExactName(place.property))) { continue }
          throw StudioProblem(
            "'\(edit.title)' cannot be done: somebody else has linked \(SchemaText.className(place.table.state.name)) #\(place.key.rawValue) "
              + "to \(change.className) #\(change.key.rawValue) since.", status: 409,
            details: [("conflict", true), ("class", .text(change.className)), ("key", StudioJSON(change.key))])
        }
      }
    }
  }

  private func create(_ change: ObjectChange, _ table: Table) throws {
    guard let column = table.primaryKeyColumn else { return try table.createObject(withKey: change.key) }
    guard let text = change.after?[ExactName(SchemaNames.text(column.name))], let written = ImportValue(json: text),
      case .value(let key) = try Preparation(group).prepare(written, column)
    else { throw StudioProblem("The primary key of \(change.className) #\(change.key.rawValue) cannot be restored.") }
    try table.createObject(withKey: change.key, primaryKey: key)
  }
}
