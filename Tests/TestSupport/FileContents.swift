import RealmInspection
import RealmStorage

/// A file's newest version, as a reader beside the database sees it.
package enum FileContents {
  /// The contents of all tables as canonical JSON.
  package static func json(_ path: String, key: EncryptionKey? = nil) throws -> [UInt8] {
    let sink = MemorySink()
    try Exporter(OpenFile(path: path, key: key), digestLimit: nil, to: sink).writeJSON()
    return sink.bytes
  }

  /// What verification has against it.
  package static func violations(_ path: String, key: EncryptionKey? = nil) throws -> [String] {
    try OpenFile(path: path, key: key).verify().violations
  }

  /// The same for a file whose schema may be damaged.
  package static func violations(damaged path: String) throws -> [String] { try OpenFile(path: path, depth: .header).verify().violations }

  /// Oddities in a file that the format allows.
  package static func notes(_ path: String) throws -> [String] { try OpenFile(path: path).verify().notes }

  package static func top(_ path: String, key: EncryptionKey? = nil) throws -> Ref { try OpenFile(path: path, key: key).top }
  package static func format(_ path: String, key: EncryptionKey? = nil) throws -> Int { Int(try OpenFile(path: path, key: key).format) }
}
