@testable import RealmStorage

/// What a property holds, in plain memory.
indirect enum ModelValue: Sendable {
  /// Links of link columns are `.link`, those in Mixed are `.typedLink`.
  case scalar(Value)
  case list([ModelValue])
  case set([ModelValue])
  case dictionary([ModelEntry])

  static let null = ModelValue.scalar(.null)

  init(stored value: Value) {
    switch value {
    case .list: self = .list([])
    case .dictionary: self = .dictionary([])
    default: self = .scalar(value)
    }
  }

  var elements: [ModelValue] {
    switch self {
    case .scalar: []
    case .list(let elements), .set(let elements): elements
    case .dictionary(let entries): entries.map(\.value)
    }
  }

  /// A text that two values share exactly when they are the same.
  var identityText: String {
    switch self {
    case .scalar(let value): identity(value)
    case .list(let elements): "[" + elements.map(\.identityText).joined(separator: ", ") + "]"
    case .set(let elements): "{" + elements.map(\.identityText).joined(separator: ", ") + "}"
    case .dictionary(let entries): "<" + entries.map { "\($0.key): \($0.value.identityText)" }.joined(separator: ", ") + ">"
    }
  }

  func forEachLink(_ target: TableKey?, _ body: (ObjectLink) -> Void) {
    switch self {
    case .scalar(.link(let key)): if let target { body(ObjectLink(table: target, key: key)) }
    case .scalar(.typedLink(let link)): body(link)
    case .scalar: break
    default: for element in elements { element.forEachLink(target, body) }
    }
  }

  func holds(_ link: ObjectLink, _ target: TableKey?) -> Bool {
    var found = false
    forEachLink(target) { if $0 == link { found = true } }
    return found
  }

  /// The value after a link in it became another one or went; nil if it is the link itself and went.
  func replacing(_ link: ObjectLink, by new: ObjectLink?, _ target: TableKey?) -> ModelValue? {
    switch self {
    case .scalar(.link(let key)):
      if ObjectLink(table: target ?? .null, key: key) != link { return self }
      return new.map { .scalar(.link($0.key)) }
    case .scalar(.typedLink(let held)): return held != link ? self : new.map { .scalar(.typedLink($0)) }
    case .scalar: return self
    case .list(let elements): return .list(elements.compactMap { $0.replacing(link, by: new, target) })
    case .set(let elements): return .set(elements.compactMap { $0.replacing(link, by: new, target) }.sorted { ModelValue.order($0, $1) < 0 })
    case .dictionary(let entries):
      return .dictionary(entries.map { ModelEntry(key: $0.key, value: $0.value.replacing(link, by: new, target) ?? .null) })
    }
  }

  static func order(_ a: ModelValue, _ b: ModelValue) -> Int {
    guard case .scalar(let x) = a, case .scalar(let y) = b else { return 0 }
    return Value.compare(x, y)
  }

  /// Changes the collection that a path leads to.
  mutating func update(_ path: ArraySlice<PathStep>, _ body: (inout ModelValue) -> Void) {
    guard let step = path.first else { return body(&self) }
    switch (self, step) {
    case (.list(var elements), .index(let index)):
      self = .null
      elements[index].update(path.dropFirst(), body)
      self = .list(elements)
    case (.dictionary(var entries), .key(let key)):
      self = .null
      guard let index = entries.firstIndex(where: { $0.key == key }) else { fatalError("no such key") }
      entries[index].value.update(path.dropFirst(), body)
      self = .dictionary(entries)
    default: fatalError("no such step")
    }
  }

  mutating func updateElements(_ body: (inout [ModelValue]) -> Void) {
    switch self {
    case .list(var elements):
      self = .null
      body(&elements)
      self = .list(elements)
    case .set(var elements):
      self = .null
      body(&elements)
      self = .set(elements)
    default: fatalError("no list or set")
    }
  }
  mutating func updateEntries(_ body: (inout [ModelEntry]) -> Void) {
    guard case .dictionary(var entries) = self else { fatalError("no dictionary") }
    self = .null
    body(&entries)
    self = .dictionary(entries)
  }
}

struct ModelEntry: Sendable {
  var key: [UInt8]
  var value: ModelValue
}

struct ModelColumn {
  var key: ColumnKey
  var name: String
  var type: ColumnType
  var attributes: ColumnAttributes
  var target: TableKey?
  var isIndexed = false
  var isFullText = false

  var isCollection: Bool { !attributes.isDisjoint(with: .collection) }
  var isNullable: Bool { attributes.contains(.nullable) }
  var mayLink: Bool { type == .link || type == .mixed }

  var defaultValue: ModelValue {
    if attributes.contains(.list) { return .list([]) }
    if attributes.contains(.set) { return .set([]) }
    if attributes.contains(.dictionary) { return .dictionary([]) }
    return isNullable ? .null : .scalar(ModelColumn.zero(type))
  }

  static func zero(_ type: ColumnType) -> Value {
    switch type {
    case .int: .int(0)
    case .bool: .bool(false)
    case .string: .string([])
    case .binary: .binary([])
    case .timestamp: .timestamp(Timestamp(seconds: 0, nanoseconds: 0))
    case .float: .float(0)
    case .double: .double(0)
    case .decimal: .decimal(Decimal128(Int64(0)))
    case .objectID: .objectID(ObjectID(high: 0, low: 0))
    case .uuid: .uuid(UUIDBytes(high: 0, low: 0))
    default: .null
    }
  }
}

struct ModelTable {
  var key: TableKey
  var name: String
  var kind: TableKind
  /// In spec order.
  var columns: [ModelColumn] = []
  var primaryKey: ColumnKey?
  private(set) var objects: [ObjectKey: [ColumnKey: ModelValue]] = [:]
  /// The keys of `objects` in an order that depends only on what was done.
  private(set) var order: [ObjectKey] = []
  private var places: [ObjectKey: Int] = [:]
  /// With the primary key, where there is one.
  var tombstones: [ObjectKey: Value] = [:]

  init(key: TableKey, name: String, kind: TableKind) { (self.key, self.name, self.kind) = (key, name, kind) }

  mutating func add(_ key: ObjectKey) {
    var values: [ColumnKey: ModelValue] = [:]
    for column in columns { values[column.key] = column.defaultValue }
    objects[key] = values
    places[key] = order.count
    order.append(key)
  }

  mutating func remove(_ key: ObjectKey) {
    objects[key] = nil
    guard let place = places.removeValue(forKey: key) else { return }
    let last = order.removeLast()
    if last != key {
      order[place] = last
      places[last] = place
    }
  }

  subscript(key: ObjectKey, column: ColumnKey) -> ModelValue {
    get { objects[key]![column]! }
    _modify { yield &objects[key]![column]! }
  }
  mutating func set(_ key: ObjectKey, _ column: ColumnKey, _ value: ModelValue?) { objects[key]?[column] = value }
  func column(_ key: ColumnKey) -> ModelColumn { columns.first { $0.key == key }! }
}

/// All tables in plain memory, with the rules about links, embedded objects and tombstones.
struct TableModel {
  var tables: [TableKey: ModelTable] = [:]

  func isLive(_ link: ObjectLink) -> Bool { tables[link.table]?.objects[link.key] != nil }

  mutating func remove(_ link: ObjectLink) {
    var pending = [link]
    while let next = pending.popLast() {
      guard isLive(next) else { continue }
      replaceLinks(to: next, by: nil)
      for column in tables[next.table]!.columns where column.type == .link && tables[column.target!]!.kind == .embedded {
        tables[next.table]![next.key, column.key].forEachLink(column.target) { pending.append($0) }
      }
      tables[next.table]!.remove(next.key)
    }
    settle()
  }

  mutating func replaceLinks(to link: ObjectLink, by new: ObjectLink?) {
    for (tableKey, table) in tables {
      let columns = table.columns.filter { $0.type == .mixed || ($0.type == .link && $0.target == link.table) }
      if columns.isEmpty { continue }
      for (object, values) in table.objects {
        for column in columns where values[column.key]!.holds(link, column.target) {
          tables[tableKey]!.set(object, column.key, values[column.key]!.replacing(link, by: new, column.target) ?? .null)
        }
      }
    }
  }

  mutating func makeTombstone(_ link: ObjectLink, _ tombstone: ObjectKey, _ primaryKey: Value) {
    tables[link.table]!.tombstones[tombstone] = primaryKey
    replaceLinks(to: link, by: ObjectLink(table: link.table, key: tombstone))
    remove(link)
  }

  /// Embedded objects and tombstones without a link to them go.
  mutating func settle() {
    guard tables.values.contains(where: { !$0.tombstones.isEmpty || ($0.kind == .embedded && !$0.objects.isEmpty) }) else { return }
    while true {
      let linked = Set(incomingLinks().keys)
      var orphans: [ObjectLink] = []
      for table in tables.values {
        if table.kind == .embedded { orphans += table.order.map { ObjectLink(table: table.key, key: $0) }.filter { !linked.contains($0) } }
        for key in table.tombstones.keys where !linked.contains(ObjectLink(table: table.key, key: key)) {
          tables[table.key]!.tombstones[key] = nil
        }
      }
      if orphans.isEmpty { return }
      for orphan in orphans {
        replaceLinks(to: orphan, by: nil)
        tables[orphan.table]!.remove(orphan.key)
      }
    }
  }

  struct Origin: Hashable {
    let table: TableKey
    let column: ColumnKey
  }

  /// The origins of all links to each object.
  func incomingLinks() -> [ObjectLink: [Origin: [ObjectKey]]] {
    var result: [ObjectLink: [Origin: [ObjectKey]]] = [:]
    for table in tables.values {
      for column in table.columns where column.mayLink {
        for (object, values) in table.objects {
          values[column.key]!.forEachLink(column.target) {
            result[$0, default: [:]][Origin(table: table.key, column: column.key), default: []].append(object)
          }
        }
      }
    }
    return result
  }
}
