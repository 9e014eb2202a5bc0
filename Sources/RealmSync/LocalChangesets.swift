import Changesets
import Merge
import RealmStorage

/// What this file has changed and the server may not know of, in the form that merging with downloads has given it.
struct LocalChangesets {
  private let history: SyncHistory
  private let space: NodeSpace
  private let base: UInt64
  private let count: Int
  private let fileIdent: UInt64
  /// What was read, by version.
  private var changesets: [UInt64: OriginatedChangeset] = [:]
  private var changed: Set<UInt64> = []

  init(_ history: SyncHistory, _ space: NodeSpace, version: UInt64, fileIdent: UInt64) throws(SyncError) {
    (self.history, self.space, self.fileIdent) = (history, space, fileIdent)
    base = try storing { () throws(StorageError) in try history.firstBase(space, version: version) }
    count = try storing { () throws(StorageError) in try history.count(space) }
  }

  /// Transforms downloaded changesets, and what this file has changed since a version of it.
  mutating func merge(_ theirs: inout [OriginatedChangeset], after version: UInt64) throws(SyncError) {
    var versions: [UInt64] = []
    var ours: [OriginatedChangeset] = []
    let first = max(version, base)
    guard first < base + UInt64(count) else { return }
    for next in (first + 1)...(base + UInt64(count)) {
      guard let changeset = try changeset(next), !changeset.changeset.instructions.isEmpty else { continue }
      versions.append(next)
      ours.append(changeset)
    }
    if ours.isEmpty { return }
    do throws(MergeError) { try Merge.merge(&ours, &theirs) } catch { throw .contradiction(error) }
    for (version, changeset) in zip(versions, ours) { changesets[version] = changeset }
    changed.formUnion(versions)
  }

  private mutating func changeset(_ version: UInt64) throws(SyncError) -> OriginatedChangeset? {
    if let known = changesets[version] { return known }
    let entry = try storing { () throws(StorageError) in try history.entry(space, Int(version - base - 1)) }
    guard entry.isUploaded, let stored = entry.reciprocal ?? entry.changeset else { return nil }
    let changeset = OriginatedChangeset(
      try StoredChangeset.changeset(stored, version: version), timestamp: Int64(clamping: entry.timestamp), file: fileIdent)
    changesets[version] = changeset
    return changeset
  }

  /// The new forms, as they are stored.
  var reciprocals: [(version: UInt64, changeset: [UInt8])] {
    changed.sorted().map { ($0, StoredChangeset.store(changesets[$0]!.changeset.encoded())) }
  }

  /// The size of what this file changed, from one version to another.
  func byteCount(after first: UInt64, through last: UInt64) throws(SyncError) -> UInt64 {
    var total: UInt64 = 0
    try forEachUploaded(after: first, through: last) { (version, entry) throws(SyncError) in
      do throws(StorageError) { total &+= try StoredChangeset(entry.changeset ?? []).byteCount } catch {
        throw .unreadable(version: version, "\(error)")
      }
      return true
    }
    return total
  }

  /// Calls `body` with what the server gets, until it returns false.
  func forEachUploaded(
    after first: UInt64, through last: UInt64, _ body: (_ version: UInt64, _ entry: SyncEntry) throws(SyncError) -> Bool
  ) throws(SyncError) {
    let (first, last) = (max(first, base), min(last, base + UInt64(count)))
    guard first < last else { return }
    for version in (first + 1)...last {
      let entry = try storing { () throws(StorageError) in try history.entry(space, Int(version - base - 1)) }
      if entry.isUploaded, try !body(version, entry) { return }
    }
  }

  /// Up to where entries can go: the server has them and has said all that was concurrent with them, or they are nothing to it.
  func trimmable(_ progress: SyncProgress) throws(SyncError) -> UInt64 {
    var version = min(max(progress.download.clientVersion, base), base + UInt64(count))
    while version < base + UInt64(count) {
      let entry = try storing { () throws(StorageError) in try history.entry(space, Int(version - base)) }
      if entry.isUploaded { break }
      version += 1
    }
    return version
  }
}
