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
  /// A new unmanaged object with values by the rules of `Realm.create`.
  /// - Parameter value: a dictionary by property names, an array in the order of properties, or another object.
  public convenience init(value: Any) {
    self.init()
    orStop { () throws(RealmFailure) in try populate(from: value) }
  }

  /// Whether both stand for the same row of the same realm.
  public func isSameObject(as object: Object?) -> Bool { isSame(as: object) }

  /// Access to a list property without its Swift type.
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
  /// A new unmanaged object with values by the rules of `Realm.create`.
  public convenience init(value: Any) {
    self.init()
    orStop { () throws(RealmFailure) in try populate(from: value) }
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
    orStop { () throws(RealmFailure) in try populate(from: value) }
  }
}

extension ObjectBase {
  /// The class in the schema of the object's realm; of an unmanaged object, in that of the program.
  public final var objectSchema: ObjectSchema { orStop { () throws(RealmFailure) in try currentSchema() } }

  /// The realm that manages the object; nil for an unmanaged one, and for one that was passed to `Realm.delete`.
  public final var realm: Realm? { epoch.wasDeleted ? nil : core.map { Realm($0) } }
  /// Whether it is an unchangeable object of a frozen realm.
  public final var isFrozen: Bool { core?.isFrozen ?? false }

  // MARK: Identity

  final func isSame(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    if self === other { return true }
    guard let core, core === other.core, binding === other.binding, key == other.key else { return false }
    return !isManagedAndGone && !other.isManagedAndGone
  }

  final func isEqual(to other: ObjectBase) -> Bool {
    if self === other { return true }
    guard isFrozen || (try? currentSchema())?.primaryKeyProperty != nil else { return false }
    return isSame(as: other)
  }

  final func combine(into hasher: inout Hasher) {
    if let property = (try? currentSchema())?.primaryKeyProperty {
      let value = orStop { () throws(RealmFailure) in try dynamicValue(property.name) }
      if let value = value as? AnyHashable { return hasher.combine(value) }
      return hasher.combine(0)
    }
    if isFrozen { hasher.combine(key) } else { hasher.combine(ObjectIdentifier(self)) }
  }

  private final func requireManaged(_ verb: String) throws(RealmFailure) -> RealmCore {
    guard let core else { throw .misuse("Unmanaged objects cannot be \(verb).") }
    return core
  }

  final func frozenAccessor() throws(RealmFailure) -> Self {
    let core = try requireManaged("frozen")
    if isManagedAndGone { throw .misuse("Object has been deleted or invalidated.") }
    if core.isFrozen { return self }
    guard let frozen = try counterpart(in: core.frozen()) else {
      throw .misuse("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return frozen
  }

  final func thawedAccessor() throws(RealmFailure) -> Self? {
    let core = try requireManaged("thawed")
    return core.isFrozen ? try counterpart(in: core.thawed()) : self
  }

  /// The same row in another realm of the file; nil if it does not exist there.
  final func counterpart(in other: RealmCore) throws(RealmFailure) -> Self? {
    guard let own = binding else { return nil }
    let binding: ClassBinding = try other.binding(named: own.className)
    let table = try binding.table(other)
    guard try other.opened({ () throws(StorageError) in try table.contains(key) }) else { return nil }
    let object = other.accessor(Self.self, binding, key)
    if other.isFrozen { object.place = try other.opened { () throws(StorageError) in RowPlace(try table.row(key)) } }
    return object
  }

  final func dynamicCollection<C>(_ name: String, _ kind: CollectionKind, _ make: (CollectionCore) -> C) -> C {
    orStop { () throws(RealmFailure) in
      guard let core, let binding = binding else { throw .misuse("The object is not managed by a Realm.") }
      guard let slot = binding.slot(name) else { throw .misuse("Invalid property name '\(name)' for class '\(binding.className)'.") }
      let property = binding.property(at: slot)
      guard property.type == .object, property.isArray == (kind == .list), property.isSet == (kind == .set), property.isMap == (kind == .dictionary)
      else { throw .misuse("Property '\(binding.className).\(name)' is no \(kind) of objects.") }
      return make(CollectionCore(core: core, owner: binding, key: key, slot: slot, kind: kind))
    }
  }
}

extension Object {
  /// The object as it is now, for any thread, unchangeable. Stops for an unmanaged or invalidated object, and for one that the running write
  /// transaction has created.
  public func freeze() -> Self { orStop { () throws(RealmFailure) in try frozenAccessor() } }
  /// The live object for the calling thread, of a frozen one, perhaps with newer values; nil if it does not exist any more.
  ///
  /// A live object is itself. Stops for an unmanaged one.
  public func thaw() -> Self? { orStop { () throws(RealmFailure) in try thawedAccessor() } }
}
extension EmbeddedObject {
  /// The object as it is now, for any thread, unchangeable. Stops for an unmanaged or invalidated object, and for one that the running write
  /// transaction has created.
  public func freeze() -> Self { orStop { () throws(RealmFailure) in try frozenAccessor() } }
  /// The live object for the calling thread, of a frozen one, perhaps with newer values; nil if it does not exist any more.
  ///
  /// A live object is itself. Stops for an unmanaged one.
  public func thaw() -> Self? { orStop { () throws(RealmFailure) in try thawedAccessor() } }
}

/// An object of any class, whose properties are reached by name.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// A property by its name, as the subscript of all objects has it.
  public subscript(dynamicMember member: String) -> Any? {
    get { self[member] }
    set { self[member] = newValue }
  }
  /// False: it stands for other classes.
  public override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
