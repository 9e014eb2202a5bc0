import RealmStorage

/// The live outcome of a query.
///
/// Evaluated when it is first needed and again when something has changed. Going through it with `for` goes through the elements that it had
/// at the start.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  public typealias Iterator = RLMIterator<Element>
  public typealias SubSequence = Slice<Results>
  let base: ResultsCore

  init(_ base: ResultsCore) { self.base = base }

  public var _resultsBox: _ResultsBox? { _ResultsBox(core: base) }
  public var _unmanagedElements: [Element] { [] }
  public static var _kindName: String { "Results" }

  public static func == (a: Results, b: Results) -> Bool { a.base.isSame(b.base) }

  public func freeze() -> Results { orStop(base.core) { Results(try base.frozen()) } }
  public func thaw() -> Results? { orStop(base.core) { try base.thawed().map { Results($0) } } }
}
extension Results: Encodable where Element: Encodable {}

extension ResultsCore {
  func frozen() throws -> ResultsCore {
    if core.isFrozen { return self }
    if isInvalidated { throw RealmFailure.misuse("Access to invalidated Results objects") }
    guard let frozen = try counterpart(in: core.frozen()) else {
      throw RealmFailure.misuse("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return frozen
  }
  func thawed() throws -> ResultsCore? { core.isFrozen ? try counterpart(in: core.thawed()) : self }
}

/// The objects that link to an object: live, in no particular order, once per link. Read-only.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection, LinkingObjectsProtocol {
  public typealias Iterator = RLMIterator<Element>
  public typealias SubSequence = Slice<LinkingObjects>
  /// Nil in an unmanaged object.
  let base: ResultsCore?
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

  public var _resultsBox: _ResultsBox? { base.map { _ResultsBox(core: $0) } }
  /// Not empty only while a key path is traced.
  public private(set) var _unmanagedElements: [Element] = []
  public static var _kindName: String { "LinkingObjects" }

  public static func == (a: LinkingObjects, b: LinkingObjects) -> Bool {
    guard let x = a.base, let y = b.base else { return a.base == nil && b.base == nil && a._originProperty == b._originProperty }
    return x.isSame(y)
  }

  public func freeze() -> LinkingObjects {
    orStop(managedResults.core) { LinkingObjects(try managedResults.frozen(), property: _originProperty) }
  }
  public func thaw() -> LinkingObjects? {
    orStop(managedResults.core) { try managedResults.thawed().map { LinkingObjects($0, property: _originProperty) } }
  }
}

/// `LinkingObjects`, where a constraint needs it.
public protocol LinkingObjectsProtocol {
  associatedtype Element
  init(fromType: Element.Type, property: String)
  var _originProperty: String { get }
}

extension LinkingObjects: _Persistable {
  public typealias PersistedType = LinkingObjects
  public static var _shape: _Shape { _Shape(.linkingObjects, objectType: Element.self) }
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> LinkingObjects {
    guard let core = object.core, let binding = object.binding else { return traced(object, key) }
    let property = binding.property(key)
    let origin = property.linkOriginPropertyName ?? ""
    return orStop(core) {
      guard let originBinding = try binding.target(Int(key) - 1, core), let slot = originBinding.slot(origin) else {
        throw RealmFailure.misuse("Property '\(property.objectClassName ?? "").\(origin)' does not exist")
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
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: LinkingObjects) { stop("LinkingObjects properties are read-only") }
  public static func _defaultValue() -> LinkingObjects { LinkingObjects(fromType: Element.self, property: "") }
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) {}
  public static func _assignUnmanaged(_ old: LinkingObjects?, _ value: LinkingObjects) -> LinkingObjects {
    stop("LinkingObjects properties are read-only")
  }
  public static func _unmanaged(from input: Any) throws -> LinkingObjects { throw RealmFailure.misuse("LinkingObjects properties are read-only") }
  /// The initial value names the origin property, which instances of the class are asked for again.
  public static var _staysInWrapper: Bool { true }
}

/// Any kind of collection with elements of one type.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  public typealias Iterator = RLMIterator<Element>
  public typealias SubSequence = Slice<AnyRealmCollection>
  private let box: _ResultsBox?
  private let storage: [Element]

  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    box = base._resultsBox
    storage = box == nil ? base._unmanagedElements : []
  }
  private init(_ core: ResultsCore) {
    box = _ResultsBox(core: core)
    storage = []
  }

  public var _resultsBox: _ResultsBox? { box }
  public var _unmanagedElements: [Element] { storage }
  public static var _kindName: String { "AnyRealmCollection" }

  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
    guard let x = a.box?.core, let y = b.box?.core else { return a.box == nil && b.box == nil && a.storage == b.storage }
    return x.isSame(y)
  }

  public func freeze() -> AnyRealmCollection { orStop(managedResults.core) { AnyRealmCollection(try managedResults.frozen()) } }
  public func thaw() -> AnyRealmCollection? {
    orStop(managedResults.core) { try managedResults.thawed().map { AnyRealmCollection($0) } }
  }
}
extension AnyRealmCollection: Encodable where Element: Encodable {}
