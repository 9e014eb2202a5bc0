/// Numbers distinct 64-bit keys in the order in which they are met. Open addressing: a lookup is a multiplication and mostly one line of memory.
package struct NumberTable {
  /// By number.
  package private(set) var keys: [UInt64] = []
  /// Numbers + 1, 0 where there is none; a power of two of them, at most half of it taken.
  private var slots = [UInt32](repeating: 0, count: 64)

  package init() {}

  /// - Returns: the number of the key, and whether it is a new one.
  @inline(__always) package mutating func number(_ key: UInt64) -> (number: UInt32, isNew: Bool) {
    let mask = slots.count &- 1
    var index = Int(truncatingIfNeeded: mixed(key)) & mask
    while slots[index] != 0 {
      let number = slots[index] &- 1
      if keys[Int(number)] == key { return (number, false) }
      index = (index &+ 1) & mask
    }
    return (add(key, at: index), true)
  }

  @inline(never) private mutating func add(_ key: UInt64, at index: Int) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: keys.count)
    keys.append(key)
    slots[index] = number + 1
    if keys.count * 2 > slots.count {
      slots = GroupTable.slots(slots.count * 2, keys.map { mixed($0) })
    }
    return number
  }
}

/// Numbers distinct texts in the order in which they are met, and keeps a copy of each.
struct TextTable {
  private var hashes: [UInt64] = []
  /// All texts, one behind the other, and where each ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var slots = [UInt32](repeating: 0, count: 64)

  /// - Returns: the number of the text, and whether it is a new one.
  @inline(__always) mutating func number(_ text: RawSpan) -> (number: UInt32, isNew: Bool) {
    let hash = GroupTable.hash(text)
    let mask = slots.count &- 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index] != 0 {
      let number = Int(slots[index] &- 1)
      if hashes[number] == hash, isEqual(number, text) { return (UInt32(truncatingIfNeeded: number), false) }
      index = (index &+ 1) & mask
    }
    return (add(text, hash, at: index), true)
  }

  @inline(__always) private func isEqual(_ number: Int, _ text: RawSpan) -> Bool {
    let begin = number == 0 ? 0 : ends[number &- 1]
    guard ends[number] &- begin == text.byteCount else { return false }
    // SAFETY: a byte has no padding.
    return compareBytes(unsafe bytes.span.bytes.extracting(begin..<ends[number]), text) == 0
  }

  @inline(never) private mutating func add(_ text: RawSpan, _ hash: UInt64, at index: Int) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: hashes.count)
    hashes.append(hash)
    // SAFETY: any bits are a byte; each load is inside.
    for offset in 0..<text.byteCount { bytes.append(unsafe text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
    ends.append(bytes.count)
    slots[index] = number + 1
    if hashes.count * 2 > slots.count { slots = GroupTable.slots(slots.count * 2, hashes) }
    return number
  }
}

/// Numbers distinct values of any types: those are equal that compare so, such as 1 and 1.0.
struct ValueTable {
  private var hashes: [UInt64] = []
  private var values: [Value] = []
  private var slots = [UInt32](repeating: 0, count: 64)

  mutating func number(_ value: Value) -> (number: UInt32, isNew: Bool) {
    let hash = GroupTable.hash(value)
    let mask = slots.count &- 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index] != 0 {
      let number = Int(slots[index] &- 1)
      if hashes[number] == hash, Value.compare(values[number], value) == 0 { return (UInt32(truncatingIfNeeded: number), false) }
      index = (index &+ 1) & mask
    }
    let number = UInt32(truncatingIfNeeded: values.count)
    hashes.append(hash)
    values.append(value)
    slots[index] = number + 1
    if hashes.count * 2 > slots.count { slots = GroupTable.slots(slots.count * 2, hashes) }
    return (number, true)
  }
}

/// What the tables of numbered values share.
enum GroupTable {
  /// The slots of a table with these hashes, the first of which is number 0.
  static func slots(_ count: Int, _ hashes: [UInt64]) -> [UInt32] {
    var slots = [UInt32](repeating: 0, count: count)
    for (number, hash) in hashes.enumerated() {
      var index = Int(truncatingIfNeeded: hash) & (count - 1)
      while slots[index] != 0 { index = (index + 1) & (count - 1) }
      slots[index] = UInt32(truncatingIfNeeded: number) + 1
    }
    return slots
  }

  @inline(__always) static func hash(_ text: RawSpan) -> UInt64 {
    // SAFETY: any bits are an integer; each load is inside.
    var hash = UInt64(truncatingIfNeeded: text.byteCount)
    var offset = 0
    while offset &+ 8 <= text.byteCount {
      let word = unsafe text.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = mixed(hash ^ word)
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < text.byteCount {
      let byte = unsafe text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      rest = rest << 8 | UInt64(byte)
      offset &+= 1
    }
    return mixed(hash ^ rest)
  }

  /// Values that compare equal have the same.
  static func hash(_ value: Value) -> UInt64 {
    switch value {
    case .int(let number): hash(Double(number))
    case .float(let number): hash(Double(number))
    case .double(let number): hash(number)
    case .decimal(let number): number.isNaN ? hash(.nan) : hash(Double(number.text) ?? 0)
    case .bool(let flag): mixed(flag ? 2 : 3)
    case .string(let bytes), .binary(let bytes): unsafe hash(bytes.span.bytes)
    case .timestamp(let date): mixed(UInt64(bitPattern: date.seconds) ^ mixed(UInt64(bitPattern: Int64(date.nanoseconds))))
    case .objectID(let id): mixed(id.high ^ UInt64(id.low))
    case .uuid(let id): mixed(id.high ^ mixed(id.low))
    case .link(let key): mixed(UInt64(bitPattern: key.rawValue))
    case .typedLink(let link): mixed(UInt64(bitPattern: link.key.rawValue))
    case .null, .list, .dictionary: 1
    }
  }

  private static func hash(_ number: Double) -> UInt64 { number.isNaN ? 5 : mixed((number + 0).bitPattern) }
}
