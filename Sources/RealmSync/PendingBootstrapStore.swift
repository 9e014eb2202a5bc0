package import RealmStorage

/// What a set of subscriptions selects, as it comes in parts: kept in the file until the last of them is there, and then applied at once, so that nobody
/// sees a half. Source: Y4.3.
package struct PendingBootstrapStore: Sendable {
  private let database: Database

  private static let tables = InternalTables(
    groupName: "pending_bootstraps", version: 1,
    tables: [
      InternalTable(
        name: "flx_pending_bootstrap", primaryKey: .int("query_version"),
        properties: [
          .list("changesets", of: "flx_pending_bootstrap_changesets"), .object("progress", "flx_pending_bootstrap_progress"),
        ]),
      InternalTable(
        name: "flx_pending_bootstrap_progress", isEmbedded: true,
        properties: [
          .int("upload_server_version"), .int("upload_client_version"), .int("download_server_version"), .int("download_client_version"),
          .int("latest_server_version"), .int("latest_server_version_salt"),
        ]),
      InternalTable(
        name: "flx_pending_bootstrap_changesets", isEmbedded: true,
        properties: [
          .int("remote_version"), .int("last_integrated_client_version"), .int("origin_file_ident"), .int("origin_timestamp"),
          .int("original_size"), InternalTable.Property(name: "data", type: .binary, attributes: .nullable),
        ]),
    ])

  /// What is there of a bootstrap.
  package struct Pending: Equatable, Sendable {
    /// The set of subscriptions that it belongs to.
    package let queryVersion: Int64
    package let changesetCount: Int
    /// Before the server transformed them.
    package let originalByteCount: UInt64
    /// Nil until the last part is there.
    package let progress: SyncProgress?
  }

  /// Makes the tables if the file does not have them; those of subscriptions have to be there.
  package init(_ database: Database) throws(SyncError) {
    self.database = database
    if try database.reading(Self.tables.arePresent) { return }
    _ = try database.writing { (_, group) throws(SyncError) in try Self.tables.ensure(in: group) }
  }

  // MARK: Reading

  /// What the file holds of a bootstrap, at most one.
  package func pending() throws(SyncError) -> Pending? {
    try database.reading { (group) throws(SyncError) in
      guard let row = try Self.tables.rows(in: group).first else { return nil }
      var byteCount: UInt64 = 0
      for element in try row.list("changesets") { byteCount &+= try element.unsigned("original_size") }
      return Pending(
        queryVersion: try row.int("query_version"), changesetCount: try row.count("changesets"), originalByteCount: byteCount,
        progress: try Self.progress(row))
    }
  }

  private static func progress(_ row: InternalRow) throws(SyncError) -> SyncProgress? {
    guard let progress = try row.object("progress") else { return nil }
    return SyncProgress(
      download: SyncStatus.Cursor(
        serverVersion: try progress.unsigned("download_server_version"), clientVersion: try progress.unsigned("download_client_version")),
      latestServer: SyncStatus.Server(
        version: try progress.unsigned("latest_server_version"), salt: try progress.unsigned("latest_server_version_salt")),
      upload: SyncStatus.Cursor(
        serverVersion: try progress.unsigned("upload_server_version"), clientVersion: try progress.unsigned("upload_client_version")))
  }

  // MARK: Adding

  /// Keeps a part; what there is of another set's bootstrap goes.
  ///
  /// - Parameters:
  ///   - progress: with the last part, what its head says.
  ///   - estimate: how much of it is there, from 0 to 1.
  package func add(
    _ changesets: [DownloadedChangeset], queryVersion: Int64, progress: SyncProgress?, estimate: Double
  ) throws(SyncError) {
    _ = try database.writing { (transaction, group) throws(SyncError) in
      let rows = try Self.tables.rows(in: group)
      for row in rows where try row.int("query_version") != queryVersion { try row.remove() }
      let present = try Self.tables.rows(in: group).first
      let row: InternalRow
      if let present { row = present } else { row = try Self.tables.addRow(.int(queryVersion), in: group) }
      if let progress { try Self.store(progress, in: row) }
      for changeset in changesets { try Self.store(changeset, in: row.append(to: "changesets")) }
      if present == nil { try SubscriptionStore.beginBootstrap(queryVersion, in: group) }
      var status = try storing { () throws(StorageError) in try transaction.syncStatus() }
      status.downloadableByteCount = UInt64(max(0, min(1, estimate)) * 10_000)
      transaction.synchronisation?.status = status
    }
  }

  private static func store(_ progress: SyncProgress, in row: InternalRow) throws(SyncError) {
    let target = try row.makeObject("progress")
    try target.set("latest_server_version", progress.latestServer.version)
    try target.set("latest_server_version_salt", progress.latestServer.salt)
    try target.set("download_server_version", progress.download.serverVersion)
    try target.set("download_client_version", progress.download.clientVersion)
    try target.set("upload_server_version", progress.upload.serverVersion)
    try target.set("upload_client_version", progress.upload.clientVersion)
  }

  private static func store(_ changeset: DownloadedChangeset, in row: InternalRow) throws(SyncError) {
    try row.set("remote_version", changeset.serverVersion)
    try row.set("last_integrated_client_version", changeset.clientVersion)
    try row.set("origin_file_ident", changeset.origin)
    try row.set("origin_timestamp", changeset.timestamp)
    try row.set("original_size", changeset.originalByteCount)
    try row.set("data", .binary(StoredChangeset.storeInValue(changeset.bytes)))
  }

  // MARK: Applying

  /// Applies a bootstrap that is complete and ends it; throws away one that is not, so that the server is asked again. To be called when the last part was
  /// added, and before the server is spoken to.
  ///
  /// One transaction: the original makes one of each MiB and keeps others from writing in between, which comes to the same.
  /// - Returns: the version of the file with everything in it; nil if there was nothing to apply.
  @discardableResult package func finish() throws(SyncError) -> UInt64? {
    guard let pending = try pending() else { return nil }
    let (isApplied, version) = try database.writing(records: false) { (transaction, group) throws(SyncError) in
      guard let row = try Self.tables.rows(in: group).first, try row.int("query_version") == pending.queryVersion else { return false }
      guard let progress = try Self.progress(row) else {
        try row.remove()
        try SubscriptionStore.cancelBootstrap(pending.queryVersion, in: group)
        return false
      }
      var integration = try Integration(transaction, group, progress)
      let elements = try row.list("changesets")
      var begin = 0
      while begin < elements.count {
        let (changesets, end) = try Self.changesets(elements, from: begin)
        try integration.integrate(changesets, mayRepeat: true)
        begin = end
      }
      try integration.finish(downloadableByteCount: 10_000)
      try row.remove()
      try SubscriptionStore.completeBootstrap(pending.queryVersion, in: group)
      return true
    }
    return isApplied ? version : nil
  }

  /// So many changesets at a time are held in memory with their instructions.
  private static let portionByteCount = 1 << 20

  private static func changesets(_ elements: [InternalRow], from begin: Int) throws(SyncError) -> ([DownloadedChangeset], end: Int) {
    var (changesets, byteCount, position) = ([DownloadedChangeset](), 0, begin)
    while position < elements.count, byteCount < portionByteCount {
      let element = elements[position]
      let version = try element.unsigned("remote_version")
      let bytes = try StoredChangeset.bytes(element.bytes("data"), version: version)
      changesets.append(
        DownloadedChangeset(
          serverVersion: version, clientVersion: try element.unsigned("last_integrated_client_version"),
          timestamp: try element.unsigned("origin_timestamp"), origin: try element.unsigned("origin_file_ident"),
          originalByteCount: try element.unsigned("original_size"), bytes: bytes))
      byteCount += bytes.count
      position += 1
    }
    return (changesets, position)
  }
}
