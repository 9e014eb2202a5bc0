import RealmStorage

/// A realm whose errors can be caught: what ``Realm/throwing`` gives. Confined as the realm is.
public struct ThrowingRealm {
  let core: RealmCore

  /// Makes an unmanaged object, and everything that it leads to, part of the realm. Does what ``Realm/add(_:update:file:line:)-(Object,_,_,_)`` does,
  /// throwing where that ends the process.
  /// - Throws: `Realm.Error` for a key that exists, if `update` is `error`, and for whatever else `add` stops for.
  public func add(_ object: Object, update: Realm.UpdatePolicy = .error) throws {
    try orThrow(goingOnIn: core) { try core.addUpdatable(object, update) }
  }

  /// Adds several objects, one after the other, up to the first error.
  /// - Throws: what ``add(_:update:)-(Object,_)`` throws.
  public func add<S: Sequence>(_ objects: S, update: Realm.UpdatePolicy = .error) throws where S.Iterator.Element: Object {
    for object in objects { try add(object, update: update) }
  }

  /// A new object with copies of the given values, or an existing one with the same primary key, updated. Does what
  /// ``Realm/create(_:value:update:file:line:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for a value that does not fit its property, for a key that exists, if `update` is `error`, and for whatever else
  ///   `create` stops for.
  @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error) throws -> T {
    try orThrow(goingOnIn: core) { try core.createObject(type, value, update) }
  }

  /// A new object of a class by its name in the schema, or an existing one with the same primary key, updated. Does what
  /// ``Realm/dynamicCreate(_:value:update:file:line:)`` does, throwing where that ends the process.
  /// - Throws: what ``create(_:value:update:)`` throws, and `Realm.Error` for a class that the schema does not have.
  @discardableResult
  public func dynamicCreate(_ typeName: String, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error) throws -> DynamicObject {
    try orThrow(goingOnIn: core) { try core.createObject(named: typeName, value, update) }
  }

  /// All objects of a class by its name in the schema: live. Does what ``Realm/dynamicObjects(_:file:line:)`` does, throwing where that ends the
  /// process.
  /// - Throws: `Realm.Error` for a class that the schema does not have, and on a wrong thread.
  public func dynamicObjects(_ typeName: String) throws -> Results<DynamicObject> {
    try orThrow(core) { Results(try core.allObjects(named: typeName)) }
  }

  /// The object with a primary key, or nil if there is none. Does what ``Realm/object(ofType:forPrimaryKey:)`` does, throwing where that ends the
  /// process.
  /// - Throws: `Realm.Error` for a key of another type than the class's, for a class without one, and on a wrong thread.
  public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) throws -> Element? {
    try orThrow(core) { try core.object(type, primaryKey: key) }
  }

  /// The object with a primary key of a class by its name in the schema, or nil if there is none. Does what
  /// ``Realm/dynamicObject(ofType:forPrimaryKey:file:line:)`` does, throwing where that ends the process.
  /// - Throws: what ``object(ofType:forPrimaryKey:)`` throws, and `Realm.Error` for a class that the schema does not have.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) throws -> DynamicObject? {
    try orThrow(core) { try core.object(named: typeName, primaryKey: key) }
  }
}
