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
      var hash = SHA2.start224
      SHA2.compress(&hash) { ($0 < 8 ? keyWords[$0] : 0) ^ pad }
      return hash
    }
    unsafe state.pointee.inner = start(0x3636_3636)
    unsafe state.pointee.outer = start(0x5C5C_5C5C)
  }

  static func authenticate(_ state: UnsafePointer<State>, _ data: UnsafeRawPointer, to mac: UnsafeMutableRawPointer) {
    var hash = unsafe state.pointee.inner
    for block in 0..<CipherLayout.pageByteCount / 64 {
      SHA2.compress(&hash) { unsafe UInt32(bigEndian: data.loadUnaligned(fromByteOffset: block * 64 + $0 * 4, as: UInt32.self)) }
    }
    // The padding is a block of its own: the bit count includes the block of the key.
    SHA2.compress(&hash) { $0 == 0 ? 0x8000_0000 : $0 == 15 ? UInt32(CipherLayout.pageByteCount + 64) * 8 : 0 }
    let digest = hash
    hash = unsafe state.pointee.outer
    SHA2.compress(&hash) { $0 < 7 ? digest[$0] : $0 == 7 ? 0x8000_0000 : $0 == 15 ? (64 + 28) * 8 : 0 }
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
