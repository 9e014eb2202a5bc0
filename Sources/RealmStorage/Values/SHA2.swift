/// SHA-224 and SHA-256 in plain Swift: the compression function of FIPS 180-4 and the values to start from.
enum SHA2 {
  static let start224 = SIMD8<UInt32>(
    0xC105_9ED8, 0x367C_D507, 0x3070_DD17, 0xF70E_5939, 0xFFC0_0B31, 0x6858_1511, 0x64F9_8FA7, 0xBEFA_4FA4)
  static let start256 = SIMD8<UInt32>(
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]

  /// - Parameter word: the 16 words of the block.
  @inline(__always) static func compress(_ hash: inout SIMD8<UInt32>, _ word: (Int) -> UInt32) {
    func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 { value >> count | value << (32 - count) }
    var schedule = InlineArray<64, UInt32>(repeating: 0)
    for index in 0..<16 { schedule[index] = word(index) }
    for index in 16..<64 {
      let (a, b) = (schedule[index - 15], schedule[index - 2])
      let first = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3
      let second = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
    var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
    var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
    for index in 0..<64 {
      let sum = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ (e & f ^ ~e & g) &+ constants[index] &+ schedule[index]
      let majority = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ sum, c, b, a, sum &+ majority)
    }
    hash = hash &+ SIMD8(a, b, c, d, e, f, g, h)
  }
}

/// The SHA-256 of bytes that come one after the other. For builds without the library that does it ten times as fast.
package struct SHA256Digest {
  private var hash = SHA2.start256
  private var message = HashedMessage()

  package init() {}

  package mutating func update(_ bytes: [UInt8]) { message.add(bytes) { block in SHA2.compress(&hash) { block[$0] } } }

  package consuming func finalize() -> [UInt8] {
    message.finish { block in SHA2.compress(&hash) { block[$0] } }
    return (0..<8).flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: hash[word] >> UInt32(24 - 8 * $0)) } }
  }
}

/// The SHA-1 of some bytes, which names objects (F7.4) and secures nothing.
enum SHA1 {
  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash: InlineArray<5, UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var message = HashedMessage()
    message.add(bytes) { compress(&hash, $0) }
    message.finish { compress(&hash, $0) }
    return (0..<20).map { UInt8(truncatingIfNeeded: hash[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
  }

  private static func compress(_ hash: inout InlineArray<5, UInt32>, _ block: InlineArray<16, UInt32>) {
    func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
    var schedule = InlineArray<80, UInt32>(repeating: 0)
    for index in 0..<16 { schedule[index] = block[index] }
    for index in 16..<80 { schedule[index] = rotated(schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16], 1) }
    var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
    for index in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      (a, b, c, d, e) = (rotated(a, 5) &+ mixed &+ e &+ constant &+ schedule[index], a, rotated(b, 30), c, d)
    }
    hash[0] &+= a
    hash[1] &+= b
    hash[2] &+= c
    hash[3] &+= d
    hash[4] &+= e
  }
}

/// A message on its way into a hash function of blocks of 16 big-endian words: what is no whole block yet, and the padding at its end.
private struct HashedMessage {
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  mutating func add(_ bytes: [UInt8], _ compress: (InlineArray<16, UInt32>) -> Void) {
    byteCount += UInt64(bytes.count)
    rest += bytes
    var done = 0
    while rest.count - done >= 64 {
      var block = InlineArray<16, UInt32>(repeating: 0)
      for index in 0..<64 { block[index / 4] = block[index / 4] << 8 | UInt32(rest[done + index]) }
      compress(block)
      done += 64
    }
    rest.removeFirst(done)
  }

  mutating func finish(_ compress: (InlineArray<16, UInt32>) -> Void) {
    let bitCount = byteCount * 8
    let zeros = (64 + 55 - Int(byteCount % 64)) % 64
    add([0x80] + [UInt8](repeating: 0, count: zeros) + (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) }, compress)
  }
}
