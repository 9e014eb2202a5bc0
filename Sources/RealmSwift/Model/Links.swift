import RealmStorage

// Links to objects, as properties and as elements.

extension RealmCore {
  /// An accessor of an object that is known to exist.
  @inline(__always) func accessor<T: ObjectBase>(_ type: T.Type, _ binding: ClassBinding, _ key: ObjectKey) -> T {
    let object = type.init()
    object.bind(binding, self, key)
    return object
  }

  /// An accessor of the Swift class that belongs to the table, or a `DynamicObject`.
  func accessor(_ binding: ClassBinding, _ key: ObjectKey) -> ObjectBase {
    let object = (binding.schema.modelType ?? DynamicObject.self).init()
    object.bind(binding, self, key)
    return object
  }
}

/// Objects as the engine stores them: links.
protocol LinkStorable: ObjectBase {}

extension LinkStorable {
  /// The object that a property links to. The hot path of following links.
  static func linked(from object: ObjectBase, _ key: UInt32) -> Self? {
    guard let references = unsafe object.references else { return traced(from: object, key) }
    guard let target = object.linkKey(key) else { return nil }
    guard let binding = unsafe references.binding._withUnsafeGuaranteedRef({ unsafe $0.knownTarget(Int(key) &- 1) }) else {
      return firstLinked(from: object, key, target)
    }
    let accessor = Self()
    unsafe accessor.bind(binding, references.core, target)
    return accessor
  }

  /// The first time that a link of its kind is followed.
  @inline(never) private static func firstLinked(from object: ObjectBase, _ key: UInt32, _ target: ObjectKey) -> Self? {
    guard let core = object.core, let binding = object.binding else { return nil }
    guard let targetBinding = orStop({ () throws(RealmFailure) in try binding.target(Int(key) - 1, core) }) else { return nil }
    return core.accessor(Self.self, targetBinding, target)
  }

  private static func traced(from object: ObjectBase, _ key: UInt32) -> Self? {
    guard let tracer = object.binding?.tracer, let binding = object.binding else { return nil }
    tracer.record(binding.property(key).name)
    return tracer.instance(Self.self)
  }

  /// The link that stands for this object in a scope: it becomes managed if it is not.
  func link(_ scope: _Scope) throws(RealmFailure) -> ObjectKey {
    guard let core = scope.core else { throw .misuse("Only a managed collection stores links.") }
    if let owner = self.core, owner !== core {
      throw .misuse("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    }
    if self.core != nil && isManagedAndGone { throw .misuse("Adding a deleted or invalidated object to a Realm is not permitted") }
    if let target = scope.target {
      let name = binding?.className ?? Self.storedName(of: self)
      guard name == target.className else {
        switch scope.kind {
        case .dictionary: throw .misuse("Value of type '\(name)' does not match RLMDictionary value type '\(target.className)'.")
        case .set: throw .misuse("Object of type '\(name)' does not match RLMSet type '\(target.className)'.")
        default: throw .misuse("Object of type '\(name)' does not match RLMArray type '\(target.className)'.")
        }
      }
    }
    return try core.add(self, policy: scope.policy)
  }

  private static func storedName(of object: ObjectBase) -> String { type(of: object).className() }
}

extension LinkStorable {
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    guard let core = scope.core else { return nil }
    switch stored.value {
    case .link(let key):
      guard let target = scope.target, !key.isUnresolved else { return nil }
      return core.accessor(Self.self, target, key)
    case .typedLink(let link):
      guard !link.key.isUnresolved else { return nil }
      return core.accessor(Self.self, orStop { () throws(RealmFailure) in try core.binding(ofTable: link.table) }, link.key)
    default: return nil
    }
  }
  /// The element that input of `create(value:)` stands for; throws if there is none.
  public static func _element(from input: Any) throws -> Self {
    guard let object = try unmanagedLink(from: input) else { throw RealmFailure.misuse("Invalid nil value for array of '\(className())'.") }
    return object
  }
}

extension Object: LinkStorable {}
extension EmbeddedObject: LinkStorable {}

extension Object: _RealmCollectionValueInsideOptional, _OptionalPersistable {
  /// Stored as it is.
  public typealias PersistedType = Object
  /// How values are stored: the type of the column, or of its elements.
  public class var _shape: _Shape { _Shape(.object, objectType: self) }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue {
    orStop { () throws(RealmFailure) in
      let key = try link(scope)
      guard scope.target == nil, let binding = binding else { return _StoredValue(.link(key)) }
      return _StoredValue(.typedLink(ObjectLink(table: binding.tableKey, key: key)))
    }
  }
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self? { linked(from: object, key) }
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: Object?) {
    orStop { () throws(RealmFailure) in try object.setLink(at: Int(key) - 1, value, .error) }
  }
  /// Hands the value of an optional property of an object that is being added to its row.
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: Object?, _ policy: Realm.UpdatePolicy) {
    orStop { () throws(RealmFailure) in try object.setLink(at: Int(key) - 1, value, policy) }
  }
  /// The value that input stands for; nil for null; throws if there is none.
  public static func _unmanagedOptional(from input: Any) throws -> Self? { try unmanagedLink(from: input) }
}

extension EmbeddedObject: _RealmCollectionValueInsideOptional, _OptionalPersistable, _CustomStorage {
  /// Stored as it is.
  public typealias PersistedType = EmbeddedObject
  /// How values are stored: the type of the column, or of its elements.
  public class var _shape: _Shape { _Shape(.object, objectType: self) }
  /// Collections create embedded objects in place; a value of one cannot be stored elsewhere.
  public func _store(_ scope: _Scope) -> _StoredValue { stop("Cannot set a link to an existing managed embedded object") }
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self? { linked(from: object, key) }
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject?) {
    orStop { () throws(RealmFailure) in try object.setEmbedded(at: Int(key) - 1, value, .error) }
  }
  /// Hands the value of an optional property of an object that is being added to its row.
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject?, _ policy: Realm.UpdatePolicy) {
    orStop { () throws(RealmFailure) in try object.setEmbedded(at: Int(key) - 1, value, policy) }
  }
  /// The value that input stands for; nil for null; throws if there is none.
  public static func _unmanagedOptional(from input: Any) throws -> Self? { try unmanagedLink(from: input) }

  /// Reads the property that a custom type stands on; nil for null.
  public static func _customGet(_ object: ObjectBase, _ key: UInt32) -> Self? { linked(from: object, key) }
  /// Reads the optional property that a custom type stands on.
  public static func _customGetOptional(_ object: ObjectBase, _ key: UInt32) -> Self? { linked(from: object, key) }
  /// Sets the property that a custom type stands on.
  public static func _customSet(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject?) { _setOptional(object, key, value) }
  /// Hands the value that a custom type stands on to the row of an object that is being added.
  public static func _customPromote(_ object: ObjectBase, _ key: UInt32, _ value: EmbeddedObject?, _ policy: Realm.UpdatePolicy) {
    _promoteOptional(object, key, value, policy)
  }
  /// The value below a custom type that input stands for; nil for null; throws if there is none.
  public static func _customUnmanaged(from input: Any) throws -> Self? { try unmanagedLink(from: input) }
  /// The value below a custom type of a property that has no initial value.
  public static func _customDefault() -> Self { Self() }
}

extension LinkStorable {
  /// The object that input of `create(value:)` stands for, for a property of an unmanaged object.
  static func unmanagedLink(from input: Any) throws(RealmFailure) -> Self? {
    if DynamicInput.isNull(input) { return nil }
    if let object = input as? Self { return object }
    if let object = DynamicInput.unwrapped(input) as? ObjectBase {
      let name = object.binding?.className ?? type(of: object).className()
      guard name == className() else { throw .misuse("Invalid value '\(name)' of another class.") }
    }
    let object = Self()
    try object.populate(from: input)
    return object
  }
}

extension ObjectBase {
  /// Sets a link to a top-level object.
  final func setLink(at slot: Int, _ target: Object?, _ policy: Realm.UpdatePolicy) throws(RealmFailure) {
    let (core, binding, _) = try writableTable()
    var value = Value.null
    if let target {
      let property = binding.property(at: slot)
      if target.isManaged && target.isManagedAndGone {
        throw .misuse("Adding a deleted or invalidated object to a Realm is not permitted")
      }
      let name = target.binding?.className ?? type(of: target).className()
      if (target.core != nil && target.core !== core) || name != property.objectClassName {
        throw .misuse("Can't set object of type '\(name)' to property of type '\(property.objectClassName ?? "")'")
      }
      // An update changes the object that is linked already, if nothing but its place says which one is meant.
      if policy == .modified, target.core == nil, case .link(let old) = try storedValue(at: slot),
        let targetBinding = try binding.target(slot, core), targetBinding.primaryKeySlot == nil
      {
        return try core.adopt(target, targetBinding, old, policy: policy)
      }
      value = .link(try core.add(target, policy: policy))
    }
    if policy == .modified, case .link(let old) = try storedValue(at: slot), case .link(let new) = value, old == new { return }
    try store(at: slot, value)
  }

  /// Sets a link to an embedded object, which is created in place; one that was there is deleted.
  final func setEmbedded(at slot: Int, _ target: EmbeddedObject?, _ policy: Realm.UpdatePolicy) throws(RealmFailure) {
    let (core, binding, table) = try writableTable()
    guard let target else { return try store(at: slot, .null) }
    if target.isManaged {
      if target.core === core, case .link(let old) = try storedValue(at: slot), old == target.key { return }
      throw .misuse("Can't set link to existing managed embedded object")
    }
    guard let targetBinding = try binding.target(slot, core) else { return }
    if policy == .modified, case .link(let old) = try storedValue(at: slot) {
      return try core.adopt(target, targetBinding, old, policy: policy)
    }
    let new = try core.opened { () throws(StorageError) in try table.setEmbedded(key, binding.columns[slot]) }
    try core.adopt(target, targetBinding, new, policy: policy)
  }

  /// Stores a scalar of an object that becomes managed.
  final func promote(_ key: UInt32, _ value: Value, _ policy: Realm.UpdatePolicy) {
    orStop { () throws(RealmFailure) in
      let slot = Int(key) - 1
      if slot == binding?.primaryKeySlot { return }
      if policy == .modified, try storedValue(at: slot).isIdentical(to: value) { return }
      // The object has just been bound: neither thread nor transaction need be looked at again.
      guard let core, let binding else { return }
      let table = try binding.table(core)
      core.willMutate()
      do throws(StorageError) { try table.set(self.key, binding.columns[slot], value) } catch {
        throw core.failure(error, setting: value, in: binding, slot: slot)
      }
    }
  }
}
