import RealmStorage

/// Stores elements in a managed collection, one by one or as its whole content, wherever they come from.
///
/// Under the policy `.modified` a collection changes only where it differs from the elements.
struct CollectionFilling<Source: ElementSource> {
  private let collection: CollectionCore
  private let source: Source
  private let scope: _Scope

  init(_ collection: CollectionCore, _ source: Source, _ policy: Realm.UpdatePolicy = .error) throws {
    self.collection = collection
    self.source = source
    scope = try collection.scope(policy)
  }

  private var core: RealmCore { collection.core }
  private var isUpdate: Bool { scope.policy == .modified }
  private var isMixed: Bool { collection.property.type == .any }
  private var mixed: MixedInput { MixedInput(core, scope.policy, copies: source.copies) }
  /// The class of the elements, if they are embedded objects.
  private var embedded: ClassBinding? { scope.target.flatMap { $0.isEmbedded ? $0 : nil } }

  // MARK: The whole content

  /// - Parameter isNew: the collection is known to be empty.
  func fill(list elements: [Source.Element], isNew: Bool = false) throws {
    if isMixed, !isNew { return try fill(mixedList: elements.map { try MixedInput.detached($0) }) }
    if isUpdate { return try update(elements) }
    if !isNew { try collection.write { try $0.removeAll() } }
    try insert(contentsOf: elements, at: 0)
  }

  /// - Parameter isNew: the collection is known to be empty.
  func fill(set elements: [Source.Element], isNew: Bool = false) throws {
    if !isUpdate, !isNew { try collection.write { try $0.removeAll() } }
    try add(elements)
  }

  /// - Parameter isNew: the collection is known to be empty.
  func fill(dictionary entries: [(name: String, element: Source.Element)], isNew: Bool = false) throws {
    if isMixed, !isNew {
      let entries = try entries.map { (name: $0.name, element: try MixedInput.detached($0.element)) }
      if !isUpdate { try collection.write { try $0.removeAll() } }
      for (name, element) in entries.sorted(by: { $0.name < $1.name }) { try mixed.set(element, forKey: name, collection) }
      return
    }
    if !isUpdate, !isNew { try collection.write { try $0.removeAll() } }
    for (name, element) in entries.sorted(by: { $0.name < $1.name }) { try set(element, forKey: name) }
  }

  /// - Parameter elements: detached, as what they are may be what the list holds.
  private func fill(mixedList elements: [Any]) throws {
    let count = try collection.count()
    guard isUpdate else {
      try collection.write { try $0.removeAll() }
      return try mixed.insert(contentsOf: elements, at: 0, collection)
    }
    for (index, element) in elements.enumerated() {
      if index < count { try mixed.set(element, at: index, collection) } else { try mixed.insert(element, at: index, collection) }
    }
    for index in stride(from: count - 1, through: elements.count, by: -1) { try collection.write { try $0.remove(at: index) } }
  }

  // MARK: Lists

  func insert(_ element: Source.Element, at index: Int) throws {
    if let target = embedded {
      let content = try source.content(of: element, target)
      return try store(content, target, collection.write { try $0.insertEmbedded(at: index) }, isNew: true)
    }
    if isMixed { return try mixed.insert(element, at: index, collection) }
    let value = try source.value(element, scope)
    try collection.write { try $0.insert(at: index, value) }
  }

  func insert(contentsOf elements: [Source.Element], at index: Int) throws {
    if elements.isEmpty { return }
    if embedded != nil {
      for place in elements.indices { try insert(elements[place], at: index + place) }
      return
    }
    if isMixed { return try mixed.insert(contentsOf: elements, at: index, collection) }
    let values = try elements.map { try source.value($0, scope) }
    try collection.write { try $0.insert(contentsOf: values, at: index) }
  }

  /// Replaces an element.
  func set(_ element: Source.Element, at index: Int) throws {
    if let target = embedded {
      if let object = DynamicInput.object(element) as? EmbeddedObject, object.core === core, case .link(let old) = try collection.value(at: index),
        old == object.key
      {
        return
      }
      let content = try source.content(of: element, target)
      return try store(content, target, collection.write { try $0.setEmbedded(at: index) }, isNew: true)
    }
    if isMixed { return try mixed.set(element, at: index, collection) }
    let value = try source.value(element, scope)
    try collection.write { try $0.set(at: index, value) }
  }

  /// Makes the list equal to the elements position by position.
  private func update(_ elements: [Source.Element]) throws {
    let count = try collection.count()
    for (index, element) in elements.enumerated() {
      if index < count { try update(element, at: index) } else { try insert(element, at: index) }
    }
    for index in stride(from: count - 1, through: elements.count, by: -1) { try collection.write { try $0.remove(at: index) } }
  }

  private func update(_ element: Source.Element, at index: Int) throws {
    let old = try collection.value(at: index)
    if let target = scope.target, case .link(let key) = old,
      let content = try source.content(of: element, updating: key, target, core)
    {
      return try store(content, target, key, isNew: false)
    }
    if embedded != nil || isMixed { return try set(element, at: index) }
    let value = try source.value(element, scope)
    if !old.isIdentical(to: value) { try collection.write { try $0.set(at: index, value) } }
  }

  // MARK: Sets

  /// Adds those elements that are not there yet.
  func add(_ elements: [Source.Element]) throws {
    let values = try elements.map { element in isMixed ? try mixed.scalar(element) : try source.value(element, scope) }
    try collection.write { collection in for value in values { _ = try collection.insert(value) } }
  }

  // MARK: Dictionaries

  /// Sets the value of a key, whether there is one or not.
  func set(_ element: Source.Element, forKey name: String) throws {
    try DictionaryKey.check(name)
    let key = Array(name.utf8)
    if let target = embedded, !DynamicInput.isNull(element) {
      if isUpdate, let old = try collection.read({ try $0.value(for: key) })?.linkTarget,
        let content = try source.content(of: element, updating: old, target, core)
      {
        return try store(content, target, old, isNew: false)
      }
      let content = try source.content(of: element, target)
      return try store(content, target, collection.write { try $0.setEmbedded(key: key) }, isNew: true)
    }
    if isMixed { return try mixed.set(element, forKey: name, collection) }
    let value = try source.value(element, scope)
    if isUpdate, let old = try collection.read({ try $0.value(for: key) }), old.isIdentical(to: value) { return }
    try collection.write { try $0.set(key: key, value) }
  }

  /// - Parameter isNew: properties that the content lacks get their defaults.
  private func store(_ content: ElementContent, _ target: ClassBinding, _ key: ObjectKey, isNew: Bool) throws {
    switch content {
    case .instance(let object): try core.adopt(object, target, key, policy: scope.policy)
    case .input(let input): try core.fill(target, key, from: input, FreshDefaults(target), policy: scope.policy, isNew: isNew)
    case .itself: return
    }
  }
}

extension CollectionFilling {
  /// For elements of the collection's own type. Stops nothing by itself: throws unless the collection may be changed now.
  init<Element>(editing collection: CollectionCore, _ policy: Realm.UpdatePolicy = .error) throws where Source == TypedElements<Element> {
    _ = try collection.writing()
    try self.init(collection, TypedElements(kind: collection.kind), policy)
  }
}

extension CollectionFilling<InputElements> {
  /// Fills a collection property from input of any type.
  /// - Parameter adopts: unmanaged objects in the input become managed instead of being copied.
  static func fill(_ collection: CollectionCore, from input: Any, _ policy: Realm.UpdatePolicy, adopts: Bool) throws {
    if DynamicInput.isNull(input) {
      try collection.write { try $0.removeAll() }
      return
    }
    // Assigning a collection to itself changes nothing.
    if let given = DynamicInput.unwrapped(input) as? any _ManagedCollection, given._managed?.isSame(collection) == true { return }
    let (property, className) = (collection.property, collection.owner.className)
    if let mismatch = CollectionInput.mismatch(input, property, className) { throw mismatch }
    let filling = try CollectionFilling(collection, InputElements(collection, adopts: adopts), policy)
    switch collection.kind {
    case .list: try filling.fill(list: CollectionInput.elements(input, property, className))
    case .set: try filling.fill(set: CollectionInput.elements(input, property, className))
    case .dictionary: try filling.fill(dictionary: CollectionInput.entries(input, property, className))
    }
  }
}
