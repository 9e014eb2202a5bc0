import RealmStorage

/// What `SectionedResults` and their sections stand on: sorted results, and a function that gives the key of each element.
final class SectionedCore<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
  struct Sections {
    /// In the order of the results.
    var values: [Value] = []
    /// In order of first occurrence.
    var keys: [Key] = []
    fileprivate var positions: [[Int]] = []
    fileprivate var numbers: [Key: Int] = [:]

    /// Positions in the results.
    func positions(of key: Key) -> [Int] { numbers[key].map { positions[$0] } ?? [] }

    fileprivate mutating func add(_ position: Int, _ key: Key) {
      if let number = numbers[key] { return positions[number].append(position) }
      numbers[key] = keys.count
      keys.append(key)
      positions.append([position])
    }
  }

  let results: ResultsCore
  let keyOf: (Element) -> Key
  private var evaluated: Sections?
  private var stamp: UInt64 = 0

  /// - Parameter keyOf: pure.
  init(_ results: ResultsCore, _ keyOf: @escaping (Element) -> Key) throws {
    if Key._shape.type == .object || Key._shape.type == .linkingObjects { throw RealmFailure.misuse("Links are not supported as section keys.") }
    self.results = results
    self.keyOf = keyOf
    // Frozen results may be read by several threads, and are never changed.
    if results.core.isFrozen { evaluated = try evaluate() }
  }

  /// The sections in the present version.
  var sections: Sections { orStop(results.core) { try current() } }

  /// The sections, if they have been made in the present version.
  var known: Sections? { results.core.isFrozen || stamp == results.core.cell.stamp ? evaluated : nil }

  private func current() throws -> Sections {
    if let evaluated, results.core.isFrozen { return evaluated }
    try results.core.verifyThread()
    // The group first: beginning to read moves the stamp.
    _ = try results.core.group()
    if let evaluated, stamp == results.core.cell.stamp { return evaluated }
    let stamp = results.core.cell.stamp
    let sections = try evaluate()
    evaluated = sections
    self.stamp = stamp
    return sections
  }

  private func evaluate() throws -> Sections {
    var sections = Sections()
    sections.values = try results.values()
    let cursor = try _ElementCursor(results)
    for position in sections.values.indices {
      guard let element = Element._next(cursor) else { break }
      sections.add(position, keyOf(element))
    }
    return sections
  }

  func frozen() throws -> SectionedCore {
    if results.core.isFrozen { return self }
    return try SectionedCore(results.frozen(), keyOf)
  }
  func thawed() throws -> SectionedCore? {
    if !results.core.isFrozen { return self }
    guard let thawed = try results.thawed() else { return nil }
    return try SectionedCore(thawed, keyOf)
  }
}
