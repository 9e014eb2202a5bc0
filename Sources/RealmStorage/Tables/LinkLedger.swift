/// Compares links with backlinks as multisets (F7.5) without keeping them all: sums of keyed hashes decide, and as long as there are few
/// links the pairs themselves are kept to say what differs.
struct LinkLedger {
  struct Column: Hashable {
    let targetTable: TableKey
    let originTable: TableKey
    let originColumn: ColumnKey
  }
  struct Pair: Comparable {
    let target: Int64
    let origin: Int64
    static func < (a: Pair, b: Pair) -> Bool { a.target == b.target ? a.origin < b.origin : a.target < b.target }
  }
  struct Side {
    var count = 0
    var sum: UInt64 = 0
    var pairs: [Pair] = []

    mutating func add(_ pair: Pair, _ seed: UInt64, keeps: Bool) {
      count += 1
      sum &+= mixed(mixed(UInt64(bitPattern: pair.target) ^ seed) &+ UInt64(bitPattern: pair.origin))
      if keeps { pairs.append(pair) }
    }
  }
  struct Entry {
    var links = Side()
    var backlinks = Side()
    var hasBacklinkColumn = false
    var isBalanced: Bool { links.count == backlinks.count && links.sum == backlinks.sum }
  }

  private(set) var columns: [Column] = []
  private(set) var entries: [Entry] = []
  private var positions: [Column: Int] = [:]
  private var last = -1
  private let seed = UInt64.random(in: 0 ... .max)
  /// Pairs that may still be kept.
  private var spare = 1 << 21

  /// The place of a column in `entries`; made when it does not exist yet.
  mutating func position(_ column: Column) -> Int {
    if last >= 0 && columns[last] == column { return last }
    if let known = positions[column] {
      last = known
      return known
    }
    positions[column] = entries.count
    last = entries.count
    columns.append(column)
    entries.append(Entry())
    return last
  }

  mutating func addBacklinkColumn(_ column: Column) {
    let place = position(column)
    entries[place].hasBacklinkColumn = true
  }

  mutating func addLink(_ column: Column, target: Int64, origin: Int64) {
    let keeps = takeSpare()
    let place = position(column)
    entries[place].links.add(Pair(target: target, origin: origin), seed, keeps: keeps)
  }
  mutating func addBacklink(at position: Int, target: Int64, origin: Int64) {
    let keeps = takeSpare()
    entries[position].backlinks.add(Pair(target: target, origin: origin), seed, keeps: keeps)
  }
  private mutating func takeSpare() -> Bool {
    spare -= spare > 0 ? 1 : 0
    return spare > 0
  }

  /// Whether every link is still known, so that differences can be named.
  var hasPairs: Bool { spare > 0 }

  /// The first differences of an entry: target, keys of the backlinks, keys of the origins of links.
  func differences(_ entry: Entry, limit: Int) -> [(target: Int64, backlinks: [Int64], links: [Int64])] {
    let (links, backlinks) = (entry.links.pairs.sorted(), entry.backlinks.pairs.sorted())
    var (a, b) = (0, 0)
    var result: [(target: Int64, backlinks: [Int64], links: [Int64])] = []
    while (a < links.count || b < backlinks.count) && result.count < limit {
      let target = min(a < links.count ? links[a].target : .max, b < backlinks.count ? backlinks[b].target : .max)
      let (startA, startB) = (a, b)
      while a < links.count && links[a].target == target { a += 1 }
      while b < backlinks.count && backlinks[b].target == target { b += 1 }
      let (x, y) = (links[startA..<a].map(\.origin), backlinks[startB..<b].map(\.origin))
      if x != y { result.append((target, y, x)) }
    }
    return result
  }
}
