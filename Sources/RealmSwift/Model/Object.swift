import RealmStorage

/// A class whose objects are stored in a realm. Derive from it and mark the stored properties with `@Persisted`.
nonisolated open class Object: ObjectBase, ThreadConfined, KeypathSortable {}

/// A class whose objects are part of another object, and live and die with it.
nonisolated open class EmbeddedObject: ObjectBase, ThreadConfined, KeypathSortable {
  /// Whether the object was deleted, alone or with its owner, or its realm invalidated. False for unmanaged objects.
  public final override var isInvalidated: Bool { super.isInvalidated }
}

/// A class for data that is only ever sent to a server; realms without sync refuse it.
nonisolated open class AsymmetricObject: ObjectBase {}

/// Something whose objects a realm can be asked for.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class in the schema.
  static func className() -> String
  /// Public for technical reasons only.
  static var _fetchedClass: ObjectBase.Type { get }
}

extension Object: RealmFetchable {
  /// The class whose objects are looked for. Public for technical reasons only.
  public class var _fetchedClass: ObjectBase.Type { self }
}

extension Object {
  /// A new unmanaged object with values by the rules of `Realm.create`. Stops for a value that does not fit its property; for values that come
  /// from outside of the program there is `init(checking:)`.
  /// - Parameters:
  ///   - value: a dictionary by property names, an array in the order of properties, or another object.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public convenience init(value: Any, file: StaticString = #fileID, line: UInt = #line) {
    self.init()
    orStop(nil, CallSite(file: file, line: line)) { try populate(from: value) }
  }
  /// A new unmanaged object with values by the rules of `Realm.create`. Stops for a value that does not fit its property, and for a name that is no
  /// property's.
  ///
  /// A call takes ``init(value:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public convenience init(value: Any) {
    self.init()
    orStop { try populate(from: value) }
  }

  /// A new unmanaged object with values by the rules of `Realm.create`. An addition: the original SDK has none that throws.
  /// - Parameter value: a dictionary by property names, an array in the order of properties, or another object.
  /// - Throws: `Realm.Error` for a value that does not fit its property, for a name that is no property's, and for a missing value.
  public convenience init(checking value: Any) throws {
    self.init()
    try orThrow { try populate(from: value) }
  }

  /// Whether both stand for the same row of the same realm.
  public func isSameObject(as object: Object?) -> Bool { isSame(as: object) }

  /// Access to a list property without its Swift type. Stops if there is no property of that name that is a list of objects.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> { dynamicCollection(propertyName, .list, List.init(managed:)) }
  /// Access to a set property without its Swift type. Stops if there is no property of that name that is a set of objects.
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    dynamicCollection(propertyName, .set, MutableSet.init(managed:))
  }
  /// Access to a map property without its Swift type. Stops if there is no property of that name that is a map of objects.
  public func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
    dynamicCollection(propertyName, .dictionary, Map.init(managed:))
  }
}

extension EmbeddedObject {
  /// A new unmanaged object with values by the rules of `Realm.create`. Stops for a value that does not fit its property; for values that come from
  /// outside of the program there is `init(checking:)`.
  /// - Parameters:
  ///   - value: a dictionary by property names, an array in the order of properties, or another object.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public convenience init(value: Any, file: StaticString = #fileID, line: UInt = #line) {
    self.init()
    orStop(nil, CallSite(file: file, line: line)) { try populate(from: value) }
  }
  /// A new unmanaged object with values by the rules of `Realm.create`. Stops for a value that does not fit its property, and for a name that is no
  /// property's.
  ///
  /// A call takes ``init(value:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public convenience init(value: Any) {
    self.init()
    orStop { try populate(from: value) }
  }
  /// A new unmanaged object with values by the rules of `Realm.create`. An addition: the original SDK has none that throws.
  /// - Parameter value: a dictionary by property names, an array in the order of properties, or another object.
  /// - Throws: `Realm.Error` for a value that does not fit its property, for a name that is no property's, and for a missing value.
  public convenience init(checking value: Any) throws {
    self.init()
    try orThrow { try populate(from: value) }
  }
  /// Whether both stand for the same row of the same realm.
  public func isSameObject(as object: EmbeddedObject?) -> Bool { isSame(as: object) }
  /// Access to a list property without its Swift type. Stops if there is no property of that name that is a list of objects.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> { dynamicCollection(propertyName, .list, List.init(managed:)) }
}

extension AsymmetricObject {
  /// A new object with values by the rules of `Realm.create`. No realm takes it.
  public convenience init(value: Any) {
    self.init()
    orStop { try populate(from: value) }
  }
}

extension Object {
  /// The object as it is now, for any thread, unchangeable. Stops for an unmanaged or invalidated object, and for one that the running write
  /// transaction has created.
  public func freeze() -> Self { orStop(core) { try frozenAccessor() } }
  /// The live object for the calling thread, of a frozen one, perhaps with newer values; nil if it does not exist any more.
  ///
  /// A live object is itself. Stops for an unmanaged one.
  public func thaw() -> Self? { orStop(core) { try thawedAccessor() } }
}

extension EmbeddedObject {
  /// The object as it is now, for any thread, unchangeable. Stops for an unmanaged or invalidated object, and for one that the running write
  /// transaction has created.
  public func freeze() -> Self { orStop(core) { try frozenAccessor() } }
  /// The live object for the calling thread, of a frozen one, perhaps with newer values; nil if it does not exist any more.
  ///
  /// A live object is itself. Stops for an unmanaged one.
  public func thaw() -> Self? { orStop(core) { try thawedAccessor() } }
}

/// An object of any class, whose properties are reached by name.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// A property by its name, as the subscript of all objects has it. Setting stops where that does, for example outside of a write transaction.
  public subscript(dynamicMember member: String) -> Any? {
    get { self[member] }
    set { self[member] = newValue }
  }
  /// False: it stands for other classes.
  public override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
