import RealmStorage

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

  /// Describes a property of a model class: the objects of one class that link to the object that has it.
  /// - Parameters:
  ///   - fromType: the class whose objects link.
  ///   - property: the property of that class whose links are shown.
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
    orStop(results?.core) { LinkingObjects(try managedResults.frozen(), property: _originProperty) }
  }
  /// The live links for the calling thread, of frozen ones; nil if the object is gone. Stops in an unmanaged object.
  public func thaw() -> LinkingObjects? {
    orStop(results?.core) { try managedResults.thawed().map { LinkingObjects($0, property: _originProperty) } }
  }
}

/// `LinkingObjects`, where a constraint needs it.
public protocol LinkingObjectsProtocol {
  /// The class whose objects link.
  associatedtype Element
  /// Describes a property of a model class: the objects of `fromType` whose `property` links to the object that has it.
  init(fromType: Element.Type, property: String)
  /// The property whose links are shown.
  var _originProperty: String { get }
}

extension LinkingObjects: _Persistable {
  /// The type that the property is declared with.
  public typealias PersistedType = LinkingObjects
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { _Shape(.linkingObjects, objectType: Element.self) }
  /// Reads the property of a managed object, or notes it while a key path is traced.
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
