/// One file at its server, as the client sees it (P6): what is sent when, and what may come.
///
/// It owns neither file nor socket. A store does what effects ask for and says so by events; the connection offers places for messages and hands on
/// what comes. A session outlives connections.
package struct ClientSession: Sendable {
  /// What a file says of itself when its session begins.
  package struct File: Sendable {
    /// The name that the server gave to it; nil before that.
    package var ident: SaltedIdent?
    package var progress: HeadProgress
    /// The newest.
    package var version: UInt64
    /// The active one (P7.1); nil in partition-based synchronisation.
    package var query: ClientMessage.Query?
    /// The active query has all its objects, but the MARK of its QUERY did not return.
    package var queryAwaitsMark = false
    /// Later ones, in the order of their versions.
    package var pendingQueries: [PendingQuery] = []
    /// After the QUERY with this version nothing is sent until a migration is over (P6).
    package var migrationSentinel: UInt64?
    /// The file was migrated from a partition, so that it can be told to go back.
    package var wasMigrated = false

    package init(ident: SaltedIdent? = nil, progress: HeadProgress = HeadProgress(), version: UInt64, query: ClientMessage.Query? = nil) {
      (self.ident, self.progress, self.version, self.query) = (ident, progress, version, query)
    }
  }

  /// A set of subscriptions that the server does not know.
  package struct PendingQuery: Equatable, Sendable {
    package var query: ClientMessage.Query
    /// Of the file, when the set was stored: the server has to know everything up to here first.
    package var snapshotVersion: UInt64

    package init(_ query: ClientMessage.Query, snapshotVersion: UInt64) { (self.query, self.snapshotVersion) = (query, snapshotVersion) }
  }

  /// What can be uploaded.
  package struct UploadBatch: Equatable, Sendable {
    package var entries: [ClientMessage.Upload.Entry]
    package var progress: VersionCursor
    package var lockedServerVersion: UInt64

    package init(entries: [ClientMessage.Upload.Entry], progress: VersionCursor, lockedServerVersion: UInt64) {
      (self.entries, self.progress, self.lockedServerVersion) = (entries, progress, lockedServerVersion)
    }
  }

  /// What the store and the app say.
  package enum Event: Sendable {
    /// The name is in the file.
    case identStored
    /// The file has this version now.
    case versionMade(UInt64)
    /// The oldest `integrate` that was not answered is done: its head is the file's progress unless it was part of a bootstrap and not its end.
    case integrated(version: UInt64)
    /// The oldest `integrate` that was not answered cannot be done, and those behind it will not be.
    case integrationFailed(ErrorCode, String)
    /// The answer to `readUpload` with this number.
    case uploadRead(number: UInt64, UploadBatch)
    case queryPending(PendingQuery)
    case migrationSentinelChanged(UInt64?)
    /// The app wants to know when the file has everything that the server has now.
    case waitForDownload
    case testCommand(String)
    /// An end to it.
    case close
  }

  /// Where a set of subscriptions is (P7.2).
  package enum QueryState: Equatable, Sendable {
    case bootstrapping
    case awaitingMark
    case complete
    case error(String)
  }

  /// What the server has asked for that only the owner of the file can do.
  package enum Demand: Equatable, Sendable {
    case clientReset(allowsRecovery: Bool, ErrorReport)
    case deleteRealm(ErrorReport)
    case migrateToFlexibleSync(partitionQuery: String)
    case revertToPartitionSync
    /// The next open of the file downloads everything anew.
    case migrateSchema(previousVersion: UInt64)
    case logOut(ErrorReport)
  }

  /// What is to be done.
  package enum Effect: Equatable, Sendable {
    /// To be answered by `identStored` when it is durable.
    case storeIdent(SaltedIdent)
    /// To be answered by `integrated` or `integrationFailed`. Batches of a bootstrap are kept aside until the last one; one that begins replaces all that
    /// was kept.
    case integrate(ServerMessage.Download, beginsBootstrap: Bool)
    /// What the file has `after` this version and at most `through` that one. Whoever reads stops after 128 KiB (P5.4).
    case readUpload(number: UInt64, after: UInt64, through: UInt64?)
    /// The server has everything up to here.
    case uploadAcknowledged(VersionCursor)
    /// The number of a wait.
    case waitBegan(UInt64)
    /// All waits with this number or a smaller one are over.
    case downloadCompleted(UInt64)
    case queryChanged(version: UInt64, QueryState)
    /// The server has made up for writes that it did not take, and the file has what it made of them (P7.3).
    case writesCompensated(ErrorReport, ErrorBody.Rejection)
    case report(ErrorReport)
    case demand(Demand)
    /// A new token, or where to synchronise and a new token; `resume` the session then.
    case fetch(ClosingReaction.Fetch)
    /// The session is to be resumed after a while: after `fixedMilliseconds`, or the usual wait.
    case resumeLater(code: Int32, ErrorBody.BackOff?, fixedMilliseconds: UInt64?)
    case log(LogBody)
    case testAnswer(String)
  }

  /// How far the session is on this connection.
  enum Stage: Int, Comparable, Sendable {
    /// Nothing was sent.
    case unbound
    /// BIND was.
    case bound
    /// IDENT was.
    case identified
    /// UNBIND was.
    case unbinding
    /// Nothing will come any more.
    case over

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// On the wire; another one for every BIND.
  package internal(set) var number: UInt64
  let mode: SyncMode
  let bindBody: String
  var file: File
  var stage = Stage.unbound
  var isClosing = false
  /// Waits for something outside, not bound.
  package internal(set) var isSuspended = false
  var errorReceived = false
  /// The server gave a name that is not stored yet.
  var identIsBeingStored = false

  // Downloads.
  /// The head that was accepted last.
  var received: HeadProgress
  var integrationsBegun: UInt64 = 0
  var integrationsDone: UInt64 = 0
  /// Heads of what is being integrated; nil for parts of bootstraps that are not the last.
  var integrating: [IntegratingHead] = []
  /// A download could not be integrated; others are not looked at.
  var hasFailed = false
  var failureToSend: (code: ErrorCode, text: String)?

  // Marks.
  var markWanted: UInt64 = 0
  var markSent: UInt64 = 0
  var markReceived: UInt64 = 0
  /// The last one that was told to the app.
  var markReached: UInt64 = 0
  /// Received, but what came before is not integrated.
  var marksAhead: [(integrations: UInt64, request: UInt64)] = []

  // Uploads.
  /// Up to where everything was sent.
  var sent: VersionCursor
  /// Nothing is uploaded before the answer to this MARK.
  var uploadsWaitForMark: UInt64?
  var uploadNumber: UInt64 = 0
  /// Of what is being read: how far the file went when it was asked for, what had been sent, and whether a query limits it.
  var readingUpload: (newest: UInt64, after: UInt64, isLimited: Bool)?
  var readyUpload: UploadBatch?
  /// Nothing is to be uploaded up to here, as far as the store could say.
  var scanned: UInt64 = 0

  // Queries.
  var lastQuerySent: UInt64
  /// Bootstrapped, and waits for this MARK.
  var queryAwaitingMark: (version: UInt64, request: UInt64)?
  var bootstrapping: UInt64?
  var compensations: [(report: ErrorReport, rejection: ErrorBody.Rejection)] = []

  // Test commands.
  var testCommands: [String] = []
  var testRequest: UInt64 = 0

  /// What is known of an integration that was begun.
  struct IntegratingHead: Sendable {
    /// Nil for parts of bootstraps that are not the last.
    var progress: HeadProgress?
    /// Of a bootstrap that ends.
    var queryVersion: UInt64?
  }

  /// - Parameters:
  ///   - number: on the wire.
  ///   - bindBody: a partition value or what `FlexibleBind` writes.
  package init(number: UInt64, mode: SyncMode, bindBody: String, file: File) {
    (self.number, self.mode, self.bindBody, self.file) = (number, mode, bindBody, file)
    received = file.progress
    sent = file.progress.upload
    lastQuerySent = file.query?.version ?? 0
  }

  /// Nothing can be said to the server any more on this connection.
  package var isOver: Bool { stage == .over }
  /// Neither side of this connection waits for the other one.
  var isQuiet: Bool { isOver || isSuspended && stage == .unbound }
  /// The app has closed it, and the server knows.
  package var isFinished: Bool { isClosing && stage == .over }

  var newestVersion: UInt64 { max(file.version, sent.clientVersion) }
  var isIntegrating: Bool { integrationsDone < integrationsBegun }

  // MARK: Connections

  /// A connection is there, or another one.
  /// - Parameters:
  ///   - number: one that was never used on it.
  ///   - isFast: the last one ended not long ago, so that uploads need not wait (P5.6).
  mutating func begin(number: UInt64, isFast: Bool) {
    reset()
    self.number = number
    isSuspended = false
    if file.queryAwaitsMark, let query = file.query { awaitMark(query.version) }
    if isFast {
      uploadsWaitForMark = nil
    } else {
      markWanted += 1
      uploadsWaitForMark = markWanted
    }
  }

  /// The connection is gone; what the store does goes on.
  mutating func connectionLost() {
    reset()
    if isClosing { stage = .over }
  }

  private mutating func reset() {
    stage = .unbound
    errorReceived = false
    hasFailed = false
    failureToSend = nil
    (sent, scanned, readyUpload, readingUpload) = (file.progress.upload, 0, nil, nil)
    uploadNumber += 1
    // Those that wait for the store are still answered; if it could not do its work, they are asked for again.
    markReceived = marksAhead.last?.request ?? markReached
    markSent = markReceived
    received = integrating.last { $0.progress != nil }?.progress ?? file.progress
    lastQuerySent = file.query?.version ?? 0
    bootstrapping = nil
    testCommands = []
  }

  mutating func awaitMark(_ version: UInt64) {
    if markWanted <= markReceived, marksAhead.isEmpty { markWanted += 1 }
    queryAwaitingMark = (version, markWanted)
  }
}
