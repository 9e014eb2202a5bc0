import RealmStorage

extension RealmCore {
  /// An accessor of an object that is known to exist.
  @inline(__always) func accessor<T: ObjectBase>(_ type: T.Type, _ binding: ClassBinding, _ key: ObjectKey) -> T {
    let object = type.init(_alsoOverrideInit: ())
    object.bind(binding, self, key)
    return object
  }

  /// An accessor of the Swift class that belongs to the table, or a `DynamicObject`, as all objects of a migration are.
  func accessor(_ binding: ClassBinding, _ key: ObjectKey) -> ObjectBase {
    let object = (isMigrating ? DynamicObject.self : binding.schema.modelType ?? DynamicObject.self).init(_alsoOverrideInit: ())
    object.bind(binding, self, key)
    return object
  }
}
