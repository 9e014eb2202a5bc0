public import Foundation
import RealmStorage

/// A set of objects or values: the property of an object, or one in memory that belongs to none. Managed sets are in the order of their values.
///
/// Every change of a managed set stops on a wrong thread, outside of a write transaction, when the set is frozen, and when the object that owns it is
/// gone. A call that changes nothing, such as one with no elements, may return before that is found out.
public final class MutableSet<Element: RealmCollectionValue>: RealmCollection, _SetInput {
  /// Goes through the elements that were there when it was made.
  public typealias Iterator = RLMIterator<Element>
  /// A part of the collection that refers to it: live, like the collection.
  public typealias SubSequence = Slice<MutableSet>
  private(set) var storage: [Element] {
    get {
      convertAll()
      return converted
    }
    _modify {
      convertAll()
      yield &converted
    }
  }
  private var converted: [Element] = []
  private var members: Set<SetMember<Element>> = []
  /// Input of which something has no counterpart in the element type, which is seen when it is read.
  private(set) var unconverted: [Any]?
  private(set) var managed: CollectionCore?
  private var cachedResults: ResultsCore?

  /// Makes an unmanaged set without elements.
  public init() {}
  init(managed: CollectionCore) { self.managed = managed }

  /// The managed contents; nil while there are none. Public for technical reasons only.
  public var _resultsBox: _ResultsBox? {
    guard let managed else { return nil }
    if let cachedResults { return _ResultsBox(core: cachedResults) }
    let results = orStop(managed.core) { try ResultsCore(managed) }
    if !managed.core.isFrozen { cachedResults = results }
    return _ResultsBox(core: results)
  }
  /// The elements of an unmanaged collection; none of a managed one.
  public var _unmanagedElements: [Element] { storage }
  /// The name that descriptions begin with.
  public static var _kindName: String { "MutableSet" }

  /// Managed sets are equal if they are the same property of the same object in the same realm instance; unmanaged ones if their elements are.
  public static func == (a: MutableSet, b: MutableSet) -> Bool {
    guard let x = a.managed, let y = b.managed else { return a === b || (a.managed == nil && b.managed == nil && a.members == b.members) }
    return x.isSame(y)
  }

  /// Whether the object that owns the set was deleted, or its realm invalidated. False for unmanaged sets.
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }
  /// How many elements there are. Of a managed set: stops on a wrong thread, and when the object that owns the set is gone.
  public var count: Int {
    guard let managed else { return unconverted?.count ?? converted.count }
    return orStop(managed.core) { try managed.count() }
  }

  /// The values of a property of all elements, each once; `self` is the elements themselves. Null casts to `NSNull` and to nil.
  public func value(forKey key: String) -> [AnyObject] { NSSet(array: valuesForKey(key)).allObjects.map { $0 as AnyObject } }

  /// Not available: stops. A set has no order to rely on.
  public func index(of object: Element) -> Int? { stop("index(of:) is not available on MutableSet") }
  /// Not available: stops. A set has no order to rely on.
  public func index(matching predicate: NSPredicate) -> Int? { stop("index(matching:) is not available on MutableSet") }
  /// Not available: stops. A set has no order to rely on.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? { stop("index(matching:) is not available on MutableSet") }

  /// Whether an element is in the set. False for unmanaged objects, and those of other realms, where the set is managed.
  public func contains(_ object: Element) -> Bool {
    guard let managed else {
      convertAll()
      return members.contains(SetMember(object))
    }
    guard isComparable(object, managed) else { return false }
    return orStop(managed.core) {
      let value = try object._store(managed.scope()).value
      return try managed.read { try $0.contains(value) }
    }
  }

  /// Whether the set can hold an element at all: unmanaged objects and those of other realms are in none, and must not be added by asking.
  private func isComparable(_ element: Element, _ managed: CollectionCore) -> Bool {
    if let object = DynamicInput.object(element) { return object.core === managed.core }
    guard let mixed = element as? AnyRealmValue else { return true }
    switch mixed {
    case .object(let object): return object.core === managed.core
    case .list, .dictionary: return false
    default: return true
    }
  }

  /// Whether all elements are in another set. Stops if this set is managed and the other is not, is managed by another realm, or has elements of
  /// another type.
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    checkOperand(possibleSuperset)
    return allSatisfy { possibleSuperset.contains($0) }
  }
  /// Whether an element is in another set, too. Stops if this set is managed and the other is not, is managed by another realm, or has elements of
  /// another type.
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    checkOperand(otherSet)
    return contains { otherSet.contains($0) }
  }

  /// Adds an element, if it is not there yet.
  ///
  /// Unmanaged objects are added to the realm. A managed set stops outside of a write transaction, and for the other reasons that ``MutableSet``
  /// gives.
  /// - Parameters:
  ///   - object: the element.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func insert(_ object: Element, file: StaticString = #fileID, line: UInt = #line) {
    orStop(managed?.core, CallSite(file: file, line: line)) { try insertOne(object) }
  }
  /// Adds an element, if it is not there yet.
  ///
  /// A call takes ``insert(_:file:line:)``, whose two more parameters are the place to blame; this form is for naming the member without calling it.
  @_disfavoredOverload public func insert(_ object: Element) { orStop(managed?.core) { try insertOne(object) } }

  func insertOne(_ object: Element) throws {
    guard let managed else {
      convertAll()
      if members.insert(SetMember(object)).inserted { converted.append(object) }
      return
    }
    try CollectionFilling(editing: managed).add([object])
  }
  /// Adds those elements that are not there yet, in their order. Unmanaged objects are added to the realm. A managed set stops outside of a write
  /// transaction, and for the other reasons that ``MutableSet`` gives.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    orStop(managed?.core) { try insertAll(objects) }
  }

  func insertAll(_ objects: some Sequence<Element>) throws {
    guard let managed else {
      for object in objects { try insertOne(object) }
      return
    }
    let elements = Array(objects)
    if elements.isEmpty { return }
    try CollectionFilling(editing: managed).add(elements)
  }

  /// Removes an element, if it is there; an object is not deleted. A managed set stops outside of a write transaction, and for the other reasons that
  /// ``MutableSet`` gives.
  public func remove(_ object: Element) {
    guard let managed else {
      convertAll()
      let gone = LiteralElement(object)
      if members.remove(SetMember(object)) != nil { converted.removeAll { LiteralElement($0) == gone } }
      return
    }
    orStop(managed.core) {
      _ = try managed.writing()
      guard isComparable(object, managed) else { return }
      let value = try object._store(managed.scope()).value
      _ = try managed.write { try $0.remove(value) }
    }
  }

  /// Removes all elements; objects are not deleted. A managed set stops outside of a write transaction, and for the other reasons that ``MutableSet``
  /// gives.
  public func removeAll() {
    guard let managed else {
      converted = []
      members = []
      unconverted = nil
      return
    }
    orStop(managed.core) { try managed.write { try $0.removeAll() } }
  }

  @inline(__always) private func convertAll() { if unconverted != nil { convertInput() } }
  @inline(never) private func convertInput() {
    guard let input = unconverted else { return }
    let values: [Element] = orStop { try input.map { try Element._element(from: $0) } }
    unconverted = nil
    insert(objectsIn: values)
  }

  // MARK: Set algebra; a managed set only takes managed sets

  /// Removes what is not in the other set, which must be managed by the same realm if this one is managed. A managed set stops outside of a write
  /// transaction, and for the other reasons that ``MutableSet`` gives.
  public func formIntersection(_ other: MutableSet<Element>) {
    checkOther(other)
    for element in Array(self) where !other.contains(element) { remove(element) }
  }
  /// Removes what is in the other set, which must be managed by the same realm if this one is managed. A managed set stops outside of a write
  /// transaction, and for the other reasons that ``MutableSet`` gives.
  public func subtract(_ other: MutableSet<Element>) {
    checkOther(other)
    for element in Array(other) { remove(element) }
  }
  /// Adds what is in the other set, which must be managed by the same realm if this one is managed. A managed set stops outside of a write
  /// transaction, and for the other reasons that ``MutableSet`` gives.
  public func formUnion(_ other: MutableSet<Element>) {
    checkOther(other)
    insert(objectsIn: Array(other))
  }

  private func checkOperand(_ other: MutableSet) {
    guard let managed else { return }
    guard let right = other.managed else { stop("Right hand side value must be a managed Set.") }
    if right.core !== managed.core { stop("Cannot insersect sets managed by different Realms.") }
    let (left, rightType) = (managed.property.elementText, right.property.elementText)
    if left != rightType { stop("Cannot intersect sets of type '\(left)' and '\(rightType)'.") }
  }
  private func checkOther(_ other: MutableSet) {
    checkOperand(other)
    guard let managed else { return }
    _ = orStop(managed.core) { try managed.writing() }
  }

  // MARK: Confinement

  /// The set as it is now, for any thread, unchangeable. Stops for an unmanaged set.
  public func freeze() -> MutableSet {
    orStop(managed?.core) {
      guard let managed else { throw Self.unmanaged }
      return try MutableSet(managed: managed.frozen())
    }
  }
  /// The live set for the calling thread, of a frozen one; nil if its object is gone. A live set is itself. Stops for an unmanaged set.
  public func thaw() -> MutableSet? {
    orStop(managed?.core) {
      guard let managed else { throw Self.unmanaged }
      return try managed.thawed().map { MutableSet(managed: $0) }
    }
  }
}

extension MutableSet: _Persistable {
  /// The type that the property is stored as: the set itself.
  public typealias PersistedType = MutableSet
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { Element._shape.elements(of: .set) }

  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> MutableSet {
    if let tracer = object.tracer(key) {
      let set = MutableSet()
      set.storage = tracer.elements(Element.self)
      return set
    }
    return object.cachedCollection(key) { (core, binding, slot) in
      MutableSet(managed: CollectionCore(core: core, owner: binding, key: object.key, slot: slot, kind: .set))
    }
  }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: MutableSet) {
    orStop(object.core) {
      guard let collection = try object.assignedCollection(key, .set, from: value.managed) else { return }
      let source = Array(value)
      try CollectionFilling(editing: collection).fill(set: source)
    }
  }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> MutableSet { MutableSet() }

  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws {
    try object.promote(key, .set, policy, from: self, input: unconverted, contents: { Array(self) }, adopt: adopt) { collection, contents in
      try CollectionFilling(editing: collection, policy).fill(set: contents, isNew: policy == .error)
    }
  }

  private func adopt(_ collection: CollectionCore) {
    removeAll()
    managed = collection
  }

  /// Sets the property of an unmanaged object.
  public static func _assignUnmanaged(_ old: MutableSet?, _ value: MutableSet) -> MutableSet {
    let set = old ?? MutableSet()
    if set !== value {
      let source = value.unconverted == nil ? Array(value) : []
      set.removeAll()
      set.unconverted = value.unconverted
      set.insert(objectsIn: source)
    }
    return set
  }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> MutableSet {
    let set = MutableSet()
    if DynamicInput.isNull(input) { return set }
    guard let storage = DynamicInput.elements(of: input) else {
      throw RealmFailure.misuse("Invalid value (\(DynamicInput.shown(input))) for '\(Element.self)' set: value is not enumerable.")
    }
    let (elements, unconverted): ([Element], [Any]?) = try UnmanagedInput.converted(storage)
    set.insert(objectsIn: elements)
    set.unconverted = unconverted
    return set
  }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { true }
  /// Whether the value can be stored while the row is made: an empty collection.
  public func _isPlain(_ scope: _Scope) -> Bool { managed == nil && count == 0 }
}

extension MutableSet: SelfSettable {
  func setSelf(_ value: Any?) throws {
    let element = try Element._element(from: value ?? NSNull())
    removeAll()
    try insertOne(element)
  }
}

extension MutableSet: _ManagedCollection {
  /// The managed collection; nil while it is not managed. Public for technical reasons only.
  public var _managedBox: _CollectionBox? { managed.map { _CollectionBox(core: $0) } }
  /// How the elements are stored. Public for technical reasons only.
  public static var _elementShape: _Shape { _shape }
}

extension MutableSet: Decodable where Element: Decodable {
  /// An unmanaged set of the elements of an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { insert(try container.decode(Element.self)) }
  }
}

extension MutableSet: Encodable where Element: Encodable {}
