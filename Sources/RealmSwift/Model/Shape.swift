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

  init(
    _ type: PropertyType, isOptional: Bool = false, collection: CollectionKind? = nil, objectType: ObjectBase.Type? = nil,
    isCustom: Bool = false
  ) {
    self.type = type
    self.isOptional = isOptional
    self.collection = collection
    self.objectType = objectType
    self.isCustom = isCustom
  }

  var optional: _Shape { _Shape(type, isOptional: true, collection: collection, objectType: objectType, isCustom: isCustom) }
  var custom: _Shape { _Shape(type, isOptional: isOptional, collection: collection, objectType: objectType, isCustom: true) }
  func elements(of kind: CollectionKind) -> _Shape {
    _Shape(type, isOptional: isOptional, collection: kind, objectType: objectType, isCustom: isCustom)
  }
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
  static var _shape: _Shape { get }
  /// What the initialiser of the wrapper at a byte offset of an object recorded: `PersistedFlags`.
  static func _flags(_ object: ObjectBase, _ byteOffset: Int) -> UInt8
  /// Of `LinkingObjects`: the property that links here.
  static func _originProperty(_ object: ObjectBase, _ byteOffset: Int) -> String?
}
