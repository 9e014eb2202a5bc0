import RealmStorage

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
    guard let targetBinding = orStop(core, nil, { try binding.target(Int(key) - 1, core) }) else { return nil }
    return core.accessor(Self.self, targetBinding, target)
  }

  private static func traced(from object: ObjectBase, _ key: UInt32) -> Self? {
    guard let tracer = object.binding?.tracer, let binding = object.binding else { return nil }
    tracer.record(binding.property(key).name)
    return tracer.instance(Self.self)
  }

  /// The link that stands for this object in a scope: it becomes managed if it is not.
  func link(_ scope: _Scope) throws -> ObjectKey {
    guard let core = scope.core else { throw RealmFailure.misuse("Only a managed collection stores links.") }
    if let owner = self.core, owner !== core {
      throw RealmFailure.misuse("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    }
    if self.core != nil && isManagedAndGone { throw RealmFailure.misuse("Adding a deleted or invalidated object to a Realm is not permitted") }
    if let target = scope.target {
      let name = binding?.className ?? Self.storedName(of: self)
      guard name == target.className else {
        switch scope.kind {
        case .dictionary: throw RealmFailure.misuse("Value of type '\(name)' does not match Map value type '\(target.className)'.")
        case .set: throw RealmFailure.misuse("Object of type '\(name)' does not match MutableSet type '\(target.className)'.")
        default: throw RealmFailure.misuse("Object of type '\(name)' does not match List type '\(target.className)'.")
        }
      }
    }
    return try core.add(self, policy: scope.policy)
  }

  private static func storedName(of object: ObjectBase) -> String { type(of: object).className() }
}

extension LinkStorable {
  /// The object that a stored link leads to; nil for null. Stops for what is no link.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    guard let core = scope.core else { return nil }
    switch stored.value {
    case .link(let key):
      guard let target = scope.target, !key.isUnresolved else { return nil }
      return element(core, target, key)
    case .typedLink(let link):
      guard !link.key.isUnresolved else { return nil }
      return element(core, orStop(core) { try core.binding(ofTable: link.table) }, link.key)
    case .null: return nil
    // Untyped access to a collection of values. Nil would be taken for null.
    default: return orStop(core) { throw DynamicInput.noCounterpart(stored.value, Self.self) }
    }
  }

  /// An accessor of this class, or of one that derives from it: see ``ClassBinding/accessorClass(_:)``.
  @inline(__always) private static func element(_ core: RealmCore, _ binding: ClassBinding, _ key: ObjectKey) -> Self {
    let object = core.accessor(binding.accessorClass(Self.self), binding, key)
    // SAFETY: the class is this one or a derived one.
    return unsafe unsafeDowncast(object, to: Self.self)
  }

  /// The element that input of `create(value:)` stands for; throws if there is none.
  public static func _element(from input: Any) throws -> Self {
    guard let object = try unmanagedLink(from: input) else { throw RealmFailure.misuse("Invalid nil value for array of '\(className())'.") }
    return object
  }
}

extension LinkStorable {
  /// The object that input of `create(value:)` stands for, for a property of an unmanaged object.
  static func unmanagedLink(from input: Any) throws -> Self? {
    if DynamicInput.isNull(input) { return nil }
    if let object = input as? Self { return object }
    if let object = DynamicInput.object(DynamicInput.unwrapped(input)) {
      let name = object.binding?.className ?? type(of: object).className()
      guard name == className() else { throw RealmFailure.misuse("Invalid value '\(name)' of another class.") }
    }
    let object = Self()
    try object.populate(from: input)
    return object
  }
}
