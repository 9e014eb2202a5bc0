import RealmStorage

/// What every model class derives from.
nonisolated open class ObjectBase {
  /// - Note: `required`, because objects are made from their metatypes.
  public required init() {}

  /// The names of a class that are the same in every realm.
  open class func _realmObjectName() -> String? { nil }
  open class func _realmIgnoreClass() -> Bool { false }
  open class func shouldIncludeInDefaultSchema() -> Bool { true }
  open class func propertiesMapping() -> [String: String] { [:] }
  /// Only for classes whose key is not marked by `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }
}
nonisolated open class Object: ObjectBase {}
nonisolated open class EmbeddedObject: ObjectBase {}
nonisolated open class AsymmetricObject: ObjectBase {}
public final class DynamicObject: Object {}
