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
  private let isExact: Bool
  private var totals: Totals
  /// A sum of integers left the range of 64 bits on the way.
  private(set) var hasWrapped = false

  /// - Parameters:
  ///   - byLeaves: whether leaves are added, or values.
  ///   - isExact: integers are added as decimals, by values.
  init(_ function: AggregateFunction, _ column: ColumnDescription, byLeaves: Bool, isExact: Bool = false) {
    (self.function, self.column) = (function, column)
    self.isExact = isExact && column.type == .int && (function == .sum || function == .average)
    let byLeaves = byLeaves && !self.isExact
    switch column.type {
    case .int where byLeaves: totals = .integers([])
    case .double where byLeaves, .float where byLeaves: totals = .floating([])
    default: totals = .values([])
    }
  }

  private var isExtreme: Bool { function == .min || function == .max }
  private var newAccumulator: Accumulator { Accumulator(function, isExact ? .mixed : ValueType(column), wraps: true) }

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
      try batch.add(to: &list, leaf, masks, groups: groups, extremes: isExtreme, wraps: &hasWrapped)
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
    case .values(let list): isExact ? exact(list[group].result) : list[group].result
    case .integers(let list): value(list[group])
    case .floating(let list): value(list[group])
    }
  }

  /// What a sum or average of integers is that was added as decimals: of its usual type, if that holds it.
  private func exact(_ result: Value) -> Value {
    guard case .decimal(let number) = result else { return result }
    if function == .average { return .double(result.doubleValue) }
    guard let whole = number.truncatedToInt64(), Decimal128.compare(Decimal128(whole), number) == 0 else { return result }
    return .int(whole)
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
