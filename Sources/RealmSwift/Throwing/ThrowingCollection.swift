public import Foundation
import RealmQuery

/// A collection whose errors can be caught: what ``RealmCollection/throwing`` gives. Confined as the collection is.
public struct ThrowingCollection<Base: RealmCollection> {
  let base: Base

  /// Runs a member of the base.
  func run<Result>(_ body: () throws -> Result) throws -> Result { try orThrow(goingOnIn: base.results?.core, body) }

  /// The elements that satisfy a format with its arguments: live, in the same order. Does what ``RealmCollection/filter(_:_:file:line:)`` does,
  /// throwing where that ends the process.
  ///
  /// Also what can only be known when the query is evaluated is looked at, such as a property that does not exist.
  /// - Throws: `Realm.Error` with what is wrong with the text or its arguments.
  public func filter(_ predicateFormat: String, _ args: Any...) throws -> Results<Base.Element> {
    try run { try base.filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// The elements that satisfy a predicate: live, in the same order. Does what ``RealmCollection/filter(_:file:line:)`` does, throwing where that
  /// ends the process.
  /// - Throws: `Realm.Error` with what is wrong with the predicate.
  public func filter(_ predicate: NSPredicate) throws -> Results<Base.Element> { try run { try base.filtered(PredicateInput.query(predicate)) } }

  /// The position of the first element that satisfies a format with its arguments; nil if there is none. Does what
  /// ``RealmCollection/index(matching:_:file:line:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` with what is wrong with the text or its arguments.
  public func index(matching predicateFormat: String, _ args: Any...) throws -> Int? {
    try run { try base.position { try PredicateInput.query(predicateFormat, args, about: $0) } }
  }
  /// The position of the first element that satisfies a predicate; nil if there is none. Does what ``RealmCollection/index(matching:file:line:)``
  /// does, throwing where that ends the process.
  /// - Throws: `Realm.Error` with what is wrong with the predicate.
  public func index(matching predicate: NSPredicate) throws -> Int? {
    try run { try base.position { try PredicateInput.query(predicate, about: $0) } }
  }

  /// The elements in the order of a property, for names that come from outside of the program: live. Does what
  /// ``RealmCollection/sorted(byKeyPath:ascending:file:line:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) throws -> Results<Base.Element> {
    try sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }
  /// The elements in another order, by the first descriptor, where that is equal by the second, and so on: live. Does what
  /// ``RealmCollection/sorted(by:file:line:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) throws -> Results<Base.Element> {
    try run { try base.arranged(sortDescriptors) }
  }
  /// Keeps the first element of each group with equal values of the properties that are named: live. Does what
  /// ``RealmCollection/distinct(by:file:line:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for a property that does not exist or cannot be compared.
  public func distinct(by keyPaths: some Sequence<String>) throws -> Results<Base.Element> {
    try run { try base.unrepeated(keyPaths) }
  }

  /// The smallest value of a property; nil if there is none. Does what ``RealmCollection/min(ofProperty:file:line:)`` does, throwing where that ends
  /// the process.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func min<T: _HasPersistedType>(ofProperty property: String) throws -> T? where T.PersistedType: MinMaxType {
    try run { try Aggregation(base).value(.min, property) }
  }
  /// The largest value of a property; nil if there is none. Does what ``RealmCollection/max(ofProperty:file:line:)`` does, throwing where that ends
  /// the process.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func max<T: _HasPersistedType>(ofProperty property: String) throws -> T? where T.PersistedType: MinMaxType {
    try run { try Aggregation(base).value(.max, property) }
  }
  /// The sum of the values of a property; 0 if there is none. Does what ``RealmCollection/sum(ofProperty:file:line:)`` does, throwing where that ends
  /// the process.
  /// - Throws: `Realm.Error` for a property that does not exist or is no number.
  public func sum<T: _HasPersistedType>(ofProperty property: String) throws -> T where T.PersistedType: AddableType {
    try run { try Aggregation(base).sum(property) }
  }
  /// The mean of the values of a property; nil if there is none. Does what ``RealmCollection/average(ofProperty:file:line:)`` does, throwing where
  /// that ends the process.
  /// - Throws: `Realm.Error` for a property that does not exist or is no number.
  public func average<T: _HasPersistedType>(ofProperty property: String) throws -> T? where T.PersistedType: AddableType {
    try run { try Aggregation(base).value(.average, property) }
  }

  /// Sets a property of all elements. Does what ``RealmCollection/setValue(_:forKey:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for a property that does not exist, for a value that does not fit it, outside of a write transaction, and for whatever
  ///   else `setValue` stops for.
  public func setValue(_ value: Any?, forKey key: String) throws { try run { try base.set(value, key) } }
}

extension ThrowingCollection {
  /// Adds an element at the end of a list. Does what ``List/append(_:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for an unmanaged object whose key exists, and for whatever else `append` stops for.
  public func append<Element>(_ object: Element) throws where Base == List<Element> { try run { try base.appendOne(object) } }
  /// Adds elements at the end of a list, in their order. Does what ``List/append(objectsIn:)`` does, throwing where that ends the process.
  /// - Throws: what ``append(_:)`` throws.
  public func append<Element>(objectsIn objects: some Sequence<Element>) throws where Base == List<Element> {
    try run { try base.appendAll(objects) }
  }
  /// Inserts an element into a list, so that it has the position `index`. Does what ``List/insert(_:at:)`` does, throwing where that ends the
  /// process.
  /// - Throws: what ``append(_:)`` throws, and `Realm.Error` for a position beyond the end.
  public func insert<Element>(_ object: Element, at index: Int) throws where Base == List<Element> {
    try run { try base.insertOne(object, at: index) }
  }
  /// Puts another element of a list in the place of one. Does what ``List/replace(index:object:)`` does, throwing where that ends the process.
  /// - Throws: what ``insert(_:at:)`` throws.
  public func replace<Element>(index: Int, object: Element) throws where Base == List<Element> {
    try run { try base.replaceOne(object, at: index) }
  }

  /// Adds an element to a set, if it is not there yet. Does what ``MutableSet/insert(_:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for an unmanaged object whose key exists, and for whatever else `insert` stops for.
  public func insert<Element>(_ object: Element) throws where Base == MutableSet<Element> { try run { try base.insertOne(object) } }
  /// Adds those elements to a set that are not there yet. Does what ``MutableSet/insert(objectsIn:)`` does, throwing where that ends the process.
  /// - Throws: what ``insert(_:)`` throws.
  public func insert<Element>(objectsIn objects: some Sequence<Element>) throws where Base == MutableSet<Element> {
    try run { try base.insertAll(objects) }
  }
}
