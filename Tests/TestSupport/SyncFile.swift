import RealmStorage
import RealmSync

/// A file that synchronises, in a directory of its own unless it gets one.
package final class SyncFile {
  package let database: Database
  package let path: String
  private let directory: TestDirectory

  package init(in given: TestDirectory? = nil, clock: @escaping @Sendable () -> UInt64 = { 1000 }) throws {
    directory = given ?? TestDirectory(inMemory: true)
    path = directory.file(given == nil ? "test.realm" : "\(UInt32.random(in: 0 ... .max)).realm")
    var options = DatabaseOptions()
    options.durability = .unsafe
    options.historyType = .syncClient
    options.syncClock = clock
    database = try Database.open(path: path, options: options)
  }

  deinit { database.close() }

  /// Closes the file, so that others can open it to write.
  /// - Returns: its path, where it is as long as its directory is.
  package func closed() -> String {
    database.close()
    return path
  }

  /// - Returns: what the transaction leaves for others.
  @discardableResult package func write(_ body: (Group) throws -> Void) throws -> [UInt8] {
    let transaction = try database.beginWrite()
    do {
      let group = try transaction.openGroup()
      try body(group)
      try transaction.commit(group)
    } catch {
      transaction.cancel()
      throw error
    }
    guard let entry = try entries().last else { return [] }
    return try entry.changeset.map { try StoredChangeset.bytes($0, version: 0) } ?? []
  }

  /// What is wrong with the newest version.
  package func violations() throws -> [String] {
    let read = try database.beginRead()
    defer { read.end() }
    return Verification.run(read.space, top: read.topRef, format: 24).violations
  }

  /// All entries of the history, as they are stored.
  package func entries() throws -> [SyncEntry] { try SyncFile.entries(database) }

  package static func entries(_ database: Database) throws -> [SyncEntry] {
    let read = try database.beginRead()
    defer { read.end() }
    if read.topRef.isNull { return [] }
    let history = SyncHistory(root: try TopArray(read.space, at: read.topRef).history)
    var result: [SyncEntry] = []
    for index in 0..<(try history.count(read.space)) { result.append(try history.entry(read.space, index)) }
    return result
  }

  /// Integrates a changeset of another file that knows nothing of this one, as the server's newest version.
  package func receive(_ changeset: [UInt8], serverVersion: UInt64, origin: UInt64, timestamp: UInt64 = 2000) throws {
    try receive([changeset], firstVersion: serverVersion, origin: origin, timestamp: timestamp)
  }

  /// The same of several, which are the server's newest versions, in one download.
  package func receive(_ changesets: [[UInt8]], firstVersion: UInt64, origin: UInt64, timestamp: UInt64 = 2000) throws {
    let upload = try database.syncStatus().upload
    let newest = firstVersion + UInt64(changesets.count) - 1
    let downloaded = changesets.enumerated().map { number, bytes in
      DownloadedChangeset(serverVersion: firstVersion + UInt64(number), clientVersion: 0, timestamp: timestamp, origin: origin, bytes: bytes)
    }
    try database.integrate(
      downloaded,
      progress: SyncProgress(
        download: SyncStatus.Cursor(serverVersion: newest, clientVersion: 0), latestServer: SyncStatus.Server(version: newest, salt: 7777777),
        upload: upload))
  }

  /// Integrates a changeset of somebody who knew of everything here, as the server's newest version.
  package func receiveKnowing(_ changeset: [UInt8], serverVersion: UInt64, origin: UInt64 = 9) throws {
    let version = database.newestVersion
    try database.integrate(
      [DownloadedChangeset(serverVersion: serverVersion, clientVersion: version, timestamp: 5000, origin: origin, bytes: changeset)],
      progress: SyncProgress(
        download: SyncStatus.Cursor(serverVersion: serverVersion, clientVersion: version),
        latestServer: SyncStatus.Server(version: serverVersion, salt: 7), upload: SyncStatus.Cursor(clientVersion: version)))
  }

  /// The server says that it has everything, and that nothing was concurrent.
  package func acknowledge() throws {
    let (status, version) = (try database.syncStatus(), database.newestVersion)
    let server = status.latestServer.version
    try database.integrate(
      [],
      progress: SyncProgress(
        download: SyncStatus.Cursor(serverVersion: server, clientVersion: version), latestServer: status.latestServer,
        upload: SyncStatus.Cursor(serverVersion: server, clientVersion: version)))
  }
}
