import RealmStorage

/// What the first bytes of a file look like, without its key.
package enum FileKind: Sendable {
  case plain, encrypted, other

  /// A file that cannot be read is `.other`.
  package init(_ path: String) {
    do throws(StorageError) {
      let file = try FileStorage(path: path, mode: .readOnly)
      self = FileKind(try file.read(64, at: 0), byteCount: try file.byteCount())
    } catch { self = .other }
  }

  /// The header of a plain file has its four letters in one place. An encrypted one is a page that says of each following page how often it was
  /// written and two codes (E3), which no text looks like; the number is small.
  private init(_ head: [UInt8], byteCount: UInt64) {
    self = .other
    guard head.count == 64 else {
      if head.count >= 24, head[16..<20].elementsEqual("T-DB".utf8) { self = .plain }
      return
    }
    let counter = head[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    if head[16..<20].elementsEqual("T-DB".utf8) {
      self = .plain
    } else if byteCount.isMultiple(of: 4096), byteCount >= 8192, counter > 0, counter < 1 << 24 {
      self = .encrypted
    }
  }
}
