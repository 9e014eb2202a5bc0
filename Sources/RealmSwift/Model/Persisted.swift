/// A property of a model class that is stored in the realm.
///
/// Can only be used in classes derived from `Object`, `EmbeddedObject` or `AsymmetricObject`. The property's name in the schema is its name
/// in Swift. An unmanaged object keeps the value here; a managed one reads and writes its row.
@propertyWrapper
public struct Persisted<Value: _Persistable>: _AnyPersisted {
  /// The property's position in its class plus one; 0 in an unmanaged object. First field: binding an object stores it by offset.
  @usableFromInline var _key: UInt32
  /// `PersistedFlags`.
  @usableFromInline var _flags: UInt8
  /// Nil until a value without initialiser is first read.
  @usableFromInline var _value: Value?

  // Inlinable, so that making an object takes no generic calls.
  @inlinable init(_ value: Value?, _ flags: UInt8) {
    _key = 0
    _flags = flags
    _value = value
  }

  /// A property with the default value of its type.
  @inlinable public init() { self.init(nil, 0) }
  /// A property with an initial value of its own.
  @inlinable public init(wrappedValue value: Value) { self.init(value, 0) }

  /// Not to be used: only properties of model classes have one.
  @available(*, unavailable, message: "@Persisted can only be used as a property on a Realm object")
  public var wrappedValue: Value {
    get { fatalError("called wrappedValue getter") }
    set { fatalError("called wrappedValue setter") }
  }

  // Inlined into the property itself, where the key paths are literals, which cost nothing then; otherwise they are made and gone through at
  // every access, at fifty times the price. No access to the wrapper lasts while other code runs: the optimiser, which sees all of them in the
  // client's module, then leaves out the run-time check for overlapping accesses, which would cost a fifth of reading a text.
  /// How the compiler reaches the property of an object.
  ///
  /// Of a managed object: stops on a wrong thread and when the object is gone, setting also outside of a write transaction and when the object is
  /// frozen. Damage of the file that a read meets stops, too.
  @inlinable
  public static subscript<EnclosingSelf: ObjectBase>(
    _enclosingInstance observed: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Self>
  ) -> Value {
    @inline(__always) get {
      let key = observed[keyPath: storageKeyPath]._key
      if key != 0 { return Value._get(observed, key) }
      if let value = observed[keyPath: storageKeyPath]._value { return value }
      let value = Value._defaultValue()
      observed[keyPath: storageKeyPath]._value = value
      return value
    }
    @inline(__always) set {
      let key = observed[keyPath: storageKeyPath]._key
      if key != 0 { return Value._set(observed, key, newValue) }
      let value = Value._assignUnmanaged(observed[keyPath: storageKeyPath]._value, newValue)
      observed[keyPath: storageKeyPath]._value = value
    }
  }

  mutating func makeDefault() -> Value {
    let value = Value._defaultValue()
    _value = value
    return value
  }

  // MARK: By offset, for the schema and for objects that become managed

  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { Value._shape }

  @inline(__always) private static func at(_ object: ObjectBase, _ offset: Int) -> UnsafeMutablePointer<Self> {
    // SAFETY: `offset` comes from the runtime's field record of a field of this very type in the object's class.
    unsafe (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Self.self)
  }

  /// Whether the wrapper of a managed object keeps something: a collection.
  public static var _keepsState: Bool { Value._staysInWrapper }

  /// The bits of `PersistedFlags` in the wrapper at a byte offset of an instance.
  public static func _flags(_ object: ObjectBase, _ offset: Int) -> UInt8 { unsafe at(object, offset).pointee._flags }

  /// The property whose links a `LinkingObjects` shows; nil for other types.
  public static func _originProperty(_ object: ObjectBase, _ offset: Int) -> String? {
    guard let links = unsafe at(object, offset).pointee._value as? any LinkingObjectsProtocol else { return nil }
    return links._originProperty
  }

  /// Hands the value of an object that is being added to its row.
  public static func _promote(_ object: ObjectBase, _ offset: Int, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws {
    let value = unsafe at(object, offset).pointee._value ?? at(object, offset).pointee.makeDefault()
    try value._promote(object, key, policy)
    if !Value._staysInWrapper { unsafe at(object, offset).pointee._value = nil }
  }

  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  public static func _isPlain(_ object: ObjectBase, _ offset: Int, _ scope: _Scope) -> Bool {
    let value = unsafe at(object, offset).pointee._value
    // A collection that nobody has asked for is empty.
    if value == nil && Value._staysInWrapper { return true }
    // Kept, so that what was found to be plain is what is stored.
    if let value { return value._isPlain(scope) }
    return unsafe at(object, offset).pointee.makeDefault()._isPlain(scope)
  }

  /// Stores a plain value in the row that is being made for its object.
  public static func _insert(_ object: ObjectBase, _ offset: Int, _ slot: Int, _ row: inout _NewRow) {
    if Value._staysInWrapper { return }
    let value = unsafe at(object, offset).pointee._value ?? Value._defaultValue()
    value._insert(&row, slot)
    unsafe at(object, offset).pointee._value = nil
  }

  /// The number of an integer property, for primary keys.
  public static func _integer(_ object: ObjectBase, _ offset: Int) -> Int64? {
    (unsafe at(object, offset).pointee._value ?? Value._defaultValue())._integer
  }

  /// Makes the collection of an object that was just added, if anybody has asked for it, that of its row.
  public static func _adoptCollection(_ object: ObjectBase, _ offset: Int, _ key: UInt32) throws {
    if Value._staysInWrapper, let value = unsafe at(object, offset).pointee._value { try value._promote(object, key, .error) }
  }

  /// The value in an unmanaged object, whatever its type.
  public static func _readUnmanaged(_ object: ObjectBase, _ offset: Int) -> Any {
    if let value = unsafe at(object, offset).pointee._value { return value }
    return unsafe at(object, offset).pointee.makeDefault()
  }

  /// Sets the value in an unmanaged object to what input stands for; throws if there is none.
  public static func _writeUnmanaged(_ object: ObjectBase, _ offset: Int, _ input: Any) throws {
    let value = try Value._unmanaged(from: input)
    unsafe at(object, offset).pointee._value = Value._assignUnmanaged(at(object, offset).pointee._value, value)
  }

  /// The value of a managed object, whatever its type.
  public static func _readManaged(_ object: ObjectBase, _ key: UInt32) -> Any { Value._get(object, key) }

  /// Throws if reading the property would stop, because an enumeration or a custom type has no counterpart for what is stored.
  public static func _checkConversion(of stored: _StoredValue) throws {
    func hasCounterpart<T: _PersistableInsideOptional>(_ type: T.Type) -> Bool { T._load(stored, _Scope(core: nil, target: nil)) != nil }
    guard let type = Value.self as? any _PersistableInsideOptional.Type, !hasCounterpart(type) else { return }
    throw DynamicInput.failedConversion(stored.value, Value.self)
  }

  /// What becomes of an unmanaged value when its object is added: it is taken out, with the default where there is none.
  @inline(__always) static func take(_ object: ObjectBase, _ offset: Int) -> Value {
    let wrapper = unsafe at(object, offset)
    guard let value = unsafe wrapper.pointee._value else { return Value._defaultValue() }
    unsafe wrapper.pointee._value = nil
    return value
  }
  @inline(__always) static func peek(_ object: ObjectBase, _ offset: Int) -> Value? { unsafe at(object, offset).pointee._value }
  static func cached(_ object: ObjectBase, _ offset: Int) -> Value? { unsafe at(object, offset).pointee._value }
  static func cache(_ object: ObjectBase, _ offset: Int, _ value: Value) { unsafe at(object, offset).pointee._value = value }
}

extension Persisted where Value.PersistedType: _Indexable {
  /// A property with an index, if `indexed` is true.
  @inlinable public init(indexed: Bool) { self.init(nil, indexed ? 1 : 0) }
  /// A property with an initial value of its own, and an index if `indexed` is true.
  @inlinable public init(wrappedValue value: Value, indexed: Bool) { self.init(value, indexed ? 1 : 0) }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
  /// The primary key of its class, if `primaryKey` is true: unique, indexed, and not to be changed in managed objects.
  @inlinable public init(primaryKey: Bool) { self.init(nil, primaryKey ? 2 : 0) }
  /// The primary key of its class with an initial value of its own, if `primaryKey` is true.
  @inlinable public init(wrappedValue value: Value, primaryKey: Bool) { self.init(value, primaryKey ? 2 : 0) }
}

extension Persisted where Value: LinkingObjectsProtocol {
  /// A property of the objects that link to this one: live, computed, and without a column.
  /// - Parameter originProperty: the property of the linking class.
  public init(originProperty: String) { self.init(Value(fromType: Value.Element.self, property: originProperty), 0) }
}

extension Persisted where Value.PersistedType == String {
  /// An addition of ours to the SDK: a property with a full-text index, if `fullTextIndexed` is true.
  @inlinable public init(fullTextIndexed: Bool) { self.init(nil, fullTextIndexed ? 4 : 0) }
  /// An addition of ours to the SDK: a property with an initial value of its own, and a full-text index if `fullTextIndexed` is true.
  @inlinable public init(wrappedValue value: Value, fullTextIndexed: Bool) { self.init(value, fullTextIndexed ? 4 : 0) }
}

extension Persisted where Value.PersistedType == String? {
  /// An addition of ours to the SDK: a property with a full-text index, if `fullTextIndexed` is true.
  @inlinable public init(fullTextIndexed: Bool) { self.init(nil, fullTextIndexed ? 4 : 0) }
  /// An addition of ours to the SDK: a property with an initial value of its own, and a full-text index if `fullTextIndexed` is true.
  @inlinable public init(wrappedValue value: Value, fullTextIndexed: Bool) { self.init(value, fullTextIndexed ? 4 : 0) }
}

extension Persisted: PeekableWrapper {
  static func peeked(_ object: ObjectBase, _ offset: Int) -> Any? { peek(object, offset) }
}
