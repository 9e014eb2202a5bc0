/// The first 24 bytes of a file, and of a streaming file also what its footer says. F1.
package struct FileHeader: Equatable, Sendable {
  package static let byteCount = 24
  package static let footerByteCount = 16
  /// Behind the two top refs; F1.1.
  private static let mnemonicOffset = 16
  private static let formatsOffset = 20
  private static let reservedOffset = 22
  private static let flagsOffset = 23
  /// `T-DB`, read little-endian.
  static let mnemonic: UInt32 = 0x4244_2D54
  static let footerCookie: UInt64 = 0x3034_1252_37E5_26C8
  /// The file format this engine writes.
  package static let currentFormat: UInt8 = 24
  /// A new file is extended to this before its header is written.
  package static let initialByteCount: UInt64 = 4096

  /// Of slots 0 and 1.
  package private(set) var topRefs: [UInt64]
  package private(set) var formats: [UInt8]
  /// Byte 22 as found; preserved.
  package private(set) var reserved: UInt8
  /// Byte 23 as found; bit 0 selects the slot, the others are preserved.
  package private(set) var flags: UInt8
  /// The top ref of the footer while the file is in streaming form, else nil.
  package private(set) var footerTopRef: UInt64?

  /// The header of a new database, without any top array.
  package init() {
    topRefs = [0, 0]
    formats = [0, 0]
    reserved = 0
    flags = 0
  }

  package var selectedSlot: Int { Int(flags & 1) }
  package var isStreaming: Bool { flags & 1 == 0 && topRefs[0] == .max }
  /// Null in a database that was never committed to.
  package var selectedTopRef: Ref { Ref(isStreaming ? footerTopRef ?? 0 : topRefs[selectedSlot]) }
  /// As stored; 0 in a database that was never committed to. Whether it is supported is for the opener to say (F11).
  package var selectedFormat: UInt8 { formats[selectedSlot] }

  package var encoded: [UInt8] {
    littleEndian(topRefs[0]) + littleEndian(topRefs[1]) + littleEndian(UInt64(Self.mnemonic))[..<4]
      + [formats[0], formats[1], reserved, flags]
  }

  /// The header of a file in streaming form, which is written front to back and ends with ``footer(topRef:)`` (F1.3).
  package static func streamingHeader(format: UInt8 = currentFormat) -> [UInt8] {
    var header = FileHeader()
    header.topRefs[0] = .max
    header.formats[0] = format
    return header.encoded
  }

  package static func footer(topRef: Ref) -> [UInt8] { littleEndian(topRef.byteOffset) + littleEndian(footerCookie) }
}

private func littleEndian(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

private func readLittleEndian(_ bytes: [UInt8], at start: Int, count: Int = 8) -> UInt64 {
  (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << ($1 * 8) }
}

// MARK: - Reading

extension FileHeader {
  /// Reads and validates header and, in streaming form, footer, before anything is written to the file.
  /// - Parameter hasKey: an encryption key was given, so `storage` shows decrypted bytes; nil to ask it.
  /// - Throws: `.invalidDatabase` with the texts of T6.2. An empty file is an error too: who may write
  ///   initialises it first.
  package static func read(from storage: any Storage, hasKey: Bool? = nil) throws(StorageError) -> FileHeader {
    do throws(StorageError) {
      return try readDecrypted(from: storage, hasKey: hasKey ?? (storage.encryptionKey != nil))
    } catch {
      throw error.whileOpening
    }
  }

  private static func readDecrypted(from storage: any Storage, hasKey: Bool) throws(StorageError) -> FileHeader {
    var start = try storage.read(byteCount, at: 0)
    while true {
      do throws(StorageError) { return try decoded(start, storage, hasKey: hasKey) } catch {
        // A file may become shorter between the two looks at it, after its header has changed.
        let again = try storage.read(byteCount, at: 0)
        if again == start { throw error }
        start = again
      }
    }
  }

  /// - Parameter start: read before the file's length is asked for: a file that grows meanwhile is never shorter than the top ref demands.
  private static func decoded(_ start: [UInt8], _ storage: any Storage, hasKey: Bool) throws(StorageError) -> FileHeader {
    let fileByteCount = try storage.byteCount()
    guard fileByteCount > 0 else {
      throw .invalidDatabase(path: storage.path, reason: "Read-only access to empty Realm file")
    }
    guard storage.encryptionKey == nil || fileByteCount.isMultiple(of: UInt64(CipherLayout.pageByteCount)) else {
      throw .invalidDatabase(path: storage.path, reason: "file has an invalid size (\(fileByteCount)).")
    }
    // Only a file in streaming form has a footer; the last page of others may be one that was never written.
    let isStreaming = start.count == byteCount && start[flagsOffset] & 1 == 0 && start[..<8].allSatisfy { $0 == 0xFF }
    let end =
      !isStreaming || fileByteCount < UInt64(byteCount + footerByteCount)
      ? [] : try storage.read(footerByteCount, at: fileByteCount - UInt64(footerByteCount))
    return try FileHeader(start: start, end: end, fileByteCount: fileByteCount, path: storage.path, hasKey: hasKey)
  }

  /// - Parameters:
  ///   - start: the file's first 24 bytes.
  ///   - end: the file's last 16 bytes; empty if it has fewer than 40.
  package init(start: [UInt8], end: [UInt8], fileByteCount: UInt64, path: String, hasKey: Bool) throws(StorageError) {
    func invalid(_ reason: String) -> StorageError { .invalidDatabase(path: path, reason: reason) }
    guard fileByteCount >= UInt64(Self.byteCount), start.count >= Self.byteCount else {
      throw invalid("file is non-empty but too small (\(fileByteCount) bytes) to be a valid Realm.")
    }
    guard fileByteCount.isMultiple(of: 8) else { throw invalid("file has an invalid size (\(fileByteCount)).") }

    topRefs = [readLittleEndian(start, at: 0), readLittleEndian(start, at: 8)]
    formats = [start[Self.formatsOffset], start[Self.formatsOffset + 1]]
    reserved = start[Self.reservedOffset]
    flags = start[Self.flagsOffset]
    // Every commit reads the header, and hardly ever is this text wanted.
    var dump: String { Self.dump(start) }
    guard readLittleEndian(start, at: Self.mnemonicOffset, count: 4) == UInt64(Self.mnemonic) else {
      let guess =
        hasKey
        ? "The file does not appear to be Realm file."
        : "The file is either not a Realm file, is an encrypted Realm file but no encryption key was supplied, or is corrupted."
      throw invalid("header has invalid mnemonic. \(guess)\(dump)")
    }
    if isStreaming {
      guard fileByteCount >= UInt64(Self.byteCount + Self.footerByteCount), end.count >= Self.footerByteCount else {
        throw invalid("file is in streaming format but too small (\(fileByteCount) bytes) to be a valid Realm.")
      }
      let cookie = readLittleEndian(end, at: 8)
      guard cookie == Self.footerCookie else {
        throw invalid(
          "file is in streaming format but has an invalid footer cookie (\(cookie)). The file is probably truncated.")
      }
      footerTopRef = readLittleEndian(end, at: 0)
    }
    let topRef = selectedTopRef.byteOffset
    guard topRef.isMultiple(of: 8) else { throw invalid("top ref is not aligned\(dump)") }
    guard topRef < fileByteCount else {
      throw invalid(
        "top ref is outside of the file (size: \(fileByteCount), top_ref: \(topRef)). "
          + "The file has probably been truncated.\(dump)")
    }
  }

  /// The header's fields as upstream prints them behind errors about the mnemonic and the top ref.
  private static func dump(_ start: [UInt8]) -> String {
    func hex(_ value: UInt64) -> String { String(value, radix: 16, uppercase: true) }
    let mnemonic = start[mnemonicOffset..<formatsOffset].map { hex(UInt64($0)) }.joined(separator: " ")
    return " top_ref[0]: \(hex(readLittleEndian(start, at: 0))), top_ref[1]: \(hex(readLittleEndian(start, at: 8))), "
      + "mnemonic: \(mnemonic), fmt[0]: \(start[formatsOffset]), fmt[1]: \(start[formatsOffset + 1]), "
      + "flags: \(hex(UInt64(start[flagsOffset])))"
  }
}

// MARK: - Writing

extension FileHeader {
  /// Turns an empty file into a database without any commit: one allocated page with the empty header, durable on return.
  package static func initialize(_ storage: any Storage, isDurable: Bool = true) throws(StorageError) -> FileHeader {
    let header = FileHeader()
    try storage.extend(from: 0, to: initialByteCount)
    try storage.write(header.encoded, at: 0)
    if isDurable { try storage.sync() } else { try storage.flush() }
    return header
  }

  /// Step 6 of a commit, first half: fills the slot that is not selected. The caller syncs before it calls ``flip(on:)``.
  package mutating func writeUnselectedSlot(topRef: Ref, format: UInt8 = currentFormat, to storage: any Storage) throws(StorageError) {
    let slot = 1 - selectedSlot
    try storage.write(littleEndian(topRef.byteOffset), at: UInt64(slot * 8))
    topRefs[slot] = topRef.byteOffset
    if formats[slot] == format { return }
    try storage.write([format], at: UInt64(Self.formatsOffset + slot))
    formats[slot] = format
  }

  /// Step 6 of a commit, second half: one byte makes the other slot current. The caller syncs again, and if that fails calls this
  /// once more to take the flip back (T8.9).
  package mutating func flip(on storage: any Storage) throws(StorageError) {
    try storage.write([flags ^ 1], at: UInt64(Self.flagsOffset))
    flags ^= 1
  }

  /// Selects what was selected when the flags were these. The caller sees to it that it reaches the disk.
  package static func restore(flags: UInt8, on storage: any Storage) throws(StorageError) {
    try storage.write([flags], at: UInt64(flagsOffset))
  }

  /// Gives a streaming file the normal form: slot 1 from the footer, barrier, select, barrier (F1.3). Without effect on other files.
  /// Slot 0 stays all ones until the next commit; the caller extends the file to whole pages.
  package mutating func convertFromStreaming(on storage: any Storage, isDurable: Bool = true) throws(StorageError) {
    guard isStreaming, let topRef = footerTopRef else { return }
    try writeUnselectedSlot(topRef: Ref(topRef), format: formats[0], to: storage)
    if isDurable { try storage.sync() }
    try flip(on: storage)
    if isDurable { try storage.sync() } else { try storage.flush() }
    footerTopRef = nil
  }
}
