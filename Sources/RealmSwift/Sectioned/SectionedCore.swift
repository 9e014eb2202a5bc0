import RealmQuery
import RealmStorage

/// The key of a section: equal to itself, as NaN is not.
struct SectionKey<Key: Hashable>: Hashable {
  let value: Key

  init(_ value: Key) { self.value = value }

  private var isUnequalToItself: Bool { value != value }

  static func == (a: SectionKey, b: SectionKey) -> Bool { a.value == b.value || a.isUnequalToItself && b.isUnequalToItself }

  func hash(into hasher: inout Hasher) { if isUnequalToItself { hasher.combine(0) } else { hasher.combine(value) } }
}

/// What `SectionedResults` and their sections stand on: sorted results, and a function that gives the key of each element.
final class SectionedCore<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
  struct Sections {
    /// In the order of the results.
    var contents = ResultsCore.Contents.nothing
    var index = SectionIndex<SectionKey<Key>>()

    /// In order of first occurrence.
    var keys: [SectionKey<Key>] { index.keys }

    func value(at position: Int) -> Value {
      switch contents {
      case .keys(let keys): .link(keys[position])
      case .values(let values): values[position]
      }
    }

    /// The object at a position, of results that are objects of one class.
    func object(at position: Int) -> ObjectKey { if case .link(let key) = value(at: position) { key } else { .null } }

    /// The elements with a key.
    func values(of key: SectionKey<Key>) -> [Value] { index.positions(of: key).map(value) }
  }

  let results: ResultsCore
  let keyOf: (Element) -> Key
  /// How many links away from an element its key may be; nil if only the block knows.
  let keyDepth: Int?
  private var evaluated: Sections?
  private var stamp: UInt64 = 0
  /// Keeps the sections up to date, if they are observed.
  weak var observation: SectionsObservation<Key, Element>?

  /// - Parameter keyOf: pure.
  init(_ results: ResultsCore, keyDepth: Int?, _ keyOf: @escaping (Element) -> Key) throws {
    if Key._shape.type == .object || Key._shape.type == .linkingObjects { throw RealmFailure.misuse("Links are not supported as section keys.") }
    (self.results, self.keyDepth, self.keyOf) = (results, keyDepth, keyOf)
    // Frozen results may be read by several threads, and are never changed.
    if results.core.isFrozen { evaluated = try evaluate() }
  }

  /// The sections in the present version.
  var sections: Sections { orStop(results.core) { try current() } }

  /// The sections, if they have been made in the present version.
  var known: Sections? {
    if results.core.isFrozen || stamp == results.core.cell.stamp { return evaluated }
    guard let sections = observation?.settledSections else { return nil }
    adopt(sections)
    return sections
  }

  /// Takes over what was found out elsewhere for the version that is being read.
  func adopt(_ sections: Sections) {
    results.adopt(sections.contents)
    evaluated = sections
    stamp = results.core.cell.stamp
  }

  private func current() throws -> Sections {
    if let evaluated, results.core.isFrozen { return evaluated }
    try results.core.verifyThread()
    // The group first: beginning to read moves the stamp.
    _ = try results.core.group()
    if let known { return known }
    let stamp = results.core.cell.stamp
    let sections = try evaluate()
    evaluated = sections
    self.stamp = stamp
    return sections
  }

  private func evaluate() throws -> Sections {
    var sections = Sections(contents: try results.contents())
    let cursor = try _ElementCursor(results)
    for _ in 0..<sections.contents.count {
      guard let element = Element._next(cursor) else { break }
      sections.index.append(SectionKey(keyOf(element)))
    }
    return sections
  }

  func element(at position: Int, of sections: Sections) throws -> Element {
    try results.load(sections.value(at: position), at: position, as: Element.self)
  }

  func frozen() throws -> SectionedCore {
    if results.core.isFrozen { return self }
    return try SectionedCore(results.frozen(), keyDepth: keyDepth, keyOf)
  }
  func thawed() throws -> SectionedCore? {
    if !results.core.isFrozen { return self }
    guard let thawed = try results.thawed() else { return nil }
    return try SectionedCore(thawed, keyDepth: keyDepth, keyOf)
  }
}
