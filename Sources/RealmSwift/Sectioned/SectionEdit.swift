import RealmQuery
import RealmStorage

/// From the sections of one version to those of another, by what happened to the positions of the elements: asks only for the keys of elements
/// that came, moved or were changed, and counts how many each section has.
///
/// Sections that are not in one piece, before or after, are left to whoever divides anew.
struct SectionEdit<Key: Hashable> {
  /// An element that is not where it was, or has another key.
  private struct Arrival {
    let key: Key
    let position: Int
  }

  private let old: SectionIndex<Key>
  private let oldStarts: [Int]
  private(set) var new: SectionIndex<Key>
  private var newStarts: [Int] = []
  /// Positions before, ascending.
  private var departures: [Int] = []
  /// By position.
  private var arrivals: [Arrival] = []
  /// Of elements that stay with their keys: positions before, ascending.
  private var modifications: [Int] = []

  /// Tells elements from each other.
  struct Identities {
    /// By the position before.
    let before: (Int) -> ObjectKey
    /// By the position after.
    let after: (Int) -> ObjectKey
    let isChanged: (ObjectKey) -> Bool
  }

  /// - Parameters:
  ///   - changes: names each element that may have another key now.
  ///   - keysStand: elements that stay have the keys that they had.
  ///   - keyAt: the key of the element at a position after the change.
  /// - Returns: nil if dividing anew is the only way.
  init?(_ old: SectionIndex<Key>, _ changes: PositionChanges, _ identities: Identities, keysStand: Bool = false, keyAt: (Int) throws -> Key) throws {
    guard let starts = old.starts, changes.oldCount == old.elementCount else { return nil }
    (self.old, oldStarts, new) = (old, starts, old)
    try sortOut(changes, keysStand: keysStand, keyAt)
    guard let fitting = arrange(elementCount: changes.newCount) else { return nil }
    (new, newStarts) = (fitting, fitting.starts ?? [])
    for arrival in arrivals where number(of: arrival.position, newStarts) != new.number(of: arrival.key) { return nil }
    if !departures.isEmpty && !arrivals.isEmpty { keepInPlace(identities) }
  }

  /// Which section a position is in.
  private func number(of position: Int, _ starts: [Int]) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) >> 1
      if starts[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  private mutating func sortOut(_ changes: PositionChanges, keysStand: Bool, _ keyAt: (Int) throws -> Key) throws {
    departures = changes.deletions
    for position in changes.insertions { arrivals.append(Arrival(key: try keyAt(position), position: position)) }
    if keysStand {
      modifications = changes.modifications
      return
    }
    for (before, after) in zip(changes.modifications, changes.newModifications) {
      let key = try keyAt(after)
      if old.number(of: key) == number(of: before, oldStarts) {
        modifications.append(before)
      } else {
        departures.append(before)
        arrivals.append(Arrival(key: key, position: after))
      }
    }
    departures.sort()
    arrivals.sort { $0.position < $1.position }
  }

  /// The sections with the counts that they have now. That they fit shows in the arrivals: when each of them lies in its section, what stayed fills the
  /// rest, in the order that it had.
  private func arrange(elementCount: Int) -> SectionIndex<Key>? {
    var stays = oldStarts.indices.map { old.count(ofSection: $0) }
    for position in departures { stays[number(of: position, oldStarts)] -= 1 }
    var counts = stays
    // Sections of which nothing stayed, by the number of elements that stayed before their first one.
    var fresh: [(before: Int, key: Key)] = []
    var freshCounts: [Key: Int] = [:]
    for (order, arrival) in arrivals.enumerated() {
      if let number = old.number(of: arrival.key), stays[number] > 0 {
        counts[number] += 1
      } else {
        if freshCounts[arrival.key] == nil { fresh.append((arrival.position - order, arrival.key)) }
        freshCounts[arrival.key, default: 0] += 1
      }
    }
    var (keys, starts): ([Key], [Int]) = ([], [])
    keys.reserveCapacity(counts.count + fresh.count)
    starts.reserveCapacity(counts.count + fresh.count)
    var (position, stayed, next) = (0, 0, 0)
    func add(_ key: Key, _ count: Int) {
      keys.append(key)
      starts.append(position)
      position += count
    }
    for number in counts.indices where stays[number] > 0 {
      while next < fresh.count, fresh[next].before <= stayed {
        add(fresh[next].key, freshCounts[fresh[next].key] ?? 0)
        next += 1
      }
      add(old.keys[number], counts[number])
      stayed += stays[number]
    }
    for section in fresh[next...] { add(section.key, freshCounts[section.key] ?? 0) }
    guard position == elementCount else { return nil }
    return keys == old.keys
      ? old.moving(to: starts, elementCount: elementCount) : SectionIndex(runs: keys, starts: starts, elementCount: elementCount)
  }

  /// Takes back moves that leave an element where it is in its section: what it passed are elements of others.
  private mutating func keepInPlace(_ identities: Identities) {
    // For each element the section, the place among those of the section that stay, and the order of going.
    var origins: [ObjectKey: (section: Int?, gap: Int, order: Int)] = [:]
    for (order, place) in gaps(departures, oldStarts).enumerated() {
      origins[identities.before(departures[order])] = (new.number(of: old.keys[place.section]), place.gap, order)
    }
    var (kept, keptArrivals): (Set<Int>, Set<Int>) = ([], [])
    // Sections may have changed places among themselves: only inside of one does the order of its elements matter.
    var (section, last) = (-1, -1)
    for (order, place) in gaps(arrivals.map(\.position), newStarts).enumerated() {
      if place.section != section { (section, last) = (place.section, -1) }
      let element = identities.after(arrivals[order].position)
      guard let origin = origins[element], origin.section == place.section, origin.gap == place.gap, origin.order > last else { continue }
      last = origin.order
      kept.insert(origin.order)
      keptArrivals.insert(order)
      if identities.isChanged(element) { modifications.append(departures[origin.order]) }
    }
    if kept.isEmpty { return }
    modifications.sort()
    departures = departures.indices.compactMap { kept.contains($0) ? nil : departures[$0] }
    arrivals = arrivals.indices.compactMap { keptArrivals.contains($0) ? nil : arrivals[$0] }
  }

  /// For each position its section, and how many elements of that are before it besides those at the other positions.
  private func gaps(_ positions: [Int], _ starts: [Int]) -> [(section: Int, gap: Int)] {
    var (section, others) = (-1, 0)
    return positions.map { position in
      let number = number(of: position, starts)
      if number != section { (section, others) = (number, 0) }
      defer { others += 1 }
      return (section, position - starts[section] - others)
    }
  }

  // MARK: What is different

  /// The changes to tell those who observe all sections, or one.
  func changes(of key: Key?) -> SectionChanges {
    var changes = SectionChanges()
    if let key { return self.changes(ofOnly: key) }
    if old.keys != new.keys {
      let order = SectionChanges.order(old.keys, new.keys)
      (changes.deletedSections, changes.insertedSections) = (order.deletions, order.insertions)
    }
    // Both in order of the sections, so that what is told is in order.
    let gone = Set(changes.deletedSections)
    let come = Set(changes.insertedSections)
    changes.deletions = places(departures, oldStarts) { !gone.contains($0) }
    changes.modifications = places(modifications, oldStarts) { !gone.contains($0) }
    changes.insertions = places(arrivals.map(\.position), newStarts) { !come.contains($0) }
    changes.insertElements { new.count(ofSection: $0) }
    return changes
  }

  private func changes(ofOnly key: Key) -> SectionChanges {
    var changes = SectionChanges()
    switch (old.number(of: key), new.number(of: key)) {
    case (let before?, let after?):
      changes.deletions = places(departures, oldStarts) { $0 == before }
      changes.modifications = places(modifications, oldStarts) { $0 == before }
      changes.insertions = places(arrivals.map(\.position), newStarts) { $0 == after }
    case (let before?, nil): changes.deletedSections = [before]
    case (nil, let after?):
      changes.insertedSections = [after]
      changes.insertElements { new.count(ofSection: $0) }
    case (nil, nil): break
    }
    return changes
  }

  private func places(_ positions: [Int], _ starts: [Int], where isTold: (Int) -> Bool) -> [SectionChanges.Place] {
    positions.compactMap { position in
      let section = number(of: position, starts)
      return isTold(section) ? (section, position - starts[section]) : nil
    }
  }
}
