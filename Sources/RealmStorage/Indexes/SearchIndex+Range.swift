extension SearchIndex {
  /// The objects whose values lie in a range, ascending, each once; null does not.
  ///
  /// - Parameters:
  ///   - limit: more objects, or as much work as they would make, are not looked at.
  ///   - isText: of a String column; otherwise all values have the same number of bytes.
  /// - Returns: nil if there are more.
  package static func objects<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, in range: IndexRange, limit: Int, isText: Bool, _ source: Source,
    _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> [ObjectKey]? {
    var walk = IndexRangeWalk(space: space, root: root, range: range, isText: isText, source: source, budget: limit, cancellation: cancellation)
    guard try walk.visitLevel(root, offset: 0, isAtLow: range.low != nil, isAtHigh: range.high != nil) else { return nil }
    return try walk.all().sortedUnique(cancellation)
  }
}

/// One walk over the part of an index that a range covers.
///
/// On every level the keys between those of the bounds are taken as they are; below a key that a bound shares the next level is looked at in
/// the same way. The keys of values that end within their four bytes are out of order, since their filler `X` (F9.2) stands where others have
/// a byte: those that could be confused with a bound are compared with it by value, and values that the upper bound begins with, which may
/// lie behind it, are looked up one by one.
private struct IndexRangeWalk<Source: IndexValueSource> {
  let space: NodeSpace
  let root: Ref
  let range: IndexRange
  let isText: Bool
  let source: Source
  /// What may still be looked at, in objects.
  var budget: Int
  private var found: [ObjectKey] = []
  /// All of whose objects were found. Read at last, because most walks are given up.
  private var lists: [IndexList] = []
  let cancellation: Cancellation?

  /// A node costs as much as that many objects.
  private static var nodeCost: Int { 4 }
  /// Children that lie wholly in the range hold at least as many entries as this, as a rule.
  private static var usualEntries: Int { 64 }
  /// So many entries of a node show what the others are like.
  private static var sample: Int { 4 }

  init(space: NodeSpace, root: Ref, range: IndexRange, isText: Bool, source: Source, budget: Int, cancellation: Cancellation?) {
    (self.space, self.root, self.range, self.isText, self.source, self.budget) = (space, root, range, isText, source, budget)
    self.cancellation = cancellation
  }

  /// The keys of one level, as unsigned numbers, whose order is that of the bytes.
  private struct Window {
    var low: UInt32 = 0
    var high: UInt32 = .max
    /// Below these keys the next level is as near to the bound as this one.
    var lowEdge: UInt32?
    var highEdge: UInt32?
    /// Values below these keys are compared one by one: below that of null, and on deeper levels of values that ended before, which is zero;
    /// and of values that the lower bound begins with.
    var doubtful = SIMD8<UInt32>.zero

    func isDoubtful(_ key: UInt32) -> Bool { any(doubtful .== SIMD8(repeating: key)) }
  }

  /// - Returns: false if the budget is spent.
  mutating func visitLevel(_ level: Ref, offset: Int, isAtLow: Bool, isAtHigh: Bool) throws(StorageError) -> Bool {
    guard offset <= IndexLimits.lastOffset else { throw .corruptNode(ref: level, reason: "the index has too many levels") }
    var window = Window()
    if isAtLow, let low = range.low {
      let bytes = low.bytes
      let rest = max(bytes.count - offset, 0)
      window.low = Self.number(bytes, offset)
      if rest >= 4 { window.lowEdge = window.low }
      for length in 0...min(3, rest) {
        let tail = length == 0 ? 0 : window.low >> UInt32(8 * (4 - length))
        window.doubtful[length + 1] = UInt32(bitPattern: IndexKey.key(ofTail: tail, byteCount: length))
      }
    }
    if isAtHigh, let high = range.high {
      let bytes = high.bytes
      let rest = max(bytes.count - offset, 0)
      // Of values of a fixed size only those that equal the bound, zero in all bytes, have a level of their own behind their end: null has the
      // same keys up to there.
      if !isText && rest == 0 { return try takeLevel(level, offset, isDoubtful: true, depth: 0) }
      let number = Self.number(bytes, offset)
      if rest >= 4 {
        (window.high, window.highEdge) = (number, number)
      } else if number > 0 {
        window.high = number - 1
      } else {
        window.high = 0
        window.low = max(window.low, 1)
      }
      for length in 0...min(3, rest) where isInRange(prefixOfHigh: offset + length) {
        guard try lookUp(Array(bytes.prefix(offset + length))) else { return false }
      }
    }
    guard window.low <= window.high else { return true }
    // Keys are signed: those from 0x80000000 on come first.
    if window.high >= 0x8000_0000 {
      let part = (Int32(bitPattern: max(window.low, 0x8000_0000)), Int32(bitPattern: window.high))
      guard try visit(level, part.0, part.1, window, offset, depth: 0) else { return false }
    }
    if window.low < 0x8000_0000 {
      let part = (Int32(bitPattern: window.low), Int32(bitPattern: min(window.high, 0x7FFF_FFFF)))
      guard try visit(level, part.0, part.1, window, offset, depth: 0) else { return false }
    }
    return true
  }

  /// Whether the rest of a node, if it is like what was looked at since the budget was `before`, goes far beyond what is left.
  private func isHopeless(_ before: Int, done: Int, left: Int) -> Bool { (before - budget) / done * left / 2 > budget }

  /// Goes through the entries of a node whose keys lie in `low...high`.
  private mutating func visit(
    _ ref: Ref, _ low: Int32, _ high: Int32, _ window: Window, _ offset: Int, depth: Int
  ) throws(StorageError) -> Bool {
    try cancellation?.check()
    budget -= Self.nodeCost
    guard budget >= 0 else { return false }
    guard depth < IndexLimits.depth else { throw IndexLevel.tooDeep(root) }
    let node = try IndexNode(space, ref)
    let first = node.keys.countBelow(int32: low)
    if node.isInner {
      // The key of a child is its largest.
      let last = high == .max ? node.count : min(node.count, node.keys.countBelow(int32: high) + 1)
      guard (last - first - 2) * Self.usualEntries <= budget else { return false }
      let before = budget
      for index in stride(from: first, to: last, by: 1) {
        guard try visit(node.child(index), low, high, window, offset, depth: depth + 1) else { return false }
        if isHopeless(before, done: index - first + 1, left: last - index - 1) { return false }
      }
      return true
    }
    let last = high == .max ? node.count : node.keys.countBelow(int32: high + 1)
    let before = budget
    for index in stride(from: first, to: last, by: 1) {
      let key = node.keys.int32(unchecked: index)
      guard try take(node.entry(index), UInt32(bitPattern: key), window, offset) else { return false }
      if index - first >= Self.sample, isHopeless(before, done: index - first + 1, left: last - index - 1) { return false }
    }
    return true
  }

  private mutating func take(_ entry: IndexEntry, _ key: UInt32, _ window: Window, _ offset: Int) throws(StorageError) -> Bool {
    let isLowEdge = key == window.lowEdge, isHighEdge = key == window.highEdge
    if isLowEdge || isHighEdge {
      if entry.object == nil, try entry.isSubIndex(space) {
        budget -= Self.nodeCost
        return try visitLevel(entry.ref, offset: offset + 4, isAtLow: isLowEdge, isAtHigh: isHighEdge)
      }
      return try takeAll(entry, offset, isDoubtful: true)
    }
    return try takeAll(entry, offset, isDoubtful: window.isDoubtful(key))
  }

  /// All objects below an entry.
  /// - Parameter isDoubtful: only those whose values turn out to lie in the range.
  private mutating func takeAll(_ entry: IndexEntry, _ offset: Int, isDoubtful: Bool) throws(StorageError) -> Bool {
    if let key = entry.object {
      budget -= 1
      var isTaken = true
      if isDoubtful { isTaken = try isInRange(key) }
      if isTaken { found.append(key) }
      return budget >= 0
    }
    guard try entry.isSubIndex(space) else { return try takeList(IndexList(entry.ref), offset, isDoubtful: isDoubtful) }
    guard IndexLimits.allowsLevel(below: offset) else { throw .corruptNode(ref: entry.ref, reason: "the index has too many levels") }
    return try takeLevel(entry.ref, offset + 4, isDoubtful: isDoubtful, depth: 0)
  }

  private mutating func takeLevel(_ ref: Ref, _ offset: Int, isDoubtful: Bool, depth: Int) throws(StorageError) -> Bool {
    try cancellation?.check()
    budget -= Self.nodeCost
    guard budget >= 0 else { return false }
    guard depth < IndexLimits.depth else { throw IndexLevel.tooDeep(root) }
    let node = try IndexNode(space, ref)
    guard (node.isInner ? node.count * Self.usualEntries : node.count) <= budget else { return false }
    let before = budget
    for index in 0..<node.count {
      if node.isInner || index >= Self.sample, index > 0, isHopeless(before, done: index, left: node.count - index) { return false }
      if node.isInner {
        guard try takeLevel(node.child(index), offset, isDoubtful: isDoubtful, depth: depth + 1) else { return false }
      } else {
        guard try takeAll(node.entry(index), offset, isDoubtful: isDoubtful) else { return false }
      }
    }
    return true
  }

  private mutating func takeList(_ list: IndexList, _ offset: Int, isDoubtful: Bool) throws(StorageError) -> Bool {
    budget -= Self.nodeCost
    let sharesBytes = IndexLimits.allowsLevel(below: offset)
    if isDoubtful, sharesBytes, try !isInRange(list.key(space, 0)) { return budget >= 0 }
    let count = try list.count(space)
    budget -= count
    guard budget >= 0 else { return false }
    if isDoubtful && !sharesBytes {
      for key in try keys(of: list) where try isInRange(key) { found.append(key) }
    } else {
      lists.append(list)
    }
    return true
  }

  private func keys(of list: IndexList) throws(StorageError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try list.forEach(space) { (key) throws(StorageError) -> Bool in
      if keys.count % Cancellation.blockSize == 0 { try cancellation?.check() }
      keys.append(key)
      return true
    }
    return keys
  }

  /// What was found, with repetitions.
  func all() throws(StorageError) -> [ObjectKey] {
    var all = found
    for list in lists { all += try keys(of: list) }
    return all
  }

  /// Whether a text that the upper bound begins with is one that the range contains.
  private func isInRange(prefixOfHigh count: Int) -> Bool {
    guard isText, let high = range.high, count < high.bytes.count || count == high.bytes.count && high.isIncluded else { return false }
    guard let low = range.low else { return true }
    let (a, b) = (high.bytes, low.bytes)
    for index in 0..<min(count, b.count) where a[index] != b[index] { return a[index] > b[index] }
    return count > b.count || count == b.count && low.isIncluded
  }

  /// The objects with one value.
  private mutating func lookUp(_ bytes: [UInt8]) throws(StorageError) -> Bool {
    budget -= Self.nodeCost
    let value = Value.string(bytes)
    guard try SearchIndex.count(space, root, value, source) <= budget else { return false }
    var keys: [ObjectKey] = []
    try SearchIndex.forEach(space, root, value, source) { (key) throws(StorageError) -> Bool in
      keys.append(key)
      return true
    }
    budget -= keys.count
    found += keys
    return budget >= 0
  }

  private func isInRange(_ key: ObjectKey) throws(StorageError) -> Bool {
    guard let bytes = try IndexBytes(source.value(of: key)) else { return false }
    var array: [UInt8] = []
    return bytes.append(to: &array) && range.contains(array)
  }

  /// The four bytes from `offset` on, zeros where there are none.
  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    var result: UInt32 = 0
    for place in offset..<offset + 4 { result = result << 8 | UInt32(place < bytes.count ? bytes[place] : 0) }
    return result
  }
}
