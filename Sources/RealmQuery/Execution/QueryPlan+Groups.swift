package import RealmStorage

/// Objects that have the same values of some properties.
package struct ObjectGroup {
  package let values: [Value]
  /// The number of objects.
  package let count: Int
  /// Of the properties that were asked for, in their order; null for minimum, maximum and average of nothing.
  package let aggregates: [Value]
}

extension QueryPlan {
  /// The objects of the result by the values of some properties, with aggregates of each group: one pass over the leaves, unless an index gives
  /// the objects or the query orders or drops some.
  ///
  /// - Parameters:
  ///   - properties: of the queried objects or of those that links lead to, no collections. Where there is one behind a link, objects are looked at one
  ///     by one.
  ///   - aggregates: of such properties, each of a type that has the function.
  ///   - exactly: the sum of integers that 64 bits do not hold is a decimal, else it goes on at the other end, as Swift's `&+` does. Costs a second
  ///     pass where a sum was that large on the way.
  /// - Returns: the groups in the order of their values, null first. Without properties one group of all objects.
  /// - Throws: `.storage`, `.cancelled`.
  package func grouped(
    byLinked properties: [LinkedProperty], _ aggregates: [(function: AggregateFunction, property: LinkedProperty)], _ source: Source = .table,
    exactly: Bool = false
  ) throws(QueryError) -> [ObjectGroup] {
    let cancellation = effectiveCancellation
    let isOwn = properties.allSatisfy(\.isOwn) && aggregates.allSatisfy { $0.property.isOwn }
    let isByLeaves = isOwn ? try isByLeaves(source, cancellation) : false
    let collector = try collected(GroupCollector(properties, aggregates, byLeaves: isByLeaves, isExact: exactly && !isByLeaves), source, cancellation)
    guard exactly && collector.hasWrapped else { return try storage { () throws(StorageError) in try collector.groups(cancellation) } }
    let exact = try collected(GroupCollector(properties, aggregates, byLeaves: isByLeaves, isExact: true), source, cancellation)
    return try storage { () throws(StorageError) in try exact.groups(cancellation) }
  }

  /// By properties of the queried objects themselves.
  package func grouped(
    by columns: [ColumnDescription], _ aggregates: [(function: AggregateFunction, column: ColumnDescription)], _ source: Source = .table,
    exactly: Bool = false
  ) throws(QueryError) -> [ObjectGroup] {
    let aggregates = aggregates.map { (function: $0.function, property: LinkedProperty($0.column)) }
    return try grouped(byLinked: columns.map { LinkedProperty($0) }, aggregates, source, exactly: exactly)
  }

  private func isByLeaves(_ source: Source, _ cancellation: Cancellation?) throws(QueryError) -> Bool {
    guard case .table = source, onlySorts, !options.contains(.evaluatesEachObject) else { return false }
    return try selectedIndex(cancellation) == nil
  }

  /// - Parameter empty: where to put the objects of the result.
  private func collected(_ empty: GroupCollector, _ source: Source, _ cancellation: Cancellation?) throws(QueryError) -> GroupCollector {
    var collector = empty
    if collector.isByLeaves {
      try scanned(cancellation) { (scan) throws(StorageError) in
        try scan.forEachBatch { (batch, masks) throws(StorageError) in
          try collector.add(batch, masks)
          return true
        }
      }
    } else {
      let keys = try self.keys(source, cancellation).array()
      try storage { () throws(StorageError) in
        for (index, key) in keys.enumerated() {
          if index & 255 == 0 { try cancellation?.check() }
          try collector.add(table.row(key))
        }
      }
    }
    collector.finish()
    return collector
  }
}

/// Finds the group of each object and adds up what is wanted of it.
private struct GroupCollector {
  private let properties: [LinkedProperty]
  private let columns: [ColumnDescription]
  private let aggregates: [(function: AggregateFunction, property: LinkedProperty)]
  private var numbers: [GroupNumbers]
  /// How combinations of values are numbered: those of the first two properties, then of these and the third, and so on.
  private var pairs: [GroupPairs]
  private var counts: [Int] = []
  private var totals: [GroupTotals]
  private var groups = ClusterBatch.emptyGroups
  private var further: [UInt32] = []

  /// Batches are added, else rows.
  let isByLeaves: Bool
  var hasWrapped: Bool { totals.contains { $0.hasWrapped } }

  init(
    _ properties: [LinkedProperty], _ aggregates: [(function: AggregateFunction, property: LinkedProperty)], byLeaves: Bool, isExact: Bool
  ) {
    (self.properties, self.aggregates, isByLeaves) = (properties, aggregates, byLeaves)
    columns = properties.map(\.column)
    numbers = properties.map { GroupNumbers(isMixed: $0.column.type == .mixed) }
    pairs = properties.dropFirst().map { _ in GroupPairs() }
    if properties.count > 1 { further = ClusterBatch.emptyGroups }
    totals = aggregates.map { GroupTotals($0.function, $0.property.column, byLeaves: byLeaves, isExact: isExact) }
  }

  private var groupCount: Int { pairs.last?.count ?? numbers.first?.values.count ?? 1 }

  /// Call behind the last object: without any there may be a group all the same.
  mutating func finish() { reach() }

  private mutating func reach() {
    let count = groupCount
    while counts.count < count { counts.append(0) }
    for index in totals.indices { totals[index].reach(count) }
  }

  mutating func add(_ batch: ClusterBatch, _ masks: [RowMask]) throws(StorageError) {
    for (index, column) in columns.enumerated() {
      if index == 0 {
        try batch.number(&numbers[0], LeafColumn(column), masks, into: &groups)
      } else {
        try batch.number(&numbers[index], LeafColumn(column), masks, into: &further)
        pairs[index - 1].combine(masks, &groups, further)
      }
    }
    reach()
    batch.count(to: &counts, masks, groups: groups)
    for index in totals.indices { try totals[index].add(batch, masks, groups: groups) }
  }

  mutating func add(_ row: Row) throws(StorageError) {
    var group: UInt32 = 0
    for (index, property) in properties.enumerated() {
      let number = numbers[index].number(of: try property.value(row))
      group = index == 0 ? number : pairs[index - 1].number(group, number)
    }
    reach()
    counts[Int(group)] += 1
    for (index, aggregate) in aggregates.enumerated() { totals[index].add(try aggregate.property.value(row), group: Int(group)) }
  }

  /// The values that make a group, by the properties.
  private func values(_ group: Int) -> [Value] {
    var rest = group
    var result: [Value] = []
    for index in properties.indices.reversed() {
      guard index > 0 else {
        result.append(numbers[0].values[rest])
        break
      }
      let (first, second) = pairs[index - 1].parts(rest)
      result.append(numbers[index].values[second])
      rest = first
    }
    return result.reversed()
  }

  /// One for each combination of values; without properties a single one, even of no objects.
  func groups(_ cancellation: Cancellation?) throws(StorageError) -> [ObjectGroup] {
    var result: [ObjectGroup] = []
    result.reserveCapacity(groupCount)
    for group in 0..<groupCount {
      if group & 255 == 0 { try cancellation?.check() }
      result.append(ObjectGroup(values: values(group), count: counts[group], aggregates: totals.map { $0.value(group) }))
    }
    try result.sort(cancellation) { a, b in
      for (x, y) in zip(a.values, b.values) {
        let order = Value.compare(x, y)
        if order != 0 { return order < 0 }
      }
      return false
    }
    return result
  }
}

/// Numbers pairs of numbers in the order in which they are met.
private struct GroupPairs {
  private var table = NumberTable()
  var count: Int { table.keys.count }

  mutating func number(_ first: UInt32, _ second: UInt32) -> UInt32 { table.number(UInt64(first) << 32 | UInt64(second)).number }

  /// Replaces the first number of each masked row by that of its pair.
  mutating func combine(_ masks: [RowMask], _ groups: inout [UInt32], _ further: [UInt32]) {
    for index in masks.indices {
      let begin = index << 8
      masks[index].forEach { row in groups[begin &+ row] = number(groups[begin &+ row], further[begin &+ row]) }
    }
  }

  func parts(_ number: Int) -> (first: Int, second: Int) {
    let key = table.keys[number]
    return (Int(key >> 32), Int(key & 0xFFFF_FFFF))
  }
}
