/// Opens and validates the data file, and does what the session's initiator has to do with it. T6.1-T6.4.
///
/// Runs under the control mutex (or without any lock for an immutable database).
struct FileOpening {
  let path: String
  let options: DatabaseOptions
  /// Nobody else has the file open: it may be created, cut, converted.
  let mayRepair: Bool
  /// Top array and history are looked at. A joiner does not: the version the header names may change under it.
  let readsTop: Bool
  let mode: FileStorage.Mode
  /// Others use the file at the same time, by way of the lock file.
  var isShared = false

  struct Result {
    let storage: any Storage
    let mapping: Mapping
    let byteCount: UInt64
    let header: FileHeader
    let attached: AttachedFile
    let historyType: UInt64
  }

  static let acceptedFormats: [UInt8] = [24, 23, 22, 21, 20, 11, 10]

  func run() throws(StorageError) -> Result {
    do throws(StorageError) { return try open() } catch { throw error.whileOpening }
  }

  private func open() throws(StorageError) -> Result {
    if mayRepair && options.durability == .memoryOnly { _ = try emptied() }
    while true {
      let storage = try options.storage(path, mode)
      if isShared { try LockFileClaim.make(on: storage, RealmPaths(path)) }
      let header: FileHeader
      do throws(StorageError) {
        if try storage.byteCount() == 0 && mode != .readOnly { try initialize(storage) }
        header = try FileHeader.read(from: storage)
      } catch {
        guard mayRepair, case .invalidDatabase = error else { throw error }
        if try storage.isUnfinished() || options.emptiesInvalidFile {
          try storage.truncate(to: 0)
          continue
        }
        throw error
      }
      if !header.selectedTopRef.isNull && !Self.acceptedFormats.contains(header.selectedFormat) {
        guard mayRepair, header.selectedFormat != 0, try BackupFiles(path).restore() else {
          throw .unsupportedVersion(path: path, version: Int(header.selectedFormat))
        }
        continue
      }
      return try examine(storage, header)
    }
  }

  private func emptied() throws(StorageError) -> Bool {
    let storage = try options.storage(path, mode)
    guard try storage.byteCount() > 0 else { return false }
    try storage.truncate(to: 0)
    return true
  }

  private func initialize(_ storage: any Storage) throws(StorageError) {
    let isDurable = options.durability == .full
    do { _ = try FileHeader.initialize(storage, isDurable: isDurable) } catch {
      // Half a page of zeros would be no realm file.
      try? storage.truncate(to: 0)
      throw error
    }
    if isDurable { try FileStorage.sync(directoryOf: path) }
  }

  private func examine(_ storage: any Storage, _ found: FileHeader) throws(StorageError) -> Result {
    var header = found
    var byteCount = try storage.byteCount()
    let mapping = try Mapping(
      storage, byteCount: byteCount, usualSpan: options.reservedByteCount, keptByteCount: options.keptByteCount)
    let top = header.selectedTopRef
    var (version, logical, historyType) = (UInt64(1), UInt64(FileHeader.byteCount), UInt64(0))
    if !top.isNull && readsTop {
      let space = mapping.readerSpace(logicalByteCount: byteCount)
      let array = try TopArray(space, at: top)
      if let reason = array.violation(fileByteCount: byteCount) { throw .invalidDatabase(path: path, reason: reason) }
      logical = try array.logicalByteCount ?? 0
      version = max(try array.version ?? 1, 1)
      guard version < TopArray.versionLimit else { throw .invalidDatabase(path: path, reason: "Invalid version: \(version)") }
      historyType = try array.historyType
      try checkHistory(historyType, schema: try array.historySchemaVersion)
    }
    if !top.isNull && header.selectedFormat < FileHeader.currentFormat {
      let format = Int(header.selectedFormat)
      guard options.mayUpgrade else { throw .formatUpgradeRequired(path: path, version: format) }
      if mode != .readOnly && options.makesBackup { BackupFiles(path).make(of: storage.physical, format: format) }
    }
    if mayRepair {
      BackupFiles(path).removeOld()
      try header.convertFromStreaming(on: storage, isDurable: options.durability == .full)
      let page = FreeSpace.pageByteCount
      let expected = (logical + page - 1) / page * page
      if byteCount > expected {
        try storage.truncate(to: expected)
      } else if byteCount % page != 0 {
        try storage.extend(from: byteCount, to: expected)
      }
      byteCount = try storage.byteCount()
    }
    return Result(
      storage: storage, mapping: mapping, byteCount: byteCount, header: header,
      attached: AttachedFile(
        version: version, logicalByteCount: logical, topRef: top, fileNumber: isShared ? LockFileClaim.number(of: storage) : nil),
      historyType: historyType)
  }

  /// T6.3: only files without history, or with one of the type that they are opened for, are ours.
  private func checkHistory(_ type: UInt64, schema: UInt64) throws(StorageError) {
    let suffix = " Synchronized Realms cannot be opened in non-sync mode, and vice versa."
    if options.acceptsAnyHistory { return }
    let expected = options.historyType == .syncClient ? SyncHistory.type : HistoryTree.type
    guard type == 0 || type == expected else {
      let names = ["None", "Local out of Realm", "Local in-Realm", "SyncClient", "SyncServer"]
      let name = type < names.count ? names[Int(type)] : String(type)
      let mode = options.historyType == .syncClient ? "synchronized" : "local history"
      throw .incompatibleHistory(
        path: path,
        reason: "Realm file at path '\(path)' has history type '\(name)', but is being opened in \(mode) mode.\(suffix)")
    }
    let newest = type == SyncHistory.type ? SyncHistory.schemaVersion : HistoryTree.schemaVersion
    guard schema <= newest || type == 0 else {
      throw .incompatibleHistory(
        path: path, reason: "Unexpected future history schema version \(schema), current schema \(newest).\(suffix)")
    }
    guard type != SyncHistory.type || schema == newest else {
      throw .incompatibleHistory(
        path: path, reason: "The synchronisation history has schema version \(schema), which is not upgraded here; \(newest) is needed.")
    }
  }
}
