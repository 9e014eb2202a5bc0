package import Changesets
internal import RealmSync
package import RealmStorage

/// What the commits of a file that synchronises left for the server, and which of them came from there. Source: Y2.
package struct SyncEntries {
  /// What a stored changeset turns out to be.
  package enum Content {
    /// No instruction.
    case nothing
    case changeset(Changeset)
    /// The reason.
    case unreadable(String)
  }

  package struct Entry {
    /// What the commit made.
    package let version: UInt64
    /// The file that made the changes; 0 is this one.
    package let origin: UInt64
    package let time: Timestamp
    /// On which version of the server's history the changes are based, or for those of others which one they are.
    package let serverVersion: UInt64
    package let changeset: Content
    /// What merging with downloads has made of the changeset; nil while it is as it was.
    package let reciprocal: Content?
    /// Whether the server does not have it yet.
    package let waitsForUpload: Bool
  }

  /// Keeps the mapping alive.
  private let file: OpenFile
  private let history: SyncHistory
  package let status: SyncStatus
  package let count: Int
  /// Entry i is of this version plus i + 1.
  package let baseVersion: UInt64

  /// - Returns: nil for a file that does not synchronise, or whose history has a form that is not read here.
  /// - Throws: `.corruptNode` for a damaged history, or more entries than versions.
  package init?(_ file: OpenFile) throws(StorageError) {
    guard let group = file.group, group.hasSyncHistory else { return nil }
    self.file = file
    history = SyncHistory(root: group.historyRef)
    status = try history.status(file.space, fileIdent: group.syncFileID)
    count = try history.count(file.space)
    baseVersion = try history.firstBase(file.space, version: group.version)
  }

  /// The entries with changes that the server does not have yet, and the size of each.
  package func waiting() throws(StorageError) -> [(index: Int, byteCount: UInt64)] {
    try history.changes(file.space, from: Int(clamping: max(status.upload.clientVersion, baseVersion) - baseVersion))
  }

  /// What the copy that is saved of a file's objects does not have; nil if the file does not synchronise.
  package static func lossOfSalvage(_ file: OpenFile) -> String? {
    guard file.group?.synchronises == true else { return nil }
    let start = "the synchronisation, in which the new file takes no part; "
    do throws(StorageError) {
      guard let count = try SyncEntries(file)?.waiting().count else { return start + "what was not uploaded stays in this file only" }
      return start + (count == 0 ? "everything was uploaded" : "transactions that were not uploaded and stay in this file only: \(count)")
    } catch { return start + "what was not uploaded is unknown: \(error.damage)" }
  }

  /// - Returns: nil if the version has no entry.
  package func entry(ofVersion version: UInt64) throws(StorageError) -> Entry? {
    guard version > baseVersion, version - baseVersion <= UInt64(count) else { return nil }
    let stored = try history.entry(file.space, Int(version - baseVersion - 1))
    let milliseconds = stored.timestamp % 1000
    let seconds = Int64(clamping: stored.timestamp / 1000 + SyncEntry.epochSeconds)
    return Entry(
      version: version, origin: stored.origin, time: Timestamp(seconds: seconds, nanoseconds: Int32(milliseconds) * 1_000_000),
      serverVersion: stored.serverVersion, changeset: stored.changeset.map { content($0, version) } ?? .nothing,
      reciprocal: stored.reciprocal.map { content($0, version) },
      waitsForUpload: stored.isUploaded && version > status.upload.clientVersion)
  }

  private func content(_ stored: [UInt8], _ version: UInt64) -> Content {
    if stored.isEmpty { return .nothing }
    do throws(SyncError) { return .changeset(try StoredChangeset.changeset(stored, version: version)) } catch {
      if case .unreadable(_, let reason) = error { return .unreadable(reason) }
      return .unreadable("\(error)")
    }
  }
}
