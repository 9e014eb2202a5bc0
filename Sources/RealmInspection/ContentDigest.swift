#if Encryption
  import Crypto
#else
  import RealmStorage
#endif

/// The SHA-256 of contents, which stands for them where they are too long.
package struct ContentDigest {
  #if Encryption
    private var hash = SHA256()
  #else
    private var hash = SHA256Digest()
  #endif

  package init() {}

  package mutating func update(_ bytes: [UInt8]) {
    #if Encryption
      // SAFETY: the buffer is read inside the closure only.
      unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    #else
      hash.update(bytes)
    #endif
  }

  /// In lower-case hexadecimal digits.
  package func finish() -> String {
    var digits: [UInt8] = []
    CanonicalJSON.appendHex(hash.finalize(), to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }
}
