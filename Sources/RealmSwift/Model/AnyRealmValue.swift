public import Foundation
import RealmStorage

/// A value of any type that a realm can hold, in a property or a collection.
///
/// Thread-confined if it holds a managed object or collection.
public enum AnyRealmValue: Hashable {
  /// Null: no value, of no type.
  case none
  /// An integer with 64 bits. It equals only other integers: numbers of several types are not compared by `==`.
  case int(Int)
  /// A Boolean value, which is no number.
  case bool(Bool)
  /// A floating-point number with 32 bits.
  case float(Float)
  /// A floating-point number with 64 bits.
  case double(Double)
  /// A text, stored as UTF-8.
  case string(String)
  /// A sequence of bytes.
  case data(Data)
  /// A point in time, stored as seconds and nanoseconds.
  case date(Date)
  /// A link to an object, of any class. An unmanaged one is added to the realm where the value is stored.
  case object(Object)
  /// A 12-byte identifier, as ``ObjectId/generate()`` makes it.
  case objectId(ObjectId)
  /// A decimal floating-point number with 34 significant digits.
  case decimal128(Decimal128)
  /// A UUID, stored as its 16 bytes.
  case uuid(UUID)
  /// A map, which may hold further maps and lists. Of a managed property it is live: changing it stops where ``Map`` says, for example outside of a
  /// write transaction.
  case dictionary(Map<String, AnyRealmValue>)
  /// A list, which may hold further maps and lists. Of a managed property it is live: changing it stops where ``List`` says, for example outside of a
  /// write transaction.
  case list(List<AnyRealmValue>)

  /// Makes a value that is null.
  public init() { self = .none }

  /// A value with an unmanaged map of these entries. Stops for a key that contains a dot or starts with `$`.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map[key] = value }
    return .dictionary(map)
  }
  /// A value with an unmanaged list of these elements.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  // The value if it is of that type; numbers are not converted.

  /// The integer, if it is one.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The Boolean value, if it is one. Numbers are none.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number, if it is a `Float`.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The number, if it is a `Double`.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The text, if it is text.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The bytes, if it is data.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The date, if it is one.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The identifier, if it is an `ObjectId`.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The number, if it is a `Decimal128`.
  public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
  /// The identifier, if it is a `UUID`.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The map, if it is one. Of a managed property it is live: setting an entry changes what is stored, and stops where ``Map`` says, for example
  /// outside of a write transaction.
  public var dictionaryValue: Map<String, AnyRealmValue>? { if case .dictionary(let value) = self { value } else { nil } }
  /// The list, if it is one. Of a managed property it is live: changing it changes what is stored, and stops where ``List`` says, for example outside
  /// of a write transaction.
  public var listValue: List<AnyRealmValue>? { if case .list(let value) = self { value } else { nil } }
  /// The object, if it is one of that class; for classes that the program does not have see `dynamicObject`.
  public func object<T: Object>(_ objectType: T.Type) -> T? { if case .object(let value) = self { value as? T } else { nil } }
  /// The object as one of no particular class.
  public var dynamicObject: DynamicObject? {
    guard case .object(let value) = self else { return nil }
    if let object = value as? DynamicObject { return object }
    guard let core = value.core, let binding = value.binding else { return nil }
    return core.accessor(DynamicObject.self, binding, value.key)
  }

  /// What the value is in Swift; nil for null.
  var contents: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .dictionary(let value): value
    case .list(let value): value
    }
  }

  /// Hashes the value. All maps have the same hash, and all lists.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(14)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .dictionary: hasher.combine(12)
    case .list: hasher.combine(13)
    }
  }

  /// The stored form of anything that is neither object nor collection.
  var scalar: Value? {
    switch self {
    case .none: .null
    case .int(let value): .int(Int64(value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): Value(value)
    case .data(let value): .binary([UInt8](value))
    case .date(let value): .timestamp(Timestamp(value))
    case .objectId(let value): .objectID(value.engineValue)
    case .decimal128(let value): .decimal(value.engineValue)
    case .uuid(let value): .uuid(UUIDBytes(value))
    case .object, .dictionary, .list: nil
    }
  }

  /// - Parameter nested: the collection that the value is, if it is one.
  init(_ value: Value, _ core: RealmCore?, nested: (CollectionKind) -> CollectionCore?) {
    switch value {
    case .null: self = .none
    case .int(let value): self = .int(Int(value))
    case .bool(let value): self = .bool(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .string(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
    case .binary(let bytes): self = .data(Data(bytes))
    case .timestamp(let value): self = .date(Date(value))
    case .objectID(let value): self = .objectId(ObjectId(value))
    case .decimal(let value): self = .decimal128(Decimal128(value))
    case .uuid(let value): self = .uuid(UUID(value))
    case .link: self = .none
    case .typedLink(let link):
      guard let core, !link.key.isUnresolved,
        let object = core.accessor(orStop(core) { try core.binding(ofTable: link.table) }, link.key) as? Object
      else {
        self = .none
        return
      }
      self = .object(object)
    case .list: self = nested(.list).map { .list(List(managed: $0)) } ?? .none
    case .dictionary: self = nested(.dictionary).map { .dictionary(Map(managed: $0)) } ?? .none
    }
  }
}

extension AnyRealmValue: RealmCollectionValue, _Persistable, MinMaxType, AddableType, SortableType, _QueryNumeric, _QueryString {
  /// The type that is stored: values of any type, each with its own.
  public typealias PersistedType = AnyRealmValue
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.any) }

  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> AnyRealmValue {
    let value = object.storedValue(key)
    guard let core = object.core, let binding = object.binding else { return .none }
    return AnyRealmValue(value, core) { kind in
      CollectionCore.held(by: object, core, binding, slot: Int(key) - 1, kind)
    }
  }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: AnyRealmValue) {
    orStop(object.core) { try value.store(in: object, key, .error) }
  }
  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws { try store(in: object, key, policy) }

  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  public func _isPlain(_ scope: _Scope) -> Bool { scalar != nil }
  /// Stores a plain value in a row that is being made.
  public func _insert(_ row: inout _NewRow, _ slot: Int) { row.set(slot, scalar ?? .null) }

  private func store(in object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws {
    let (core, binding, table) = try object.writableTable()
    let slot = Int(key) - 1
    try MixedInput(core, policy).assign(self, table, object.key, binding.columns[slot], binding, slot)
  }

  /// The value of a property that has no initial value.
  public static func _defaultValue() -> AnyRealmValue { .none }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> AnyRealmValue { try _element(from: input) }
  /// The element that input of `create(value:)` stands for; throws if there is none.
  public static func _element(from input: Any) throws -> AnyRealmValue {
    if DynamicInput.isNull(input) { return .none }
    if let value = input as? AnyRealmValue { return value }
    let input = DynamicInput.unwrapped(input)
    if let object = input as? Object { return .object(object) }
    if let value = DynamicInput.engineValue(input) { return AnyRealmValue(value, nil) { _ in nil } }
    if input is any _SetInput { throw MixedInput.setNested }
    if let entries = DynamicInput.entries(of: input) {
      let map = Map<String, AnyRealmValue>()
      for (key, value) in entries { try map.update(_element(from: value), key) }
      return .dictionary(map)
    }
    if let elements = DynamicInput.elements(of: input) { return .fromArray(try elements.map { try _element(from: $0) }) }
    throw RealmFailure.misuse("Invalid value '\(DynamicInput.shown(input))' of type '\(type(of: input))' for 'mixed' property.")
  }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { false }

  /// Nested collections are loaded by the collection that holds them, which knows where they are.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> AnyRealmValue? { AnyRealmValue(stored.value, scope.core) { _ in nil } }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) throws -> _StoredValue {
    guard let core = scope.core else { return _StoredValue(scalar ?? .null) }
    return _StoredValue(try MixedInput(core, scope.policy).scalar(self))
  }
}

extension AnyRealmValue {
  /// The next element of an iteration over a managed collection; nil at the end.
  public static func _next(_ cursor: _ElementCursor) -> AnyRealmValue? { cursor.nextMixed() }
}

extension AnyRealmValue: _RealmCollectionValueInsideOptional, _OptionalPersistable {
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> AnyRealmValue? { _get(object, key) }
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: AnyRealmValue?) { _set(object, key, value ?? .none) }
  /// Hands the value of an optional property of an object that is being added to its row.
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: AnyRealmValue?, _ policy: Realm.UpdatePolicy) throws {
    try (value ?? .none)._promote(object, key, policy)
  }
  /// The value that input stands for; nil for null; throws if there is none.
  public static func _unmanagedOptional(from input: Any) throws -> AnyRealmValue? { try _element(from: input) }
}
