/// Finds places in an array by hashes of what stands there: open addressing, with one allocation and no copy of any key.
package struct PlaceTable: Sendable {
  /// A hash's upper half, and the place + 1; 0 for a free slot. Their number is a power of two, and at least twice that of the places.
  private var slots: [UInt64] = []
  private var count = 0

  /// Without any place.
  package init() {}

  /// Whether nothing was added.
  package var isEmpty: Bool { count == 0 }

  /// A place that was added with the hash and that `isSought` accepts; any of them, should there be several.
  package func first(_ hash: UInt64, where isSought: (Int) -> Bool) -> Int? {
    if slots.isEmpty { return nil }
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0 {
      let place = Int(slots[slot] & 0xffff_ffff) - 1
      if slots[slot] >> 32 == hash >> 32, isSought(place) { return place }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds the place that follows those that it has.
  package mutating func add(_ hash: UInt64) {
    if (count + 1) * 2 > slots.count { grow() }
    count += 1
    insert((hash & ~0xffff_ffff) | UInt64(count))
  }

  private mutating func insert(_ entry: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: entry >> 32) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = entry
  }

  private mutating func grow() {
    let before = slots
    slots = [UInt64](repeating: 0, count: max(32, before.count * 4))
    for entry in before where entry != 0 { insert(entry) }
  }
}

/// Hashes that differ from process to process, so that nobody can send names that collide.
package enum SeededHash {
  private static let seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))

  /// Of two numbers.
  package static func of(_ a: UInt64, _ b: UInt64) -> UInt64 {
    // Nobody knows which number makes a factor zero.
    mixed(mixed(a ^ seeds.0, b ^ seeds.1), seeds.1)
  }

  /// Of bytes.
  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var (hash, word) = (seeds.0, UInt64(0))
    var shift: UInt64 = 0
    for byte in bytes {
      word |= UInt64(byte) << shift
      shift += 8
      if shift < 64 { continue }
      hash = mixed(hash ^ word, seeds.1)
      (word, shift) = (0, 0)
    }
    return mixed(hash ^ word, seeds.1 ^ UInt64(bytes.count))
  }

  /// The product of both, its halves together: each bit depends on all bits.
  private static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
