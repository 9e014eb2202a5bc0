import RealmStorage

/// Input for `AnyRealmValue` properties and elements: scalars, objects, and lists and dictionaries of them at any depth.
struct MixedInput {
  private let core: RealmCore
  private let policy: Realm.UpdatePolicy
  /// Unmanaged objects, and those of other realms, are copied; otherwise unmanaged ones become managed.
  private let copies: Bool

  init(_ core: RealmCore, _ policy: Realm.UpdatePolicy, copies: Bool = false) {
    self.core = core
    self.policy = policy
    self.copies = copies
  }

  fileprivate enum Content {
    case value(Value)
    case list([Any])
    case dictionary([(name: String, element: Any)])

    /// What is stored where the content goes, before nested elements are.
    var placeholder: Value {
      switch self {
      case .value(let value): value
      case .list: .list(.null)
      case .dictionary: .dictionary(.null)
      }
    }
  }

  private static var tooDeep: RealmFailure { .misuse("Max nesting level reached") }
  static var setNested: RealmFailure { .misuse("Set nested in Mixed is not supported") }

  private func content(_ input: Any) throws -> Content {
    if DynamicInput.isNull(input) { return .value(.null) }
    if let value = input as? AnyRealmValue { return try content(value) }
    let input = DynamicInput.unwrapped(input)
    if let object = DynamicInput.object(input) { return .value(try link(object)) }
    if let value = DynamicInput.engineValue(input) { return .value(value) }
    if input is any _SetInput { throw Self.setNested }
    if let entries = DynamicInput.entries(of: input) { return .dictionary(entries) }
    if let elements = DynamicInput.elements(of: input) { return .list(elements) }
    throw RealmFailure.misuse("Invalid value '\(DynamicInput.shown(input))' of type '\(type(of: input))' for 'mixed' property.")
  }

  private func content(_ value: AnyRealmValue) throws -> Content {
    switch value {
    case .object(let object): .value(try link(object))
    case .list(let list): .list(Array(list))
    case .dictionary(let map): .dictionary(map._entries)
    default: .value(value.scalar ?? .null)
    }
  }

  private func link(_ object: ObjectBase) throws -> Value {
    if object is EmbeddedObject { throw RealmFailure.misuse("Embedded objects cannot be stored in an AnyRealmValue property.") }
    if object.isManaged && object.isManagedAndGone {
      throw RealmFailure.misuse("Adding a deleted or invalidated object to a Realm is not permitted")
    }
    if copies && object.core !== core {
      let target: ClassBinding = try core.binding(named: object.currentClassName)
      return .typedLink(ObjectLink(table: target.tableKey, key: try core.create(target, from: object, policy: policy)))
    }
    let key = try core.add(object, policy: policy)
    guard let binding = object.binding else { throw RealmFailure.misuse("The object is not managed by a Realm.") }
    return .typedLink(ObjectLink(table: binding.tableKey, key: key))
  }

  /// A value that is no collection.
  func scalar(_ input: Any) throws -> Value {
    guard case .value(let value) = try content(input) else { throw RealmFailure.misuse("A set cannot hold collections.") }
    return value
  }

  // MARK: Places

  func assign(
    _ input: Any, _ table: Table, _ key: ObjectKey, _ column: ColumnKey, _ binding: ClassBinding, _ slot: Int
  ) throws {
    let content = try content(input)
    if policy == .modified, case .value(let value) = content {
      let old = try table.value(key, column)
      if old.isIdentical(to: value) { return }
    }
    let nested = CollectionCore(core: core, owner: binding, key: key, slot: slot, kind: content.kind)
    // The new content may be the old one: read it before it goes.
    let ready = try detached(content)
    core.willMutate()
    let place = try table.collection(key, column)
    if ready.isCollection, let kind = try? place.kind(), kind == ready.kind {
      // A collection of the same kind stays the one that it was.
      if try place.count() > 0 { try place.removeAll() }
    } else {
      try table.set(key, column, ready.placeholder)
    }
    try fill(ready) { nested }
  }

  func insert(_ input: Any, at index: Int, _ collection: CollectionCore) throws {
    let content = try detached(content(input))
    try checkDepth(content, in: collection)
    try collection.write { try $0.insert(at: index, content.placeholder) }
    try fill(content) { try collection.nested(at: index, content.kind) }
  }

  /// Runs of values that are no collections are stored in one go.
  func insert(contentsOf inputs: [Any], at index: Int, _ collection: CollectionCore) throws {
    var index = index
    var run: [Value] = []
    func store() throws {
      if run.isEmpty { return }
      try collection.write { try $0.insert(contentsOf: run, at: index) }
      index += run.count
      run.removeAll()
    }
    for input in inputs {
      if case .value(let value) = try content(input) {
        run.append(value)
        continue
      }
      try store()
      try insert(input, at: index, collection)
      index += 1
    }
    try store()
  }

  func set(_ input: Any, at index: Int, _ collection: CollectionCore) throws {
    let content = try detached(content(input))
    try checkDepth(content, in: collection)
    if policy == .modified, case .value(let value) = content, try collection.value(at: index).isIdentical(to: value) { return }
    try collection.write { try $0.set(at: index, content.placeholder) }
    try fill(content) { try collection.nested(at: index, content.kind) }
  }

  func set(_ input: Any, forKey name: String, _ collection: CollectionCore) throws {
    try DictionaryKey.check(name)
    let content = try detached(content(input))
    try checkDepth(content, in: collection)
    let key = Array(name.utf8)
    if policy == .modified, case .value(let value) = content,
      let old = try collection.read({ try $0.value(for: key) }), old.isIdentical(to: value)
    {
      return
    }
    try collection.write { try $0.set(key: key, content.placeholder) }
    try fill(content) { collection.nested(.key(key), content.kind) }
  }

  /// The engine's limit.
  private func checkDepth(_ content: Content, in collection: CollectionCore) throws {
    if case .value = content { return }
    if collection.path.count + 1 >= 100 { throw Self.tooDeep }
  }

  /// Nested managed collections as plain arrays and dictionaries, which no write changes.
  private func detached(_ content: Content) throws -> Content {
    switch content {
    case .value: content
    case .list(let elements): .list(try elements.map { try Self.detached($0) })
    case .dictionary(let entries): .dictionary(try entries.map { (name: $0.name, element: try Self.detached($0.element)) })
    }
  }

  /// - Throws: where collections are nested deeper than the engine allows, as in a list in memory that holds itself.
  static func detached(_ input: Any, depth: Int = 0) throws -> Any {
    func list(_ elements: [Any]) throws -> Any { try elements.map { try detached($0, depth: depth + 1) } }
    func dictionary(_ map: any _MapInput) throws -> Any {
      DetachedEntries(_entries: try map._entries.map { (name: $0.name, element: try detached($0.element, depth: depth + 1)) })
    }
    if depth > 100 { throw tooDeep }
    switch input {
    case is String, is Int, is Double, is Bool: return input
    case AnyRealmValue.list(let elements): return try list(Array(elements))
    case AnyRealmValue.dictionary(let map): return try dictionary(map)
    case is AnyRealmValue: return input
    // By name an `AnyRealmValue` gives the collection that it holds.
    case let elements as List<AnyRealmValue>: return try list(Array(elements))
    case let map as Map<String, AnyRealmValue>: return try dictionary(map)
    case let elements as [Any]: return try list(elements)
    case let entries as [String: Any]: return try entries.mapValues { try detached($0, depth: depth + 1) }
    default: return input
    }
  }

  /// - Parameter place: the new nested collection, if the content is one.
  private func fill(_ content: Content, _ place: () throws -> CollectionCore) throws {
    switch content {
    case .value: return
    case .list(let elements):
      if !elements.isEmpty { try insert(contentsOf: elements, at: 0, place()) }
    case .dictionary(let entries):
      let collection = try place()
      for (name, element) in entries.sorted(by: { $0.name < $1.name }) { try set(element, forKey: name, collection) }
    }
  }
}

extension MixedInput.Content {
  fileprivate var isCollection: Bool { if case .value = self { false } else { true } }
  fileprivate var kind: CollectionKind { if case .dictionary = self { .dictionary } else { .list } }
}
