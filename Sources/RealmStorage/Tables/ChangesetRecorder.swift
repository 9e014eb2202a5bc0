internal import Changesets

/// Writes down what a transaction does to a file that synchronises, as its peers will do it. Source: C4.
///
/// Told of every operation on data by those who log it, when it is done and links are right again unless said otherwise. Knows the values because
/// they can be read where they were stored. Classes that peers never see, those without the prefix `class_`, leave nothing.
package final class ChangesetRecorder {
  var changeset = Changeset()
  /// What was done to the schema and not written down yet: a class is written with its primary key, which is said after its columns were made.
  private var schemaChanges: [SchemaChange] = []
  /// While it is above 0 nothing is written down.
  private var suspensionCount = 0
  /// The values that are set now are those that the model gives new objects: they give way to every other one.
  package var setsDefaults = false
  /// What the server calls this file, for objects without primary key.
  let fileIdent: UInt64
  /// The object of the last instruction.
  private var lastObject: (link: ObjectLink, address: ObjectAddress)?

  private enum SchemaChange {
    case table(TableKey)
    case column(TableKey, ColumnKey)
  }

  init(fileIdent: UInt64) { self.fileIdent = fileIdent }

  /// The changeset as it is passed on; empty if there is no instruction.
  func finished(_ group: Group) throws(StorageError) -> [UInt8] {
    try flush(group)
    return changeset.encoded(.asRecorded)
  }

  /// Runs what happens to other files by itself, or what must not reach them.
  func suspended<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    suspensionCount += 1
    defer { suspensionCount -= 1 }
    return try body()
  }

  /// Whether what happens to objects of a table is written down.
  private func records(_ table: Table) -> Bool { suspensionCount == 0 && table.state.name.starts(with: Self.prefix) }

  private static let prefix = Array("class_".utf8)

  // MARK: Schema

  func didAdd(_ table: Table) { if records(table) { schemaChanges.append(.table(table.key)) } }

  func didAdd(_ column: ColumnKey, to table: Table) { if records(table) { schemaChanges.append(.column(table.key, column)) } }

  /// A class has its primary key, and is what it is, from the beginning.
  func willChangeKind(of table: Table) throws(StorageError) {
    guard records(table), !isNew(table) else { return }
    throw Self.impossible("the primary key and the kind of class '\(Self.text(table))' cannot change")
  }

  func willRename(_ table: Table) throws(StorageError) {
    if records(table) { throw Self.impossible("class '\(Self.text(table))' cannot be renamed") }
  }

  func willRenameColumn(of table: Table) throws(StorageError) {
    if records(table) { throw Self.impossible("properties of class '\(Self.text(table))' cannot be renamed or change whether they can be null") }
  }

  func willErase(_ table: Table) throws(StorageError) {
    guard records(table) else { return }
    try flush(table.group)
    changeset.append(.eraseTable(className(table)))
    lastObject = nil
  }

  func willErase(_ column: ColumnDescription, of table: Table) throws(StorageError) {
    guard records(table) else { return }
    try flush(table.group)
    changeset.append(.eraseColumn(className(table), field: changeset.intern(column.name[...])))
  }

  private func isNew(_ table: Table) -> Bool { schemaChanges.contains { if case .table(table.key) = $0 { true } else { false } } }

  private static func text(_ table: Table) -> String { String(decoding: table.state.name.dropFirst(prefix.count), as: UTF8.self) }

  private static func impossible(_ what: String) -> StorageError { .invalidArgument(reason: "\(what) in a file that synchronises") }

  /// Writes down what was done to the schema, before something else is.
  private func flush(_ group: Group) throws(StorageError) {
    if schemaChanges.isEmpty { return }
    let changes = schemaChanges
    schemaChanges = []
    for change in changes {
      switch change {
      case .table(let key):
        let table = try group.table(key)
        let name = className(table)
        changeset.append(.addTable(name, definition(of: table)))
      case .column(let key, let column):
        let table = try group.table(key)
        if table.state.primaryKey != column { try add(table.column(column), of: table) }
      }
    }
  }

  private func definition(of table: Table) -> ClassDefinition {
    switch table.kind {
    case .embedded: return ClassDefinition(kind: .embedded, primaryKey: nil)
    case .topLevel, .asymmetric:
      let kind: ClassKind = table.kind == .asymmetric ? .asymmetric : .topLevel
      guard let column = table.primaryKeyColumn else {
        return ClassDefinition(kind: kind, primaryKey: PrimaryKeyDefinition(field: changeset.intern(""), type: .globalKey, isNullable: false))
      }
      let field = changeset.intern(column.name[...])
      return ClassDefinition(
        kind: kind, primaryKey: PrimaryKeyDefinition(field: field, type: column.changesetType, isNullable: column.isNullable))
    }
  }

  private func add(_ column: ColumnDescription, of table: Table) throws(StorageError) {
    let (name, field) = (className(table), changeset.intern(column.name[...]))
    // The reference gives the strings of a property without target an empty one; it is of no use, but then our bytes are the same.
    let target = column.type == .link ? className(try table.group.table(column.oppositeTable)) : changeset.intern("")
    changeset.append(
      .addColumn(
        name, field: field,
        Changesets.ColumnDefinition(
          type: column.changesetType, isNullable: column.isNullable, collection: column.changesetCollection,
          target: column.type == .link ? target : nil, keyType: column.isDictionary ? .string : nil)))
  }

  // MARK: Objects

  func didCreate(_ key: ObjectKey, in table: Table) throws(StorageError) {
    guard records(table), table.kind != .embedded else { return }
    changeset.append(.createObject(try address(table, key)))
  }

  /// What an object is found by.
  enum Identity {
    case key(Value)
    case global(GlobalKey)
  }

  /// The name of an object that is about to go; nil if nobody needs to know.
  func identityBeforeRemoval(_ key: ObjectKey, in table: Table) throws(StorageError) -> Identity? {
    // Objects of asymmetric classes are only passed on: nobody has one that could go.
    guard records(table), table.kind == .topLevel else { return nil }
    return try identity(table, key)
  }

  func didRemove(_ identity: Identity, from table: Table) throws(StorageError) {
    try flush(table.group)
    changeset.append(.eraseObject(ObjectAddress(table: className(table), key: primaryKey(identity))))
    lastObject = nil
  }

  /// Whether a collection replaces one of the same kind that has elements. For others that one stays what it is, so that they have to be told to empty it.
  func empties(_ old: Value, _ new: Value) -> Bool {
    switch (old, new) {
    case (.list(let root), .list), (.dictionary(let root), .dictionary): !root.isNull
    default: false
    }
  }

  private func clear(_ place: Place, _ value: Payload) { changeset.append(.clear(copy(place), value == .list ? .list : .dictionary)) }

  /// - Parameter emptied: what `empties` said before.
  func didSet(_ table: Table, _ key: ObjectKey, _ columnKey: ColumnKey, emptied: Bool = false) throws(StorageError) {
    guard records(table), let place = try place(table, key, columnKey) else { return }
    let column = try table.column(columnKey)
    let value = try payload(table.value(key, columnKey), column, in: table)
    // The reference does not say that a new link leads nowhere.
    if setsDefaults, column.type == .link, value == .null { return }
    changeset.append(.update(place, value, isDefault: setsDefaults))
    if emptied { clear(place, value) }
  }

  /// - Parameter replacesOne: the property held another embedded object before.
  func didSetEmbedded(_ table: Table, _ key: ObjectKey, _ columnKey: ColumnKey, replacesOne: Bool) throws(StorageError) {
    guard records(table), let place = try place(table, key, columnKey) else { return }
    if replacesOne { changeset.append(.update(copy(place), .null, isDefault: false)) }
    changeset.append(.update(place, .objectValue, isDefault: false))
  }

  func didAdd(_ amount: Int64, to table: Table, _ key: ObjectKey, _ columnKey: ColumnKey) throws(StorageError) {
    guard records(table), let place = try place(table, key, columnKey) else { return }
    changeset.append(.addInteger(place, amount))
  }

  // MARK: Elements

  func didInsert(at index: Int, into collection: ObjectCollection) throws(StorageError) {
    guard records(collection.table) else { return }
    let place = try collection.place()
    let values = try collection.values(place)
    let value = try values.element(collection.space, index)
    switch place.kind {
    case .list:
      guard let element = try self.place(collection, .index(index)) else { return }
      let priorSize = UInt32(clamping: try values.count(collection.space) - 1)
      changeset.append(.arrayInsert(element, try payload(value, collection.column, in: collection.table), priorSize: priorSize))
    case .set:
      guard let set = try self.place(collection) else { return }
      changeset.append(.setInsert(set, try payload(value, collection.column, in: collection.table)))
    case .dictionary: try update(collection, at: index, value, emptied: false)
    }
  }

  func didSet(at index: Int, of collection: ObjectCollection, emptied: Bool) throws(StorageError) {
    guard records(collection.table) else { return }
    let place = try collection.place()
    let values = try collection.values(place)
    let value = try values.element(collection.space, index)
    if place.kind == .dictionary { return try update(collection, at: index, value, emptied: emptied) }
    guard let element = try self.place(collection, .index(index)) else { return }
    let size = UInt32(clamping: try values.count(collection.space))
    let new = try payload(value, collection.column, in: collection.table)
    if case .objectValue = new {
      changeset.append(.arrayErase(copy(element), priorSize: size))
      changeset.append(.arrayInsert(element, new, priorSize: size - 1))
    } else {
      changeset.append(.updateElement(element, new, priorSize: size))
      if emptied { clear(element, new) }
    }
  }

  private func update(_ collection: ObjectCollection, at index: Int, _ value: Value, emptied: Bool) throws(StorageError) {
    guard let entry = try place(collection, .key(collection.key(at: index))) else { return }
    let new = try payload(value, collection.column, in: collection.table)
    changeset.append(.update(entry, new, isDefault: false))
    if emptied { clear(entry, new) }
  }

  /// Comes before the element goes.
  func willRemove(at index: Int, of collection: ObjectCollection) throws(StorageError) {
    guard records(collection.table) else { return }
    let place = try collection.place()
    let values = try collection.values(place)
    switch place.kind {
    case .list: try willRemove(at: index, of: collection, size: values.count(collection.space))
    case .set:
      guard let set = try self.place(collection) else { return }
      changeset.append(.setErase(set, try payload(values.element(collection.space, index), collection.column, in: collection.table)))
    case .dictionary:
      guard let entry = try self.place(collection, .key(collection.key(at: index))) else { return }
      changeset.append(.update(entry, .erased, isDefault: false))
    }
  }

  /// Of a list that has `size` elements when this one goes.
  func willRemove(at index: Int, of collection: ObjectCollection, size: Int) throws(StorageError) {
    guard records(collection.table), let element = try place(collection, .index(index)) else { return }
    changeset.append(.arrayErase(element, priorSize: UInt32(clamping: size)))
  }

  func didMove(from: Int, to: Int, in collection: ObjectCollection) throws(StorageError) {
    guard records(collection.table), let element = try place(collection, .index(from)) else { return }
    changeset.append(.arrayMove(element, to: UInt32(clamping: to), priorSize: UInt32(clamping: try collection.count())))
  }

  func didClear(_ collection: ObjectCollection) throws(StorageError) {
    guard records(collection.table), let place = try place(collection) else { return }
    let kind: Changesets.CollectionKind =
      switch try collection.kind() {
      case .list: .list
      case .set: .set
      case .dictionary: .dictionary
      }
    changeset.append(.clear(place, kind))
  }

  // MARK: Places

  /// An object that is not embedded.
  private func address(_ table: Table, _ key: ObjectKey) throws(StorageError) -> ObjectAddress {
    let link = ObjectLink(table: table.key, key: key)
    if let lastObject, lastObject.link == link, schemaChanges.isEmpty { return lastObject.address }
    try flush(table.group)
    let address = ObjectAddress(table: className(table), key: primaryKey(try identity(table, key)))
    lastObject = (link, address)
    return address
  }

  private func identity(_ table: Table, _ key: ObjectKey) throws(StorageError) -> Identity {
    if let column = table.primaryKeyColumn { return .key(try table.value(key, column.key)) }
    return .global(GlobalKey(squeezed: key.isUnresolved ? key.unresolved : key, fileIdent: fileIdent))
  }

  private func primaryKey(_ identity: Identity) -> PrimaryKey {
    switch identity {
    case .global(let key): .globalKey(high: Int64(bitPattern: key.high), low: Int64(bitPattern: key.low))
    case .key(.int(let number)): .int(number)
    case .key(.string(let bytes)): .string(changeset.intern(bytes[...]))
    case .key(.objectID(let id)): .objectID(UInt128(id.high) << 32 | UInt128(id.low))
    case .key(.uuid(let uuid)): .uuid(UInt128(uuid.high) << 64 | UInt128(uuid.low))
    case .key: .null
    }
  }

  /// One step of a path, before its string is in the table of strings.
  private enum Step {
    case index(Int)
    case key([UInt8])
  }

  /// A property; nil if it belongs to an embedded object without owner, which nobody can address.
  private func place(_ table: Table, _ key: ObjectKey, _ columnKey: ColumnKey) throws(StorageError) -> Place? {
    try place(table, key, table.column(columnKey), below: [])
  }

  /// A collection, or with `element` something in it.
  private func place(_ collection: ObjectCollection, _ element: Step? = nil) throws(StorageError) -> Place? {
    var path: [Step] = []
    if let element { path.append(element) }
    for depth in collection.path.indices.reversed() {
      let step = collection.path[depth]
      switch step {
      case .index(let index): path.append(.index(index))
      case .key(let key), .entry(let key, _): path.append(.key(key))
      case .identity:
        let parent = ObjectCollection(
          table: collection.table, object: collection.object, column: collection.column, path: Array(collection.path[..<depth]))
        path.append(.index(try parent.locate(step, in: parent.place()).1))
      }
    }
    return try place(collection.table, collection.object, collection.column, below: path)
  }

  /// - Parameter steps: from the inside out, below the property.
  private func place(
    _ table: Table, _ key: ObjectKey, _ column: ColumnDescription, below steps: [Step]
  ) throws(StorageError) -> Place? {
    try flush(table.group)
    // Strings are put into the table in the order of the reference: the class that is changed, then from the outside in.
    _ = className(table)
    var (table, key, column, path) = (table, key, column, steps)
    for _ in 0..<Self.depthLimit {
      guard table.kind == .embedded else {
        let address = try address(table, key)
        let field = changeset.intern(column.name[...])
        let elements = path.reversed().map { step -> PathElement in
          switch step {
          case .index(let index): .index(UInt32(clamping: index))
          case .key(let name): .key(changeset.intern(name[...]))
          }
        }
        return Place(object: address, field: field, path: changeset.add(path: elements))
      }
      path.append(.key(column.name))
      guard let owner = try table.owner(of: key) else { return nil }
      if let step = try owner.step(to: ObjectLink(table: table.key, key: key)) {
        switch step {
        case .key(let name), .entry(let name, _): path.append(.key(name))
        case .index(let index): path.append(.index(index))
        case .identity: return nil
        }
      }
      (table, key, column) = (owner.table, owner.object, owner.column)
    }
    throw .invalidArgument(reason: "embedded objects are nested too deeply to be synchronised")
  }

  private static let depthLimit = 1000

  /// Instructions do not share paths.
  private func copy(_ place: Place) -> Place {
    Place(object: place.object, field: place.field, path: changeset.add(path: Array(changeset.elements(place.path))))
  }

  private func className(_ table: Table) -> StringIndex { changeset.intern(table.state.name.dropFirst(Self.prefix.count)) }

  // MARK: Values

  private func payload(_ value: Value, _ column: ColumnDescription, in table: Table) throws(StorageError) -> Payload {
    switch value {
    case .null: .null
    case .int(let number): .int(number)
    case .bool(let flag): .bool(flag)
    case .string(let bytes): .string(changeset.add(bytes[...]))
    case .binary(let bytes): .binary(changeset.add(bytes[...]))
    case .timestamp(let time): .timestamp(seconds: time.seconds, nanoseconds: Int64(time.nanoseconds))
    case .float(let number): .float(number.bitPattern)
    case .double(let number): .double(number.bitPattern)
    case .decimal(let number): .decimal(DecimalBits(bits: UInt128(number.high) << 64 | UInt128(number.low)))
    case .objectID(let id): .objectID(UInt128(id.high) << 32 | UInt128(id.low))
    case .uuid(let uuid): .uuid(UInt128(uuid.high) << 64 | UInt128(uuid.low))
    case .link(let key): try link(ObjectLink(table: column.oppositeTable, key: key), in: table.group)
    case .typedLink(let target): try link(target, in: table.group)
    case .list: .list
    case .dictionary: .dictionary
    }
  }

  private func link(_ link: ObjectLink, in group: Group) throws(StorageError) -> Payload {
    let target = try group.table(link.table)
    if target.kind == .embedded { return .objectValue }
    return .link(className(target), primaryKey(try identity(target, link.key)))
  }
}
