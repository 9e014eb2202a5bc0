#if Encryption && canImport(CCryptoBoringSSL)
  // The library inside swift-crypto, which has no product of its own. No public API of that package has SHA-224, and plain Swift needs ten
  // times as long for it (E13); where this import is not to be had, `PortableCipherCore` takes over.
  internal import CCryptoBoringSSL

  /// Uses the processor's AES and SHA instructions where there are any.
  enum BoringCipherCore: PageCipherCore {
    // SAFETY: the callers pass keys, pages and vectors of the sizes that `PageCipherCore` names; the library sees them as plain bytes, and an
    // `AES_KEY` only where a `State` has one.

    struct State {
      var encryption: AES_KEY
      var decryption: AES_KEY
      /// The AES key itself, for `encrypt` of several pages.
      var key: SIMD32<UInt8>
      /// SHA-224 after the block of the key, inside and outside (RFC 2104).
      var inner: SHA256_CTX
      var outer: SHA256_CTX
    }

    static func prepare(_ state: UnsafeMutablePointer<State>, key: UnsafeRawPointer) {
      let bytes = unsafe key.assumingMemoryBound(to: UInt8.self)
      unsafe CCryptoBoringSSL_AES_set_encrypt_key(bytes, 256, &state.pointee.encryption)
      unsafe CCryptoBoringSSL_AES_set_decrypt_key(bytes, 256, &state.pointee.decryption)
      unsafe state.pointee.key = UnsafeRawPointer(bytes).loadUnaligned(as: SIMD32<UInt8>.self)
      unsafe begin(&state.pointee.inner, bytes + 32, pad: 0x36)
      unsafe begin(&state.pointee.outer, bytes + 32, pad: 0x5C)
    }

    private static func begin(_ context: UnsafeMutablePointer<SHA256_CTX>, _ key: UnsafePointer<UInt8>, pad: UInt8) {
      var block = [UInt8](repeating: pad, count: 64)
      for index in 0..<32 { unsafe block[index] ^= key[index] }
      unsafe CCryptoBoringSSL_SHA224_Init(context)
      unsafe CCryptoBoringSSL_SHA224_Update(context, block, block.count)
      wipeMemory(of: &block)
    }

    static func authenticate(_ state: UnsafePointer<State>, _ data: UnsafeRawPointer, to mac: UnsafeMutableRawPointer) {
      let place = unsafe mac.assumingMemoryBound(to: UInt8.self)
      var context = unsafe state.pointee.inner
      unsafe CCryptoBoringSSL_SHA224_Update(&context, data, CipherLayout.pageByteCount)
      unsafe CCryptoBoringSSL_SHA224_Final(place, &context)
      context = unsafe state.pointee.outer
      unsafe CCryptoBoringSSL_SHA224_Update(&context, mac, Int(SHA224_DIGEST_LENGTH))
      unsafe CCryptoBoringSSL_SHA224_Final(place, &context)
    }

    static func encrypt(
      _ state: UnsafePointer<State>, _ plaintext: UnsafeRawPointer, to ciphertext: UnsafeMutableRawPointer, vector: UnsafeMutableRawPointer
    ) {
      unsafe crypt(plaintext, ciphertext, key(state, encryptionOffset), vector, AES_ENCRYPT)
    }

    static func decrypt(
      _ state: UnsafePointer<State>, _ ciphertext: UnsafeRawPointer, to plaintext: UnsafeMutableRawPointer, vector: UnsafeMutableRawPointer
    ) {
      unsafe crypt(ciphertext, plaintext, key(state, decryptionOffset), vector, AES_DECRYPT)
    }

    /// In steps of one block of each page: the library encrypts independent blocks (ECB) side by side, which makes CBC of many pages at once
    /// three times as fast as one page after the other.
    static func encrypt(_ state: UnsafePointer<State>, _ pages: UnsafeMutableBufferPointer<PageEncryption>) {
      guard pages.count > 2, let context = unsafe CCryptoBoringSSL_EVP_CIPHER_CTX_new() else { return unsafe encryptEach(state, pages) }
      // Wipes its key schedule.
      defer { unsafe CCryptoBoringSSL_EVP_CIPHER_CTX_free(context) }
      let key = unsafe (UnsafeRawPointer(state) + keyOffset).assumingMemoryBound(to: UInt8.self)
      guard unsafe CCryptoBoringSSL_EVP_EncryptInit_ex(context, CCryptoBoringSSL_EVP_aes_256_ecb(), nil, key, nil) == 1,
        unsafe encryptLanes(context, pages)
      else { return unsafe encryptEach(state, pages) }
    }

    private static func encryptEach(_ state: UnsafePointer<State>, _ pages: UnsafeMutableBufferPointer<PageEncryption>) {
      for index in 0..<pages.count {
        let page = unsafe pages[index]
        var vector = unsafe page.vector
        unsafe withUnsafeMutableBytes(of: &vector) {
          unsafe encrypt(state, page.plaintext, to: page.ciphertext, vector: $0.baseAddress!)
        }
      }
    }

    /// - Returns: false if the library refuses; the vectors are as they were then.
    private static func encryptLanes(
      _ context: UnsafeMutablePointer<EVP_CIPHER_CTX>, _ pages: UnsafeMutableBufferPointer<PageEncryption>
    ) -> Bool {
      typealias Block = SIMD2<UInt64>
      let (count, step) = (pages.count, MemoryLayout<Block>.stride)
      return unsafe withUnsafeTemporaryAllocation(of: Block.self, capacity: count) { blocks in
        let chain = blocks.baseAddress!
        let bytes = unsafe UnsafeMutableRawPointer(chain).assumingMemoryBound(to: UInt8.self)
        for lane in 0..<count { unsafe chain[lane] = pages[lane].vector ^ pages[lane].plaintext.loadUnaligned(as: Block.self) }
        var offset = 0
        while true {
          guard unsafe CCryptoBoringSSL_EVP_Cipher(context, bytes, bytes, count * step) == 1 else { return false }
          let next = offset + step
          if next == CipherLayout.pageByteCount { break }
          // What comes out goes to the page and into the next block.
          for lane in 0..<count {
            let block = unsafe chain[lane]
            unsafe pages[lane].ciphertext.storeBytes(of: block, toByteOffset: offset, as: Block.self)
            unsafe chain[lane] = block ^ pages[lane].plaintext.loadUnaligned(fromByteOffset: next, as: Block.self)
          }
          offset = next
        }
        for lane in 0..<count { unsafe pages[lane].ciphertext.storeBytes(of: chain[lane], toByteOffset: offset, as: Block.self) }
        return true
      }
    }
    private static let keyOffset = MemoryLayout<State>.offset(of: \.key)!

    // In place, so that no copies of round keys are left on stacks.
    private static let encryptionOffset = MemoryLayout<State>.offset(of: \.encryption)!
    private static let decryptionOffset = MemoryLayout<State>.offset(of: \.decryption)!
    private static func key(_ state: UnsafePointer<State>, _ offset: Int) -> UnsafePointer<AES_KEY> {
      unsafe (UnsafeRawPointer(state) + offset).assumingMemoryBound(to: AES_KEY.self)
    }

    private static func crypt(
      _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ key: UnsafePointer<AES_KEY>, _ vector: UnsafeMutableRawPointer,
      _ direction: Int32
    ) {
      unsafe CCryptoBoringSSL_AES_cbc_encrypt(
        source.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt8.self), CipherLayout.pageByteCount, key,
        vector.assumingMemoryBound(to: UInt8.self), direction)
    }
  }
#endif
