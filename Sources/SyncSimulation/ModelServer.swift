package import Changesets
package import Merge
package import RealmStorage
package import RealmSync

/// The least that a server does: it puts the changesets of its clients in an order, merges each with what the client had not seen, and hands the results
/// on. Everything else, rights, queries, storage, belongs to a real one. Source: C6.6.
package struct ModelServer: Sendable {
  /// One version of the history.
  package struct Entry: Sendable {
    package let version: UInt64
    /// The file that it comes from.
    package let origin: UInt64
    /// The version of that file.
    package let clientVersion: UInt64
    /// As everybody gets it.
    package let changeset: OriginatedChangeset
    let originalByteCount: Int
    /// As each client needs it that had not seen it when it made its own changes.
    var reciprocals: [UInt64: Changeset] = [:]
  }

  /// What is known of a client's file.
  package struct File: Sendable {
    package let salt: UInt64
    /// How far it was integrated, and what that was based on.
    package fileprivate(set) var upload = SyncStatus.Cursor()
    /// After which versions of the history how much of the file was integrated.
    fileprivate var milestones: [(serverVersion: UInt64, clientVersion: UInt64)] = []

    /// How much of the file was integrated when the history had a version.
    func clientVersion(at serverVersion: UInt64) -> UInt64 {
      var (low, high) = (0, milestones.count)
      while low < high {
        let middle = (low + high) / 2
        if milestones[middle].serverVersion <= serverVersion { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? 0 : milestones[low - 1].clientVersion
    }
  }

  package private(set) var entries: [Entry] = []
  package private(set) var files: [UInt64: File] = [:]
  private let salt: UInt64

  /// - Parameter salt: a random number, by which a server that lost its history would be found out.
  package init(salt: UInt64) { self.salt = salt }

  /// The newest version.
  package var version: UInt64 { UInt64(entries.count) }

  /// Why an upload was refused. Nothing has changed.
  package enum Refusal: Error {
    case unknownFile
    case badProgress(String)
    case malformed(ChangesetError)
    case contradiction(MergeError)
  }

  /// A name for a new file.
  package mutating func addFile(salt: UInt64) -> UInt64 {
    // 1 is the server itself.
    let ident = UInt64(files.count) + 2
    files[ident] = File(salt: salt)
    return ident
  }

  /// Merges an upload; what was integrated before is passed over.
  package mutating func integrate(_ upload: Upload, from ident: UInt64) throws(Refusal) {
    guard let file = files[ident] else { throw .unknownFile }
    guard upload.progress.clientVersion >= file.upload.clientVersion else { throw .badProgress("the upload goes back") }
    var new = self
    var last = file.upload.clientVersion
    for changeset in upload.changesets where changeset.clientVersion > file.upload.clientVersion {
      guard changeset.clientVersion > last else { throw .badProgress("version \(changeset.clientVersion) comes after \(last)") }
      guard changeset.serverVersion <= version else { throw .badProgress("server version \(changeset.serverVersion) is not there yet") }
      last = changeset.clientVersion
      try new.integrate(changeset, from: ident)
    }
    guard upload.progress.serverVersion <= version else { throw .badProgress("server version \(upload.progress.serverVersion) is not there yet") }
    new.files[ident]?.upload = upload.progress
    let version = new.version
    new.files[ident]?.milestones.append((version, upload.progress.clientVersion))
    self = new
  }

  private mutating func integrate(_ upload: UploadedChangeset, from ident: UInt64) throws(Refusal) {
    let changeset: Changeset
    do throws(ChangesetError) { changeset = try Changeset(parsing: upload.bytes) } catch { throw .malformed(error) }
    var theirs = [OriginatedChangeset(changeset, timestamp: Int64(clamping: upload.timestamp), file: ident)]
    var concurrent: [Int] = []
    var ours: [OriginatedChangeset] = []
    for position in entries.indices.dropFirst(Int(upload.serverVersion)) where entries[position].origin != ident {
      let entry = entries[position]
      let form = entry.reciprocals[ident] ?? entry.changeset.changeset
      if form.instructions.isEmpty { continue }
      concurrent.append(position)
      ours.append(OriginatedChangeset(form, timestamp: entry.changeset.timestamp, file: entry.origin))
    }
    if !ours.isEmpty {
      do throws(MergeError) { try Merge.merge(&ours, &theirs) } catch { throw .contradiction(error) }
    }
    for (position, form) in zip(concurrent, ours) { entries[position].reciprocals[ident] = form.changeset }
    entries.append(
      Entry(
        version: version + 1, origin: ident, clientVersion: upload.clientVersion, changeset: theirs[0], originalByteCount: upload.bytes.count))
  }

  /// What a file gets next.
  package struct Download: Sendable {
    package let changesets: [DownloadedChangeset]
    package let progress: SyncProgress
    package let remainingByteCount: UInt64
  }

  /// - Parameters:
  ///   - serverVersion: where the file is.
  ///   - limit: at most so many versions at once.
  package func download(for ident: UInt64, after serverVersion: UInt64, limit: Int = .max) -> Download {
    let file = files[ident] ?? File(salt: 0)
    let end = min(entries.count, Int(serverVersion) + min(limit, entries.count))
    var changesets: [DownloadedChangeset] = []
    for entry in entries[Int(serverVersion)..<max(end, Int(serverVersion))] where entry.origin != ident {
      let bytes = entry.changeset.changeset.encoded()
      if bytes.isEmpty { continue }
      changesets.append(
        DownloadedChangeset(
          serverVersion: entry.version, clientVersion: file.clientVersion(at: entry.version - 1),
          timestamp: UInt64(clamping: entry.changeset.timestamp), origin: entry.origin, originalByteCount: UInt64(entry.originalByteCount),
          bytes: bytes))
    }
    return Download(
      changesets: changesets,
      progress: SyncProgress(
        download: SyncStatus.Cursor(serverVersion: UInt64(end), clientVersion: file.clientVersion(at: UInt64(end))),
        latestServer: SyncStatus.Server(version: version, salt: salt), upload: file.upload),
      remainingByteCount: UInt64(entries[end...].reduce(0) { $0 + $1.originalByteCount }))
  }
}
