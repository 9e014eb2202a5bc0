import RealmStorage

/// How the elements of what a collection is filled from become stored ones.
protocol ElementSource {
  associatedtype Element
  /// Unmanaged objects in `AnyRealmValue`s, and those of other realms, are copied; otherwise unmanaged ones become managed.
  var copies: Bool { get }
  /// The stored form of an element that is no embedded object and not in a collection of `AnyRealmValue`s.
  func value(_ element: Element, _ scope: _Scope) throws -> Value
  /// What a new embedded object for an element is filled from.
  func content(of element: Element, _ target: ClassBinding) throws -> ElementContent
  /// What the object that is there is changed by; nil if the element takes its place.
  /// - Parameter key: the object that is there.
  func content(of element: Element, updating key: ObjectKey, _ target: ClassBinding, _ core: RealmCore) throws -> ElementContent?
}

/// What the object that an element stands for is filled from.
enum ElementContent {
  /// An unmanaged instance, which becomes the accessor.
  case instance(ObjectBase)
  /// Values to be copied.
  case input(ObjectInput)
  /// It is that very object already.
  case itself
}

/// Elements of a collection's own Swift type: unmanaged objects become managed.
struct TypedElements<Element: _Storable>: ElementSource {
  let kind: CollectionKind
  var copies: Bool { false }

  func value(_ element: Element, _ scope: _Scope) throws -> Value { try element._store(scope).value }

  func content(of element: Element, _ target: ClassBinding) throws -> ElementContent {
    guard let object = object(of: element) else { throw RealmFailure.misuse("Invalid nil value for array of '\(target.className)'.") }
    guard !object.isManaged else {
      throw RealmFailure.misuse("Cannot add an existing managed embedded object to a \(kind == .dictionary ? "Dictionary" : "List").")
    }
    try check(object, target)
    return .instance(object)
  }

  func content(of element: Element, updating key: ObjectKey, _ target: ClassBinding, _ core: RealmCore) throws -> ElementContent? {
    guard target.primaryKeySlot == nil, let object = object(of: element), !object.isManaged else { return nil }
    try check(object, target)
    return .instance(object)
  }
  private func check(_ object: ObjectBase, _ target: ClassBinding) throws {
    if target.isClass(of: object) { return }
    let (name, wanted) = (object.currentClassName, target.className)
    throw RealmFailure.misuse(
      kind == .dictionary
        ? "Value of type '\(name)' does not match Map value type '\(wanted)'." : "Object of type '\(name)' does not match List type '\(wanted)'.")
  }

  /// The object that an element is; of a custom type that is stored as an embedded object, that object.
  private func object(of element: Any) -> ObjectBase? {
    let element = DynamicInput.unwrapped(element)
    if let object = DynamicInput.object(element) { return object }
    guard let custom = element as? any _CustomPersistable else { return nil }
    return DynamicInput.object(DynamicInput.persisted(custom))
  }
}

/// Elements of any type, as they come from dictionaries, JSON and dynamic setters, by the rules of `create(value:)`.
struct InputElements: ElementSource {
  private let collection: CollectionCore
  private let adopts: Bool

  /// - Parameter adopts: unmanaged objects become managed instead of being copied.
  init(_ collection: CollectionCore, adopts: Bool) {
    self.collection = collection
    self.adopts = adopts
  }

  var copies: Bool { !adopts }

  func value(_ element: Any, _ scope: _Scope) throws -> Value {
    guard let target = scope.target, let core = scope.core else { return try collection.owner.scalar(element, collection.slot) }
    if DynamicInput.isNull(element) {
      if collection.kind == .dictionary { return .null }
      throw invalid(element)
    }
    if let object = DynamicInput.object(DynamicInput.unwrapped(element)) {
      try check(object, target)
      if adopts { return .link(try core.add(object, policy: scope.policy)) }
    }
    return .link(try core.linkKey(from: element, target, policy: scope.policy))
  }

  func content(of element: Any, _ target: ClassBinding) throws -> ElementContent {
    if adopts, let object = DynamicInput.object(DynamicInput.unwrapped(element)), !object.isManaged {
      try check(object, target)
      return .instance(object)
    }
    return .input(try ObjectInput(element, for: target))
  }

  func content(of element: Any, updating key: ObjectKey, _ target: ClassBinding, _ core: RealmCore) throws -> ElementContent? {
    let object = DynamicInput.object(DynamicInput.unwrapped(element))
    guard target.primaryKeySlot == nil, target.isEmbedded || object?.core == nil, core.copies.key(of: object, target) == nil else {
      return nil
    }
    if let object, object.core === core, object.key == key { return .itself }
    return .input(try ObjectInput(element, for: target))
  }

  private func check(_ object: ObjectBase, _ target: ClassBinding) throws {
    guard object.currentClassName == target.className, object.isManaged || !adopts || target.isClass(of: object) else { throw invalid(object) }
  }

  private func invalid(_ element: Any) -> RealmFailure {
    .misuse(DynamicInput.invalidValue(element, collection.owner.className, collection.property))
  }
}
