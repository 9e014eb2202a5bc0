import Foundation
import RealmStorage

/// An enumeration that is stored as its raw value.
///
/// Its default value is the first case; values compare as their raw values do. Replacing the enumeration by its raw type, or the other way
/// round, needs no migration.
public protocol PersistableEnum: RawRepresentable, CaseIterable, RealmEnum, MinMaxType, Comparable, _RealmCollectionValueInsideOptional,
  _PersistableInsideOptional, SortableType, _Indexable, _PrimaryKey
where RawValue: Comparable, RawValue: _PersistableInsideOptional, PersistedType == RawValue.PersistedType {
  /// The default value: the first case.
  init()
}

/// An enumeration of stored values.
public protocol RealmEnum: RawRepresentable {}

extension PersistableEnum {
  /// Makes the first case of the enumeration. Stops if there is none.
  public init() {
    guard let first = Self.allCases.first else { stop("The enumeration '\(Self.self)' has no cases.") }
    self = first
  }
  /// Compares the cases by their raw values.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { RawValue._shape.custom }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? { RawValue._load(stored, scope).flatMap(Self.init(rawValue:)) }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { rawValue._store(scope) }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> Self { Self() }
}

/// What both kinds of custom types have in common.
public protocol _CustomPersistable: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
  /// The value that a stored one stands for; nil if there is none.
  static func _make(_ persisted: PersistedType) -> Self?
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

/// A type of the app's own that is stored as another one.
public protocol CustomPersistable: _CustomPersistable where PersistedType: _CustomStorage {
  /// Follows from the members below; it may be named, and need not be.
  associatedtype PersistedType
  /// The value that a stored one stands for.
  init(persistedValue: PersistedType)
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

/// A type of the app's own that is stored as another one, not every value of which has a counterpart.
public protocol FailableCustomPersistable: _CustomPersistable where PersistedType: _CustomStorage {
  /// Follows from the members below; it may be named, and need not be.
  associatedtype PersistedType
  /// The value that a stored one stands for; nil if there is none, which stops the process where the property is not optional.
  init?(persistedValue: PersistedType)
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

extension CustomPersistable { public static func _make(_ persisted: PersistedType) -> Self? { Self(persistedValue: persisted) } }
extension FailableCustomPersistable { public static func _make(_ persisted: PersistedType) -> Self? { Self(persistedValue: persisted) } }

extension _CustomPersistable where PersistedType: _CustomStorage {
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape {
    let shape = PersistedType._shape.custom
    // An embedded object may be missing in the file although the property is not optional.
    return shape.objectType == nil ? shape : shape.optional
  }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? {
    if case .null = stored.value { return PersistedType._shape.objectType == nil ? nil : _make(PersistedType._customDefault()) }
    return PersistedType._load(stored, scope).flatMap(_make)
  }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) -> _StoredValue { orStop(scope.core) { try persistableValue._store(scope) } }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> Self {
    guard let value = _make(PersistedType._customDefault()) else {
      stop(
        "Failed to default construct a \(Self.self) using the default value for persisted type \(PersistedType.self). This conversion must "
          + "either succeed, the property must be optional, or you must explicitly specify a default value for the property.")
    }
    return value
  }
  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> Self {
    guard let persisted = PersistedType._customGet(object, key) else { return _defaultValue() }
    return _converted(persisted, object) ?? _missing(object, key)
  }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Self) { PersistedType._customSet(object, key, value.persistableValue) }
  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws {
    try PersistedType._customPromote(object, key, persistableValue, policy)
  }
  /// Reads an optional property of a managed object, or notes it while a key path is traced.
  public static func _getOptional(_ object: ObjectBase, _ key: UInt32) -> Self? {
    PersistedType._customGetOptional(object, key).flatMap { _converted($0, object) }
  }
  /// What the conversion reads is no part of a key path that is being traced.
  private static func _converted(_ persisted: PersistedType, _ object: ObjectBase) -> Self? {
    if !object.isManaged, let tracer = object.binding?.tracer { return tracer.withoutRecording { _make(persisted) } }
    return _make(persisted)
  }
  /// Sets an optional property of a managed object; stops outside of a write transaction.
  public static func _setOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?) {
    PersistedType._customSet(object, key, value?.persistableValue)
  }
  /// Hands the value of an optional property of an object that is being added to its row.
  public static func _promoteOptional(_ object: ObjectBase, _ key: UInt32, _ value: Self?, _ policy: Realm.UpdatePolicy) throws {
    try PersistedType._customPromote(object, key, value?.persistableValue, policy)
  }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> Self {
    if let value = input as? Self { return value }
    // Null is stored where an embedded object is missing, and reads as the default.
    if PersistedType._shape.objectType != nil, DynamicInput.isNull(input) { return _defaultValue() }
    guard let persisted = try PersistedType._customUnmanaged(from: input), let value = _make(persisted) else {
      throw DynamicInput.noCounterpart(input, Self.self)
    }
    return value
  }
  /// The value that input stands for; nil for null and for what has no counterpart in this type; throws for input of another type.
  public static func _unmanagedOptional(from input: Any) throws -> Self? {
    if let value = input as? Self { return value }
    return DynamicInput.isNull(input) ? nil : try PersistedType._customUnmanaged(from: input).flatMap(_make)
  }
}

extension _CustomPersistable where PersistedType: Hashable {
  /// Hashes what is stored. A type that is stored as an embedded object, which is made anew each time, has no hash of any use: all its values have
  /// the same.
  public func hash(into hasher: inout Hasher) { if PersistedType.self is ObjectBase.Type {} else { hasher.combine(persistableValue) } }
}
