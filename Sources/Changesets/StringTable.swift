/// The strings that instructions of a changeset name by their place: classes, properties, keys.
struct StringTable: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    let bytes: ByteRange
    /// How many instructions preceded it when it was recorded.
    let instruction: UInt32
  }

  private(set) var entries: [Entry] = []
  /// The newest entry of each hash, and the one before it with the same hash.
  private var newest: [Int: Int32] = [:]
  private var previous: [Int32] = []

  /// Adds a string of `pool`; false if the table has an equal one.
  mutating func append(_ entry: Entry, of pool: [UInt8]) -> Bool {
    let hash = Self.hash(entry.bytes, of: pool)
    let bytes = pool[entry.bytes.range]
    let first = newest[hash] ?? -1
    var candidate = first
    while candidate >= 0 {
      if pool[entries[Int(candidate)].bytes.range] == bytes { return false }
      candidate = previous[Int(candidate)]
    }
    newest[hash] = Int32(entries.count)
    previous.append(first)
    entries.append(entry)
    return true
  }

  /// Differs from process to process, so that nobody can send strings that collide.
  private static func hash(_ bytes: ByteRange, of pool: [UInt8]) -> Int {
    var hasher = Hasher()
    var word: UInt64 = 0
    for (index, position) in bytes.range.enumerated() {
      word = word << 8 | UInt64(pool[position])
      if index & 7 == 7 { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(bytes.count)
    return hasher.finalize()
  }

  static func == (left: Self, right: Self) -> Bool { left.entries == right.entries }
}
