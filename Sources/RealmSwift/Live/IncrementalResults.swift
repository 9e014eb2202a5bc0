import RealmQuery
import RealmStorage
import Synchronization

/// Filtered and sorted objects of a class, kept up to date by looking only at the objects that a change can reach: was it in, is it in, and where.
///
/// Where an object stands among sorted ones is found by sorting it together with some of them, which follows every rule that sorting has.
struct IncrementalResults {
  private let results: ResultsCore
  private let target: ClassBinding
  /// How many links away something may change that decides about an object.
  private let reach: Int
  private(set) var keys: KeySequence
  /// As of the version in which the results were found.
  private let order: PlainOrder?
  /// Whether an object is in can be said of it alone; else only the places of those that are in are found one by one.
  private let canAdvance: Bool

  /// Classes with fewer objects are asked anew: nothing is gained there.
  static let leastCount = Atomic<Int>(512)
  /// Finding the place of one object by the order costs about as much as looking for it among so many.
  static let keysPerPlace = Atomic<Int>(1024)
  /// Looking for a key among so many that are next to each other costs less than reading two objects somewhere in the file.
  static let keysPerScan = Atomic<Int>(1024)
  /// An object that is looked at costs about as much as asking so many, by properties of their own or behind links.
  private static let (plainRowsPerCandidate, linkedRowsPerCandidate) = (1024, 128)

  /// - Returns: nil for results whose elements cannot be told one by one.
  init?(_ results: ResultsCore, _ keys: KeySequence) throws {
    guard case .table(let binding) = results.root.source, let target = results.target, binding === target, target.hasTable else { return nil }
    let plan = try results.plan()
    order = PlainOrder(plan)
    guard let reach = QueryDependencies(plan).reach, plan.onlySorts || order != nil else { return nil }
    (self.results, self.target, self.reach, self.keys, canAdvance) = (results, target, reach, keys, plan.onlySorts)
  }

  /// Goes over to a newer version.
  /// - Returns: nil if asking all objects anew is the better way; nothing has changed here then.
  mutating func advance(_ step: VersionStep) throws -> PositionChanges? {
    guard canAdvance else { return nil }
    let table = try step.group.table(target.tableKey)
    let count = try table.count()
    guard count >= Self.leastCount.load(ordering: .relaxed) else { return nil }
    let candidates = try step.candidates(target.tableKey, within: reach)
    guard candidates.count <= max(4, count / (reach > 0 ? Self.linkedRowsPerCandidate : Self.plainRowsPerCandidate)) else {
      return try evaluate(candidates)
    }
    let (before, after) = (try results.plan(over: step.oldGroup().table(target.tableKey)), try results.plan(over: table))
    var (wasIn, isIn) = (try before.holding(for: candidates), try after.holding(for: candidates))
    if keys.isInKeyOrder {
      // Those stay where they are.
      let staying = wasIn.intersection(isIn)
      wasIn.subtract(staying)
      isIn.subtract(staying)
    }
    guard let left = try places(of: wasIn, before) else { return nil }
    let entered = try arranged(isIn.sorted(), after)
    let oldCount = keys.count
    // In place: a copy would share the memory of all chunks but those that change, and these are long.
    keys.remove(at: left.map(\.position))
    guard let arrivals = try places(of: entered, after) else {
      for departure in left { keys.insert(departure.key, at: departure.position) }
      return nil
    }
    for (index, arrival) in arrivals.enumerated() { keys.insert(arrival.key, at: arrival.gap + index) }
    return difference(left, arrivals, oldCount: oldCount)
  }

  /// Goes over to what the results are now that they are asked for as a whole: only some objects may have come, gone or moved.
  /// - Returns: nil if these are so many that whatever is different may as well be looked for among all.
  private mutating func evaluate(_ candidates: KeySet) throws -> PositionChanges? {
    guard candidates.count <= keys.count / 8, case .keys(let found) = try results.contents() else { return nil }
    let left = keys.positions(of: candidates).map { Departure(key: keys[$0], position: $0) }
    let arrivals = found.positions(of: candidates).enumerated().map { Arrival(key: found[$1], gap: $1 - $0) }
    let oldCount = keys.count
    keys = found
    return difference(left, arrivals, oldCount: oldCount)
  }

  /// The positions of objects that are in, ascending; those that are not are left out.
  func positions(of objects: KeySet, _ step: VersionStep) throws -> [Int] {
    // Asking a set, whatever its size, costs an eighth of comparing with each of a few.
    let keysPerPlace = Self.keysPerPlace.load(ordering: .relaxed) * (objects.areFew ? 1 : 8)
    if keys.isInKeyOrder || objects.count >= keys.count / keysPerPlace { return keys.positions(of: objects) }
    let table = try step.group.table(target.tableKey)
    var positions: [Int] = []
    if let order = try order?.over(table) {
      for key in objects.ascending() where try table.contains(key) {
        let position = try position(of: key, in: keys, order)
        if position < keys.count, keys[position] == key { positions.append(position) }
      }
    } else {
      let plan = try results.plan(over: table)
      for key in objects.ascending() where try table.contains(key) && plan.matches(key) {
        guard let position = try position(of: key, in: keys, plan), position < keys.count, keys[position] == key else { continue }
        positions.append(position)
      }
    }
    return positions.sorted()
  }

  // MARK: Places

  private struct Departure {
    let key: ObjectKey
    /// Before.
    let position: Int
  }

  private struct Arrival {
    let key: ObjectKey
    /// Among those that are not looked at.
    let gap: Int
  }

  /// Where some objects are that were in; nil if one is not there.
  private func places(of objects: Set<ObjectKey>, _ plan: QueryPlan) throws -> [Departure]? {
    var places: [Departure] = []
    for key in objects {
      guard let position = try position(of: key, in: keys, plan), position < keys.count, keys[position] == key else { return nil }
      places.append(Departure(key: key, position: position))
    }
    return places.sorted { $0.position < $1.position }
  }

  /// Where some objects belong among the others; nil if that cannot be told.
  /// - Parameter entered: in the order that they will have.
  private func places(of entered: [ObjectKey], _ plan: QueryPlan) throws -> [Arrival]? {
    var places: [Arrival] = []
    for key in entered {
      guard let gap = try position(of: key, in: keys, plan) else { return nil }
      places.append(Arrival(key: key, gap: gap))
    }
    return places
  }

  /// - Parameter keys: ascending.
  private func arranged(_ keys: [ObjectKey], _ plan: QueryPlan) throws -> [ObjectKey] { keys.count < 2 ? keys : try plan.arrange(keys) }

  /// Where an object is in a sequence, or has to be put in.
  private func position(of key: ObjectKey, in sequence: KeySequence, _ plan: QueryPlan) throws -> Int? {
    if sequence.isInKeyOrder { return sequence.rank(of: key) }
    if let order = try order?.over(plan.table) { return try position(of: key, in: sequence, order) }
    var (low, high) = (0, sequence.count)
    while low < high {
      // Few at a time: each has to be looked up.
      let step = max(1, (high - low) / 5)
      let pivots = Array(stride(from: low + step / 2, to: high, by: step))
      if let found = pivots.first(where: { sequence[$0] == key }) { return found }
      // Of equal objects the older is first.
      let sorted = try plan.arrange((pivots.map { sequence[$0] } + [key]).sorted())
      guard let rank = sorted.firstIndex(of: key) else { return nil }
      (low, high) = (rank == 0 ? low : pivots[rank - 1] + 1, rank == pivots.count ? high : pivots[rank])
    }
    return low
  }

  private func position(of key: ObjectKey, in sequence: KeySequence, _ order: PlainOrder) throws -> Int {
    let place = try order.place(of: key)
    var (low, high) = (0, sequence.count)
    var scanned = Self.keysPerScan.load(ordering: .relaxed)
    while low < high {
      if high - low <= scanned {
        scanned = 0
        if let found = sequence.position(of: key, in: low..<high) { return found }
      }
      let middle = (low + high) >> 1
      let other = sequence[middle]
      if other == key { return middle }
      if try order.precedes(other, place) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: What is different

  private func difference(_ left: [Departure], _ arrivals: [Arrival], oldCount: Int) -> PositionChanges {
    // The place among those that are not looked at, and the order among those that are.
    var origins: [ObjectKey: (gap: Int, order: Int)] = [:]
    for (order, departure) in left.enumerated() { origins[departure.key] = (departure.position - order, order) }
    var stays: Set<ObjectKey> = []
    var last = -1
    for arrival in arrivals {
      guard let origin = origins[arrival.key], origin.gap == arrival.gap, origin.order > last else { continue }
      stays.insert(arrival.key)
      last = origin.order
    }
    var changes = PositionChanges()
    changes.oldCount = oldCount
    changes.newCount = oldCount - left.count + arrivals.count
    changes.deletions = left.compactMap { stays.contains($0.key) ? nil : $0.position }
    changes.insertions = arrivals.enumerated().compactMap { stays.contains($1.key) ? nil : $1.gap + $0 }
    return changes
  }
}

extension QueryPlan {
  /// Those of some objects that exist and that the condition holds for.
  fileprivate func holding(for objects: KeySet) throws -> Set<ObjectKey> {
    var holding: Set<ObjectKey> = []
    try objects.forEach { key in if try table.contains(key) && matches(key) { holding.insert(key) } }
    return holding
  }
}

extension VersionStep {
  /// The objects of a class about which a condition may say something else now.
  fileprivate func candidates(_ table: TableKey, within linkCount: Int) throws -> KeySet {
    var candidates = try linkCount == 0 ? KeySet() : objects(within: linkCount)[table] ?? KeySet()
    guard let own = changes.tables[table] else { return candidates }
    candidates.formUnion(own.created)
    candidates.formUnion(own.deleted)
    candidates.formUnion(own.changed)
    return candidates
  }
}
