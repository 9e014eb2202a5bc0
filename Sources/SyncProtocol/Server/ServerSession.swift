/// One file of a client, as the server sees it (P6): what may come when, and what is sent.
///
/// It owns neither store nor socket. A store does what effects ask for and says so by events; whatever it does for one session it answers in the order
/// in which it was asked. It says that something was integrated before it hands out versions that came of it.
package struct ServerSession: Sendable {
  /// What a BIND asks for.
  package enum Address: Equatable, Sendable {
    case partition(PartitionValue)
    /// A path, as clients of the protocol's test server write it.
    case path(String)
    case flexible(FlexibleBind)
  }

  /// A part of the history, as one file gets it.
  package struct Pulled: Equatable, Sendable {
    package var progress: HeadProgress
    package var entries: [ServerMessage.Download.Entry]
    /// Of what comes after it.
    package var remainingByteCount: UInt64

    package init(progress: HeadProgress, entries: [ServerMessage.Download.Entry], remainingByteCount: UInt64 = 0) {
      (self.progress, self.entries, self.remainingByteCount) = (progress, entries, remainingByteCount)
    }
  }

  /// A part of a bootstrap. All entries may have one server version, that of the head.
  package struct Batch: Equatable, Sendable {
    package var progress: HeadProgress
    package var entries: [ServerMessage.Download.Entry]
    package var estimate: ProgressEstimate
    package var isLast: Bool

    package init(progress: HeadProgress, entries: [ServerMessage.Download.Entry], estimate: ProgressEstimate, isLast: Bool) {
      (self.progress, self.entries, self.estimate, self.isLast) = (progress, entries, estimate, isLast)
    }
  }

  /// What the store says.
  package enum Event: Sendable {
    /// The answer to `open`: there is such a realm, and the user may synchronise it.
    case opened
    /// The answer to `allocateIdent`: the name is durable, and nobody else will get it.
    case identAllocated(SaltedIdent)
    /// The answer to `loadFile`: nil for one that was never there.
    case fileLoaded(ClientFileRecord?, current: SaltedVersion)
    /// The answer to `openView`: whether the view of the query is known as of the file's download cursor.
    case viewOpened(isReproducible: Bool)
    /// The answer to `integrate`: how far the file is integrated now, durably. The warning is about writes that were not taken (P7.3).
    case integrated(VersionCursor, rejection: ServerFailure?)
    /// The answer to `pull`.
    case pulled(Pulled)
    /// The answer to `readHead`.
    case head(UInt64, forMark: UInt64)
    /// The history has this version.
    case headMoved(UInt64)
    /// The answer to `bootstrap` and `continueBootstrap`.
    case batchRead(Batch)
    /// The other answer to `bootstrap`: the query cannot be answered.
    case queryRejected(ErrorCode, String)
    /// Rights have changed, so that the client's view is another one.
    case viewChanged
    /// Anything else went wrong, at any time. What was asked for is not answered any more.
    case failed(ServerFailure)
    /// Something for the client's log.
    case log(LogBody)
  }

  /// What is to be done.
  package enum Effect: Equatable, Sendable {
    case send(ServerMessage)
    /// Answered by `opened` or `failed`.
    case open(Address)
    case allocateIdent
    /// Any other connection that has the file is told (`superseded`); what it has asked for is done before this, or never.
    case loadFile(ident: UInt64)
    case openView(ClientMessage.Query, after: VersionCursor)
    /// Entries are new; there may be none, only progress to store.
    case integrate(entries: [ClientMessage.Upload.Entry], progress: VersionCursor, lockedServerVersion: UInt64)
    /// What the file does not have; at most 16 MiB.
    case pull(after: VersionCursor)
    case readHead(forMark: UInt64)
    /// What enters and leaves the view, compared with what the client has confirmed (P7.1).
    case bootstrap(ClientMessage.Query, after: VersionCursor)
    case continueBootstrap(queryVersion: UInt64)
    /// The client could not integrate what it got.
    case clientFailed(code: Int32, body: String)
    /// Nothing more comes of it, and answers are not waited for.
    case ended
  }

  /// How far it is.
  enum Stage: Sendable {
    /// The store looks for the realm.
    case opening
    case allocatingIdent
    case waitingForIdent
    /// The store looks for the file.
    case loadingFile(ClientMessage.Ident)
    case openingView(ClientMessage.Ident)
    case steady
    /// An error was sent: the client's UNBIND will be the end.
    case failed
    case ended
  }

  package let number: UInt64
  let version: ProtocolVersion
  let needsIdent: Bool
  let isSubserver: Bool
  var stage = Stage.opening
  /// Messages that came before the store had answered.
  var early: [ClientMessage] = []
  /// The file that has bound, for as long as it has.
  package internal(set) var fileIdent: UInt64?

  // Uploads.
  var uploads: UploadChecks?
  var integrationCount = 0
  /// What the client may be told: durable.
  var acknowledged = VersionCursor()

  // Downloads.
  /// What the client has, or will have when everything has arrived.
  var cursor = VersionCursor()
  var head: UInt64 = 0
  var isPulling = false
  /// A message is owed even if there is nothing in it: the first one, and those that acknowledge.
  var owesDownload = false
  /// The one that has to follow IDENT is sent.
  var hasSentDownload = false
  /// The client does not read as fast as it gets.
  var isCongested = false
  var lastMark: UInt64 = 0
  /// Requests with the version that has to be sent before, in order.
  var marks: [(request: UInt64, version: UInt64)] = []

  // Queries.
  /// The one that downloads belong to.
  var query: ClientMessage.Query?
  var lastQuery: UInt64 = 0
  /// To be bootstrapped.
  var nextQuery: ClientMessage.Query?
  var bootstrapping: ClientMessage.Query?
  /// The rest of the bootstrap is asked for when the client has caught up.
  var awaitsContinuation = false

  /// How many messages wait for the store before the client is taken for an attacker.
  static let earlyLimit = 1024

  init(_ bind: ClientMessage.Bind, version: ProtocolVersion) {
    (number, self.version) = (bind.session, version)
    (needsIdent, isSubserver) = (bind.needsIdent, bind.isSubserver)
  }

  /// The store has more to do than it should: what comes next can wait in the socket.
  package var isBusy: Bool { early.count >= 16 || integrationCount >= 16 }
  package var isEnded: Bool { if case .ended = stage { true } else { false } }
  var isSteady: Bool { if case .steady = stage { true } else { false } }

  /// Tells the client what is wrong. Nothing else is said to it then, unless the error is one that leaves the session alone.
  mutating func fail(_ failure: ServerFailure) throws(Violation) -> [Effect] {
    switch stage {
    case .failed, .ended: return []
    default: break
    }
    guard failure.code.isOfSession else { throw Violation(failure.code, failure.body.message) }
    let message = Effect.send(failure.message(session: number))
    if failure.keepsSession { return [message] }
    stage = .failed
    (early, marks, nextQuery, bootstrapping, fileIdent) = ([], [], nil, nil, nil)
    return [message]
  }
}
