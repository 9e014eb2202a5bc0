public import Foundation
import RealmQuery
import RealmStorage

/// What belongs to one thread, queue or actor, unless it is frozen.
public protocol ThreadConfined {
  /// Nil for what is not managed.
  var realm: Realm? { get }
  /// Whether it was managed and cannot be used any more.
  var isInvalidated: Bool { get }
  var isFrozen: Bool { get }
  /// An immutable copy at the present version, for any thread.
  func freeze() -> Self
  /// The live counterpart for the calling thread; nil if it does not exist any more.
  func thaw() -> Self?
}

/// Hides the core of results. Public for technical reasons only.
public struct _ResultsBox {
  let core: ResultsCore
}

/// The part of `RealmCollection` without self-referring requirements.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue {
  typealias ElementType = Element
}

/// A homogeneous collection of objects or values: `Results`, `List`, `MutableSet`, `LinkingObjects`, `AnyRealmCollection`.
public protocol RealmCollection: RealmCollectionBase, Equatable where Iterator == RLMIterator<Element>, Index == Int {
  /// The managed contents, nil for an unmanaged collection. Public for technical reasons only.
  var _resultsBox: _ResultsBox? { get }
  /// The elements of an unmanaged collection.
  var _unmanagedElements: [Element] { get }
  /// The name that descriptions begin with.
  static var _kindName: String { get }
}

extension RealmCollection {
  var results: ResultsCore? { _resultsBox?.core }

  /// The managed contents; stops for an unmanaged collection.
  var managedResults: ResultsCore {
    guard let results else { stop("This method may only be called on RLMArray instances retrieved from an RLMRealm") }
    return results
  }

  public var realm: Realm? { results.map { Realm($0.core) } }
  public var isInvalidated: Bool { results?.isInvalidated ?? false }
  public var isFrozen: Bool { results?.core.isFrozen ?? false }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public func index(after i: Int) -> Int { i + 1 }
  public func index(before i: Int) -> Int { i - 1 }

  public var count: Int {
    guard let results else { return _unmanagedElements.count }
    return orStop(results.core) { try results.count() }
  }

  public subscript(position: Int) -> Element { orStop(results?.core) { try element(at: position) } }

  func element(at position: Int) throws -> Element {
    guard let results else {
      let elements = _unmanagedElements
      try CollectionCore.checkIndex(position, count: elements.count)
      return elements[position]
    }
    let value = try results.value(at: position)
    return try results.load(value, at: position, as: Element.self)
  }

  public var first: Element? { isEmpty ? nil : self[0] }
  public var last: Element? {
    let count = count
    return count == 0 ? nil : self[count - 1]
  }

  public func makeIterator() -> RLMIterator<Element> {
    guard let results else { return RLMIterator(_unmanagedElements) }
    return RLMIterator(results)
  }

  // MARK: Finding

  /// The position of an element; nil if there is none, or for an object that is not managed by this realm.
  public func index(of object: Element) -> Int? {
    guard let results else { return _unmanagedElements.firstIndex(of: object) }
    return orStop(results.core) { try results.index(of: object) }
  }

  public func index(matching predicate: NSPredicate) -> Int? {
    orStop(results?.core) { try managedResults.index(matching: PredicateInput.query(predicate)) }
  }
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    orStop(results?.core) { try managedResults.index(matching: PredicateInput.query(predicateFormat, args)) }
  }

  /// The elements at several positions.
  public func objects(at indexes: IndexSet) -> [Element] {
    let count = count
    return indexes.map { index in
      if index >= count { stop("Indexes for collection are out of bounds.") }
      return self[index]
    }
  }

  // MARK: Filtering

  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    orStop(results?.core) { Results(try managedResults.filtered(PredicateInput.query(predicateFormat, args))) }
  }
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    orStop(results?.core) { Results(try managedResults.filtered(PredicateInput.query(predicate))) }
  }

  // MARK: Order

  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element> where S.Iterator.Element == SortDescriptor {
    orStop(results?.core) { Results(try managedResults.sorted(Array(sortDescriptors))) }
  }

  /// Keeps the first element of each group with equal values.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == String {
    orStop(results?.core) { Results(try managedResults.distinct(Array(keyPaths))) }
  }

  // MARK: Descriptions

  public var description: String { CollectionText.describe(self) }
}

extension RealmCollection where Element: KeypathSortable {
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }
}

extension RealmCollection where Element: ObjectBase {
  public func sorted<T: _HasPersistedType>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element>
  where T.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }
}

extension RealmCollection where Element: KeypathSortable & ObjectBase {
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { _name(for: $0) })
  }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Keeps the first element of each group with equal values in what properties of the projection show.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { _name(for: $0) })
  }
}

extension RealmCollection where Element.PersistedType: SortableType {
  public func sorted(ascending: Bool = true) -> Results<Element> { sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)]) }
  public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}

extension RealmCollection where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension ResultsCore {
  /// The Swift value of an element.
  func load<Element: RealmCollectionValue>(_ value: Value, at position: Int, as type: Element.Type) throws -> Element {
    if value.isNestedCollection { return try loadNested(value, position) }
    guard let element = Element._load(_StoredValue(value), scope) else {
      throw RealmFailure.misuse(
        "Failed to convert persisted value '\(DynamicInput.text(value))' to type '\(Element.self)' in a non-optional context.")
    }
    return element
  }

  private func loadNested<Element: RealmCollectionValue>(_ value: Value, _ position: Int) throws -> Element {
    guard let collection = try nestedCollection(value, at: position) else { throw RealmFailure.misuse("The nested collection cannot be reached.") }
    guard let element = AnyRealmValue(value, core, nested: { _ in collection }) as? Element else {
      throw RealmFailure.misuse("The element is a collection.")
    }
    return element
  }

  /// The nested collection that an element is.
  func nestedCollection(_ value: Value, at position: Int) throws -> CollectionCore? {
    guard let base = baseCollection else { return nil }
    var position = position
    if case .results = source {
      // Sorted or thinned out: the roots tell the collections apart.
      guard let place = try base.allValues().firstIndex(where: { $0.isIdentical(to: value) }) else { return nil }
      position = place
    }
    let kind: CollectionKind = if case .list = value { .list } else { .dictionary }
    guard base.kind == .dictionary else { return try base.nested(at: position, kind) }
    return base.nested(.key(try base.read { try $0.key(at: position) }), kind)
  }

  func index<Element: RealmCollectionValue>(of element: Element) throws -> Int? {
    if let object = element as? ObjectBase ?? (element as? any ProjectionObservable)?.projectedObject {
      guard object.core === core else { return nil }
      if object.isManagedAndGone { throw RealmFailure.misuse("Object has been deleted or invalidated.") }
      if let target, object.binding !== target, object.binding?.className != target.className {
        throw RealmFailure.misuse("Object of type '\(object.binding?.className ?? "")' does not match RLMResults type '\(target.className)'.")
      }
      return try keys().firstIndex(of: object.key)
    }
    let value: Value
    if let mixed = element as? AnyRealmValue {
      switch mixed {
      case .object(let object):
        guard object.core === core, let binding = object.binding else { return nil }
        value = .typedLink(ObjectLink(table: binding.tableKey, key: object.key))
      case .list, .dictionary: return nil
      default: value = mixed.scalar ?? .null
      }
    } else if Element._shape.type == .object, !DynamicInput.isNull(element) {
      // A custom type over an embedded class, whose objects are made anew.
      return nil
    } else {
      value = element._store(_Scope(core: nil, target: nil)).value
    }
    return try values().firstIndex { Value.compare($0, value) == 0 }
  }
}
