public import Foundation
import RealmQuery
import RealmStorage

/// What belongs to one thread, queue or actor, unless it is frozen.
public protocol ThreadConfined {
  /// Nil for what is not managed.
  var realm: Realm? { get }
  /// Whether it was managed and cannot be used any more.
  var isInvalidated: Bool { get }
  /// Whether it is an unchangeable copy, for any thread.
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
  /// Another name of `Element`.
  typealias ElementType = Element
}

/// A homogeneous collection of objects or values: `Results`, `List`, `MutableSet`, `LinkingObjects`, `AnyRealmCollection`.
public protocol RealmCollection<Element>: RealmCollectionBase, Equatable where Iterator == RLMIterator<Element>, Index == Int {
  /// The managed contents, nil for an unmanaged collection. Public for technical reasons only.
  var _resultsBox: _ResultsBox? { get }
  /// The elements of an unmanaged collection.
  var _unmanagedElements: [Element] { get }
  /// The name that descriptions begin with.
  static var _kindName: String { get }
}

extension RealmCollection {
  var results: ResultsCore? { _resultsBox?.core }

  /// The managed contents; throws for an unmanaged collection.
  var managedResults: ResultsCore {
    get throws {
      guard let results else { throw Self.unmanaged }
      return results
    }
  }
  static var unmanaged: RealmFailure { .misuse("This method may only be called on \(Self._kindName) instances retrieved from a Realm") }

  /// The realm that the collection belongs to; nil for an unmanaged one.
  public var realm: Realm? { results.map { Realm($0.core) } }
  /// Whether what the collection shows is gone: its object was deleted, or its realm invalidated. False for unmanaged collections.
  public var isInvalidated: Bool { results?.isInvalidated ?? false }
  /// Whether it is an unchangeable collection of a frozen realm.
  public var isFrozen: Bool { results?.core.isFrozen ?? false }

  /// The position of the first element: always 0.
  public var startIndex: Int { 0 }
  /// The position behind the last element: that is `count`, and stops where `count` does.
  public var endIndex: Int { count }
  /// The position behind another one.
  public func index(after i: Int) -> Int { i + 1 }
  /// The position before another one.
  public func index(before i: Int) -> Int { i - 1 }

  /// How many elements there are. Evaluates results if the number cannot be had for less. Stops on a wrong thread.
  public var count: Int {
    guard let results else { return _unmanagedElements.count }
    return orStop(results.core) { try results.count() }
  }

  /// The element at a position. Stops if there is none, or on a wrong thread.
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

  /// Whether there are no elements. Of results no more is evaluated than that takes.
  public var isEmpty: Bool {
    guard let results else { return _unmanagedElements.isEmpty }
    return orStop(results.core) { try results.isEmpty() }
  }
  /// The first element; nil if there is none. Of results that nothing was asked of yet, no more is evaluated than that takes.
  public var first: Element? {
    guard let results else { return _unmanagedElements.first }
    return orStop(results.core) { try results.first().map { try results.load($0, at: 0, as: Element.self) } }
  }
  /// The last element; nil if there is none.
  public var last: Element? {
    let count = count
    return count == 0 ? nil : self[count - 1]
  }

  /// Goes through the elements that are there now, whatever is changed meanwhile.
  public func makeIterator() -> RLMIterator<Element> {
    guard let results else { return RLMIterator(_unmanagedElements) }
    return RLMIterator(results)
  }

  // MARK: Finding

  /// The position of an element; nil if there is none, or for an object that is not managed by this realm.
  public func index(of object: Element) -> Int? {
    guard let results else {
      let wanted = LiteralElement(object)
      return _unmanagedElements.firstIndex { LiteralElement($0) == wanted }
    }
    return orStop(results.core) { try results.index(of: object) }
  }

  /// The position of the first element that satisfies a predicate; nil if there is none. Of an unmanaged collection it searches copies of the
  /// elements. Stops for a managed collection of values, if the predicate names something that does not exist, and for predicates with blocks.
  public func index(matching predicate: NSPredicate, file: StaticString = #fileID, line: UInt = #line) -> Int? {
    orStop(results?.core, CallSite(file: file, line: line)) { try position { try PredicateInput.query(predicate, about: $0) } }
  }
  /// The position of the first element that satisfies a format with its arguments; nil if there is none. Of an unmanaged collection it searches
  /// copies of the elements. Stops for a managed collection of values, and if the format is wrong, names something that does not exist, or has not as
  /// many arguments as places for them.
  public func index(matching predicateFormat: String, _ args: Any..., file: StaticString = #fileID, line: UInt = #line) -> Int? {
    orStop(results?.core, CallSite(file: file, line: line)) { try position { try PredicateInput.query(predicateFormat, args, about: $0) } }
  }

  func position(matching query: (QuerySubject) throws -> RealmQuery.Query) throws -> Int? {
    guard let results else {
      let search = try UnmanagedSearch(_unmanagedElements)
      return try search.position(of: query(search.subject))
    }
    return try results.index(matching: query(.objects))
  }

  /// The elements at several positions. Stops if one of them is beyond the collection.
  public func objects(at indexes: IndexSet) -> [Element] {
    let count = count
    return indexes.map { index in
      if index >= count { stop("Indexes for collection are out of bounds.") }
      return self[index]
    }
  }

  // MARK: Filtering

  /// The elements that satisfy a condition: live, in the same order.
  ///
  /// Stops for an unmanaged collection and one of values, and if the format is wrong, names something that does not exist, or has not as many
  /// arguments as places for them. For a text that comes from outside of the program, `throwing.filter` is the member to call.
  /// - Parameters:
  ///   - predicateFormat: in the language of Cocoa's predicates; see Documentation/Queries/README.md.
  ///   - args: what `%@`, `%K` and their like stand for, in their order.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func filter(_ predicateFormat: String, _ args: Any..., file: StaticString = #fileID, line: UInt = #line) -> Results<Element> {
    orStop(results?.core, CallSite(file: file, line: line)) { try filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// The elements that satisfy a predicate: live, in the same order. Stops for an unmanaged collection and one of values, if the predicate names
  /// something that does not exist, and for predicates with blocks.
  public func filter(_ predicate: NSPredicate, file: StaticString = #fileID, line: UInt = #line) -> Results<Element> {
    orStop(results?.core, CallSite(file: file, line: line)) { try filtered(PredicateInput.query(predicate)) }
  }

  func filtered(_ query: @autoclosure () throws -> RealmQuery.Query) throws -> Results<Element> {
    Results(try managedResults.filtered(query()))
  }

  // MARK: Order

  /// The elements in another order, by the first descriptor, where that is equal by the second, and so on: live.
  ///
  /// Stops for an unmanaged collection, and if a descriptor names something that does not exist or cannot be sorted by. For names that come from
  /// outside of the program, `throwing.sorted` is the member to call.
  /// - Parameters:
  ///   - sortDescriptors: in the order of their weight; none leave the order as it is.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func sorted<S: Sequence>(
    by sortDescriptors: S, file: StaticString = #fileID, line: UInt = #line
  ) -> Results<Element> where S.Iterator.Element == SortDescriptor {
    orStop(results?.core, CallSite(file: file, line: line)) { try arranged(sortDescriptors) }
  }
  func arranged(_ descriptors: some Sequence<SortDescriptor>) throws -> Results<Element> { Results(try managedResults.sorted(Array(descriptors))) }

  /// Keeps the first element of each group with equal values of the properties that are named: live. Stops for an unmanaged collection, and for a
  /// name that does not exist or cannot be compared; there is a `throwing.distinct`, too.
  public func distinct<S: Sequence>(
    by keyPaths: S, file: StaticString = #fileID, line: UInt = #line
  ) -> Results<Element> where S.Iterator.Element == String {
    orStop(results?.core, CallSite(file: file, line: line)) { try unrepeated(keyPaths) }
  }
  func unrepeated(_ keyPaths: some Sequence<String>) throws -> Results<Element> { Results(try managedResults.distinct(Array(keyPaths))) }

  // MARK: Descriptions

  /// The first hundred elements, one a line, nested objects included.
  public var description: String { CollectionText.describe(self) }
}

extension RealmCollection where Element: KeypathSortable {
  /// The elements in the order of a property, or of one behind links (`owner.name`): live. Stops for an unmanaged collection, and for a name
  /// that does not exist or cannot be sorted by.
  public func sorted(
    byKeyPath keyPath: String, ascending: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)], file: file, line: line)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The elements in the order of a property, or of one behind links: live. Stops for an unmanaged collection.
  public func sorted<T: _HasPersistedType>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element>
  where T.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }
}

extension RealmCollection where Element: KeypathSortable & ObjectBase {
  /// Keeps the first element of each group with equal values. Stops for an unmanaged collection.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { _name(for: $0) })
  }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Keeps the first element of each group with equal values in what properties of the projection show: live. Stops for an unmanaged collection.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { _name(for: $0) })
  }
}

extension RealmCollection where Element.PersistedType: SortableType {
  /// The values in their own order: live. Stops for an unmanaged collection.
  public func sorted(ascending: Bool = true) -> Results<Element> { sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)]) }
  /// Each value once. Stops for an unmanaged collection.
  public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}

extension RealmCollection where Element: Encodable {
  /// Encodes the collection as an array of its elements.
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}
