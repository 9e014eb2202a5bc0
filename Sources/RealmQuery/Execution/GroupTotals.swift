import RealmStorage

/// An aggregate of one property for each group of objects.
struct GroupTotals {
  private enum Totals {
    case integers([IntegerTotals])
    case floating([FloatingTotals])
    case values([Accumulator])
  }
  private let function: AggregateFunction
  private let column: ColumnDescription
  private var totals: Totals

  /// - Parameter byLeaves: whether leaves are added, or values.
  init(_ function: AggregateFunction, _ column: ColumnDescription, byLeaves: Bool) {
    (self.function, self.column) = (function, column)
    switch column.type {
    case .int where byLeaves: totals = .integers([])
    case .double where byLeaves, .float where byLeaves: totals = .floating([])
    default: totals = .values([])
    }
  }

  private var isExtreme: Bool { function == .min || function == .max }
  private var newAccumulator: Accumulator { Accumulator(function, ValueType(column), wraps: true) }

  /// Makes room for so many groups.
  mutating func reach(_ count: Int) {
    switch totals {
    case .integers(var list):
      totals = .values([])
      while list.count < count { list.append(IntegerTotals()) }
      totals = .integers(list)
    case .floating(var list):
      totals = .values([])
      while list.count < count { list.append(FloatingTotals()) }
      totals = .floating(list)
    case .values(var list):
      totals = .values([])
      while list.count < count { list.append(newAccumulator) }
      totals = .values(list)
    }
  }

  /// Adds the rows of a batch.
  mutating func add(_ batch: ClusterBatch, _ masks: [RowMask], groups: [UInt32]) throws(StorageError) {
    let leaf = LeafColumn(column)
    switch totals {
    case .integers(var list):
      totals = .values([])
      try batch.add(to: &list, leaf, masks, groups: groups, extremes: isExtreme)
      totals = .integers(list)
    case .floating(var list):
      totals = .values([])
      try batch.add(to: &list, leaf, masks, groups: groups, extremes: isExtreme)
      totals = .floating(list)
    case .values(var list):
      totals = .values([])
      try batch.forEachValue(leaf, masks, groups: groups) { (value, group) throws(StorageError) in list[group].add(value) }
      totals = .values(list)
    }
  }

  /// Adds the value of one object.
  mutating func add(_ value: Value, group: Int) {
    guard case .values(var list) = totals else { return }
    totals = .values([])
    list[group].add(value)
    totals = .values(list)
  }

  /// What a group has come to; null for minimum, maximum and average of nothing.
  func value(_ group: Int) -> Value {
    switch totals {
    case .values(let list): list[group].result
    case .integers(let list): value(list[group])
    case .floating(let list): value(list[group])
    }
  }

  private func value(_ totals: IntegerTotals) -> Value {
    switch function {
    case .sum: .int(totals.sum)
    case .average: totals.count == 0 ? .null : .double(Double(totals.sum) / Double(totals.count))
    case .min: totals.low > totals.high ? .null : .int(totals.low)
    case .max: totals.low > totals.high ? .null : .int(totals.high)
    }
  }

  private func value(_ totals: FloatingTotals) -> Value {
    func number(_ number: Double) -> Value { column.type == .float ? .float(Float(number)) : .double(number) }
    return switch function {
    case .sum: .double(totals.sum)
    case .average: totals.count == 0 ? .null : .double(totals.sum / Double(totals.count))
    case .min: totals.low > totals.high ? .null : number(totals.low)
    case .max: totals.low > totals.high ? .null : number(totals.high)
    }
  }
}
