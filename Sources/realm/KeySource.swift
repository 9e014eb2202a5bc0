import ArgumentParser
import RealmInspection
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the keys of encrypted files come from (Documentation/CommandLine.md, "Common rules").
enum KeySource {
  /// The variable `REALM_KEY`; nil if it is not set, or empty.
  static var variable: String? {
    guard let value = unsafe getenv("REALM_KEY") else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// - Throws: `ValidationError` naming the `source` of digits that are no key.
  static func check(_ digits: String?, _ source: String) throws {
    guard let digits else { return }
    do throws(StorageError) { _ = try EncryptionKey(hexadecimal: digits) } catch {
      throw ValidationError("\(source) needs 128 hexadecimal digits: the encryption key must be 64 bytes.")
    }
  }

  static func key(digits: String?, file: String?) throws(StorageError) -> EncryptionKey? {
    if let file { return try EncryptionKey.inFile(file) }
    if let digits { return try EncryptionKey(hexadecimal: digits) }
    return nil
  }
}
