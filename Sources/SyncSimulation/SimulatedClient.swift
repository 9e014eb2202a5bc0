import ChangesetModel
import Changesets
import RealmStorage
import RealmSync
import Synchronization

/// A program with a file that synchronises. What it only remembers is gone when it begins again; what it has stored is not.
final class SimulatedClient {
  let number: Int
  private let path: String
  private let clock: SimulatedClock
  private var database: Database
  private(set) var isConnected = false
  /// The server knows who this is.
  private(set) var isIdentified = false
  /// Where the server's session for this client is in the history; nil without session.
  var serverPosition: UInt64?
  /// Up to which version everything was sent on this connection.
  private var sentVersion: UInt64 = 0
  /// The versions that others have to get.
  private(set) var changedVersions: [UInt64] = []

  init(number: Int, path: String, skew: UInt64) throws {
    (self.number, self.path) = (number, path)
    clock = SimulatedClock(skew: skew)
    database = try Self.open(path, clock)
  }

  private static func open(_ path: String, _ clock: SimulatedClock) throws -> Database {
    var options = DatabaseOptions()
    (options.durability, options.historyType) = (.unsafe, .syncClient)
    options.syncClock = { clock.now }
    return try Database.open(path: path, options: options)
  }

  var now: UInt64 {
    get { clock.now }
    set { clock.set(newValue) }
  }

  func close() { database.close() }

  /// Ends and begins again.
  func reopen() throws {
    database.close()
    database = try Self.open(path, clock)
  }

  func connect() { isConnected = true }

  func disconnect() { (isConnected, isIdentified, serverPosition, sentVersion) = (false, false, nil, 0) }

  /// Cannot fail on a file that can be read.
  func status() -> SyncStatus { try! database.syncStatus() }

  func realm() throws -> ModelRealm { try database.read { (group) throws(StorageError) in try ModelRealm(group) } }

  func perform(_ changeset: Changeset) throws {
    let version = try database.perform(changeset)
    let snapshot = try database.snapshot()
    let history = SyncHistory(root: try TopArray(snapshot.space, at: snapshot.topRef).history)
    if try history.entry(snapshot.space, history.count(snapshot.space) - 1).isUploaded { changedVersions.append(version) }
  }

  // MARK: Synchronising

  func setIdent(_ ident: UInt64, salt: UInt64) throws { try database.setFileIdent(ident, salt: salt) }

  func nextUpload(byteLimit: Int) throws -> Upload? {
    let upload = try database.upload(after: sentVersion, byteLimit: byteLimit)
    if upload.changesets.isEmpty, upload.progress.clientVersion <= max(sentVersion, status().upload.clientVersion) { return nil }
    sentVersion = upload.progress.clientVersion
    return upload
  }

  func integrate(_ download: ModelServer.Download) throws {
    try database.integrate(download.changesets, progress: download.progress, downloadableByteCount: download.remainingByteCount)
    isIdentified = true
  }

  func hasEverything(of server: ModelServer) throws -> Bool {
    let status = status()
    return status.download.serverVersion == server.version && status.upload.clientVersion >= changedVersions.last ?? 0
  }

  // MARK: Checking

  func checkFile() throws {
    let snapshot = try database.snapshot()
    let found = Verification.run(snapshot.space, top: snapshot.topRef, format: 24)
    if !found.isClean { throw Simulation.Failure(description: "the file of client \(number) is damaged: \(found.violations)") }
  }
}

/// A clock that is moved, and goes wrong by a constant.
final class SimulatedClock: Sendable {
  private let time = Atomic<UInt64>(0)
  private let skew: UInt64

  init(skew: UInt64) { self.skew = skew }

  var now: UInt64 { time.load(ordering: .relaxed) + skew }
  func set(_ now: UInt64) { time.store(now, ordering: .relaxed) }
}
