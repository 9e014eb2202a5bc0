import RealmStorage

/// The live outcome of a query.
///
/// Evaluated when it is first needed and again when something has changed. Going through it with `for` goes through the elements that it had
/// at the start.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  /// Goes through the elements that were there when it was made.
  public typealias Iterator = RLMIterator<Element>
  /// A part of the collection that refers to it: live, like the collection.
  public typealias SubSequence = Slice<Results>
  let base: ResultsCore

  init(_ base: ResultsCore) { self.base = base }

  /// The managed contents; nil while there are none. Public for technical reasons only.
  public var _resultsBox: _ResultsBox? { _ResultsBox(core: base) }
  /// The elements of an unmanaged collection; none of a managed one.
  public var _unmanagedElements: [Element] { [] }
  /// The name that descriptions begin with.
  public static var _kindName: String { "Results" }

  /// True for the same results, and for those of the same class or collection in the same realm instance without any condition or order.
  public static func == (a: Results, b: Results) -> Bool { a.base.isSame(b.base) }

  /// The results as they are now, for any thread, unchangeable. They keep what they found. Stops when invalidated.
  public func freeze() -> Results { orStop { () throws(RealmFailure) in Results(try base.frozen()) } }
  /// The live results for the calling thread, of frozen ones; live ones are themselves.
  public func thaw() -> Results? { orStop { () throws(RealmFailure) in try base.thawed().map { Results($0) } } }
}
extension Results: Encodable where Element: Encodable {}

extension ResultsCore {
  func frozen() throws(RealmFailure) -> ResultsCore {
    if core.isFrozen { return self }
    if isInvalidated { throw .misuse("Access to invalidated Results objects") }
    guard let frozen = try counterpart(in: core.frozen()) else {
      throw .misuse("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return frozen
  }
  func thawed() throws(RealmFailure) -> ResultsCore? { core.isFrozen ? try counterpart(in: core.thawed()) : self }
}

/// The objects that link to an object: live, in no particular order, once per link. Read-only.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection, LinkingObjectsProtocol {
  /// Goes through the elements that were there when it was made.
  public typealias Iterator = RLMIterator<Element>
  /// A part of the collection that refers to it: live, like the collection.
  public typealias SubSequence = Slice<LinkingObjects>
  /// Nil in an unmanaged object.
  let base: ResultsCore?
  /// The property whose links are shown. Public for technical reasons only.
  public let _originProperty: String

  /// For a property of a model class.
  /// - Parameter property: the property of `Element` whose links are shown.
  public init(fromType: Element.Type, property: String) {
    base = nil
    _originProperty = property
  }
  init(_ base: ResultsCore, property: String) {
    self.base = base
    _originProperty = property
  }
  private init(traced elements: [Element]) {
    base = nil
    _originProperty = ""
    _unmanagedElements = elements
  }

  /// The managed contents; nil while there are none. Public for technical reasons only.
  public var _resultsBox: _ResultsBox? { base.map { _ResultsBox(core: $0) } }
  /// Not empty only while a key path is traced.
  public private(set) var _unmanagedElements: [Element] = []
  /// The name that descriptions begin with.
  public static var _kindName: String { "LinkingObjects" }

  /// True if both show the links of the same property to the same object; unmanaged ones if they name the same property.
  public static func == (a: LinkingObjects, b: LinkingObjects) -> Bool {
    guard let x = a.base, let y = b.base else { return a.base == nil && b.base == nil && a._originProperty == b._originProperty }
    return x.isSame(y)
  }

  /// The links as they are now, for any thread, unchangeable. Stops in an unmanaged object.
  public func freeze() -> LinkingObjects {
    orStop { () throws(RealmFailure) in LinkingObjects(try managedResults.frozen(), property: _originProperty) }
  }
  /// The live links for the calling thread, of frozen ones; nil if the object is gone. Stops in an unmanaged object.
  public func thaw() -> LinkingObjects? {
    orStop { () throws(RealmFailure) in try managedResults.thawed().map { LinkingObjects($0, property: _originProperty) } }
  }
}

/// `LinkingObjects`, where a constraint needs it.
public protocol LinkingObjectsProtocol {
  /// The class whose objects link.
  associatedtype Element
  /// For a property of a model class.
  init(fromType: Element.Type, property: String)
  /// The property whose links are shown.
  var _originProperty: String { get }
}

extension LinkingObjects: _Persistable {
  /// The type itself.
  public typealias PersistedType = LinkingObjects
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.linkingObjects, objectType: Element.self) }
  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> LinkingObjects {
    guard let core = object.core, let binding = object.binding else { return traced(object, key) }
    let property = binding.property(key)
    let origin = property.linkOriginPropertyName ?? ""
    return orStop { () throws(RealmFailure) in
      guard let originBinding = try binding.target(Int(key) - 1, core), let slot = originBinding.slot(origin) else {
        throw .misuse("Property '\(property.objectClassName ?? "").\(origin)' does not exist")
      }
      let links = BacklinkSource(owner: binding, key: object.key, epoch: object.epoch, origin: originBinding, originSlot: slot)
      return LinkingObjects(ResultsCore(core, .backlinks(links), target: originBinding), property: origin)
    }
  }
  private static func traced(_ object: ObjectBase, _ key: UInt32) -> LinkingObjects {
    guard let binding = object.binding, let tracer = binding.tracer else { return LinkingObjects(fromType: Element.self, property: "") }
    tracer.record(binding.property(key).name)
    return LinkingObjects(traced: tracer.elements(Element.self))
  }
  /// Stops: such properties are read-only.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: LinkingObjects) { stop("LinkingObjects properties are read-only") }
  /// Without the name of a property, so that the schema can refuse it.
  public static func _defaultValue() -> LinkingObjects { LinkingObjects(fromType: Element.self, property: "") }
  /// Does nothing: links back are stored with the links.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) {}
  /// Stops: such properties are read-only.
  public static func _assignUnmanaged(_ old: LinkingObjects?, _ value: LinkingObjects) -> LinkingObjects {
    stop("LinkingObjects properties are read-only")
  }
  /// Throws: such properties are read-only.
  public static func _unmanaged(from input: Any) throws -> LinkingObjects { throw RealmFailure.misuse("LinkingObjects properties are read-only") }
  /// The initial value names the origin property, which instances of the class are asked for again.
  public static var _staysInWrapper: Bool { true }
}

/// Any kind of collection with elements of one type.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  /// Goes through the elements that were there when it was made.
  public typealias Iterator = RLMIterator<Element>
  /// A part of the collection that refers to it: live, like the collection.
  public typealias SubSequence = Slice<AnyRealmCollection>
  private let box: _ResultsBox?
  private let storage: [Element]

  /// The same collection, whose type is not to be seen. An unmanaged one is copied.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    box = base._resultsBox
    storage = box == nil ? base._unmanagedElements : []
  }
  private init(_ core: ResultsCore) {
    box = _ResultsBox(core: core)
    storage = []
  }

  /// The managed contents; nil while there are none. Public for technical reasons only.
  public var _resultsBox: _ResultsBox? { box }
  /// The elements of an unmanaged collection; none of a managed one.
  public var _unmanagedElements: [Element] { storage }
  /// The name that descriptions begin with.
  public static var _kindName: String { "AnyRealmCollection" }

  /// True if both show the same collection; unmanaged ones if their elements are equal.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
    guard let x = a.box?.core, let y = b.box?.core else { return a.box == nil && b.box == nil && a.storage == b.storage }
    return x.isSame(y)
  }

  /// The collection as it is now, for any thread, unchangeable. Stops for an unmanaged collection.
  public func freeze() -> AnyRealmCollection { orStop { () throws(RealmFailure) in AnyRealmCollection(try managedResults.frozen()) } }
  /// The live collection for the calling thread, of a frozen one; nil if it is gone. Stops for an unmanaged collection.
  public func thaw() -> AnyRealmCollection? {
    orStop { () throws(RealmFailure) in try managedResults.thawed().map { AnyRealmCollection($0) } }
  }
}
extension AnyRealmCollection: Encodable where Element: Encodable {}
