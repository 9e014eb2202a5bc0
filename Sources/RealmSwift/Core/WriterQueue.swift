import Dispatch
import RealmStorage

/// The asynchronous writes of one file, of all its realms in this process: who may write next, which commits share barriers, and when these come.
///
/// One write follows the other without giving up the right to write in between, until none is waiting or the group is full. Then one pair of barriers makes
/// all of them durable, and everybody else gets a turn. Everything happens on a queue of its own, which never waits for the right to write: another thread
/// does.
final class WriterQueue: Sendable {
  /// When a group is full. What is not in it yet is lost in a crash, and keeps other processes from writing.
  private enum Limit {
    static let commitCount = 1000
    static let byteCount: UInt64 = 16 << 20
    static let age = Duration.milliseconds(40)
    /// After so many milliseconds somebody looks, also while a transaction is open.
    static let lookMilliseconds = 60
    /// How long a transaction waits for the thread, queue or actor that it was given to. These may be waiting for the right to write themselves.
    static let patience = Duration.milliseconds(50)
    /// Memory of a transaction that is committed where it was written.
    static let hereByteCount: UInt64 = 256 << 10
    /// A commit that was held for so many milliseconds, or twice as many at most, is begun: who might join it does not come.
    static let holdMilliseconds = 12
  }

  private let database: Database
  private let queue = DispatchQueue(label: "io.realm.writer")
  /// Where the right to write is waited for.
  private let waitingQueue = DispatchQueue(label: "io.realm.writer.waiting")
  private let state = Locked(State())

  private struct State {
    var requests: [Request] = []
    var commits: [Ending] = []
    /// A transaction that was given to a request is open.
    var isOut = false
    /// The request that it was given to, until that is known to have taken it.
    var given: (request: Request, at: ContinuousClock.Instant)?
    /// Others come first: the next request does not join the group.
    var mustYield = false
    /// A request waits for the right to write.
    var isWaiting = false
    var isRunning = false
    var hasAlarm = false
    var isTold = false
    /// A commit that its realm holds for further writes, and its hold when somebody looked last.
    var held: (commit: PendingCommit, seen: Int?)?
    var hasHoldAlarm = false
  }

  struct Request: Sendable {
    let request: LockRequest
    let arrived: @Sendable () -> Void
  }
  private struct Ending: Sendable {
    let commit: PendingCommit
    let sharesBarriers: Bool
  }

  private enum Work {
    case commit(Ending)
    case makeDurable
    case goOn(Request)
    case wait(Request)
    case takeBack(Request)
    case setAlarm
  }

  init(_ database: Database) { self.database = database }

  deinit { if state.withLock({ $0.isTold }) { ExitWrites.remove(self) } }

  // MARK: Asking

  /// Gives a transaction to `request` when it is its turn, and calls `arrived` then, on some thread.
  /// - Parameter precedesCommit: the caller calls `commitHere` or `commit` right away, which sees to it.
  func ask(for request: LockRequest, precedesCommit: Bool, arrived: @escaping @Sendable () -> Void) {
    listen()
    state.withLock { $0.requests.append(Request(request: request, arrived: arrived)) }
    if !precedesCommit { proceed() }
  }

  /// Sees to a commit that is held for a write which may not come, and to it when the process ends.
  func hold(_ commit: PendingCommit) {
    let needsAlarm = state.withLock { state in
      if state.held?.commit != commit { state.held = (commit, nil) }
      defer { state.hasHoldAlarm = true }
      return !state.hasHoldAlarm
    }
    if needsAlarm { setHoldAlarm() }
  }

  private func setHoldAlarm() {
    queue.asyncAfter(deadline: .now() + .milliseconds(Limit.holdMilliseconds)) { [weak self] in self?.lookAtHeld() }
  }

  /// Begins the commit that is held if it was the same hold when this was called last.
  private func lookAtHeld() {
    let (waited, isLeft) = state.withLock { state -> (PendingCommit?, Bool) in
      guard let held = state.held, let number = held.commit.numberOfHold else {
        (state.held, state.hasHoldAlarm) = (nil, false)
        return (nil, false)
      }
      if held.seen == number {
        (state.held, state.hasHoldAlarm) = (nil, false)
        return (held.commit, false)
      }
      state.held?.seen = number
      return (nil, true)
    }
    if let waited, waited.begin() { commit(waited, sharesBarriers: true) }
    if isLeft { setHoldAlarm() }
  }

  /// Runs a commit, whoever gave it its transaction.
  func commit(_ commit: PendingCommit, sharesBarriers: Bool) {
    listen()
    state.withLock { state in
      if state.held?.commit == commit { state.held = nil }
      state.commits.append(Ending(commit: commit, sharesBarriers: sharesBarriers))
    }
    proceed()
  }

  /// Runs a small commit on the calling thread, without barriers, and hands the right to write on. Nothing has to be waited for.
  /// - Parameter granted: gets the request that has its transaction now, and whose realm is still to be told.
  /// - Returns: false, and nothing happened, if it is for `commit` to do.
  func commitHere(_ commit: PendingCommit, granted: (Request) -> Void) -> Bool {
    guard commit.byteCount <= Limit.hereByteCount, database.groupsCommits else { return false }
    listen()
    let isFree = state.withLock { state in
      if state.isRunning { return false }
      if state.held?.commit == commit { state.held = nil }
      state.isRunning = true
      return true
    }
    guard isFree else { return false }
    commit.run(sharesBarriers: true)
    while let work = state.withLock({ next(&$0) }) {
      switch work {
      case .goOn(let request): if goOn(request) { granted(request) }
      case .wait, .setAlarm: perform(work)
      case .commit, .makeDurable, .takeBack:
        queue.async {
          self.perform(work)
          self.run()
        }
        return true
      }
    }
    return true
  }

  /// Files that nobody writes to in this way are not watched.
  private func listen() {
    if state.withLock({ $0.isTold }) { return }
    database.callWhenWritingEnded { [weak self] in self?.writingEnded() }
    ExitWrites.add(self)
    state.withLock { $0.isTold = true }
  }

  /// Makes what was committed until now durable. Blocks, until `limit` at the latest.
  func finish(before limit: DispatchTime) {
    let isFinished = DispatchSemaphore(value: 0)
    if let held = state.withLock({ $0.held.take()?.commit }), held.begin() { commit(held, sharesBarriers: true) }
    proceed()
    // After the commits that are under way.
    queue.async {
      self.database.makeGroupDurable()
      isFinished.signal()
    }
    _ = isFinished.wait(timeout: limit)
  }

  private func writingEnded() {
    let isBusy = state.withLock { state in
      // It may be another one's that ends: ours is not open then.
      if !database.isWriting { (state.isOut, state.given) = (false, nil) }
      return !state.requests.isEmpty || !state.commits.isEmpty
    }
    if isBusy || database.commitGroup != nil { proceed() }
  }

  // MARK: Working

  private func proceed() {
    let mustStart = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { self.run() } }
  }

  private func run() {
    while let work = state.withLock({ next(&$0) }) { perform(work) }
  }

  private func perform(_ work: Work) {
    switch work {
    case .commit(let ending): ending.commit.run(sharesBarriers: ending.sharesBarriers)
    case .makeDurable: database.makeGroupDurable()
    case .goOn(let request): if goOn(request) { request.arrived() }
    case .wait(let request): wait(request)
    case .takeBack(let request): takeBack(request)
    case .setAlarm:
      // Does not keep the file open. The end of the database makes durable what is left.
      queue.asyncAfter(deadline: .now() + .milliseconds(Limit.lookMilliseconds)) { [weak self] in
        self?.state.withLock { $0.hasAlarm = false }
        self?.proceed()
      }
    }
  }

  /// Nil if there is nothing to do until something happens, which calls `proceed`.
  private func next(_ state: inout State) -> Work? {
    if !state.commits.isEmpty { return .commit(state.commits.removeFirst()) }
    if let given = state.given, ContinuousClock.now - given.at >= Limit.patience {
      state.given = nil
      return .takeBack(given.request)
    }
    let group = database.commitGroup
    let isWriting = database.isWriting
    if let group {
      // A request that waits cannot join: it gets its turn when the group is durable.
      let isComplete = !isWriting && (state.requests.isEmpty || state.isWaiting || state.mustYield)
      if isComplete || isFull(group) {
        state.mustYield = false
        return .makeDurable
      }
    }
    if !state.requests.isEmpty, !state.isWaiting, !state.isOut {
      let request = state.requests.removeFirst()
      if group != nil, !isWriting { return .goOn(request) }
      state.isWaiting = true
      return .wait(request)
    }
    if group != nil || state.given != nil, !state.hasAlarm {
      state.hasAlarm = true
      return .setAlarm
    }
    state.isRunning = false
    return nil
  }

  private func isFull(_ group: CommitGroupFacts) -> Bool {
    group.count >= Limit.commitCount || group.byteCount >= Limit.byteCount || ContinuousClock.now - group.start >= Limit.age
  }

  /// Begins the next transaction of a group.
  /// - Returns: false if the request has to wait after all.
  private func goOn(_ request: Request) -> Bool {
    do throws(StorageError) {
      guard let transaction = try database.continueWriting() else {
        // An ordinary write came first.
        state.withLock { $0.isWaiting = true }
        wait(request)
        return false
      }
      give(.success(transaction), to: request)
    } catch {
      give(.failure(error), to: request)
    }
    return true
  }

  private func wait(_ request: Request) {
    waitingQueue.async {
      let result: Result<WriteTransaction, StorageError>
      do throws(StorageError) { result = .success(try self.database.beginWrite()) } catch { result = .failure(error) }
      self.give(result, to: request)
      request.arrived()
      self.proceed()
    }
  }

  /// Whoever was given a transaction does not come for it, perhaps because everybody waits for its end: all others go first.
  private func takeBack(_ request: Request) {
    guard let transaction = request.request.takeBack() else { return }
    state.withLock { state in
      state.requests.append(request)
      state.mustYield = database.commitGroup != nil
    }
    transaction.cancel()
  }

  private func give(_ result: Result<WriteTransaction, StorageError>, to request: Request) {
    let isOut = if case .success = result { true } else { false }
    // Before the transaction can end.
    state.withLock { state in
      state.isOut = isOut
      state.given = isOut ? (request, .now) : nil
      state.isWaiting = false
    }
    request.request.fulfil(result)
  }
}
