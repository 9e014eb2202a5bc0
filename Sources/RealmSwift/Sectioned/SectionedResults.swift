public import Dispatch
public import Foundation

/// What `SectionedResults` and `ResultsSection` have in common.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined, CustomStringConvertible where Index == Int {
  /// Calls `block` once with `.initial`, and then with `.update` whenever sections or elements come, go or are changed.
  func observe(keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (SectionedResultsChange<Self>) -> Void) -> NotificationToken
  /// Calls `block` on an actor, once with `.initial`, and then with `.update` whenever sections or elements come, go or are changed. Returns when the
  /// observation has begun.
  func observe<A: Actor>(
    keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)?,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken
}

/// Results that are divided by a key, live. Sections are in the order in which their keys first occur in the sorted results.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>: RealmSectionedResult {
  /// A section: the elements with one key.
  public typealias Element = ResultsSection<Key, SectionElement>
  /// A position among the sections; the first is 0.
  public typealias Index = Int
  let base: SectionedCore<Key, SectionElement>

  init(_ base: SectionedCore<Key, SectionElement>) { self.base = base }

  /// The keys of the sections, in their order.
  public var allKeys: [Key] { base.sections.keys.map(\.value) }

  /// How many sections there are. Divides the results if that has not been done for the present version; stops on a wrong thread.
  public var count: Int { base.sections.keys.count }
  /// The position of the first section: always 0.
  public var startIndex: Int { 0 }
  /// The position behind the last section: that is `count`, and stops where `count` does.
  public var endIndex: Int { count }
  /// The position behind another one.
  public func index(after i: Int) -> Int { i + 1 }
  /// The position before another one.
  public func index(before i: Int) -> Int { i - 1 }

  /// The section at a position. Stops if there is none.
  public subscript(_ index: Int) -> ResultsSection<Key, SectionElement> {
    let keys = base.sections.keys
    orStop { try CollectionCore.checkIndex(index, count: keys.count) }
    return ResultsSection(base, keys[index].value)
  }

  /// The element at a place. Stops if there is none, and for an index path that has not two numbers.
  /// - Parameter indexPath: the section, and the position in it.
  public subscript(_ indexPath: IndexPath) -> SectionElement {
    if indexPath.count != 2 { stop("An index path into sectioned results has a section and an item.") }
    return self[indexPath[0]][indexPath[1]]
  }

  /// The realm that the results belong to.
  public var realm: Realm? { Realm(base.results.core) }
  /// Whether what the results stand on is gone.
  public var isInvalidated: Bool { base.results.isInvalidated }
  /// Whether these are unchangeable results of a frozen realm.
  public var isFrozen: Bool { base.results.core.isFrozen }
  /// The sections as they are now, for any thread, unchangeable. Stops when invalidated.
  public func freeze() -> SectionedResults { orStop(base.results.core) { SectionedResults(try base.frozen()) } }
  /// The live sections for the calling thread, of frozen ones; nil if what they stand on is gone. Live ones are themselves.
  public func thaw() -> SectionedResults? { orStop(base.results.core) { try base.thawed().map { SectionedResults($0) } } }

  /// True for the same sectioned results only: those that were made by one call of `sectioned`, or are copies of its outcome.
  public static func == (a: SectionedResults, b: SectionedResults) -> Bool { a.base === b.base }

  /// The sections with their keys and elements, all of them.
  public var description: String {
    let lines = map { "\t[\($0.key)] \($0.description.replacingOccurrences(of: "\n", with: "\n\t"))" }
    return "SectionedResults<\(Key.self), \(SectionElement.self)> (\n" + lines.joined(separator: ",\n") + "\n)"
  }
}

/// The elements of sectioned results that have one key, live. Empty while there are none.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>: RealmSectionedResult, Identifiable {
  /// An element of the section.
  public typealias Element = T
  /// A position in the section; the first is 0.
  public typealias Index = Int
  let base: SectionedCore<Key, T>
  /// What the elements have in common.
  public let key: Key

  init(_ base: SectionedCore<Key, T>, _ key: Key) {
    self.base = base
    self.key = key
  }

  private var place: SectionKey<Key> { SectionKey(key) }

  /// The identity of the section among the others: its key.
  public var id: Key { key }

  /// How many elements have the key now; 0 while there is none.
  public var count: Int { base.sections.index.count(of: place) }
  /// The position of the first element: always 0.
  public var startIndex: Int { 0 }
  /// The position behind the last element: that is `count`.
  public var endIndex: Int { count }
  /// The position behind another one.
  public func index(after i: Int) -> Int { i + 1 }
  /// The position before another one.
  public func index(before i: Int) -> Int { i - 1 }

  /// The element at a position of the section. Stops if there is none.
  public subscript(_ index: Int) -> T {
    orStop(base.results.core) {
      let sections = base.sections
      try CollectionCore.checkIndex(index, count: sections.index.count(of: place))
      return try base.element(at: sections.index.position(index, in: place), of: sections)
    }
  }

  /// The realm that the results belong to.
  public var realm: Realm? { Realm(base.results.core) }
  /// Whether what the results stand on is gone.
  public var isInvalidated: Bool { base.results.isInvalidated }
  /// Whether this is an unchangeable section of a frozen realm.
  public var isFrozen: Bool { base.results.core.isFrozen }
  /// The section as it is now, for any thread, unchangeable. Stops when invalidated.
  public func freeze() -> ResultsSection { orStop(base.results.core) { ResultsSection(try base.frozen(), key) } }
  /// The live section for the calling thread, of a frozen one; nil if what it stands on is gone. A live one is itself.
  public func thaw() -> ResultsSection? { orStop(base.results.core) { try base.thawed().map { ResultsSection($0, key) } } }

  /// True for the same key of the same sectioned results.
  public static func == (a: ResultsSection, b: ResultsSection) -> Bool { a.base === b.base && a.place == b.place }

  /// The elements of the section, all of them.
  public var description: String {
    let lines = enumerated().map { "\t[\($0)] \("\($1)".replacingOccurrences(of: "\n", with: "\n\t"))" }
    return "ResultsSection<\(T.self)> (\n" + lines.joined(separator: ",\n") + "\n)"
  }
}
