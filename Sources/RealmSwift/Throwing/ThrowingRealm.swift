import RealmStorage

/// A realm whose errors can be caught; see ``Realm/throwing``. Confined as the realm is.
public struct ThrowingRealm {
  let core: RealmCore

  /// As `Realm.add`.
  /// - Throws: `Realm.Error` for a key that exists, if `update` is `error`, and for whatever else `add` stops for.
  public func add(_ object: Object, update: Realm.UpdatePolicy = .error) throws {
    try orThrow(goingOnIn: core) { try core.addUpdatable(object, update) }
  }

  /// Adds several objects, one after the other, up to the first error.
  /// - Throws: as `add` of one object.
  public func add<S: Sequence>(_ objects: S, update: Realm.UpdatePolicy = .error) throws where S.Iterator.Element: Object {
    for object in objects { try add(object, update: update) }
  }

  /// As `Realm.create`.
  /// - Throws: `Realm.Error` for a value that does not fit its property, for a key that exists, if `update` is `error`, and for whatever else
  ///   `create` stops for.
  @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error) throws -> T {
    try orThrow(goingOnIn: core) { try core.createObject(type, value, update) }
  }

  /// As `Realm.dynamicCreate`.
  /// - Throws: as `create`, and `Realm.Error` for a class that the schema does not have.
  @discardableResult
  public func dynamicCreate(_ typeName: String, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error) throws -> DynamicObject {
    try orThrow(goingOnIn: core) { try core.createObject(named: typeName, value, update) }
  }

  /// As `Realm.dynamicObjects`.
  /// - Throws: `Realm.Error` for a class that the schema does not have.
  public func dynamicObjects(_ typeName: String) throws -> Results<DynamicObject> {
    try orThrow(core) { Results(try core.allObjects(named: typeName)) }
  }

  /// As `Realm.object(ofType:forPrimaryKey:)`.
  /// - Throws: `Realm.Error` for a key of another type than the class's, and for a class without one.
  public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) throws -> Element? {
    try orThrow(core) { try core.object(type, primaryKey: key) }
  }

  /// As `Realm.dynamicObject(ofType:forPrimaryKey:)`.
  /// - Throws: as `object(ofType:forPrimaryKey:)`, and for a class that the schema does not have.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) throws -> DynamicObject? {
    try orThrow(core) { try core.object(named: typeName, primaryKey: key) }
  }
}
