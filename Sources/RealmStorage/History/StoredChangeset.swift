/// The form in which a changeset lies in a file: how it is compressed and how long it is, then its bytes. Source: Y2.2.
package struct StoredChangeset: Equatable, Sendable {
  /// What the bytes are compressed with. Which of them can be read depends on who reads.
  package enum Algorithm: UInt8, Sendable {
    case none = 0
    /// A zlib stream without its first two bytes.
    case deflate = 1
    /// What Apple's builds of the original write.
    case lzfse = 2
  }

  /// How `data` came to be.
  package let algorithm: Algorithm
  /// The size before compression.
  package let byteCount: UInt64
  /// The changeset, compressed or not.
  package let data: ArraySlice<UInt8>

  /// Takes stored bytes apart; nothing at all is a changeset without instructions.
  /// - Throws: `.invalidArgument` that says what is wrong with them.
  package init(_ stored: [UInt8]) throws(StorageError) {
    guard let first = stored.first else {
      (algorithm, byteCount, data) = (.none, 0, [])
      return
    }
    let width = Int(first & 0xF)
    guard let algorithm = Algorithm(rawValue: first >> 4) else {
      throw .invalidArgument(reason: "a stored changeset is compressed by an unknown algorithm, \(first >> 4)")
    }
    guard width <= 8, stored.count > width else { throw .invalidArgument(reason: "a stored changeset ends within its size") }
    self.algorithm = algorithm
    byteCount = stored[1..<width + 1].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    data = stored[(width + 1)...]
    guard algorithm != .none || byteCount == UInt64(data.count) else {
      throw .invalidArgument(reason: "a stored changeset of \(byteCount) bytes has \(data.count)")
    }
  }

  /// The stored form of a changeset, which every reader of the format understands.
  package static func store(_ changeset: [UInt8]) -> [UInt8] {
    changeset.isEmpty ? [] : store(changeset[...], .none, byteCount: changeset.count)
  }

  /// The stored form of a changeset, not an empty one, that was compressed.
  package static func store(_ data: ArraySlice<UInt8>, _ algorithm: Algorithm, byteCount: Int) -> [UInt8] {
    var (size, bytes) = (byteCount, [UInt8]())
    while size > 0 {
      bytes.append(UInt8(truncatingIfNeeded: size))
      size >>= 8
    }
    return [algorithm.rawValue << 4 | UInt8(bytes.count)] + bytes + data
  }
}
