import RealmStorage

/// What every model class derives from.
nonisolated open class ObjectBase {
  /// - Note: `required`, because objects are made from their metatypes.
  public required init() {}
}
nonisolated open class Object: ObjectBase {}
nonisolated open class EmbeddedObject: ObjectBase {}
nonisolated open class AsymmetricObject: ObjectBase {}
public final class DynamicObject: Object {}
