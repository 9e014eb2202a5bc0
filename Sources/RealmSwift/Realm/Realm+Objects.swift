import RealmStorage

extension Realm {
  // MARK: Adding and creating

  /// Makes an unmanaged object, and everything that it leads to, part of the realm. The instance becomes managed.
  ///
  /// An object that this realm manages is left as it is. Stops on a wrong thread and outside of a write transaction; for an object that is gone or
  /// belongs to another realm, an embedded one, one whose primary key exists if `update` is `error`, and one without primary key if it is not. Where
  /// data decides whether a key exists, `throwing.add` is the member to call.
  /// - Parameters:
  ///   - object: becomes an accessor of its row.
  ///   - update: what happens to an existing object with the same primary key.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func add(_ object: Object, update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line) {
    orStop(core, CallSite(file: file, line: line)) { try core.addUpdatable(object, update) }
  }
  /// Makes an unmanaged object, and everything that it leads to, part of the realm. Stops on a wrong thread and outside of a write transaction, and
  /// for an object that cannot be added.
  ///
  /// A call takes ``add(_:update:file:line:)-(Object,_,_,_)``, whose two more parameters are the place to blame; this form is for protocols that ask
  /// for it, and for naming the member without calling it.
  @_disfavoredOverload public func add(_ object: Object, update: UpdatePolicy = .error) {
    orStop(core) { try core.addUpdatable(object, update) }
  }

  /// Makes several unmanaged objects, and everything that they lead to, part of the realm, one after the other. Does for each what
  /// ``add(_:update:file:line:)-(Object,_,_,_)`` does, and stops where that stops, for example outside of a write transaction.
  /// - Parameters:
  ///   - objects: no objects change nothing, and nothing is looked at then.
  ///   - update: what happens to an existing object with the same primary key.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line)
  where S.Iterator.Element: Object {
    for object in objects { add(object, update: update, file: file, line: line) }
  }
  /// Makes several unmanaged objects, and everything that they lead to, part of the realm, one after the other. Stops on a wrong thread and outside
  /// of a write transaction, and for an object that cannot be added.
  ///
  /// A call takes ``add(_:update:file:line:)-(S,_,_,_)``, whose two more parameters are the place to blame; this form is for protocols that ask for
  /// it, and for naming the member without calling it.
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
  /// transaction, for a value that does not fit its property, if the primary key exists and `update` is `error`, and for a class without primary key
  /// if it is not. For values that come from outside of the program, `throwing.create` is the member to call.
  /// - Parameters:
  ///   - type: the class; one of the realm's schema.
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
  /// A new object with copies of the given values, or an existing one with the same primary key, updated. Stops on a wrong thread and outside of a
  /// write transaction, for a value that does not fit its property, and if the primary key exists and `update` is `error`.
  ///
  /// A call takes ``create(_:value:update:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for
  /// it, and for naming the member without calling it.
  @_disfavoredOverload @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error) -> T {
    orStop(core) { try core.createObject(type, value, update) }
  }

  /// Stops: only synced realms have asymmetric classes, and no realm is synced.
  public func create<T: AsymmetricObject>(
    _ type: T.Type, value: Any = [String: Any](), file: StaticString = #fileID, line: UInt = #line
  ) {
    orStop(core, CallSite(file: file, line: line)) { try core.createAsymmetric(type, value) }
  }
  /// Stops: only synced realms have asymmetric classes, and no realm is synced.
  ///
  /// A call takes ``create(_:value:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
    orStop(core) { try core.createAsymmetric(type, value) }
  }

  /// A new object of a class by its name in the schema, with copies of the given values, or an existing one with the same primary key, updated.
  ///
  /// Stops where ``create(_:value:update:file:line:)`` does, for example outside of a write transaction; for a class that the schema does not have,
  /// and for a class of embedded objects. For names and values that come from outside of the program, `throwing.dynamicCreate` is the member to call.
  /// - Parameters:
  ///   - typeName: the name of the class in the schema.
  ///   - value: a dictionary by property names, an array in the order of properties, or an object. What it lacks gets its default.
  ///   - update: what happens to an existing object with the same primary key.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line
  ) -> DynamicObject {
    orStop(core, CallSite(file: file, line: line)) { try core.createObject(named: typeName, value, update) }
  }
  /// A new object of a class by its name in the schema, with copies of the given values, or an existing one with the same primary key, updated. Stops
  /// on a wrong thread and outside of a write transaction, for a class that the schema does not have, and for values that do not fit.
  ///
  /// A call takes ``dynamicCreate(_:value:update:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask
  /// for it, and for naming the member without calling it.
  @_disfavoredOverload @discardableResult
  public func dynamicCreate(_ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error) -> DynamicObject {
    orStop(core) { try core.createObject(named: typeName, value, update) }
  }

  // MARK: Deleting

  /// Deletes an object; embedded objects go with it, links to it become nil. All instances that stand for it are invalidated.
  ///
  /// Stops on a wrong thread and outside of a write transaction, and for an instance that is unmanaged, belongs to another realm, or was handed to
  /// `delete` before. An object that was deleted in another way changes nothing.
  public func delete(_ object: ObjectBase) { orStop(core) { try core.delete(object) } }

  /// Deletes several objects, as ``delete(_:)-(ObjectBase)`` deletes one. Stops on a wrong thread and outside of a write transaction; before any is
  /// deleted, if one is not an object of this realm, or is there twice.
  ///
  /// The objects are those that the sequence has now: a part of live results, such as `results.prefix(3)`, would otherwise move on to others. No
  /// objects change nothing, and nothing is looked at then.
  public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase { orStop(core) { try core.delete(Array(objects)) } }

  /// Deletes the objects in the list, not the list. Stops on a wrong thread and outside of a write transaction, and for a list that is unmanaged,
  /// belongs to another realm, or is gone.
  public func delete<Element: ObjectBase>(_ objects: List<Element>) { delete(contentsOf: objects._resultsBox?.core) }
  /// Deletes the objects in the set, not the set. Stops on a wrong thread and outside of a write transaction, and for a set that is unmanaged,
  /// belongs to another realm, or is gone.
  public func delete<Element: ObjectBase>(_ objects: MutableSet<Element>) { delete(contentsOf: objects._resultsBox?.core) }
  /// Deletes the objects that the results have, in one go. Stops on a wrong thread and outside of a write transaction, and for results that belong to
  /// another realm, or are gone.
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) { delete(contentsOf: objects.base) }
  /// Deletes the objects that are the map's values, not the map. Stops on a wrong thread and outside of a write transaction, and for a map that is
  /// unmanaged, belongs to another realm, or is gone.
  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>) { delete(contentsOf: map._resultsBox?.core) }

  private func delete(contentsOf results: ResultsCore?) {
    orStop(core) {
      guard let results, results.core === core else { throw RealmFailure.misuse("Can only delete objects from the Realm they belong to.") }
      guard let target = results.target else { return }
      try core.delete(results.keys(), target)
    }
  }

  /// Deletes all objects of the classes in this realm's schema; other classes of the file keep theirs. Stops on a wrong thread and outside of a write
  /// transaction.
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

  /// All objects of a class by its name in the schema, for classes that the program does not have. Stops if there is none. Stops also on a wrong
  /// thread.
  public func dynamicObjects(_ typeName: String, file: StaticString = #fileID, line: UInt = #line) -> Results<DynamicObject> {
    orStop(core, CallSite(file: file, line: line)) { Results(try core.allObjects(named: typeName)) }
  }
  /// All objects of a class by its name in the schema: live. Stops on a wrong thread, and for a class that the schema does not have.
  ///
  /// A call takes ``dynamicObjects(_:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    orStop(core) { Results(try core.allObjects(named: typeName)) }
  }

  /// The object with a primary key, or nil: looked up in the index of the key.
  ///
  /// Stops on a wrong thread, for a class without primary key, and for a key of another type.
  /// - Parameters:
  ///   - type: the class.
  ///   - key: the primary key.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func object<Element: Object, KeyType>(
    ofType type: Element.Type, forPrimaryKey key: KeyType, file: StaticString = #fileID, line: UInt = #line
  ) -> Element? {
    orStop(core, CallSite(file: file, line: line)) { try core.object(type, primaryKey: key) }
  }
  /// The object with a primary key, or nil.
  ///
  /// A call takes ``object(ofType:forPrimaryKey:file:line:)``, whose two more parameters are the place to blame; this form is for naming the member without calling it.
  @_disfavoredOverload public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
    orStop(core) { try core.object(type, primaryKey: key) }
  }

  /// The object with a primary key of a class by its name in the schema, or nil if there is none.
  ///
  /// Stops on a wrong thread, for a class that the schema does not have, for one without primary key, and for a key of another type.
  /// - Parameters:
  ///   - typeName: the name of the class in the schema.
  ///   - key: the value of the primary key.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func dynamicObject(
    ofType typeName: String, forPrimaryKey key: Any, file: StaticString = #fileID, line: UInt = #line
  ) -> DynamicObject? {
    orStop(core, CallSite(file: file, line: line)) { try core.object(named: typeName, primaryKey: key) }
  }
  /// The object with a primary key of a class by its name in the schema, or nil if there is none. Stops on a wrong thread, for a class that the
  /// schema does not have, for one without primary key, and for a key of another type.
  ///
  /// A call takes ``dynamicObject(ofType:forPrimaryKey:file:line:)``, whose two more parameters are the place to blame; this form is for protocols
  /// that ask for it, and for naming the member without calling it.
  @_disfavoredOverload public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    orStop(core) { try core.object(named: typeName, primaryKey: key) }
  }
}
