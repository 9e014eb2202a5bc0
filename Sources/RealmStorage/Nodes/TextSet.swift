/// The texts of an `IN` condition: a hash table with open addressing over bytes that lie one after the other.
struct TextSet: Sendable {
  private var bytes: [UInt8] = []
  /// Where member i begins; one more than members.
  private var starts: [Int] = [0]
  /// Member + 1, or 0.
  private var slots: [Int32]
  private let ignoresCase: Bool
  private(set) var shortest = Int.max
  private(set) var longest = -1

  init(_ texts: [[UInt8]], ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    let logarithm = Int.bitWidth - max(texts.count * 2 - 1, 1).leadingZeroBitCount
    slots = [Int32](repeating: 0, count: 1 << logarithm)
    for text in texts { insert(ignoresCase ? CaseFolding.folded(text) : text) }
  }

  var count: Int { starts.count - 1 }

  private mutating func insert(_ text: [UInt8]) {
    var slot = unsafe text.withUnsafeBytes { unsafe Self.hash($0) } & (slots.count - 1)
    while slots[slot] != 0 {
      if unsafe text.withUnsafeBytes({ unsafe isMember(Int(slots[slot]) - 1, $0) }) { return }
      slot = (slot + 1) & (slots.count - 1)
    }
    bytes += text
    starts.append(bytes.count)
    slots[slot] = Int32(count)
    shortest = min(shortest, text.count)
    longest = max(longest, text.count)
  }

  @inline(__always) private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
    var state = UInt64(truncatingIfNeeded: text.count) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    func mix(_ word: UInt64) {
      state = (state ^ word) &* 0xBF58_476D_1CE4_E5B9
      state ^= state &>> 29
    }
    while index &+ 8 <= text.count {
      mix(unsafe text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < text.count {
      rest = rest &<< 8 | UInt64(unsafe text[index])
      index &+= 1
    }
    mix(rest)
    return Int(truncatingIfNeeded: (state &* 0x94D0_49BB_1331_11EB) &>> 20)
  }

  @inline(__always) private func isMember(_ member: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    let start = starts[member]
    guard starts[member &+ 1] &- start == text.count else { return false }
    var index = 0
    while index < text.count {
      if unsafe text[index] != bytes[start &+ index] { return false }
      index &+= 1
    }
    return true
  }

  func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    if text.count < shortest || text.count > longest { return false }
    guard ignoresCase else { return unsafe containsExactly(text) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { copy in
      // SAFETY: filled before it is read.
      unsafe copy.copyMemory(from: text)
      var previous: UInt8 = 0
      for index in 0..<text.count {
        let byte = unsafe text[index]
        if CaseFolding.hasTwoCases(byte, after: previous) { unsafe copy[index] = byte | CaseFolding.bit }
        previous = byte
      }
      return unsafe containsExactly(UnsafeRawBufferPointer(copy))
    }
  }

  @inline(__always) private func containsExactly(_ text: UnsafeRawBufferPointer) -> Bool {
    var slot = unsafe Self.hash(text) & (slots.count &- 1)
    while slots[slot] != 0 {
      if unsafe isMember(Int(slots[slot]) &- 1, text) { return true }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return false
  }
}
