package import RealmStorage

/// The bytes of an input file, a piece at a time: what was consumed is forgotten, so that memory does not grow with the file.
package final class ImportSource {
  private static let pieceByteCount = 1 << 20
  private let file: FileStorage
  package let byteCount: UInt64
  /// What was read and is still needed.
  private(set) var buffer: [UInt8] = []
  /// Of the file, where the next piece begins.
  private var nextOffset: UInt64 = 0
  private(set) var isComplete = false

  package init(path: String) throws(StorageError) {
    file = try FileStorage(path: path, mode: .readOnly)
    byteCount = try file.byteCount()
  }

  /// Bytes of the file that are behind `position` in the buffer.
  func consumed(_ position: Int) -> UInt64 { nextOffset - UInt64(buffer.count - position) }

  /// Forgets what lies before `position` and reads on, at least as much as is kept; the position is 0 afterwards.
  /// - Returns: false at the end of the file, where nothing changes.
  func readMore(from position: Int) throws(StorageError) -> Bool {
    if isComplete { return false }
    let piece = try file.read(max(ImportSource.pieceByteCount, buffer.count - position), at: nextOffset)
    if piece.isEmpty {
      isComplete = true
      return false
    }
    nextOffset += UInt64(piece.count)
    buffer.removeSubrange(..<position)
    buffer += piece
    return true
  }

  /// Begins again.
  func rewind() throws(StorageError) {
    (buffer, nextOffset, isComplete) = ([], 0, false)
  }
}
