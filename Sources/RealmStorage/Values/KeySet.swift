/// Keys of objects of one table: some, or a great part of them.
///
/// Where keys are close together each takes a bit, so that a million are put in and asked for at a nanosecond each, and come out in ascending order;
/// the others are in a hash table.
package struct KeySet: Sendable {
  /// A bit for each key from `firstWord * 64` on.
  private var words: [UInt64] = []
  private var firstWord: Int64 = 0
  /// How many bits are set.
  private var denseCount = 0
  /// The keys that have no bit.
  private var scattered: Set<ObjectKey> = []
  /// With so many scattered ones it is time to see whether all of them are close together.
  private var scatteredLimit = Self.leastScatteredLimit

  private static let leastScatteredLimit = 64
  /// A key may take so many words, which is what it takes in a hash table at least. While there are few, more is better than having to hash.
  private static let (wordsPerKey, wordsPerKeyOfFew, wordsOfFew) = (2, 32, 1 << 16)

  package init() {}
  package init(_ keys: some Sequence<ObjectKey>) { for key in keys { insert(key) } }

  package var count: Int { denseCount + scattered.count }
  package var isEmpty: Bool { denseCount == 0 && scattered.isEmpty }
  /// Comparing an element with each of so few is faster than asking the set.
  package var areFew: Bool { count <= 8 }
  /// Of so many objects, looking at each costs less than searching for every one of the set.
  package func areMany(among all: Int) -> Bool { count > all / 256 }

  @inline(__always) private static func word(_ key: ObjectKey) -> Int64 { key.rawValue >> 6 }
  @inline(__always) private static func bit(_ key: ObjectKey) -> UInt64 { 1 << UInt64(truncatingIfNeeded: key.rawValue & 63) }
  /// Which word a key belongs to, if there is one: `words.count` or more if not.
  @inline(__always) private func index(_ key: ObjectKey) -> UInt { UInt(bitPattern: Int(Self.word(key) &- firstWord)) }

  @inline(__always) package func contains(_ key: ObjectKey) -> Bool {
    let index = index(key)
    if index < UInt(words.count) { return words[Int(bitPattern: index)] & Self.bit(key) != 0 }
    return scattered.isEmpty ? false : scattered.contains(key)
  }

  // MARK: Changing

  /// - Returns: whether it was not there.
  @discardableResult package mutating func insert(_ key: ObjectKey) -> Bool {
    let index = index(key)
    if index < UInt(words.count) {
      let (place, bit) = (Int(bitPattern: index), Self.bit(key))
      if words[place] & bit != 0 { return false }
      words[place] |= bit
      denseCount += 1
      return true
    }
    guard scattered.insert(key).inserted else { return false }
    if scattered.count > scatteredLimit { spread() }
    return true
  }

  /// - Returns: whether it was there.
  @discardableResult package mutating func remove(_ key: ObjectKey) -> Bool {
    let index = index(key)
    guard index < UInt(words.count) else { return scattered.remove(key) != nil }
    let (place, bit) = (Int(bitPattern: index), Self.bit(key))
    if words[place] & bit == 0 { return false }
    words[place] &= ~bit
    denseCount -= 1
    return true
  }

  package mutating func formUnion(_ other: KeySet) {
    if isEmpty { return self = other }
    if other.firstWord == firstWord, other.words.count == words.count, !words.isEmpty {
      denseCount = 0
      for index in words.indices {
        words[index] |= other.words[index]
        denseCount += words[index].nonzeroBitCount
      }
      for key in other.scattered { insert(key) }
    } else {
      other.forEach { insert($0) }
    }
  }

  package func union(_ other: KeySet) -> KeySet {
    var union = self
    union.formUnion(other)
    return union
  }

  /// Gives a bit to all keys, if they are close enough together.
  private mutating func spread() {
    var (low, high) = (Int64.max, Int64.min)
    for key in scattered { (low, high) = (min(low, Self.word(key)), max(high, Self.word(key))) }
    if !words.isEmpty { (low, high) = (min(low, firstWord), max(high, firstWord + Int64(words.count) - 1)) }
    let length = high - low + 1
    guard length <= max(count * Self.wordsPerKey, min(count * Self.wordsPerKeyOfFew, Self.wordsOfFew)) else {
      scatteredLimit = 2 * scattered.count
      return
    }
    // Some room at the end: mostly keys are counted up.
    var wider = [UInt64](repeating: 0, count: Int(length + length / 2))
    for (index, word) in words.enumerated() { wider[index + Int(firstWord - low)] = word }
    for key in scattered { wider[Int(Self.word(key) - low)] |= Self.bit(key) }
    (denseCount, words, firstWord) = (count, wider, low)
    scattered = []
    scatteredLimit = max(Self.leastScatteredLimit, denseCount / 16)
  }

  // MARK: All of them

  /// Calls `body` for each key. In ascending order, unless they are far from each other.
  @inline(__always) package func forEach<Failure: Error>(_ body: (ObjectKey) throws(Failure) -> Void) throws(Failure) {
    for key in scattered { try body(key) }
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        try body(ObjectKey((firstWord + Int64(index)) << 6 | Int64(rest.trailingZeroBitCount)))
        rest &= rest &- 1
      }
    }
  }

  /// In ascending order.
  package func ascending() -> [ObjectKey] {
    var keys: [ObjectKey] = []
    keys.reserveCapacity(count)
    forEach { keys.append($0) }
    if !scattered.isEmpty { keys.sort() }
    return keys
  }

  /// Appends the positions of those elements of a sequence that are in the set.
  /// - Parameter first: the position of its first element.
  package func appendPositions(in keys: [ObjectKey], from first: Int, to positions: inout [Int]) {
    for (offset, key) in keys.enumerated() where contains(key) { positions.append(first + offset) }
  }
}

extension KeySet: ExpressibleByArrayLiteral {
  package init(arrayLiteral keys: ObjectKey...) { self.init(keys) }
}
