import RealmStorage

/// Encryption keys for tests, told apart by a number.
package enum TestKey {
  package static func bytes(_ number: UInt8 = 1) -> [UInt8] {
    (0..<64).map { UInt8(truncatingIfNeeded: Int($0) * 37 + Int(number) * 101) }
  }
  package static func make(_ number: UInt8 = 1) -> EncryptionKey { try! EncryptionKey(bytes(number)) }
  package static func hexadecimal(_ number: UInt8 = 1) -> String {
    bytes(number).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  package static func options(_ number: UInt8? = 1) -> DatabaseOptions {
    var options = DatabaseOptions()
    options.encryptionKey = number.map { make($0) }
    return options
  }
}
