import Dispatch
public import Foundation

/// `list.projectTo.name` is the names of the list's objects. Used in key paths of `@Projected`.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
  private let collection: AnyRealmCollection<Element>

  init<C: RealmCollection>(_ collection: C) where C.Element == Element { self.collection = AnyRealmCollection(collection) }

  /// One property of all elements: live.
  public subscript<V: RealmCollectionValue>(dynamicMember member: KeyPath<Element, V>) -> ProjectedCollection<V> {
    // While a key path is traced, what lies behind the collection is part of it.
    if let element = collection._unmanagedElements.first, element.binding?.tracer != nil { _ = element[keyPath: member] }
    return ProjectedCollection(MappedElements(collection, member))
  }
}

/// The values of one property of the objects in a collection, live.
public struct ProjectedCollection<Element: RealmCollectionValue>: RandomAccessCollection, CustomStringConvertible, ThreadConfined {
  /// A position in the collection; the first is 0.
  public typealias Index = Int
  let source: any ProjectedSource<Element>

  init(_ source: any ProjectedSource<Element>) { self.source = source }

  /// How many objects the collection has.
  public var count: Int { source.count }
  /// The position of the first value: always 0.
  public var startIndex: Int { 0 }
  /// The position behind the last value: that is `count`, and stops where `count` does.
  public var endIndex: Int { count }
  /// The position behind another one.
  public func index(after i: Int) -> Int { i + 1 }
  /// The position before another one.
  public func index(before i: Int) -> Int { i - 1 }

  /// The value that the object at a position has. Stops if there is none.
  ///
  /// Setting changes the property of that object: it needs a property that can be set, and stops on a managed object outside of a write transaction.
  public subscript(position: Int) -> Element {
    get { source.value(at: position) }
    nonmutating set { source.set(newValue, at: position) }
  }

  /// The position of the first object that has a value.
  public func index(of object: Element) -> Int? { firstIndex(of: object) }
  /// The position of the first object that satisfies a predicate about the objects.
  public func index(matching predicate: NSPredicate) -> Int? { source.index(matching: predicate) }

  /// The realm of the collection that is projected; nil for an unmanaged one.
  public var realm: Realm? { source.confined.realm }
  /// Whether the collection that is projected is gone.
  public var isInvalidated: Bool { source.confined.isInvalidated }
  /// Whether the collection that is projected is an unchangeable one of a frozen realm.
  public var isFrozen: Bool { source.confined.isFrozen }
  /// The values as they are now, for any thread, unchangeable. Stops for an unmanaged collection.
  public func freeze() -> ProjectedCollection { ProjectedCollection(source.frozen()) }
  /// The live values for the calling thread, of frozen ones; nil if the object of the collection is gone.
  public func thaw() -> ProjectedCollection? { source.thawed().map { ProjectedCollection($0) } }

  /// The names that lead to the collection, of those that lead to its values.
  func collectionName(of name: String) -> String {
    let suffix = "." + source.memberName
    return name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
  }

  /// All values, one a line.
  public var description: String {
    let lines = enumerated().map { "\t[\($0)] \($1)\n" }
    return "ProjectedCollection<\(Element.self)> {\n" + lines.joined() + "}"
  }
}

/// `ProjectedCollection`, whatever its values.
protocol AnyProjectedCollection {
  func collectionName(of name: String) -> String
}

extension ProjectedCollection: AnyProjectedCollection {}

/// Where a projected collection gets its values.
protocol ProjectedSource<Value> {
  associatedtype Value: RealmCollectionValue
  var count: Int { get }
  var confined: any ThreadConfined { get }
  /// What of the objects the values are.
  var memberName: String { get }
  func value(at index: Int) -> Value
  func set(_ value: Value, at index: Int)
  func index(matching predicate: NSPredicate) -> Int?
  func observe(
    _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Value>>) -> Void
  ) -> NotificationToken
  func changes() -> RealmChanges<RealmCollectionChange<ProjectedCollection<Value>>>
  func frozen() -> any ProjectedSource<Value>
  func thawed() -> (any ProjectedSource<Value>)?
  /// What makes the same of another realm.
  func receiver() throws -> (RealmCore) throws -> (any ProjectedSource<Value>)?
}

private struct MappedElements<Base: ObjectBase & RealmCollectionValue, Value: RealmCollectionValue>: ProjectedSource {
  private let collection: AnyRealmCollection<Base>
  private let keyPath: KeyPath<Base, Value>

  init(_ collection: AnyRealmCollection<Base>, _ keyPath: KeyPath<Base, Value>) {
    self.collection = collection
    self.keyPath = keyPath
  }

  var count: Int { collection.count }
  var confined: any ThreadConfined { collection }
  var memberName: String { _name(for: keyPath) }
  func value(at index: Int) -> Value { collection[index][keyPath: keyPath] }
  func set(_ value: Value, at index: Int) {
    guard let keyPath = keyPath as? ReferenceWritableKeyPath<Base, Value> else { stop("KeyPath is not writable") }
    collection[index][keyPath: keyPath] = value
  }
  func index(matching predicate: NSPredicate) -> Int? { collection.index(matching: predicate) }
  func observe(
    _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Value>>) -> Void
  ) -> NotificationToken {
    let keyPath = keyPath
    return collection.observe(keyPaths: names(keyPaths), on: queue) { block(Self.projected($0, keyPath)) }
  }
  func changes() -> RealmChanges<RealmCollectionChange<ProjectedCollection<Value>>> {
    let core = collection.observableCore
    return RealmChanges {
      ChangeStream(core) { token, report in collection.register(names(nil), token) { report(Self.projected($0, keyPath)) } }
    }
  }

  private func names(_ keyPaths: [String]?) -> [String] { keyPaths.flatMap { $0.isEmpty ? nil : $0 } ?? [memberName] }

  private static func projected(
    _ change: RealmCollectionChange<AnyRealmCollection<Base>>, _ keyPath: KeyPath<Base, Value>
  ) -> RealmCollectionChange<ProjectedCollection<Value>> {
    switch change {
    case .initial(let collection): .initial(ProjectedCollection(MappedElements(collection, keyPath)))
    case .update(let collection, let deletions, let insertions, let modifications):
      .update(
        ProjectedCollection(MappedElements(collection, keyPath)), deletions: deletions, insertions: insertions, modifications: modifications)
    case .error(let error): .error(error)
    }
  }

  func frozen() -> any ProjectedSource<Value> { MappedElements(collection.freeze(), keyPath) }
  func thawed() -> (any ProjectedSource<Value>)? { collection.thaw().map { MappedElements($0, keyPath) } }
  func receiver() throws -> (RealmCore) throws -> (any ProjectedSource<Value>)? {
    let (value, keyPath) = (try collection.handedOver(), keyPath)
    return { core in
      try AnyRealmCollection<Base>.received(value, in: core).map { MappedElements($0, keyPath) }
    }
  }
}
