public import Foundation

/// `SectionedResults` and `ResultsSection`.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined, CustomStringConvertible where Index == Int {}

/// Results that are divided by a key, live. Sections are in the order in which their keys first occur in the sorted results.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>: RealmSectionedResult {
  public typealias Element = ResultsSection<Key, SectionElement>
  public typealias Index = Int
  let base: SectionedCore<Key, SectionElement>

  init(_ base: SectionedCore<Key, SectionElement>) { self.base = base }

  /// The keys of the sections, in their order.
  public var allKeys: [Key] { base.sections.keys }

  public var count: Int { base.sections.keys.count }
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public func index(after i: Int) -> Int { i + 1 }
  public func index(before i: Int) -> Int { i - 1 }

  public subscript(_ index: Int) -> ResultsSection<Key, SectionElement> {
    let keys = base.sections.keys
    orStop { try CollectionCore.checkIndex(index, count: keys.count) }
    return ResultsSection(base, keys[index])
  }

  /// - Parameter indexPath: the section, and the position in it.
  public subscript(_ indexPath: IndexPath) -> SectionElement {
    if indexPath.count != 2 { stop("An index path into sectioned results has a section and an item.") }
    return self[indexPath[0]][indexPath[1]]
  }

  public var realm: Realm? { Realm(base.results.core) }
  public var isInvalidated: Bool { base.results.isInvalidated }
  public var isFrozen: Bool { base.results.core.isFrozen }
  public func freeze() -> SectionedResults { orStop(base.results.core) { SectionedResults(try base.frozen()) } }
  public func thaw() -> SectionedResults? { orStop(base.results.core) { try base.thawed().map { SectionedResults($0) } } }

  public static func == (a: SectionedResults, b: SectionedResults) -> Bool { a.base === b.base }

  public var description: String {
    let lines = map { "\t[\($0.key)] \($0.description.replacingOccurrences(of: "\n", with: "\n\t"))" }
    return "SectionedResults<\(Key.self), \(SectionElement.self)> (\n" + lines.joined(separator: ",\n") + "\n)"
  }
}

/// The elements of sectioned results that have one key, live. Empty while there are none.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>: RealmSectionedResult, Identifiable {
  public typealias Element = T
  public typealias Index = Int
  let base: SectionedCore<Key, T>
  public let key: Key

  init(_ base: SectionedCore<Key, T>, _ key: Key) {
    self.base = base
    self.key = key
  }

  public var id: Key { key }

  private var positions: [Int] { base.sections.positions(of: key) }
  public var count: Int { positions.count }
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public func index(after i: Int) -> Int { i + 1 }
  public func index(before i: Int) -> Int { i - 1 }

  public subscript(_ index: Int) -> T {
    orStop(base.results.core) {
      let sections = base.sections
      let positions = sections.positions(of: key)
      try CollectionCore.checkIndex(index, count: positions.count)
      let position = positions[index]
      return try base.results.load(sections.values[position], at: position, as: T.self)
    }
  }

  public var realm: Realm? { Realm(base.results.core) }
  public var isInvalidated: Bool { base.results.isInvalidated }
  public var isFrozen: Bool { base.results.core.isFrozen }
  public func freeze() -> ResultsSection { orStop(base.results.core) { ResultsSection(try base.frozen(), key) } }
  public func thaw() -> ResultsSection? { orStop(base.results.core) { try base.thawed().map { ResultsSection($0, key) } } }

  public static func == (a: ResultsSection, b: ResultsSection) -> Bool { a.base === b.base && a.key == b.key }

  public var description: String {
    let lines = enumerated().map { "\t[\($0)] \("\($1)".replacingOccurrences(of: "\n", with: "\n\t"))" }
    return "ResultsSection<\(T.self)> (\n" + lines.joined(separator: ",\n") + "\n)"
  }
}
