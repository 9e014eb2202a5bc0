/// The numbers of an `IN` condition on Ints, or the stored keys of linked objects: asked once for every row.
///
/// Few numbers, or many that lie close together, are a bit map over their range; others a hash table with open addressing.
package final class IntegerSet: Sendable {
  /// Distinct, ascending.
  package let members: [Int64]
  package let acceptsNull: Bool
  package let isNegated: Bool
  /// The smallest and the largest member; an empty set has `low > high`.
  package let low: Int64
  package let high: Int64
  /// Bit `n - low` for every member n; empty if the range is too large for it.
  private let bitmap: [UInt64]
  /// Slots of the hash table; `vacant` stands for none, itself remembered aside.
  private let slots: [Int64]
  private let shift: UInt64
  private let containsVacant: Bool
  /// Eight bits for every member, one of which is set: most numbers that are no members need not go to the table, which is 16 times as large.
  private let filter: [UInt64]
  private let filterShift: UInt64
  private static let vacant = Int64.min

  /// O(n).
  /// - Throws: `.interrupted`.
  package init(
    _ numbers: [Int64], acceptsNull: Bool = false, isNegated: Bool = false, _ cancellation: Cancellation? = nil
  ) throws(StorageError) {
    let members = try Self.sortedUnique(numbers, cancellation)
    self.members = members
    self.acceptsNull = acceptsNull
    self.isNegated = isNegated
    low = members.first ?? 1
    high = members.last ?? 0
    let range = members.isEmpty ? 0 : UInt64(bitPattern: high &- low)
    containsVacant = members.first == Self.vacant
    if range < UInt64(max(4096, members.count * 64)) {
      var bits = [UInt64](repeating: 0, count: Int(range >> 6) + 1)
      let low = low
      for begin in stride(from: 0, to: members.count, by: Cancellation.blockSize) {
        let block = try cancellation.block(begin, members.count)
        for member in members[block] { bits[Int((member &- low) >> 6)] |= 1 << UInt64((member &- low) & 63) }
      }
      (bitmap, slots, shift, filter, filterShift) = (bits, [], 0, [], 0)
      return
    }
    bitmap = []
    let logarithm = Int.bitWidth - (members.count * 2 - 1).leadingZeroBitCount
    shift = UInt64(64 - logarithm)
    var table = [Int64](repeating: Self.vacant, count: 1 << logarithm)
    let filterLogarithm = max(logarithm + 2, 6)
    filterShift = UInt64(64 - filterLogarithm)
    var bits = [UInt64](repeating: 0, count: 1 << (filterLogarithm - 6))
    let (shift, filterShift) = (shift, filterShift)
    for begin in stride(from: 0, to: members.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, members.count)
      for member in members[block] where member != Self.vacant {
        let hash = Self.hash(member)
        let bit = hash &>> filterShift
        bits[Int(bit &>> 6)] |= 1 << (bit & 63)
        var slot = Int(truncatingIfNeeded: hash &>> shift)
        while table[slot] != Self.vacant { slot = (slot + 1) & (table.count - 1) }
        table[slot] = member
      }
    }
    slots = table
    filter = bits
  }

  private static func sortedUnique(_ numbers: [Int64], _ cancellation: Cancellation?) throws(StorageError) -> [Int64] {
    // In the order of the signed numbers.
    var sorted: [UInt64] = []
    sorted.reserveCapacity(numbers.count)
    for begin in stride(from: 0, to: numbers.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, numbers.count)
      for number in numbers[block] { sorted.append(UInt64(bitPattern: number) ^ 1 << 63) }
    }
    try sortPacked(&sorted, lowestBit: 0, cancellation)
    var members: [Int64] = []
    members.reserveCapacity(numbers.count)
    for begin in stride(from: 0, to: sorted.count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, sorted.count)
      for index in block where index == 0 || sorted[index] != sorted[index - 1] { members.append(Int64(bitPattern: sorted[index] ^ 1 << 63)) }
    }
    return members
  }

  @inline(__always) private static func hash(_ number: Int64) -> UInt64 {
    let mixed = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    return (mixed ^ mixed &>> 29) &* 0xBF58_476D_1CE4_E5B9
  }

  /// Whether the number is a member; negation and null are not looked at.
  @inline(__always) package func contains(_ number: Int64) -> Bool {
    if number < low || number > high { return false }
    if !bitmap.isEmpty {
      let distance = number &- low
      return bitmap[Int(truncatingIfNeeded: distance &>> 6)] &>> UInt64(truncatingIfNeeded: distance & 63) & 1 != 0
    }
    let hash = Self.hash(number)
    let bit = hash &>> filterShift
    if filter[Int(truncatingIfNeeded: bit &>> 6)] &>> (bit & 63) & 1 == 0 { return number == Self.vacant && containsVacant }
    if number == Self.vacant { return containsVacant }
    var slot = Int(truncatingIfNeeded: hash &>> shift)
    while true {
      let found = slots[slot]
      if found == number { return true }
      if found == Self.vacant { return false }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
  }

  /// The members as a range, if they leave no gap.
  package var interval: IntegerTest? {
    if members.isEmpty || high &- low == Int64(members.count - 1) { return IntegerTest(low, high, acceptsNull: acceptsNull, isNegated: isNegated) }
    return nil
  }
}
