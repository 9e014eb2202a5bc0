/// The strings that instructions of a changeset name by their place: classes, properties, keys.
struct StringTable: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    let bytes: ByteRange
    /// How many instructions preceded it when it was recorded.
    let instruction: UInt32
  }

  private(set) var entries: [Entry] = []
  /// The newest entry of each hash, and the one before it with the same hash: only of tables that are too long to be looked through.
  private var newest: [Int: Int32] = [:]
  private var previous: [Int32] = []
  /// Most changesets have fewer strings, and do without hashes.
  private static let lengthToLookThrough = 8

  /// Adds a string of `pool`; false if the table has an equal one.
  mutating func append(_ entry: Entry, of pool: [UInt8]) -> Bool {
    let bytes = pool[entry.bytes.range]
    if position(of: bytes, in: pool) != nil { return false }
    entries.append(entry)
    if entries.count > Self.lengthToLookThrough { for position in previous.count..<entries.count { link(position, of: pool) } }
    return true
  }

  private mutating func link(_ position: Int, of pool: [UInt8]) {
    let hash = Self.hash(pool[entries[position].bytes.range])
    previous.append(newest[hash] ?? -1)
    newest[hash] = Int32(position)
  }

  /// The place of the string with these bytes, if there is one.
  func position(of bytes: ArraySlice<UInt8>, in pool: [UInt8]) -> UInt32? {
    if previous.isEmpty {
      for position in entries.indices where Int(entries[position].bytes.count) == bytes.count && pool[entries[position].bytes.range] == bytes {
        return UInt32(position)
      }
      return nil
    }
    var candidate = newest[Self.hash(bytes)] ?? -1
    while candidate >= 0 {
      if pool[entries[Int(candidate)].bytes.range] == bytes { return UInt32(candidate) }
      candidate = previous[Int(candidate)]
    }
    return nil
  }

  /// Differs from process to process, so that nobody can send strings that collide.
  private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word = word << 8 | UInt64(byte)
      if index & 7 == 7 { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(bytes.count)
    return hasher.finalize()
  }

  static func == (left: Self, right: Self) -> Bool { left.entries == right.entries }
}
