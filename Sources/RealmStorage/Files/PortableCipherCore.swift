/// AES-256-CBC and HMAC-SHA-224 in plain Swift, for systems without the library that `BoringCipherCore` needs. About ten times slower.
enum PortableCipherCore: PageCipherCore {
  struct State {
    var encryption: InlineArray<60, UInt32>
    var decryption: InlineArray<60, UInt32>
    var inner: SIMD8<UInt32>
    var outer: SIMD8<UInt32>
  }

  static func prepare(_ state: UnsafeMutablePointer<State>, key: UnsafeRawPointer) {
    unsafe AESBlocks.expand(key, &state.pointee.encryption, &state.pointee.decryption)
    let keyWords = (0..<8).map { unsafe UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 32 + 4 * $0, as: UInt32.self)) }
    func start(_ pad: UInt32) -> SIMD8<UInt32> {
      var hash = SHA224.initial
      SHA224.compress(&hash) { ($0 < 8 ? keyWords[$0] : 0) ^ pad }
      return hash
    }
    unsafe state.pointee.inner = start(0x3636_3636)
    unsafe state.pointee.outer = start(0x5C5C_5C5C)
  }

  static func authenticate(_ state: UnsafePointer<State>, _ data: UnsafeRawPointer, to mac: UnsafeMutableRawPointer) {
    var hash = unsafe state.pointee.inner
    for block in 0..<CipherLayout.pageByteCount / 64 {
      SHA224.compress(&hash) { unsafe UInt32(bigEndian: data.loadUnaligned(fromByteOffset: block * 64 + $0 * 4, as: UInt32.self)) }
    }
    // The padding is a block of its own: the bit count includes the block of the key.
    SHA224.compress(&hash) { $0 == 0 ? 0x8000_0000 : $0 == 15 ? UInt32(CipherLayout.pageByteCount + 64) * 8 : 0 }
    let digest = hash
    hash = unsafe state.pointee.outer
    SHA224.compress(&hash) { $0 < 7 ? digest[$0] : $0 == 7 ? 0x8000_0000 : $0 == 15 ? (64 + 28) * 8 : 0 }
    for index in 0..<7 { unsafe mac.storeBytes(of: hash[index].bigEndian, toByteOffset: 4 * index, as: UInt32.self) }
  }

  static func encrypt(
    _ state: UnsafePointer<State>, _ plaintext: UnsafeRawPointer, to ciphertext: UnsafeMutableRawPointer, vector: UnsafeMutableRawPointer
  ) {
    var chain = unsafe load(vector, 0)
    for offset in stride(from: 0, to: CipherLayout.pageByteCount, by: 16) {
      chain = unsafe AESBlocks.encrypt(load(plaintext, offset) ^ chain, state.pointee.encryption)
      unsafe store(chain, ciphertext, offset)
    }
  }

  static func decrypt(
    _ state: UnsafePointer<State>, _ ciphertext: UnsafeRawPointer, to plaintext: UnsafeMutableRawPointer, vector: UnsafeMutableRawPointer
  ) {
    var chain = unsafe load(vector, 0)
    for offset in stride(from: 0, to: CipherLayout.pageByteCount, by: 16) {
      let block = unsafe load(ciphertext, offset)
      unsafe store(AESBlocks.decrypt(block, state.pointee.decryption) ^ chain, plaintext, offset)
      chain = block
    }
  }

  /// Four columns, each with its first row in the highest byte.
  @inline(__always) private static func load(_ start: UnsafeRawPointer, _ offset: Int) -> SIMD4<UInt32> {
    func column(_ index: Int) -> UInt32 { unsafe UInt32(bigEndian: start.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self)) }
    return SIMD4(column(0), column(1), column(2), column(3))
  }
  @inline(__always) private static func store(_ block: SIMD4<UInt32>, _ start: UnsafeMutableRawPointer, _ offset: Int) {
    for index in 0..<4 { unsafe start.storeBytes(of: block[index].bigEndian, toByteOffset: offset + 4 * index, as: UInt32.self) }
  }
}

/// The compression function of FIPS 180-4 with the start values of SHA-224.
enum SHA224 {
  static let initial = SIMD8<UInt32>(
    0xC105_9ED8, 0x367C_D507, 0x3070_DD17, 0xF70E_5939, 0xFFC0_0B31, 0x6858_1511, 0x64F9_8FA7, 0xBEFA_4FA4)

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

/// AES-256 on single blocks (FIPS 197), with the four round tables folded into one and its rotations.
enum AESBlocks {
  private struct Tables {
    var box = [UInt8](repeating: 0, count: 256)
    var inverseBox = [UInt8](repeating: 0, count: 256)
    /// Substitution and column mixing of one byte in the first row.
    var forward = [UInt32](repeating: 0, count: 256)
    var backward = [UInt32](repeating: 0, count: 256)

    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
      var (a, b, result) = (a, b, UInt8(0))
      while b != 0 {
        if b & 1 != 0 { result ^= a }
        a = a << 1 ^ (a & 0x80 != 0 ? 0x1B : 0)
        b >>= 1
      }
      return result
    }

    init() {
      var (value, inverse) = (UInt8(1), UInt8(1))
      // All powers of 3, beside those of its inverse 0xF6.
      repeat {
        value = Self.product(value, 3)
        inverse = Self.product(inverse, 0xF6)
        box[Int(value)] = Self.affine(inverse)
      } while value != 1
      box[0] = 0x63
      for index in 0..<256 { inverseBox[Int(box[index])] = UInt8(index) }
      for index in 0..<256 {
        let (s, t) = (box[index], inverseBox[index])
        forward[index] = Self.column(Self.product(s, 2), s, s, Self.product(s, 3))
        backward[index] = Self.column(Self.product(t, 14), Self.product(t, 9), Self.product(t, 13), Self.product(t, 11))
      }
    }
    private static func affine(_ x: UInt8) -> UInt8 {
      func rotated(_ count: UInt8) -> UInt8 { x << count | x >> (8 - count) }
      return x ^ rotated(1) ^ rotated(2) ^ rotated(3) ^ rotated(4) ^ 0x63
    }
    private static func column(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt32 {
      UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d)
    }
  }
  private static let tables = Tables()
  private static let roundCount = 14

  @inline(__always) private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 { value >> count | value << (32 - count) }
  @inline(__always) private static func byte(_ word: UInt32, _ row: Int) -> Int { Int(word >> UInt32(24 - 8 * row) & 0xFF) }

  private static func substituted(_ word: UInt32, _ box: [UInt8]) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(box[byte(word, $1)]) }
  }

  /// Fills the round keys of both directions.
  static func expand(_ key: UnsafeRawPointer, _ encryption: inout InlineArray<60, UInt32>, _ decryption: inout InlineArray<60, UInt32>) {
    let tables = tables
    for index in 0..<8 { unsafe encryption[index] = UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)) }
    var constant: UInt8 = 1
    for index in 8..<60 {
      var word = encryption[index - 1]
      if index % 8 == 0 {
        word = substituted(word << 8 | word >> 24, tables.box) ^ UInt32(constant) << 24
        constant = Tables.product(constant, 2)
      } else if index % 8 == 4 {
        word = substituted(word, tables.box)
      }
      encryption[index] = encryption[index - 8] ^ word
    }
    for round in 0...roundCount {
      for column in 0..<4 {
        let word = encryption[4 * (roundCount - round) + column]
        guard round > 0 && round < roundCount else {
          decryption[4 * round + column] = word
          continue
        }
        var mixed: UInt32 = 0
        for row in 0..<4 { mixed ^= rotated(tables.backward[Int(tables.box[byte(word, row)])], UInt32(8 * row)) }
        decryption[4 * round + column] = mixed
      }
    }
  }

  static func encrypt(_ block: SIMD4<UInt32>, _ keys: borrowing InlineArray<60, UInt32>) -> SIMD4<UInt32> {
    run(block, keys, tables.forward, tables.box, shift: 1)
  }
  static func decrypt(_ block: SIMD4<UInt32>, _ keys: borrowing InlineArray<60, UInt32>) -> SIMD4<UInt32> {
    run(block, keys, tables.backward, tables.inverseBox, shift: 3)
  }

  /// - Parameter shift: by how many columns each row turns compared with the one above it.
  @inline(__always) private static func run(
    _ block: SIMD4<UInt32>, _ keys: borrowing InlineArray<60, UInt32>, _ table: [UInt32], _ box: [UInt8], shift: Int
  ) -> SIMD4<UInt32> {
    var state = block ^ SIMD4(keys[0], keys[1], keys[2], keys[3])
    for round in 1..<roundCount {
      var next = SIMD4(keys[4 * round], keys[4 * round + 1], keys[4 * round + 2], keys[4 * round + 3])
      for column in 0..<4 {
        for row in 0..<4 { next[column] ^= rotated(table[byte(state[(column + shift * row) & 3], row)], UInt32(8 * row)) }
      }
      state = next
    }
    var last = SIMD4(keys[56], keys[57], keys[58], keys[59])
    for column in 0..<4 {
      for row in 0..<4 { last[column] ^= UInt32(box[byte(state[(column + shift * row) & 3], row)]) << UInt32(24 - 8 * row) }
    }
    return last
  }
}
