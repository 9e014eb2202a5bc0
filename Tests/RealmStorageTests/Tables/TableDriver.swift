import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Drives an engine beside a model with random operations; equal seeds do equal things.
final class TableDriver {
  let host: TableHost
  var values: RandomValues
  var model = TableModel()
  /// The model at the last commit, for judging the log.
  var committed = TableModel()
  var tableOrder: [TableKey] = []
  var nameCount = 0
  /// What the last operation was, for messages.
  var lastOperation = "nothing"
  let limits: Limits

  struct Limits {
    var objects = 60
    var elements = 40
    var tables = 7
    var columns = 24
    var changesSchema = true
    /// Percent of the operations before which others are done and taken back.
    var takenBack = 0
  }

  init(_ host: TableHost, seed: UInt64, limits: Limits = Limits()) {
    (self.host, self.limits) = (host, limits)
    values = RandomValues(random: SeededGenerator(seed: seed))
  }

  var group: Group { host.group }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  // MARK: Running

  /// - Parameter operations: between two commits.
  func run(commits: Int, operations: Int, independentEvery: Int) throws {
    for commit in 1...commits {
      for index in 0..<operations {
        do {
          if values.chance(limits.takenBack) { try operationsThatAreTakenBack() }
          try operation()
          if stepsSingly || index % 16 == 0 { try group.check() }
          if stepsSingly { try TableComparison(group: group, model: model, indexStride: 1).run() }
        } catch {
          throw Failure(description: "commit \(commit), operation \(index), \(lastOperation): \(error)")
        }
      }
      try compare("before commit \(commit)")
      try checkLog("commit \(commit)")
      try host.commit(independently: commit % independentEvery == 0 || commit == commits, "commit \(commit)")
      committed = model
      try compare("after commit \(commit)")
    }
  }

  /// Leaves no trace, not even in the log or in what is free.
  private func operationsThatAreTakenBack() throws {
    let (before, order) = (model, tableOrder)
    let log = group.log.bytes
    try host.takingBack { for _ in 0..<values.below(12) { try operation() } }
    (model, tableOrder) = (before, order)
    lastOperation = "taken back after \(lastOperation)"
    #expect(group.log.bytes == log)
    try compare("after a savepoint")
  }

  func compare(_ context: String) throws {
    do {
      try group.check()
      try TableComparison(group: group, model: model).run()
    } catch {
      throw Failure(description: "\(context), last \(lastOperation): \(error)")
    }
  }

  func operation() throws {
    if tableOrder.isEmpty { return try addTable() }
    switch values.below(100) {
    case 0..<3: limits.changesSchema ? try schemaOperation() : try setProperty()
    case 3..<17: try createObject()
    case 17..<48: try setProperty()
    case 48..<84: try changeCollection()
    case 84..<92: try removeObject()
    case 92..<95: try makeTombstone()
    case 95..<97: try linkToTombstone()
    default: try misuse()
    }
  }

  // MARK: Choosing

  func randomTable(_ condition: (ModelTable) -> Bool = { _ in true }) -> ModelTable? {
    let candidates = tableOrder.filter { condition(model.tables[$0]!) }
    return candidates.isEmpty ? nil : model.tables[values.pick(candidates)]!
  }

  func randomObject(_ table: ModelTable) -> ObjectKey? { table.order.isEmpty ? nil : values.pick(table.order) }

  func randomLink() -> ObjectLink? {
    guard let table = randomTable({ $0.kind == .topLevel && !$0.order.isEmpty }), let key = randomObject(table) else { return nil }
    return ObjectLink(table: table.key, key: key)
  }

  // MARK: Objects

  func createObject() throws {
    guard let table = randomTable({ $0.kind == .topLevel }) else { return }
    if table.order.count >= limits.objects * 2 { return try removeSome(table) }
    let count = values.chance(4) ? limits.objects / 2 : 1
    for _ in 0..<count { try createObject(in: model.tables[table.key]!) }
  }

  func createObject(in table: ModelTable) throws {
    let engine = try group.table(table.key)
    guard let primaryKey = table.primaryKey else {
      lastOperation = "create in '\(table.name)'"
      let ownKey = ObjectKey(Int64(values.below(100_000)))
      if values.chance(10), table.objects[ownKey] == nil {
        try engine.createObject(withKey: ownKey)
        return created(table.key, ownKey)
      }
      return created(table.key, try engine.createObject())
    }
    // Sometimes the one that a tombstone waits for.
    let waiting = table.tombstones.sorted { $0.key < $1.key }.map(\.value)
    let value =
      waiting.isEmpty || values.chance(50)
      ? primaryKeyValue(table) : values.pick(waiting)
    lastOperation = "create in '\(table.name)' with \(value)"
    let existing = table.order.first { if case .scalar(let other) = table[$0, primaryKey] { other.isIdentical(to: value) } else { false } }
    if let existing {
      #expect(throws: StorageError.duplicatePrimaryKey(table: table.name)) { try engine.createObject(primaryKey: value) }
      guard try engine.findOrCreateObject(primaryKey: value) == (existing, false) else { throw Failure(description: "found another object") }
      return
    }
    if case .int(let number) = value, values.chance(60) { return try createObject(in: table, primaryKey: number) }
    let key = try engine.createObject(primaryKey: value)
    created(table.key, key)
    model.tables[table.key]![key, primaryKey] = .scalar(value)
    resurrected(table, key, value)
  }

  private func resurrected(_ table: ModelTable, _ key: ObjectKey, _ primaryKey: Value) {
    guard let tombstone = table.tombstones.first(where: { $0.value.isIdentical(to: primaryKey) })?.key else { return }
    model.replaceLinks(to: ObjectLink(table: table.key, key: tombstone), by: ObjectLink(table: table.key, key: key))
    model.tables[table.key]!.tombstones[tombstone] = nil
  }

  /// With first values, in one go.
  private func createObject(in table: ModelTable, primaryKey: Int64) throws {
    var firstValues: [(ColumnKey, Value)] = []
    for column in table.columns where !column.isCollection && column.key != table.primaryKey && values.chance(50) {
      if let value = newValue(column) { firstValues.append((column.key, value)) }
    }
    let created = try group.table(table.key).createObject(primaryKey: primaryKey) { (object) throws(StorageError) in
      for (column, value) in firstValues {
        switch value {
        case .int(let number): try object.set(column, int: number)
        case .double(let number): try object.set(column, double: number)
        case .string(let bytes): try object.set(column, string: bytes.span.bytes)
        case .link(let target): try object.set(column, link: target)
        default: try object.set(column, value)
        }
      }
    }
    self.created(table.key, created)
    model.tables[table.key]![created, table.primaryKey!] = .scalar(.int(primaryKey))
    resurrected(table, created, .int(primaryKey))
    for (column, value) in firstValues {
      model.tables[table.key]![created, column] = ModelValue(stored: value)
    }
    model.settle()
  }

  func primaryKeyValue(_ table: ModelTable) -> Value {
    let column = table.column(table.primaryKey!)
    let value = values.value(column.type, nullable: column.isNullable)
    // Keys that share their low 62 bits, for the collision map.
    if case .int(let number) = value, values.chance(10) { return .int(number ^ 1 << 62) }
    return value
  }

  private func created(_ table: TableKey, _ key: ObjectKey) {
    model.tables[table]!.add(key)
    let tombstone = key.unresolved
    guard model.tables[table]!.primaryKey == nil, model.tables[table]!.tombstones[tombstone] != nil else { return }
    model.replaceLinks(to: ObjectLink(table: table, key: tombstone), by: ObjectLink(table: table, key: key))
    model.tables[table]!.tombstones[tombstone] = nil
  }

  func createdEmbedded(_ table: TableKey, _ key: ObjectKey) { model.tables[table]!.add(key) }

  func removeObject() throws {
    guard let table = randomTable({ !$0.order.isEmpty }), let key = randomObject(table) else { return }
    if values.chance(2) { return try removeSome(table) }
    lastOperation = "remove \(key.rawValue) of '\(table.name)'"
    try group.table(table.key).remove(key)
    model.remove(ObjectLink(table: table.key, key: key))
  }

  func removeSome(_ table: ModelTable) throws {
    lastOperation = "remove many of '\(table.name)'"
    let isWhole = values.chance(20)
    if values.chance(50) {
      let keys = table.order.filter { _ in isWhole || values.chance(60) }
      try group.table(table.key).remove(keys)
      for key in keys.sorted() { model.remove(ObjectLink(table: table.key, key: key)) }
      return
    }
    for key in table.order where isWhole || values.chance(70) {
      guard model.tables[table.key]!.objects[key] != nil else { continue }
      try group.table(table.key).remove(key)
      model.remove(ObjectLink(table: table.key, key: key))
    }
  }

  // MARK: Properties

  func setProperty() throws {
    guard let table = randomTable({ !$0.order.isEmpty && !$0.columns.isEmpty }), let key = randomObject(table) else { return }
    let column = values.pick(table.columns)
    if column.isCollection || column.key == table.primaryKey { return }
    try setProperty(table, key, column)
  }

  func setProperty(_ table: ModelTable, _ key: ObjectKey, _ column: ModelColumn) throws {
    let engine = try group.table(table.key)
    lastOperation = "set '\(table.name)'.'\(column.name)' of \(key.rawValue)"
    if column.type == .link, let target = column.target, model.tables[target]!.kind == .embedded, !values.chance(25) {
      if model.tables[target]!.order.count > limits.objects * 3 { return }
      let child = try engine.setEmbedded(key, column.key)
      createdEmbedded(target, child)
      model.tables[table.key]![key, column.key] = .scalar(.link(child))
      return model.settle()
    }
    guard let value = newValue(column) else { return }
    lastOperation += " to \(value)"
    try engine.set(key, column.key, value)
    model.tables[table.key]![key, column.key] = ModelValue(stored: value)
    if column.mayLink { model.settle() }
  }

  /// A value for a property or an element; nil if there is none now.
  func newValue(_ column: ModelColumn) -> Value? {
    switch column.type {
    case .link:
      let isElement = column.attributes.contains(.list) || column.attributes.contains(.set)
      let target = model.tables[column.target!]!
      if target.kind == .embedded { return isElement ? nil : .null }
      if !isElement && values.chance(20) { return .null }
      guard let key = randomObject(target) else { return isElement ? nil : .null }
      return .link(key)
    case .mixed:
      if values.chance(25), let link = randomLink() { return .typedLink(link) }
      if values.chance(25), !column.attributes.contains(.set) { return values.chance(50) ? .list(.null) : .dictionary(.null) }
      return values.mixed()
    default: return values.value(column.type, nullable: column.isNullable)
    }
  }

  // MARK: Tombstones

  func makeTombstone() throws {
    guard let table = randomTable({ $0.kind == .topLevel && !$0.order.isEmpty }), let key = randomObject(table) else { return }
    lastOperation = "make \(key.rawValue) of '\(table.name)' a tombstone"
    let link = ObjectLink(table: table.key, key: key)
    guard let tombstone = try group.table(table.key).makeTombstone(key) else { return model.remove(link) }
    var primaryKey = Value.null
    if let column = table.primaryKey, case .scalar(let value) = table[key, column] { primaryKey = value }
    model.makeTombstone(link, tombstone, primaryKey)
  }

  func linkToTombstone() throws {
    guard let target = randomTable({ $0.primaryKey != nil && $0.kind == .topLevel }) else { return }
    let primaryKey = primaryKeyValue(target)
    let candidates = tableOrder.flatMap { key in
      model.tables[key]!.columns.filter { $0.type == .mixed || $0.target == target.key }.map { (key, $0) }
    }
    guard !candidates.isEmpty else { return }
    let (tableKey, column) = values.pick(candidates)
    guard let object = randomObject(model.tables[tableKey]!) else { return }
    let key = try group.table(target.key).tombstone(primaryKey: primaryKey)
    if key.isUnresolved { model.tables[target.key]!.tombstones[key] = primaryKey }
    lastOperation = "link '\(column.name)' of \(object.rawValue) to \(key.rawValue)"
    let link = ObjectLink(table: target.key, key: key)
    let value: Value = column.type == .link ? .link(key) : .typedLink(link)
    let engine = try group.table(tableKey)
    if !column.isCollection {
      try engine.set(object, column.key, value)
      model.tables[tableKey]![object, column.key] = .scalar(value)
    } else {
      try insert(value, column, engine.collection(object, column.key), tableKey, object)
    }
    model.settle()
  }

  // MARK: Misuse

  func refuse(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      if case StorageError.corruptNode = error { throw error }
      return
    }
    throw Failure(description: "was allowed")
  }

  /// What is refused leaves no trace.
  func misuse() throws {
    guard let table = randomTable({ !$0.order.isEmpty && !$0.columns.isEmpty }), let key = randomObject(table) else { return }
    let column = values.pick(table.columns)
    let engine = try group.table(table.key)
    lastOperation = "misuse of '\(column.name)' of \(key.rawValue)"
    let wrong: Value =
      column.type == .timestamp ? .timestamp(Timestamp(seconds: 1, nanoseconds: -1)) : .timestamp(Timestamp(seconds: 1, nanoseconds: 1))
    if column.isCollection {
      let collection = try engine.collection(key, column.key)
      try refuse { try collection.remove(at: model.tables[table.key]![key, column.key].elements.count) }
      if column.type == .mixed { return try refuse { try collection.insert(at: 0, .link(ObjectKey(0))) } }
      try refuse { try collection.insert(at: 0, wrong) }
      try refuse { _ = try collection.insert(wrong) }
      try refuse { try collection.set(key: [65], wrong) }
      if column.type == .link { try refuse { try collection.insert(at: 0, .link(ObjectKey(1 << 61))) } }
      if column.type == .link { try refuse { try collection.set(key: [65], .link(ObjectKey(-999_999))) } }
    } else {
      let bad: Value = column.type == .mixed ? .link(ObjectKey(0)) : wrong
      try refuse { try engine.set(key, column.key, bad) }
      if !column.isNullable { try refuse { try engine.set(key, column.key, .null) } }
      if column.type == .link { try refuse { try engine.set(key, column.key, .link(ObjectKey(-999_999))) } }
    }
    try refuse { try engine.set(ObjectKey(1 << 60), column.key, .null) }
    try refuse { try engine.remove(ObjectKey(1 << 60)) }
    try refuse { _ = try engine.addColumn(ColumnDefinition(column.name, .int)) }
  }
}
