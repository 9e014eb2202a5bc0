import Changesets
import RealmStorage

/// What an instruction's path leads to, and what becomes of it.
extension ChangesetApplier {
  enum Target {
    case property(Table, ObjectKey, ColumnDescription)
    case element(ObjectCollection, Int)
    case entry(ObjectCollection, [UInt8])
  }

  func target(_ place: Place) throws(Failure) -> Target {
    let table = try table(place.object.table)
    guard let key = try find(place.object.key, in: table) else { throw .reason(.missingObject) }
    var target = Target.property(table, key, try column(place.field, of: table))
    for step in changeset.elements(place.path) { target = try self.step(step, from: target) }
    return target
  }

  /// The list and the index that a path ends with.
  func element(_ place: Place, priorSize: UInt32, isInsertion: Bool = false) throws(Failure) -> (ObjectCollection, Int) {
    let elements = changeset.elements(place.path)
    guard case .index(let index)? = elements.last else { throw .reason(.wrongPath) }
    let table = try table(place.object.table)
    guard let key = try find(place.object.key, in: table) else { throw .reason(.missingObject) }
    var target = Target.property(table, key, try column(place.field, of: table))
    for step in elements.dropLast() { target = try self.step(step, from: target) }
    let list = try collection(target)
    guard try engine({ () throws(StorageError) in try list.kind() }) == .list else { throw .reason(.wrongPath) }
    guard try engine({ () throws(StorageError) in try list.count() }) == Int(priorSize) else { throw .reason(.wrongSize) }
    guard index < priorSize || isInsertion && index == priorSize else { throw .reason(.wrongIndex) }
    return (list, Int(index))
  }

  private func step(_ step: PathElement, from target: Target) throws(Failure) -> Target {
    if case .key(let name) = step, let (table, key) = try embedded(target) { return .property(table, key, try column(name, of: table)) }
    let collection = try collection(target)
    switch (step, try engine { () throws(StorageError) in try collection.kind() }) {
    case (.index(let index), .list):
      guard Int(index) < (try engine { () throws(StorageError) in try collection.count() }) else { throw .reason(.wrongIndex) }
      return .element(collection, Int(index))
    case (.key(let name), .dictionary): return .entry(collection, Array(changeset.bytes(name)))
    default: throw .reason(.wrongPath)
    }
  }

  /// The table of a column's embedded objects; nil if it holds others.
  private func embeddedTable(of column: ColumnDescription) throws(Failure) -> Table? {
    guard column.type == .link else { return nil }
    let table = try engine { () throws(StorageError) in try group.table(column.oppositeTable) }
    return table.kind == .embedded ? table : nil
  }

  /// The embedded object that is there.
  private func embedded(_ target: Target) throws(Failure) -> (Table, ObjectKey)? {
    let column = Self.column(of: target)
    if case .property(_, _, let column) = target, column.isCollection { return nil }
    guard let table = try embeddedTable(of: column) else { return nil }
    switch try value(at: target) {
    case .link(let key): return (table, key)
    case .typedLink(let link): return (table, link.key)
    default: throw .reason(.wrongPath)
    }
  }

  /// The collection that is there.
  private func collection(_ target: Target) throws(Failure) -> ObjectCollection {
    switch target {
    case .property(let table, let key, let column):
      guard column.isCollection || column.type == .mixed else { throw .reason(.wrongPath) }
      let collection = try engine { () throws(StorageError) in try table.collection(key, column.key) }
      if column.isCollection { return collection }
      guard try value(at: target).isNestedCollection else { throw .reason(.wrongPath) }
      return collection
    case .element(let collection, let index):
      guard try value(at: target).isNestedCollection else { throw .reason(.wrongPath) }
      return collection.nested(.index(index))
    case .entry(let collection, let key):
      guard try value(at: target).isNestedCollection else { throw .reason(.wrongPath) }
      return collection.nested(.key(key))
    }
  }

  private static func column(of target: Target) -> ColumnDescription {
    switch target {
    case .property(_, _, let column): column
    case .element(let collection, _), .entry(let collection, _): collection.column
    }
  }

  /// - Throws: `.wrongPath` for a key that the dictionary does not have.
  private func value(at target: Target) throws(Failure) -> Value {
    switch target {
    case .property(let table, let key, let column): return try engine { () throws(StorageError) in try table.value(key, column.key) }
    case .element(let collection, let index): return try engine { () throws(StorageError) in try collection.value(at: index) }
    case .entry(let collection, let key):
      guard let value = try engine({ () throws(StorageError) in try collection.value(for: key) }) else { throw .reason(.wrongPath) }
      return value
    }
  }

  // MARK: Changes

  func set(_ target: Target, _ payload: Payload) throws(Failure) {
    let column = Self.column(of: target)
    switch (target, payload) {
    case (.entry(let collection, let key), .erased):
      _ = try refusing(.wrongType) { () throws(StorageError) in try collection.removeEntry(key: key) }
    case (.entry(let collection, let key), .objectValue):
      _ = try refusing(.wrongType) { () throws(StorageError) in try collection.setEmbedded(key: key) }
    case (.property(_, _, let column), _) where column.isCollection: throw .reason(.wrongType)
    case (.property(let table, let key, let column), .objectValue):
      // Whatever is there: a link to an object of its own stays no place for an embedded one.
      guard try embeddedTable(of: column) != nil else { throw .reason(.wrongType) }
      if case .link = try value(at: target) { return }
      _ = try refusing(.wrongType) { () throws(StorageError) in try table.setEmbedded(key, column.key) }
    case (_, .list), (_, .dictionary): try makeCollection(target, payload, column)
    default: try store(target, value(payload, in: column))
    }
  }

  /// A collection of the same kind stays what it is.
  private func makeCollection(_ target: Target, _ payload: Payload, _ column: ColumnDescription) throws(Failure) {
    guard column.type == .mixed else { throw .reason(.wrongType) }
    let new = try value(payload, in: column)
    var old: Value?
    if case .entry(let collection, let key) = target {
      old = try engine { () throws(StorageError) in try collection.value(for: key) }
    } else {
      old = try value(at: target)
    }
    switch (old, new) {
    case (.list, .list), (.dictionary, .dictionary): return
    default: try store(target, new)
    }
  }

  private func store(_ target: Target, _ value: Value) throws(Failure) {
    try refusing(.wrongType) { () throws(StorageError) in
      switch target {
      case .property(let table, let key, let column): try table.set(key, column.key, value)
      case .element(let collection, let index): try collection.set(at: index, value)
      case .entry(let collection, let key): try collection.set(key: key, value)
      }
    }
  }

  func setElement(_ element: (list: ObjectCollection, index: Int), _ payload: Payload) throws(Failure) {
    // An embedded object stays as it is.
    if case .objectValue = payload { return }
    let target = Target.element(element.list, element.index)
    switch payload {
    case .list, .dictionary: try makeCollection(target, payload, element.list.column)
    default: try store(target, value(payload, in: element.list.column))
    }
  }

  func insert(_ payload: Payload, at element: (list: ObjectCollection, index: Int)) throws(Failure) {
    let (list, index) = element
    if case .objectValue = payload {
      _ = try refusing(.wrongType) { () throws(StorageError) in try list.insertEmbedded(at: index) }
      return
    }
    let value = try value(payload, in: list.column)
    try refusing(.wrongType) { () throws(StorageError) in try list.insert(at: index, value) }
  }

  /// Does nothing to what is no integer.
  func add(_ amount: Int64, to target: Target) throws(Failure) {
    if case .property(let table, let key, let column) = target {
      guard !column.isCollection, case .int = try value(at: target) else { return }
      return try refusing(.wrongType) { () throws(StorageError) in try table.addInteger(key, column.key, amount) }
    }
    guard case .int(let number) = try value(at: target) else { return }
    try store(target, .int(number &+ amount))
  }

  func clear(_ target: Target, _ kind: Changesets.CollectionKind) throws(Failure) {
    let column = Self.column(of: target)
    if case .property(_, _, let column) = target, column.isCollection {
      // Clients of the original before its version 13 name no kind, and servers pass that on.
      guard kind == .single || kind == column.changesetCollection else { throw .reason(.wrongType) }
    } else {
      guard kind == .list || kind == .dictionary, column.type == .mixed else { throw .reason(.wrongType) }
      try makeCollection(target, kind == .list ? .list : .dictionary, column)
    }
    let collection = try collection(target)
    try engine { () throws(StorageError) in try collection.removeAll() }
  }

  func change(set target: Target, _ payload: Payload, inserts: Bool) throws(Failure) {
    guard case .property(let table, let key, let column) = target, column.isSet else { throw .reason(.wrongPath) }
    let value = try value(payload, in: column)
    // The engine would not find it, and leave it at that.
    guard value.fits(column) else { throw .reason(.wrongType) }
    try refusing(.wrongType) { () throws(StorageError) in
      let set = try table.collection(key, column.key)
      if inserts { _ = try set.insert(value) } else { _ = try set.remove(value) }
    }
  }
}
