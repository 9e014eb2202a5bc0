package import RealmStorage

/// A `.realm` file opened for looking, never for writing.
///
/// Reads the version that the header selects. The mapping lives as long as this object, and so must whatever reads through `space`.
package final class OpenFile {
  package let path: String
  package let header: FileHeader
  /// 0 in a database that was never committed to.
  package let format: Int
  package let fileByteCount: UInt64
  /// Nil in a database that was never committed to.
  package let group: GroupDescription?
  /// Bounded by the logical size; by the end of the nodes while `group` is nil.
  package let space: NodeSpace
  package let tables: [TableDescription]
  private let mapping: Mapping

  package var isStreaming: Bool { header.isStreaming }
  package var top: Ref { header.selectedTopRef }

  /// How much of the group to decode while opening.
  package enum Depth: Sendable {
    /// Top array and tables; damage there is thrown.
    case schema
    /// Only the header, for checks that report damage themselves.
    case header
  }

  /// Formats that can be read (F11).
  package static let readableFormats: [UInt8] = [10, 11, 20, 21, 22, 23, 24]

  /// - Throws: what `FileHeader` and `GroupDescription` find wrong, `.unsupportedVersion` for formats that nobody reads any more.
  package init(path: String, depth: Depth = .schema) throws(StorageError) {
    let storage = try FileStorage(path: path, mode: .readOnly)
    let header = try FileHeader.read(from: storage)
    let byteCount = try storage.byteCount()
    self.path = path
    self.header = header
    fileByteCount = byteCount
    format = Int(header.selectedFormat)
    let top = header.selectedTopRef
    guard OpenFile.readableFormats.contains(header.selectedFormat) || (format == 0 && top.isNull) else {
      throw .unsupportedVersion(path: path, version: Int(header.selectedFormat))
    }
    mapping = try Mapping(descriptor: storage.descriptor, byteCount: byteCount)
    let limit = header.isStreaming ? byteCount - UInt64(FileHeader.footerByteCount) : byteCount
    let wholeSpace = mapping.readerSpace(logicalByteCount: limit)
    guard depth == .schema && !top.isNull else {
      (group, space, tables) = (nil, wholeSpace, [])
      return
    }
    let group = try GroupDescription(space: wholeSpace, top: top)
    let space = mapping.readerSpace(logicalByteCount: group.logicalByteCount)
    self.group = group
    self.space = space
    tables = try group.allTables(space: space)
  }

  /// Every structural invariant of the version that the header selects.
  package func verify(visitor: NodeVisitor? = nil, progress: ((_ done: Int, _ total: Int) -> Void)? = nil) -> Verification {
    Verification.run(space, top: top, format: format, isStreaming: isStreaming, visitor: visitor, progress: progress)
  }
}
