extension ObjectBase {
  /// The name of the class in schemas and in the dynamic API: the unqualified Swift name unless the class renames itself.
  public class func className() -> String { _realmObjectName() ?? String(describing: self) }

  /// The properties of the class; nil for the base classes and `DynamicObject`, and while the class is being made known.
  public class func sharedSchema() -> ObjectSchema? {
    if belongsToSDK || ModelClass.isBeingBuiltHere { return nil }
    return orStop { try ModelClass.of(self).schema }
  }
}

extension ObjectBase {
  /// A base class or another class that stands for no table.
  static var belongsToSDK: Bool {
    self == ObjectBase.self || self == Object.self || self == EmbeddedObject.self || self == AsymmetricObject.self
      || self == DynamicObject.self
  }
}
