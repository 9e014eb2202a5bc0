import RealmStorage

/// What the schema knows of a Swift type: the column or element that it is stored in. Public for technical reasons only.
public struct _Shape {
  let type: PropertyType
  let isOptional: Bool
  let collection: CollectionKind?
  /// The class of links, of elements that are objects, and of `LinkingObjects`.
  let objectType: ObjectBase.Type?
  /// An enumeration or a custom type: its values are converted.
  let isCustom: Bool
  /// Of integers: how many bits the type in Swift has. They are stored with 64.
  let bitWidth: Int

  init(
    _ type: PropertyType, isOptional: Bool = false, collection: CollectionKind? = nil, objectType: ObjectBase.Type? = nil,
    isCustom: Bool = false, bitWidth: Int = 64
  ) {
    self.type = type
    self.isOptional = isOptional
    self.collection = collection
    self.objectType = objectType
    self.isCustom = isCustom
    self.bitWidth = bitWidth
  }

  /// Converted, and not from an embedded object: not every stored value has a counterpart.
  var isCustomScalar: Bool { isCustom && objectType == nil }
  var optional: _Shape { with(isOptional: true, collection, isCustom: isCustom) }
  var custom: _Shape { with(isOptional: isOptional, collection, isCustom: true) }
  func elements(of kind: CollectionKind) -> _Shape {
    // Custom types that are stored as embedded objects are optional as properties and in dictionaries only.
    let isOptional = isOptional && !(isCustom && objectType != nil && kind != .dictionary)
    return with(isOptional: isOptional, kind, isCustom: isCustom)
  }
  private func with(isOptional: Bool, _ collection: CollectionKind?, isCustom: Bool) -> _Shape {
    _Shape(type, isOptional: isOptional, collection: collection, objectType: objectType, isCustom: isCustom, bitWidth: bitWidth)
  }

  /// Whether a value of the stored type is one of the type in Swift.
  func holds(_ value: RealmStorage.Value) -> Bool {
    guard bitWidth < 64, case .int(let number) = value else { return true }
    return number >> Int64(bitWidth - 1) == (number < 0 ? -1 : 0)
  }
  /// A type as error texts about values name it: `int?`, `Dog`.
  var elementText: String { (objectType?.className() ?? type.nameInErrors) + (isOptional && type != .any ? "?" : "") }
}

/// What the initialisers of `Persisted` record.
struct PersistedFlags: OptionSet {
  let rawValue: UInt8
  static let indexed = PersistedFlags(rawValue: 1)
  static let primaryKey = PersistedFlags(rawValue: 2)
  static let fullText = PersistedFlags(rawValue: 4)
}

/// The storage of a `@Persisted` property, whatever its type. Public for technical reasons only.
public protocol _AnyPersisted: SendableMetatype {
  /// How values are stored: the type of the column, or of its elements.
  static var _shape: _Shape { get }
  /// The bits of `PersistedFlags` in the wrapper at a byte offset of an instance.
  static func _flags(_ object: ObjectBase, _ offset: Int) -> UInt8
  /// Whether the wrapper of a managed object keeps something: a collection.
  static var _keepsState: Bool { get }
  /// The property whose links a `LinkingObjects` shows; nil for other types.
  static func _originProperty(_ object: ObjectBase, _ offset: Int) -> String?
  /// Hands the value of an unmanaged object to the row that it has become.
  static func _promote(_ object: ObjectBase, _ offset: Int, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws
  /// Whether the value can be stored while the row is made: it leads to nothing that has to be added first.
  static func _isPlain(_ object: ObjectBase, _ offset: Int, _ scope: _Scope) -> Bool
  /// Stores a plain value in the row that is being made for its object.
  static func _insert(_ object: ObjectBase, _ offset: Int, _ slot: Int, _ row: inout _NewRow)
  /// The number of an integer property, for primary keys.
  static func _integer(_ object: ObjectBase, _ offset: Int) -> Int64?
  /// Makes the collection of an object that was just added, if anybody has asked for it, that of its row.
  static func _adoptCollection(_ object: ObjectBase, _ offset: Int, _ key: UInt32) throws
  /// The value in an unmanaged object, whatever its type.
  static func _readUnmanaged(_ object: ObjectBase, _ offset: Int) -> Any
  /// Sets the value in an unmanaged object to what input stands for; throws if there is none.
  static func _writeUnmanaged(_ object: ObjectBase, _ offset: Int, _ input: Any) throws
  /// The value of a managed object, whatever its type.
  static func _readManaged(_ object: ObjectBase, _ key: UInt32) -> Any
  /// Throws if reading the property would stop, because an enumeration or a custom type has no counterpart for what is stored.
  static func _checkConversion(of stored: _StoredValue) throws
}
