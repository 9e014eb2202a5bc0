extension FileOpening {
  /// Whether an initiator would have to convert, complete or upgrade the file before others can join.
  static func needsRepair(path: String, options: DatabaseOptions) throws(StorageError) -> Bool {
    let storage = try options.storage(path, .readOnly)
    let byteCount = try storage.byteCount()
    let header = try FileHeader.read(from: storage)
    if header.isStreaming || byteCount % FreeSpace.pageByteCount != 0 { return true }
    return !header.selectedTopRef.isNull && header.selectedFormat != FileHeader.currentFormat
  }

  /// What a session on this file agrees on: that of the file's own history, or ours.
  static func historyOptions(
    path: String, options: DatabaseOptions
  ) throws(StorageError) -> (type: SessionOptions.HistoryType, schema: UInt16) {
    let file = try FileOpening(path: path, options: options, mayRepair: false, readsTop: true, mode: .readOnly).run()
    switch file.historyType {
    case 3: return (.syncClient, 12)
    case 4: return (.syncServer, 20)
    default: return (.inRealm, UInt16(HistoryTree.schemaVersion))
    }
  }
}
