#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The 64 bytes that encrypt a file: 32 for the cipher, 32 for the mac. E2.
///
/// The bytes lie in memory of their own, which is overwritten when the last reference goes or `wipe` is called.
@safe package final class EncryptionKey: @unchecked Sendable {
  // SAFETY: `bytes` points to 64 bytes from `init` to `deinit`. They change only in `wipe`; whoever reads them meanwhile gets a wrong key,
  // never other memory.
  private let bytes: UnsafeMutableRawPointer

  package static let byteCount = 64

  /// Whether this build has the package trait `Encryption`.
  package static var isAvailable: Bool {
    #if Encryption
      true
    #else
      false
    #endif
  }

  /// - Throws: `.invalidEncryptionKey` unless there are exactly 64 bytes; `.encryptionIsNotBuilt`.
  package init(_ key: [UInt8]) throws(StorageError) {
    guard key.count == Self.byteCount else { throw .invalidEncryptionKey }
    // The ciphers in plain Swift, which would do, take ten times as long and tell by their time what they work on.
    guard Self.isAvailable else { throw .encryptionIsNotBuilt }
    unsafe bytes = .allocate(byteCount: Self.byteCount, alignment: 16)
    unsafe key.withUnsafeBytes { unsafe bytes.copyMemory(from: $0.baseAddress!, byteCount: Self.byteCount) }
  }

  /// 128 hexadecimal digits.
  package convenience init(hexadecimal text: String) throws(StorageError) {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 2 * Self.byteCount, !digits.contains(nil) else { throw .invalidEncryptionKey }
    var key: [UInt8] = []
    for index in 0..<Self.byteCount { key.append(UInt8(digits[2 * index]! << 4 | digits[2 * index + 1]!)) }
    try self.init(key)
    wipeMemory(of: &key)
  }

  private init(copying other: EncryptionKey) {
    unsafe bytes = .allocate(byteCount: Self.byteCount, alignment: 16)
    unsafe bytes.copyMemory(from: other.bytes, byteCount: Self.byteCount)
  }

  deinit {
    wipe()
    unsafe bytes.deallocate()
  }

  /// Another object with the same key, to be wiped on its own.
  package func copy() -> EncryptionKey { EncryptionKey(copying: self) }

  /// Overwrites the key; whoever uses this object afterwards fails to decrypt anything.
  package func wipe() { unsafe wipeMemory(bytes, Self.byteCount) }

  var isWiped: Bool { unsafe withBytes { unsafe $0.allSatisfy { $0 == 0 } } }

  /// Lends the bytes.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    unsafe body(UnsafeRawBufferPointer(start: bytes, count: Self.byteCount))
  }
}

/// Overwrites memory with zeros, although nobody reads it afterwards.
func wipeMemory(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
  #if canImport(Glibc) || canImport(Musl)
    unsafe explicit_bzero(start, byteCount)
  #else
    _ = unsafe memset_s(start, byteCount, 0, byteCount)
  #endif
}
func wipeMemory(of bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { unsafe wipeMemory(start, $0.count) } }
}
