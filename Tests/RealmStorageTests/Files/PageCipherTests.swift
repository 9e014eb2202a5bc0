import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Pages, their macs and the two implementations of both. E2, E3, E4.
@Suite(.mustEnd) struct PageCipherTests {
  private func page(_ random: inout SeededGenerator) -> PageBuffers {
    let buffers = PageBuffers(count: 1)
    for offset in 0..<512 { buffers.address(0).storeBytes(of: random.next(), toByteOffset: offset * 8, as: UInt64.self) }
    return buffers
  }
  private func bytes(_ buffers: PageBuffers) -> [UInt8] { [UInt8](UnsafeRawBufferPointer(start: buffers.address(0), count: 4096)) }

  @Test func plainSwiftAndTheLibraryAgree() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    for _ in 0..<8 {
      let key = try EncryptionKey((0..<64).map { _ in UInt8.random(in: 0...255, using: &random) })
      let (library, portable) = (PageCipher(key), KeyedPageCipher<PortableCipherCore>(key))
      let plaintext = page(&random)
      let (a, b, back) = (PageBuffers(count: 1), PageBuffers(count: 1), PageBuffers(count: 1))
      let (number, counter) = (Int.random(in: 0..<1 << 40, using: &random), UInt32.random(in: 0..<UInt32.max, using: &random))
      let first = library.encrypt(plaintext.address(0), to: a.address(0), page: number, after: counter, replacing: .none)
      let second = portable.encrypt(plaintext.address(0), to: b.address(0), page: number, after: counter, replacing: .none)
      #expect(bytes(a) == bytes(b) && first == second && first.counter == counter + 1, "seed \(seed)")
      #expect(bytes(a) != bytes(plaintext))
      for decrypt in [library.decrypt, portable.decrypt] {
        decrypt(a.address(0), back.address(0), number, first.counter)
        #expect(bytes(back) == bytes(plaintext), "seed \(seed)")
      }
    }
  }

  /// Sixteen at a time, the rest, and one by one where there are few.
  @Test(arguments: [1, 2, 3, 4, 5, 15, 16, 17, 33, 70]) func severalPagesAtOnceAreEncryptedLikeEachAlone(_ count: Int) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let key = try EncryptionKey((0..<64).map { _ in UInt8.random(in: 0...255, using: &random) })
    func check<Core>(_ cipher: KeyedPageCipher<Core>) {
      let plaintexts = (0..<count).map { _ in page(&random) }
      let together = (0..<count).map { _ in PageBuffers(count: 1) }
      let numbers = (0..<count).map { _ in Int.random(in: 0..<1 << 40, using: &random) }
      // Some wrap around; some have the mac already that they would get, and need another counter.
      let counters = (0..<count).map { $0 % 7 == 3 ? UInt32.max : UInt32.random(in: 0..<UInt32.max, using: &random) }
      let alone = PageBuffers(count: 1)
      let valid = (0..<count).map { index -> PageSlot in
        guard index % 5 == 2 else { return .none }
        return cipher.encrypt(
          plaintexts[index].address(0), to: alone.address(0), page: numbers[index], after: counters[index], replacing: .none)
      }
      let slots = cipher.encrypt(
        (0..<count).map {
          KeyedPageCipher<Core>.Request(
            plaintext: plaintexts[$0].address(0), ciphertext: together[$0].address(0), page: numbers[$0], last: counters[$0], valid: valid[$0])
        })
      for index in 0..<count {
        let slot = cipher.encrypt(
          plaintexts[index].address(0), to: alone.address(0), page: numbers[index], after: counters[index], replacing: valid[index])
        #expect(slots[index] == slot && bytes(together[index]) == bytes(alone), "page \(index) of \(count), seed \(seed)")
      }
    }
    check(PageCipher(key))
    if count < 6 { check(KeyedPageCipher<PortableCipherCore>(key)) }
  }

  /// Else encrypted files would be ten times as slow, and only a benchmark would tell.
  @Test func theLibraryInsideSwiftCryptoIsInUse() {
    #expect(EncryptionKey.isAvailable && String(reflecting: PageCipher.self).contains("BoringCipherCore"))
  }

  /// FIPS 180-4's examples, and lengths around the ends of blocks against Python's `hashlib`.
  @Test func digestsInPlainSwiftAreThePublishedOnes() {
    func hex(_ bytes: [UInt8]) -> String { bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    func sha256(_ parts: [UInt8]...) -> String {
      var digest = SHA256Digest()
      for part in parts { digest.update(part) }
      return hex(digest.finalize())
    }
    #expect(hex(SHA1.digest(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(sha256(Array("a".utf8), Array("bc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    for (count, first, second) in digestsOfLetters {
      let letters = [UInt8](repeating: UInt8(ascii: "a"), count: count)
      #expect(hex(SHA1.digest(letters)) == first && sha256(letters) == second, "\(count) letters")
    }
  }

  /// FIPS 197 C.3, and the all-zero page's HMAC as Python's `hmac` computes it.
  @Test func plainSwiftMatchesPublishedVectors() {
    let key = (0..<32).map { UInt8($0) }
    var (forward, backward) = (InlineArray<60, UInt32>(repeating: 0), InlineArray<60, UInt32>(repeating: 0))
    key.withUnsafeBytes { AESBlocks.expand($0.baseAddress!, &forward, &backward) }
    let plain = SIMD4<UInt32>(0x0011_2233, 0x4455_6677, 0x8899_AABB, 0xCCDD_EEFF)
    let cipher = SIMD4<UInt32>(0x8EA2_B7CA, 0x5167_45BF, 0xEAFC_4990, 0x4B49_6089)
    #expect(AESBlocks.encrypt(plain, forward) == cipher)
    #expect(AESBlocks.decrypt(cipher, backward) == plain)
  }

  @Test func theCounterSkipsZeroAndMacsThatWouldRepeat() {
    let cipher = PageCipher(TestKey.make())
    let (plaintext, ciphertext) = (PageBuffers(count: 1), PageBuffers(count: 1))
    plaintext.address(0).initializeMemory(as: UInt8.self, repeating: 9, count: 4096)
    let wrapped = cipher.encrypt(plaintext.address(0), to: ciphertext.address(0), page: 3, after: .max, replacing: .none)
    #expect(wrapped.counter == 1)
    let again = cipher.encrypt(plaintext.address(0), to: ciphertext.address(0), page: 3, after: .max, replacing: wrapped)
    #expect(again.counter == 2 && !again.hasMAC(of: wrapped))
  }

  @Test(arguments: [
    (0, 0x0, 0x1000), (1, 0x40, 0x2000), (63, 0xFC0, 0x40000), (64, 0x41000, 0x42000), (127, 0x41FC0, 0x81000), (128, 0x82000, 0x83000),
  ]) func pagesLieWhereTheReferenceSays(_ page: Int, _ entry: UInt64, _ data: UInt64) {
    #expect(CipherLayout.entryOffset(page) == entry && CipherLayout.dataOffset(page) == data)
  }

  @Test func sizesAreThoseOfTheReference() {
    for (data, physical) in [
      (4096, 8192), (4097, 12288), (258048, 262144), (262144, 270336), (266240, 274432), (524288, 536576),
    ] as [(UInt64, UInt64)] {
      #expect(CipherLayout.physicalByteCount(plaintext: data) == physical, "\(data)")
    }
    for (physical, plain) in [
      (0, 0), (4096, 0), (8192, 4096), (266240, 262144), (270336, 262144), (274432, 266240),
    ] as [(UInt64, UInt64)] {
      #expect(CipherLayout.plaintextByteCount(physical: physical) == plain, "\(physical)")
    }
    for pages in 1...200 {
      let data = UInt64(pages * 4096)
      #expect(CipherLayout.plaintextByteCount(physical: CipherLayout.physicalByteCount(plaintext: data)) == data)
    }
  }

  @Test func aKeyHasExactly64Bytes() throws {
    for count in [0, 1, 32, 63, 65, 128] {
      #expect(throws: StorageError.invalidEncryptionKey) { try EncryptionKey([UInt8](repeating: 0, count: count)) }
    }
    #expect(throws: StorageError.invalidEncryptionKey) { try EncryptionKey(hexadecimal: TestKey.hexadecimal() + "0") }
    #expect(throws: StorageError.invalidEncryptionKey) { try EncryptionKey(hexadecimal: "g" + TestKey.hexadecimal().dropFirst()) }
    let (a, b) = (TestKey.make(), try EncryptionKey(hexadecimal: TestKey.hexadecimal().uppercased()))
    #expect(a.withBytes { Array($0) } == b.withBytes { Array($0) })
  }
}

/// So many letters `a`, with their SHA-1 and SHA-256.
private let digestsOfLetters = [
  (0, "da39a3ee5e6b4b0d3255bfef95601890afd80709", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  (1, "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
  (55, "c1c8bbdc22796e28c0e15163d20899b65621d65a", "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
  (56, "c2db330f6083854c99d4b5bfb6e8f29f201be699", "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
  (63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5", "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
  (64, "0098ba824b5c16427bd7a1122a5a442a25ec644d", "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
  (65, "11655326c708d70319be2610e8a57d9a5b959d3b", "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
  (119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56", "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
  (120, "f34c1488385346a55709ba056ddd08280dd4c6d6", "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
  (1000, "291e9a6c66994949b57ba5e650361e98fc36b1ba", "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
]
