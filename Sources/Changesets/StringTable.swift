/// The strings that instructions of a changeset name by their place: classes, properties, keys.
package struct StringTable: Equatable, Sendable {
  /// A string.
  package struct Entry: Equatable, Sendable {
    /// Where it is in the pool.
    package let bytes: ByteRange
    /// How many instructions preceded it when it was recorded.
    let instruction: UInt32
  }

  /// In order of appearance.
  package private(set) var entries: [Entry] = []
  /// Only of tables that are too long to be looked through.
  private var places = PlaceTable()
  /// Most changesets have fewer strings, and do without hashes.
  private static let lengthToLookThrough = 8

  /// Adds a string of `pool`; false if the table has an equal one.
  mutating func append(_ entry: Entry, of pool: [UInt8]) -> Bool {
    let bytes = pool[entry.bytes.range]
    if entries.count < Self.lengthToLookThrough {
      if position(of: bytes, in: pool) != nil { return false }
      entries.append(entry)
      return true
    }
    if places.isEmpty { for entry in entries { places.add(SeededHash.of(pool[entry.bytes.range])) } }
    let hash = SeededHash.of(bytes)
    if position(of: bytes, hash, in: pool) != nil { return false }
    entries.append(entry)
    places.add(hash)
    return true
  }

  /// The place of the string with these bytes, if there is one.
  func position(of bytes: ArraySlice<UInt8>, in pool: [UInt8]) -> UInt32? {
    if !places.isEmpty { return position(of: bytes, SeededHash.of(bytes), in: pool) }
    for position in entries.indices where Int(entries[position].bytes.count) == bytes.count && pool[entries[position].bytes.range] == bytes {
      return UInt32(position)
    }
    return nil
  }

  private func position(of bytes: ArraySlice<UInt8>, _ hash: UInt64, in pool: [UInt8]) -> UInt32? {
    places.first(hash) { pool[entries[$0].bytes.range] == bytes }.map { UInt32($0) }
  }

  /// Whether both have the same strings at the same places.
  package static func == (left: Self, right: Self) -> Bool { left.entries == right.entries }
}
