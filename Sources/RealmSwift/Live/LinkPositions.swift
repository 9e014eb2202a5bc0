import RealmStorage

/// Where the objects of an observed list are, so that one that was changed is found without reading a long list.
///
/// A list does not know where its elements are. Looking through all of them is fast, and done a few times; then the positions are noted once,
/// and brought up to date by what is put in and taken out.
struct LinkPositions {
  /// Shorter lists are looked through always.
  private static let leastCount = 4096
  /// Finding one object by what was noted costs about as much as looking through so many elements for any of some.
  private static let elementsPerObject = 512
  /// A list that was looked through so often may be looked through again.
  private static let scanLimit = 16
  /// Objects with larger keys, and elements behind so many, are not noted.
  private static let limit = 1 << 31

  private var scanCount = 0
  private var noted: Noted?

  /// The positions of links to some objects, ascending.
  mutating func find(_ objects: KeySet, in list: ObjectCollection, count: Int) throws -> [Int] {
    if objects.isEmpty || count == 0 { return [] }
    if count < Self.leastCount || objects.count > count / Self.elementsPerObject { return try list.positions(ofLinks: objects) }
    if let noted { return try noted.find(objects, in: list) }
    let members = try list.members(among: objects)
    if members.isEmpty { return [] }
    scanCount += 1
    guard scanCount > Self.scanLimit, try list.kind() == .list else { return try list.positions(ofLinks: members) }
    scanCount = 0
    noted = try Noted(list, limit: Self.limit)
    return try noted?.find(members, in: list) ?? list.positions(ofLinks: members)
  }

  /// The list has changed.
  /// - Parameter changes: with the elements that were replaced, and without those whose objects were changed.
  mutating func advance(_ changes: PositionChanges, _ list: ObjectCollection) throws {
    if try noted?.advance(changes, list) == false { noted = nil }
  }

  /// The positions that objects had once, and what has happened to positions since.
  private struct Noted {
    /// The key of an object above its position.
    private let entries: [UInt64]
    private var steps: [PositionChanges] = []
    /// What came later: its position after so many of the steps.
    private var later: [ObjectKey: [(position: Int, step: Int)]] = [:]

    private static let stepLimit = 128
    /// How much one step may change.
    private static let changeLimit = 256

    init?(_ list: ObjectCollection, limit: Int) throws {
      var entries: [UInt64] = []
      // No more memory than it takes in the end: this is much for a long list.
      entries.reserveCapacity(try list.count())
      let fits = try list.forEachLink { position, key in
        guard key.rawValue >= 0, key.rawValue < limit, position < limit else { return false }
        entries.append(UInt64(key.rawValue) << 32 | UInt64(position))
        return true
      }
      if !fits { return nil }
      if zip(entries, entries.dropFirst()).contains(where: >) { entries.sort() }
      self.entries = entries
    }

    /// - Returns: false if it is better to begin anew.
    mutating func advance(_ changes: PositionChanges, _ list: ObjectCollection) throws -> Bool {
      let arrivals = changes.insertions + changes.newModifications
      if changes.deletions.isEmpty && arrivals.isEmpty { return true }
      guard steps.count < Self.stepLimit, changes.deletions.count + arrivals.count <= Self.changeLimit else { return false }
      steps.append(changes)
      for position in arrivals { if case .link(let key) = try list.value(at: position) { later[key, default: []].append((position, steps.count)) } }
      return true
    }

    func find(_ objects: KeySet, in list: ObjectCollection) throws -> [Int] {
      var positions: Set<Int> = []
      for key in objects.ascending() {
        for place in places(key) {
          guard let position = present(place), case .link(key) = try list.value(at: position) else { continue }
          positions.insert(position)
        }
      }
      return positions.sorted()
    }

    private func places(_ key: ObjectKey) -> [(position: Int, step: Int)] {
      guard key.rawValue >= 0, key.rawValue < 1 << 31 else { return later[key] ?? [] }
      let first = UInt64(key.rawValue) << 32
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) >> 1
        if entries[middle] < first { low = middle + 1 } else { high = middle }
      }
      var places = later[key] ?? []
      while low < entries.count, entries[low] >> 32 == first >> 32 {
        places.append((Int(entries[low] & 0xFFFF_FFFF), 0))
        low += 1
      }
      return places
    }

    /// - Returns: nil for an element that is gone.
    private func present(_ place: (position: Int, step: Int)) -> Int? {
      var position = place.position
      for step in steps[place.step...] {
        guard let next = step.newPosition(position) else { return nil }
        position = next
      }
      return position
    }
  }
}
