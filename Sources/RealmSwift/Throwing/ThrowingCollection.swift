public import Foundation
import RealmQuery

/// A collection whose errors can be caught; see `RealmCollection.throwing`. Confined as the collection is.
public struct ThrowingCollection<Base: RealmCollection> {
  let base: Base

  /// Runs a member of the base.
  func run<Result>(_ body: () throws -> Result) throws -> Result { try orThrow(goingOnIn: base.results?.core, body) }

  /// As `RealmCollection.filter`. Also what can only be known when the query is evaluated is looked at, such as a property that does not exist.
  /// - Throws: `Realm.Error` with what is wrong with the text or its arguments.
  public func filter(_ predicateFormat: String, _ args: Any...) throws -> Results<Base.Element> {
    try run { try base.filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// As `RealmCollection.filter`.
  /// - Throws: `Realm.Error` with what is wrong with the predicate.
  public func filter(_ predicate: NSPredicate) throws -> Results<Base.Element> { try run { try base.filtered(PredicateInput.query(predicate)) } }

  /// As `RealmCollection.index(matching:)`.
  /// - Throws: `Realm.Error` with what is wrong with the text or its arguments.
  public func index(matching predicateFormat: String, _ args: Any...) throws -> Int? {
    try run { try base.position { try PredicateInput.query(predicateFormat, args, about: $0) } }
  }
  /// As `RealmCollection.index(matching:)`.
  /// - Throws: `Realm.Error` with what is wrong with the predicate.
  public func index(matching predicate: NSPredicate) throws -> Int? {
    try run { try base.position { try PredicateInput.query(predicate, about: $0) } }
  }

  /// As `RealmCollection.sorted(byKeyPath:ascending:)`, for names that come from outside of the program.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) throws -> Results<Base.Element> {
    try sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }
  /// As `RealmCollection.sorted(by:)`.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) throws -> Results<Base.Element> {
    try run { try base.arranged(sortDescriptors) }
  }
  /// As `RealmCollection.distinct(by:)`.
  /// - Throws: `Realm.Error` for a property that does not exist or cannot be compared.
  public func distinct(by keyPaths: some Sequence<String>) throws -> Results<Base.Element> {
    try run { try base.unrepeated(keyPaths) }
  }

  /// As `RealmCollection.min(ofProperty:)`.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func min<T: _HasPersistedType>(ofProperty property: String) throws -> T? where T.PersistedType: MinMaxType {
    try run { try Aggregation(base).value(.min, property) }
  }
  /// As `RealmCollection.max(ofProperty:)`.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func max<T: _HasPersistedType>(ofProperty property: String) throws -> T? where T.PersistedType: MinMaxType {
    try run { try Aggregation(base).value(.max, property) }
  }
  /// As `RealmCollection.sum(ofProperty:)`.
  /// - Throws: `Realm.Error` for a property that does not exist or is no number.
  public func sum<T: _HasPersistedType>(ofProperty property: String) throws -> T where T.PersistedType: AddableType {
    try run { try Aggregation(base).sum(property) }
  }
  /// As `RealmCollection.average(ofProperty:)`.
  /// - Throws: `Realm.Error` for a property that does not exist or is no number.
  public func average<T: _HasPersistedType>(ofProperty property: String) throws -> T? where T.PersistedType: AddableType {
    try run { try Aggregation(base).value(.average, property) }
  }

  /// As `RealmCollection.setValue(_:forKey:)`.
  /// - Throws: `Realm.Error` for a property that does not exist, and for a value that does not fit it.
  public func setValue(_ value: Any?, forKey key: String) throws { try run { try base.set(value, key) } }
}

extension ThrowingCollection {
  /// As `List.append`.
  /// - Throws: `Realm.Error` for an unmanaged object whose key exists, and for whatever else `append` stops for.
  public func append<Element>(_ object: Element) throws where Base == List<Element> { try run { try base.appendOne(object) } }
  /// As `List.append(objectsIn:)`.
  /// - Throws: as `append`.
  public func append<Element>(objectsIn objects: some Sequence<Element>) throws where Base == List<Element> {
    try run { try base.appendAll(objects) }
  }
  /// As `List.insert(_:at:)`.
  /// - Throws: as `append`, and `Realm.Error` for a position beyond the end.
  public func insert<Element>(_ object: Element, at index: Int) throws where Base == List<Element> {
    try run { try base.insertOne(object, at: index) }
  }
  /// As `List.replace(index:object:)`.
  /// - Throws: as `insert`.
  public func replace<Element>(index: Int, object: Element) throws where Base == List<Element> {
    try run { try base.replaceOne(object, at: index) }
  }

  /// As `MutableSet.insert`.
  /// - Throws: `Realm.Error` for an unmanaged object whose key exists, and for whatever else `insert` stops for.
  public func insert<Element>(_ object: Element) throws where Base == MutableSet<Element> { try run { try base.insertOne(object) } }
  /// As `MutableSet.insert(objectsIn:)`.
  /// - Throws: as `insert`.
  public func insert<Element>(objectsIn objects: some Sequence<Element>) throws where Base == MutableSet<Element> {
    try run { try base.insertAll(objects) }
  }
}
