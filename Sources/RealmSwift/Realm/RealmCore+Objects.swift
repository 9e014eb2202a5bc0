import RealmStorage

// What the members of `Realm` and of `ThrowingRealm` have in common: they differ in what happens to errors.

extension RealmCore {
  func addUpdatable(_ object: Object, _ policy: Realm.UpdatePolicy) throws {
    try requireUpdatable(type(of: object), policy)
    try add(object, policy: policy)
  }

  func createObject<T: Object>(_ type: T.Type, _ value: Any, _ policy: Realm.UpdatePolicy) throws -> T {
    try requireUpdatable(type, policy)
    let binding: ClassBinding = try binding(of: type)
    return accessor(type, binding, try create(binding, from: value, policy: policy))
  }

  func createAsymmetric<T: AsymmetricObject>(_ type: T.Type, _ value: Any) throws {
    try requireCreating()
    _ = try create(binding(of: type), from: value, policy: .error)
  }

  func createObject(named typeName: String, _ value: Any, _ policy: Realm.UpdatePolicy) throws -> DynamicObject {
    try requireCreating()
    let binding: ClassBinding = try binding(named: typeName)
    guard !binding.isEmbedded else { throw RealmFailure.misuse("Embedded objects cannot be created directly") }
    try requireUpdatable(binding, policy)
    return accessor(DynamicObject.self, binding, try create(binding, from: value, policy: policy))
  }

  func allObjects(named typeName: String) throws -> ResultsCore {
    try verifyThread()
    return ResultsCore(self, table: try binding(named: typeName))
  }

  func object<Element: Object, Key>(_ type: Element.Type, primaryKey: Key) throws -> Element? {
    let binding: ClassBinding = try binding(of: type)
    return try find(binding, primaryKey: primaryKey).map { accessor(type, binding, $0) }
  }

  func object(named typeName: String, primaryKey: Any) throws -> DynamicObject? {
    let binding: ClassBinding = try binding(named: typeName)
    return try find(binding, primaryKey: primaryKey).map { accessor(DynamicObject.self, binding, $0) }
  }
}
