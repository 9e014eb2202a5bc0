import RealmStorage

extension RowOrder {
  /// The keys of a column by position in the present order.
  func sortKeys(_ column: LeafColumn) throws(StorageError) -> SortKeys {
    // Ascending pairs of place and position, unless the places ascend themselves.
    var pairs: [UInt64] = []
    var masks = [RowMask](repeating: .empty, count: clusters.count)
    for begin in stride(from: 0, to: places.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, places.count)
      for place in places[block] { masks[Int(place >> 8)].insert(Int(place & 0xFF)) }
    }
    if !isAscending {
      pairs.reserveCapacity(places.count)
      for begin in stride(from: 0, to: places.count, by: Cancellation.blockSize) {
        let block = try cancellation.block(begin, places.count)
        for position in block { pairs.append(UInt64(places[position]) << 32 | UInt64(position)) }
      }
      try sortPacked(&pairs, lowestBit: 32, cancellation)
    }
    let batch = ClusterBatch(space, clusters, cancellation)
    var keys = SortKeys(prefix: column.kind == .string || column.kind == .binary ? try commonPrefix(column) : [])
    while true {
      keys.reserve(places.count)
      try batch.appendSortKeys(column, masks, to: &keys)
      guard let prefix = keys.shorterPrefix else { break }
      keys = SortKeys(prefix: prefix)
    }
    return isAscending ? keys : try scattered(keys, pairs)
  }

  /// Keys in the order of places, moved to the positions that the places have.
  private func scattered(_ keys: SortKeys, _ pairs: [UInt64]) throws(StorageError) -> SortKeys {
    var result = keys
    result.keys = [UInt64](repeating: 0, count: pairs.count)
    // Kinds of rows by place: 1 null, 2 NaN.
    var kinds = [UInt8](repeating: 0, count: keys.keys.count)
    for position in keys.nulls { kinds[Int(position)] = 1 }
    for position in keys.notNumbers { kinds[Int(position)] = 2 }
    var unique = -1
    var lastPlace = UInt64.max
    var (nulls, notNumbers): ([UInt32], [UInt32]) = ([], [])
    for begin in stride(from: 0, to: pairs.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, pairs.count)
      for pair in pairs[block] {
        if pair >> 32 != lastPlace {
          lastPlace = pair >> 32
          unique += 1
        }
        let position = UInt32(truncatingIfNeeded: pair)
        result.keys[Int(position)] = keys.keys[unique]
        switch kinds[unique] {
        case 1: nulls.append(position)
        case 2: notNumbers.append(position)
        default: break
        }
      }
    }
    try nulls.sort(cancellation, by: <)
    try notNumbers.sort(cancellation, by: <)
    (result.nulls, result.notNumbers) = (nulls, notNumbers)
    return result
  }

  /// What the texts of some rows begin with: a guess for all.
  private func commonPrefix(_ column: LeafColumn) throws(StorageError) -> [UInt8] {
    var prefix: [UInt8]?
    for step in 0..<min(32, places.count) {
      let place = places[step * places.count / min(32, places.count)]
      switch try clusters[Int(place >> 8)].value(space, column, Int(place & 0xFF)) {
      case .string(let text), .binary(let text):
        guard let known = prefix else {
          prefix = text
          continue
        }
        var common = 0
        while common < known.count && common < text.count && known[common] == text[common] { common += 1 }
        prefix = Array(known[..<common])
      default: continue
      }
    }
    return prefix ?? []
  }

  // MARK: Ordering by one column

  func order(_ column: OrderColumn, isAscending ascending: Bool) throws(StorageError) -> ColumnOrder {
    switch column.source {
    case .column(let leaf): return try order(leaf, isAscending: ascending, depth: 0)
    case .linked(let links, let leaf): return try linkedOrder(links[...], leaf, isAscending: ascending)
    case .computed(let compute):
      var (keys, missing) = (SortKeys(), [UInt32]())
      var values: [Value] = []
      values.reserveCapacity(places.count)
      for position in places.indices {
        if position & 255 == 0 { try cancellation?.check() }
        let value = try compute(key(places[position]), cancellation)
        if value == nil { missing.append(UInt32(position)) }
        keys.append(undecided: value ?? .null)
        values.append(value ?? .null)
      }
      return try order(keys, missing: missing, isAscending: ascending, byPosition: values) { (_) throws(StorageError) in .null }
    }
  }

  /// - Parameter depth: how many times runs of equal keys were ordered by what comes behind the keys, each time at least eight bytes of text.
  private func order(_ column: LeafColumn, isAscending ascending: Bool, depth: Int) throws(StorageError) -> ColumnOrder {
    let isText = column.kind == .string || column.kind == .binary
    return try order(
      sortKeys(column), isAscending: ascending,
      deeper: { (positions) throws(StorageError) in
        guard isText, depth < Self.depthLimit else { return nil }
        var run = RowOrder(space, cancellation)
        run.clusters = clusters
        run.places = positions.map { places[Int($0)] }
        run.isAscending = false
        return try run.order(column, isAscending: ascending, depth: depth + 1).values.map { positions[Int($0)] }
      }
    ) { (place) throws(StorageError) in try value(place, column) }
  }
  private static let depthLimit = 32

  func value(_ place: UInt32, _ column: LeafColumn) throws(StorageError) -> Value {
    try clusters[Int(place >> 8)].value(space, column, Int(place & 0xFF))
  }

  /// - Parameters:
  ///   - missing: positions, ascending, that are among the nulls of `keys` but stand apart.
  ///   - byPosition: the values, if they are known already; else `value` reads that of a place.
  ///   - deeper: orders many rows with equal keys without comparing values; nil if it cannot.
  private func order(
    _ keys: SortKeys, missing: [UInt32] = [], isAscending ascending: Bool, byPosition known: [Value] = [],
    deeper: ([UInt32]) throws(StorageError) -> [UInt32]? = { (_) throws(StorageError) in nil }, _ value: (UInt32) throws(StorageError) -> Value
  ) throws(StorageError) -> ColumnOrder {
    var result = ColumnOrder(values: [], nulls: keys.nulls, missing: missing)
    if !missing.isEmpty {
      var isMissing = [Bool](repeating: false, count: keys.keys.count)
      for position in missing { isMissing[Int(position)] = true }
      result.nulls.removeAll { isMissing[Int($0)] }
    }
    let packing = try Packing(keys, ascending, cancellation)
    var items = try packing.items(keys, cancellation)
    try sortPacked(&items, lowestBit: packing.positionBits, cancellation)
    if packing.dropsBits || !keys.isExact {
      try refine(&items, packing, keys, deeper) { (position) throws(StorageError) in
        known.isEmpty ? try value(places[Int(position)]) : known[Int(position)]
      }
    }
    // NaNs come next to the nulls, in the order of their bits.
    var notNumbers = keys.notNumbers
    try notNumbers.sort(cancellation) { a, b in
      let (x, y) = (keys.keys[Int(a)], keys.keys[Int(b)])
      return x == y ? a < b : (x < y) == ascending
    }
    result.values.reserveCapacity(items.count + notNumbers.count)
    if ascending { result.values += notNumbers }
    for begin in stride(from: 0, to: items.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, items.count)
      for item in items[block] { result.values.append(UInt32(truncatingIfNeeded: item & packing.positionMask)) }
    }
    if !ascending { result.values += notNumbers }
    return result
  }

  /// Puts rows in order whose packed keys are equal although they may differ.
  private func refine(
    _ items: inout [UInt64], _ packing: Packing, _ keys: SortKeys, _ deeper: ([UInt32]) throws(StorageError) -> [UInt32]?,
    _ value: (UInt32) throws(StorageError) -> Value
  ) throws(StorageError) {
    var (begin, nextQuestion) = (0, 0)
    while begin < items.count {
      if begin >= nextQuestion {
        try cancellation?.check()
        nextQuestion = begin + Cancellation.blockSize
      }
      var end = begin + 1
      while end < items.count && items[end] >> packing.positionBits == items[begin] >> packing.positionBits { end += 1 }
      if end - begin > 1 { try refineRun(&items, begin..<end, packing, keys, deeper, value) }
      begin = end
    }
  }

  private func refineRun(
    _ items: inout [UInt64], _ run: Range<Int>, _ packing: Packing, _ keys: SortKeys,
    _ deeper: ([UInt32]) throws(StorageError) -> [UInt32]?, _ value: (UInt32) throws(StorageError) -> Value
  ) throws(StorageError) {
    func key(_ item: UInt64) -> UInt64 { keys.keys[Int(item & packing.positionMask)] }
    if keys.isExact {
      if try areEqual(run, { key(items[$0]) }) { return }
      var part = Array(items[run])
      try part.sort(cancellation) { a, b in
        let (x, y) = (key(a), key(b))
        return x == y ? a < b : (x < y) == packing.isAscending
      }
      items.replaceSubrange(run, with: part)
      return
    }
    if run.count > 256 {
      // Only where the whole keys are equal: the packed ones may have lost bits.
      let positions = items[run].map { UInt32(truncatingIfNeeded: $0 & packing.positionMask) }
      if try areEqual(run, { key(items[$0]) }), let ordered = try deeper(positions) {
        let bits = items[run.lowerBound] & ~packing.positionMask
        for (index, position) in ordered.enumerated() { items[run.lowerBound + index] = bits | UInt64(position) }
        return
      }
    }
    var values: [Value] = []
    values.reserveCapacity(run.count)
    for index in run {
      if index & 255 == 0 { try cancellation?.check() }
      values.append(try value(UInt32(truncatingIfNeeded: items[index] & packing.positionMask)))
    }
    let sorted = try values.sortedPositions(isAscending: packing.isAscending, cancellation)
    let old = Array(items[run])
    for (index, source) in sorted.enumerated() { items[run.lowerBound + index] = old[source] }
  }

  private func areEqual(_ run: Range<Int>, _ key: (Int) -> UInt64) throws(StorageError) -> Bool {
    let first = key(run.lowerBound)
    var areEqual = true
    for begin in stride(from: run.lowerBound, to: run.upperBound, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, run.upperBound)
      if areEqual { areEqual = block.allSatisfy { key($0) == first } }
    }
    return areEqual
  }

  // MARK: Codes

  /// By position: the rank of the value among the distinct values, nulls 0; -1 for rows with a null link on the path.
  func codes(_ column: OrderColumn) throws(StorageError) -> (codes: [Int32], nulls: [UInt32], missing: [UInt32]) {
    let order = try order(column, isAscending: true)
    var codes = [Int32](repeating: 0, count: places.count)
    for position in order.missing { codes[Int(position)] = -1 }
    var code: Int32 = 0
    var previous: UInt32?
    let differ = try difference(column)
    for (index, position) in order.values.enumerated() {
      if index % Cancellation.blockSize == 0 { try cancellation?.check() }
      if let previous, try !differ(previous, position) {
        codes[Int(position)] = code
      } else {
        code += 1
        codes[Int(position)] = code
      }
      previous = position
    }
    return (codes, order.nulls, order.missing)
  }

  /// Tells two positions apart by their values, neither of which is null or missing.
  private func difference(_ column: OrderColumn) throws(StorageError) -> (UInt32, UInt32) throws(StorageError) -> Bool {
    switch column.source {
    case .column(let leaf):
      let keys = try sortKeys(leaf)
      return { (a, b) throws(StorageError) in
        if keys.keys[Int(a)] != keys.keys[Int(b)] { return true }
        return keys.isExact ? false : try Value.compare(value(places[Int(a)], leaf), value(places[Int(b)], leaf)) != 0
      }
    case .linked(let links, let leaf):
      let keys = try linkedKeys(links[...], leaf).keys
      return { (a, b) throws(StorageError) in keys.keys[Int(a)] != keys.keys[Int(b)] }
    case .computed(let compute):
      return { (a, b) throws(StorageError) in
        try Value.compare(compute(key(places[Int(a)]), cancellation) ?? .null, compute(key(places[Int(b)]), cancellation) ?? .null) != 0
      }
    }
  }

  // MARK: Paths over links

  private func linkedOrder(
    _ links: ArraySlice<(link: LeafColumn, target: Table)>, _ column: LeafColumn, isAscending ascending: Bool
  ) throws(StorageError) -> ColumnOrder {
    let (keys, missing) = try linkedKeys(links, column)
    return try order(keys, missing: missing, isAscending: ascending) { (_) throws(StorageError) in .null }
  }

  /// The rank of what the links lead to, among the objects of the target table; exact.
  private func linkedKeys(
    _ links: ArraySlice<(link: LeafColumn, target: Table)>, _ column: LeafColumn
  ) throws(StorageError) -> (keys: SortKeys, missing: [UInt32]) {
    guard let first = links.first else { return (try sortKeys(column), []) }
    let targets = try RowOrder(TableScan(first.target, .always, cancellation))
    let rest = links.dropFirst()
    let source: OrderColumn.Source = rest.isEmpty ? .column(column) : .linked(Array(rest), column)
    let ranks = try targets.codes(OrderColumn(source))
    var rankOfKey: [ObjectKey: Int32] = [:]
    rankOfKey.reserveCapacity(targets.count)
    for begin in stride(from: 0, to: targets.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, targets.count)
      for position in block { rankOfKey[targets.key(targets.places[position])] = ranks.codes[position] }
    }
    let stored = try sortKeys(first.link)
    var isNullLink = [Bool](repeating: false, count: places.count)
    for position in stored.nulls { isNullLink[Int(position)] = true }
    var (keys, missing) = (SortKeys(), [UInt32]())
    for begin in stride(from: 0, to: places.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, places.count)
      for position in block {
        let rank = isNullLink[position] ? -1 : rankOfKey[ObjectKey(Int64(bitPattern: stored.keys[position] ^ 1 << 63) - 1)] ?? -1
        if rank < 0 { missing.append(UInt32(position)) }
        keys.append(rank: rank <= 0 ? nil : UInt64(rank))
      }
    }
    return (keys, missing)
  }
}
