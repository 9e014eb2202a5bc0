import RealmStorage

/// Sorting and thinning out by Mixed values.
///
/// Their order is not transitive where decimals meet binary fractions: the decimal 0.1 equals both the double and the float 0.1, which differ
/// (Q5.2). What a sort makes of that depends on its algorithm; this one, a quicksort with the median of three and insertion at the end, is
/// the one whose results were measured.
struct MixedOrder {
  /// By column, then by object; nil where a link on the way is null.
  private let values: [[Value?]]
  private let isAscending: [Bool]
  /// Positions of the objects, being sorted.
  private var items: [Int32]
  private let cancellation: Cancellation?
  /// Comparisons since the last question.
  private var comparisonCount = 0

  init(_ keys: [ObjectKey], _ paths: [SortPath], of table: Table, _ cancellation: Cancellation?) throws(StorageError) {
    var values = [[Value?]](repeating: [], count: paths.count)
    for (position, key) in keys.enumerated() {
      if position & 255 == 0 { try cancellation?.check() }
      let row = try table.row(key)
      for index in paths.indices { values[index].append(try paths[index].value(row, cancellation)) }
    }
    self.values = values
    self.cancellation = cancellation
    isAscending = paths.map(\.isAscending)
    items = (0..<Int32(keys.count)).map { $0 }
  }

  /// The positions in order; ties keep their order.
  mutating func sorted() throws(StorageError) -> [Int] {
    try sort()
    return items.map { Int($0) }
  }

  /// The positions of the first object of each combination of values, ascending. Objects behind a null link are left out.
  mutating func distinct() throws(StorageError) -> [Int] {
    items.removeAll { item in values.contains { $0[Int(item)] == nil } }
    try sort()
    var kept: [Int] = []
    var last: Int32?
    for (index, item) in items.enumerated() {
      if index % Cancellation.blockSize == 0 { try cancellation?.check() }
      if let last, compare(last, item) == 0 { continue }
      last = item
      kept.append(Int(item))
    }
    try kept.sort(cancellation, by: <)
    return kept
  }

  // MARK: Comparing

  private func compare(_ a: Int32, _ b: Int32) -> Int {
    for index in values.indices {
      let order: Int
      switch (values[index][Int(a)], values[index][Int(b)]) {
      case (let x?, let y?): order = Value.compare(x, y)
      case (nil, nil): order = 0
      case (nil, _): order = 1
      case (_, nil): order = -1
      }
      if order != 0 { return isAscending[index] ? order : -order }
    }
    return 0
  }

  private func precedes(_ a: Int32, _ b: Int32) -> Bool {
    let order = compare(a, b)
    return order == 0 ? a < b : order < 0
  }

  /// `precedes`, which asks whether to go on every few thousand times.
  private mutating func isLess(_ a: Int32, _ b: Int32) throws(StorageError) -> Bool {
    comparisonCount += 1
    if comparisonCount == Cancellation.blockSize {
      comparisonCount = 0
      try cancellation?.check()
    }
    return precedes(a, b)
  }

  // MARK: Sorting

  /// Ranges up to this length are left to the insertion at the end.
  private static let insertionLimit = 16

  private mutating func sort() throws(StorageError) {
    guard items.count > 1 else { return }
    let depth = 2 * (Int.bitWidth - 1 - items.count.leadingZeroBitCount)
    try partition(0, items.count, depth: depth)
    let first = min(MixedOrder.insertionLimit, items.count)
    for index in 1..<first {
      if try isLess(items[index], items[0]) { moveToFront(index) } else { try insert(index) }
    }
    for index in first..<max(first, items.count) { try insert(index) }
  }

  private mutating func moveToFront(_ index: Int) {
    let item = items.remove(at: index)
    items.insert(item, at: 0)
  }

  /// Moves an item to the left past all that it is less than.
  private mutating func insert(_ index: Int) throws(StorageError) {
    let item = items[index]
    var place = index
    while place > 0 {
      guard try isLess(item, items[place - 1]) else { break }
      items[place] = items[place - 1]
      place -= 1
    }
    items[place] = item
  }

  private mutating func partition(_ low: Int, _ high: Int, depth: Int) throws(StorageError) {
    var (high, depth) = (high, depth)
    while high - low > MixedOrder.insertionLimit {
      if depth == 0 {
        var rest = Array(items[low..<high])
        try rest.sort(cancellation) { precedes($0, $1) }
        items.replaceSubrange(low..<high, with: rest)
        return
      }
      depth -= 1
      try moveMedian(to: low, low + 1, low + (high - low) / 2, high - 1)
      let cut = try split(low + 1, high, pivot: low)
      try partition(cut, high, depth: depth)
      high = cut
    }
  }

  private mutating func moveMedian(to target: Int, _ a: Int, _ b: Int, _ c: Int) throws(StorageError) {
    let median: Int
    if try isLess(items[a], items[b]) {
      median = try isLess(items[b], items[c]) ? b : try isLess(items[a], items[c]) ? c : a
    } else {
      median = try isLess(items[a], items[c]) ? a : try isLess(items[b], items[c]) ? c : b
    }
    items.swapAt(target, median)
  }

  /// The bounds are checked, because an order that is not transitive may lead beyond the pivot.
  private mutating func split(_ begin: Int, _ end: Int, pivot: Int) throws(StorageError) -> Int {
    var (low, high) = (begin, end)
    while true {
      while low < end {
        guard try isLess(items[low], items[pivot]) else { break }
        low += 1
      }
      high -= 1
      while high > pivot {
        guard try isLess(items[pivot], items[high]) else { break }
        high -= 1
      }
      if low >= high { return min(max(low, begin), end - 1) }
      items.swapAt(low, high)
      low += 1
    }
  }
}
