import RealmStorage

/// A descriptor with resolved paths.
enum OrderStage {
  case sort([StageColumn])
  case distinct([StageColumn])
  case limit(Int)

  /// Applies the stage to keys of a table.
  func apply(_ keys: [ObjectKey], of table: Table) throws(StorageError) -> [ObjectKey] {
    switch self {
    case .limit(let count): return keys.count > count ? Array(keys.prefix(count)) : keys
    case .sort(let columns):
      let values = try columns.map { (column) throws(StorageError) in try column.values(of: keys, in: table) }
      var order = Array(keys.indices)
      order.sort { a, b in
        for (column, values) in zip(columns, values) {
          let result = SortValue.compare(values[a], values[b])
          if result != 0 { return (result < 0) == column.isAscending }
        }
        return a < b
      }
      return order.map { keys[$0] }
    case .distinct(let columns):
      let values = try columns.map { (column) throws(StorageError) in try column.values(of: keys, in: table) }
      return distinct(keys, values)
    }
  }

  /// Keeps the first of each combination; objects behind a null link are dropped.
  private func distinct(_ keys: [ObjectKey], _ values: [[SortValue]]) -> [ObjectKey] {
    func compare(_ a: Int, _ b: Int) -> Int {
      for column in values {
        let result = SortValue.compare(column[a], column[b])
        if result != 0 { return result }
      }
      return 0
    }
    let candidates = keys.indices.filter { index in values.allSatisfy { !$0[index].isMissing } }
    let sorted = candidates.sorted { a, b in
      let result = compare(a, b)
      return result == 0 ? a < b : result < 0
    }
    var isFirst = [Bool](repeating: false, count: keys.count)
    for (position, index) in sorted.enumerated() { isFirst[index] = position == 0 || compare(sorted[position - 1], index) != 0 }
    return keys.indices.filter { isFirst[$0] }.map { keys[$0] }
  }
}

/// What an object is ordered by.
enum SortValue {
  case value(Value)
  /// A link on the way is null.
  case missing

  var isMissing: Bool { if case .missing = self { true } else { false } }

  /// Objects behind a null link come last.
  static func compare(_ a: SortValue, _ b: SortValue) -> Int {
    switch (a, b) {
    case (.value(let x), .value(let y)): Value.compare(x, y)
    case (.missing, .missing): 0
    case (.missing, _): 1
    case (_, .missing): -1
    }
  }
}

struct StageColumn {
  /// To-one links and entries of dictionaries only.
  let chain: HopChain
  let column: ColumnDescription
  /// Into a dictionary, or a Mixed value.
  let entry: MixedPath?
  let isAscending: Bool
  let group: Group

  func value(_ row: Row) throws(StorageError) -> SortValue {
    var end = row
    for hop in chain.hops {
      // What lies behind an entry of a dictionary orders nothing, as measured.
      guard hop.isToOne else { return .value(.null) }
      guard let target = try hop.singleTarget(end) else { return .missing }
      end = try hop.target.row(target)
    }
    guard let entry else { return .value(try end.value(column).linked(to: column.oppositeTable).resolved) }
    var values: [Value] = []
    let space = group.space
    if column.isDictionary {
      try entry.append(.dictionary(CollectionReader(space, end, column).root), to: &values)
    } else {
      try entry.append(end.value(column), to: &values)
    }
    return .value(values.first?.resolved ?? .null)
  }

  func values(of keys: [ObjectKey], in table: Table) throws(StorageError) -> [SortValue] {
    var result: [SortValue] = []
    result.reserveCapacity(keys.count)
    for key in keys { result.append(try value(table.row(key))) }
    return result
  }
}
