package import RealmStorage

extension ImportSource {
  /// Whether the text is JSON lines, whatever it is called: an object in one line, which is no longer than a megabyte, and another one behind it.
  package func beginsWithLines() throws(StorageError) -> Bool {
    try rewind()
    _ = try readMore(from: 0)
    var reader = JSONReader(buffer, (buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)..<buffer.count, duplicates: .first)
    reader.skipBlanks()
    let first = reader.line
    do throws(ImportProblem) {
      guard case .object = try reader.value(), reader.line == first, reader.take("{") else { return false }
      return reader.line > first
    } catch { return false }
  }
}
