import RealmStorage

extension Realm {
  // MARK: Adding and creating

  /// Makes an unmanaged object, and everything that it leads to, part of the realm. The instance becomes managed.
  ///
  /// An object that this realm manages is left as it is. Stops on a wrong thread and outside of a write transaction; for an object that is gone or
  /// belongs to another realm, an embedded one, and one whose primary key exists if `update` is `error`.
  /// Where data decides whether a key exists, `throwing.add` is the member to call.
  /// - Parameters:
  ///   - update: what happens to an existing object with the same primary key.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func add(_ object: Object, update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line) {
    orStop(core, CallSite(file: file, line: line)) { try core.addUpdatable(object, update) }
  }
  /// The signature of the original SDK, for protocols that realms are made to conform to.
  @_disfavoredOverload public func add(_ object: Object, update: UpdatePolicy = .error) {
    orStop(core) { try core.addUpdatable(object, update) }
  }

  /// Adds several objects, one after the other; see above.
  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line)
  where S.Iterator.Element: Object {
    for object in objects { add(object, update: update, file: file, line: line) }
  }
  /// The signature of the original SDK, for protocols that realms are made to conform to.
  @_disfavoredOverload public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Iterator.Element: Object {
    for object in objects { orStop(core) { try core.addUpdatable(object, update) } }
  }

  @available(
    *, unavailable, message: "Pass .error, .modified or .all rather than a boolean. .error is equivalent to false and .all is equivalent to true."
  )
  /// The former form of `add(_:update:)`.
  public func add(_ object: Object, update: Bool) { fatalError() }
  @available(
    *, unavailable, message: "Pass .error, .modified or .all rather than a boolean. .error is equivalent to false and .all is equivalent to true."
  )
  /// The former form of `add(_:update:)`.
  public func add<S: Sequence>(_ objects: S, update: Bool) where S.Iterator.Element: Object { fatalError() }

  /// A new object with copies of the given values, or an existing one with the same primary key, updated.
  ///
  /// Objects in the input are copied, too, unless this realm manages them: those are linked to. Stops on a wrong thread, outside of a write
  /// transaction, for a value that does not fit its property, and if the primary key exists and `update` is `error`.
  /// For values that come from outside of the program, `throwing.create` is the member to call.
  /// - Parameters:
  ///   - value: a dictionary by property names, an array in the order of properties, or an object. What it lacks gets its default.
  ///   - update: what happens to an existing object with the same primary key.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line
  ) -> T {
    orStop(core, CallSite(file: file, line: line)) { try core.createObject(type, value, update) }
  }
  /// The signature of the original SDK, for protocols that realms are made to conform to.
  @_disfavoredOverload @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error) -> T {
    orStop(core) { try core.createObject(type, value, update) }
  }

  /// - Note: Realms without sync have no asymmetric classes.
  public func create<T: AsymmetricObject>(
    _ type: T.Type, value: Any = [String: Any](), file: StaticString = #fileID, line: UInt = #line
  ) {
    orStop(core, CallSite(file: file, line: line)) { try core.createAsymmetric(type, value) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
    orStop(core) { try core.createAsymmetric(type, value) }
  }

  /// As `create`, for a class by its name.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line
  ) -> DynamicObject {
    orStop(core, CallSite(file: file, line: line)) { try core.createObject(named: typeName, value, update) }
  }
  /// The signature of the original SDK, for protocols that realms are made to conform to.
  @_disfavoredOverload @discardableResult
  public func dynamicCreate(_ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error) -> DynamicObject {
    orStop(core) { try core.createObject(named: typeName, value, update) }
  }

  // MARK: Deleting

  /// Deletes an object; embedded objects go with it, links to it become nil.
  public func delete(_ object: ObjectBase) { orStop(core) { try core.delete(object) } }

  /// Deletes several objects; see above. Stops before any is deleted if one is not an object of this realm, or is there twice.
  ///
  /// The objects are those that the sequence has now: a part of live results, such as `results.prefix(3)`, would otherwise move on to others.
  public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase { orStop(core) { try core.delete(Array(objects)) } }

  /// Deletes the objects in the list, not the list.
  public func delete<Element: ObjectBase>(_ objects: List<Element>) { delete(contentsOf: objects._resultsBox?.core) }
  /// Deletes the objects in the set, not the set.
  public func delete<Element: ObjectBase>(_ objects: MutableSet<Element>) { delete(contentsOf: objects._resultsBox?.core) }
  /// Deletes the objects that the results have, in one go.
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) { delete(contentsOf: objects.base) }
  /// Deletes the objects that are the map's values.
  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>) { delete(contentsOf: map._resultsBox?.core) }

  private func delete(contentsOf results: ResultsCore?) {
    orStop(core) {
      guard let results, results.core === core else { throw RealmFailure.misuse("Can only delete objects from the Realm they belong to.") }
      guard let target = results.target else { return }
      try core.delete(results.keys(), target)
    }
  }

  /// Deletes all objects of the classes in this realm's schema.
  public func deleteAll() { orStop(core) { try core.deleteAll() } }

  // MARK: Finding

  /// All objects of a class: live, in the order of the table, evaluated when they are needed.
  ///
  /// Stops on a wrong thread, and for a class that this realm was not opened with.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    orStop(core) {
      try core.verifyThread()
      return Results(ResultsCore(core, table: try core.binding(of: type._fetchedClass)))
    }
  }

  /// All objects of a class by its name in the schema, for classes that the program does not have. Stops if there is none.
  public func dynamicObjects(_ typeName: String, file: StaticString = #fileID, line: UInt = #line) -> Results<DynamicObject> {
    orStop(core, CallSite(file: file, line: line)) { Results(try core.allObjects(named: typeName)) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    orStop(core) { Results(try core.allObjects(named: typeName)) }
  }

  /// The object with a primary key, or nil: looked up in the index of the key.
  ///
  /// Stops on a wrong thread, for a class without primary key, and for a key of another type.
  public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
    orStop(core) { try core.object(type, primaryKey: key) }
  }

  /// The object with a primary key of a class by its name in the schema, or nil.
  public func dynamicObject(
    ofType typeName: String, forPrimaryKey key: Any, file: StaticString = #fileID, line: UInt = #line
  ) -> DynamicObject? {
    orStop(core, CallSite(file: file, line: line)) { try core.object(named: typeName, primaryKey: key) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    orStop(core) { try core.object(named: typeName, primaryKey: key) }
  }
}
