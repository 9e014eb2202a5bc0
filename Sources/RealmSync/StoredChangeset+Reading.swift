package import Changesets
internal import Compression
package import RealmStorage

extension StoredChangeset {
  /// The largest changeset that is taken from a file: no message is larger.
  package static let byteLimit: UInt64 = 64 << 20

  /// The two first bytes of a zlib stream, which are not stored.
  private static let streamHeader: [UInt8] = [0x78, 0x5e]

  /// The changeset as it is passed on.
  /// - Parameter version: the one that it made, for the error.
  /// - Throws: `.unreadable`.
  package static func bytes(_ stored: [UInt8], version: UInt64) throws(SyncError) -> [UInt8] {
    let changeset: StoredChangeset
    do throws(StorageError) { changeset = try StoredChangeset(stored) } catch { throw .unreadable(version: version, "\(error)") }
    guard changeset.byteCount <= byteLimit else { throw .unreadable(version: version, "it is larger than \(byteLimit) bytes") }
    switch changeset.algorithm {
    case .none: return Array(changeset.data)
    case .deflate:
      guard let bytes = Compression.inflated(streamHeader + changeset.data, byteCount: Int(changeset.byteCount)) else {
        throw .unreadable(version: version, "it is damaged: zlib cannot decompress it to \(changeset.byteCount) bytes")
      }
      return bytes
    case .lzfse:
      throw .unreadable(version: version, "it is compressed with LZFSE, which only Apple's systems can read; synchronise the file there first")
    }
  }

  /// The form of a changeset in a value of an object, which holds less than a changeset may have: a longer one is compressed, as the original compresses
  /// every one.
  static func storeInValue(_ changeset: [UInt8]) -> [UInt8] {
    let stored = store(changeset)
    guard stored.count > BinaryLeaf.byteLimit, changeset.count <= byteLimit else { return stored }
    return store(Compression.deflated(changeset).dropFirst(streamHeader.count), .deflate, byteCount: changeset.count)
  }

  /// The changeset with its instructions.
  /// - Throws: `.unreadable`.
  package static func changeset(_ stored: [UInt8], version: UInt64) throws(SyncError) -> Changeset {
    let bytes = try bytes(stored, version: version)
    do throws(ChangesetError) { return try Changeset(parsing: bytes) } catch { throw .unreadable(version: version, "\(error)") }
  }
}
