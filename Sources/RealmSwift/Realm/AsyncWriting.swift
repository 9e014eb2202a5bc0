import Dispatch
import Foundation
import RealmStorage

/// The writes of one realm that wait for the right to write without blocking its thread, in the order in which they were asked for.
///
/// Used in the realm's confinement. Keeps the realm alive while there is work, and the actor whose turns it is to be done in.
final class AsyncWriting {
  private unowned let core: RealmCore
  private var keptCore: RealmCore?
  private var keptActor: (any Actor)?
  private var jobs: [(number: AsyncTransactionId, job: Job)] = []
  private var request: LockRequest?
  /// The next request, which the commit of the block that runs has got its transaction.
  private var grant: WriterQueue.Request?
  private var isRunningBlock = false
  private var completions: [AsyncTransactionId: Completion] = [:]
  private var lastNumber: AsyncTransactionId = 0
  /// Blocks and awaited writes under way, and commits whose end was not announced yet.
  private var activityCount = 0
  private(set) var isCompleting = false

  private enum Job {
    case block(() -> Void)
    /// A block that surely commits at its end, and shares the version with those that follow.
    case write(Write)
    /// A suspended task, which writes itself.
    case turn(WriteTurn)

    var isBlock: Bool { if case .turn = self { false } else { true } }
  }

  private struct Write {
    let block: () -> Void
    let completion: Completion?
  }
  typealias Completion = ((any Error)?) -> Void

  init(_ core: RealmCore) { self.core = core }

  /// A task that was cancelled leaves its request behind.
  deinit { request?.abandon() }

  var isBusy: Bool { activityCount > 0 || !jobs.isEmpty }

  // MARK: Asking

  /// Runs `block` in a write transaction at a later turn.
  func begin(_ block: @escaping () -> Void) throws -> AsyncTransactionId { try begin(.block(block)) }

  /// Runs `block` in a write transaction at a later turn, commits, and calls `completion` when the disk has the changes.
  func write(_ block: @escaping () -> Void, _ completion: Completion?) throws -> AsyncTransactionId {
    try begin(.write(Write(block: block, completion: completion)))
  }

  private func begin(_ job: Job) throws -> AsyncTransactionId {
    try core.requireWriting()
    try core.checkVersionLimit()
    if isCompleting { throw RealmFailure.misuse("Can't begin a write transaction from inside a commit completion callback.") }
    _ = try scheduler()
    return add(job)
  }

  /// Queues a suspended task.
  func enqueue() throws -> WriteTurn {
    try core.requireWriting()
    try core.checkVersionLimit()
    let turn = WriteTurn()
    _ = add(.turn(turn))
    return turn
  }

  private func add(_ job: Job) -> AsyncTransactionId {
    lastNumber &+= 1
    jobs.append((lastNumber, job))
    proceed()
    return lastNumber
  }

  private func scheduler() throws -> Scheduler {
    guard let scheduler = Scheduler(core) else {
      throw RealmFailure.misuse("Cannot schedule async transaction. Make sure you are running from inside a run loop.")
    }
    return scheduler
  }

  /// Takes back a block that did not run yet, or the announcement of a commit.
  func cancel(_ number: AsyncTransactionId) {
    jobs.removeAll { $0.number == number && $0.job.isBlock }
    completions[number] = nil
    settle()
  }

  func remove(_ turn: WriteTurn) {
    jobs.removeAll { if case .turn(turn) = $0.job { true } else { false } }
    settle()
    // The next one's turn, if it had come already.
    if let request, request.isFulfilled { arrived(request) }
  }

  /// Blocks that did not run yet never will.
  func dropBlocks() {
    jobs.removeAll { $0.job.isBlock }
    settle()
  }

  // MARK: Getting the right to write

  /// Asks for the right to write if there is something to do and no transaction in its way.
  /// - Parameter precedesCommit: the caller hands a commit to the file's writer right away. No other thread has to be woken to look for work before that.
  func proceed(precedesCommit: Bool = false) {
    settle()
    guard request == nil, !jobs.isEmpty, !core.isInWriteTransaction else { return }
    guard let scheduler = Scheduler(core) else { return }
    let request = LockRequest()
    self.request = request
    let arrival = Arrival(self, request)
    let turn: WriteTurn? = if case .turn(let turn)? = jobs.first?.job { turn } else { nil }
    core.file.writer.ask(for: request, precedesCommit: precedesCommit) {
      // A task comes to its actor by itself, unless it was cancelled.
      if turn?.resume() != true { scheduler.invoke { arrival.deliver() } }
    }
  }

  /// - SAFETY: looked into in the confinement only.
  private final class Arrival: @unchecked Sendable {
    private weak var writing: AsyncWriting?
    private let request: LockRequest
    init(_ writing: AsyncWriting, _ request: LockRequest) {
      self.writing = writing
      self.request = request
    }
    func deliver() { writing?.arrived(request) }
  }

  /// The transaction that was asked for, if one was: for a write that does not wait for its turn.
  func takeTransaction() throws(StorageError) -> WriteTransaction? {
    guard let request else { return nil }
    self.request = nil
    return try request.take()
  }

  /// The next block or task has its transaction. Blocks that get theirs by the commit of the one before follow in the same turn, for a while.
  private func arrived(_ request: LockRequest) {
    let end = ContinuousClock.now + Limit.turnLength
    begin(request, before: end)
    while let grant {
      self.grant = nil
      if ContinuousClock.now < end { begin(grant.request, before: end) } else { grant.arrived() }
    }
  }

  private enum Limit {
    /// What else the thread, queue or actor has to do gets its turn after that.
    static let turnLength = Duration.milliseconds(8)
    /// Memory of a transaction that no further write joins.
    static let joinedByteCount: UInt64 = 128 << 10
  }

  /// A request has got its transaction by a commit of this realm.
  func handOver(_ grant: WriterQueue.Request) {
    if isRunningBlock, grant.request === request { self.grant = grant } else { grant.arrived() }
  }

  private func begin(_ request: LockRequest, before end: ContinuousClock.Instant) {
    // Otherwise an ordinary write took it, or it was taken back and comes again.
    guard self.request === request, request.isFulfilled else { return }
    guard let first = jobs.first else {
      self.request = nil
      return (try? request.take())?.cancel() ?? ()
    }
    switch first.job {
    case .turn(let turn): turn.resume()
    case .block(let block):
      jobs.removeFirst()
      run(block)
    case .write(let write):
      jobs.removeFirst()
      run(write, before: end)
    }
  }

  /// Runs a write, and those behind it that find room in the same version: it costs what one of them would. None of them can be taken back any more, as
  /// only a block that was begun by itself may cancel.
  private func run(_ first: Write, before end: ContinuousClock.Instant) {
    activityCount += 1
    orStop(core) { try core.beginWrite(staysOnThread: false) }
    isRunningBlock = true
    var completions: [Completion?] = []
    var next: Write? = first
    while let write = next {
      write.block()
      completions.append(write.completion)
      next = nil
      guard let byteCount = core.uncommittedByteCount, byteCount < Limit.joinedByteCount, ContinuousClock.now < end else { break }
      guard case .write(let following)? = jobs.first?.job else { break }
      jobs.removeFirst()
      next = following
    }
    orStop(core) { try commit(sharesBarriers: true, isLast: true, completions) }
    isRunningBlock = false
    activityCount -= 1
    proceed()
  }

  private func run(_ block: () -> Void) {
    activityCount += 1
    orStop(core) { try core.beginWrite(staysOnThread: false) }
    isRunningBlock = true
    block()
    isRunningBlock = false
    // Neither committed nor cancelled.
    if core.isInWriteTransaction { orStop(core) { try core.cancelWrite() } }
    activityCount -= 1
    proceed()
  }

  // MARK: Awaited writes

  /// Begins the write of a task whose turn it seems to be.
  /// - Returns: false if another write came first: the task has to wait on.
  func start(_ turn: WriteTurn) throws -> Bool {
    guard let request, request.isFulfilled, case .turn(turn)? = jobs.first?.job else {
      turn.reset()
      proceed()
      // Its transaction may have come just before.
      if let request, request.isFulfilled, case .turn(turn)? = jobs.first?.job { turn.resume() }
      return false
    }
    jobs.removeFirst()
    activityCount += 1
    do { try core.beginWrite(staysOnThread: false) } catch let failure as RealmFailure {
      // What stops other writes stops this one.
      stop(failure, core)
    } catch {
      end()
      throw error
    }
    return true
  }

  /// The end of an awaited write.
  func end() {
    activityCount -= 1
    proceed()
  }

  // MARK: Commits

  /// Commits in the background and calls `completion` at a later turn.
  /// - Parameter sharesBarriers: see `RealmCore.commitInBackground`.
  func commit(sharesBarriers: Bool, _ completion: Completion?) throws -> AsyncTransactionId {
    try commit(sharesBarriers: sharesBarriers, isLast: false, [completion])
    return lastNumber
  }

  /// - Parameter isLast: nothing comes after it in the block that runs, so that the next one may follow at once.
  private func commit(sharesBarriers: Bool, isLast: Bool, _ ended: [Completion?]) throws {
    try core.requireWriting()
    if isCompleting { throw RealmFailure.misuse("Can't commit a write transaction from inside a commit completion callback.") }
    guard core.isInWriteTransaction else { throw RealmFailure.misuse("Can't commit a non-existing write transaction") }
    let scheduler = try scheduler()
    let commit = try core.commitInBackground(sharesBarriers: sharesBarriers, mayRunHere: isLast)
    let first = lastNumber &+ 1
    for completion in ended {
      lastNumber &+= 1
      completions[lastNumber] = completion
    }
    activityCount += 1
    settle()
    let end = End(self, commit, first, count: ended.count)
    commit.notify { scheduler.invoke { end.deliver() } }
  }

  /// - SAFETY: looked into in the confinement only.
  private final class End: @unchecked Sendable {
    private let writing: AsyncWriting
    private let commit: PendingCommit
    private let first: AsyncTransactionId
    private let count: Int
    init(_ writing: AsyncWriting, _ commit: PendingCommit, _ first: AsyncTransactionId, count: Int) {
      self.writing = writing
      self.commit = commit
      self.first = first
      self.count = count
    }
    func deliver() { writing.finish(commit, first, count) }
  }

  private func finish(_ commit: PendingCommit, _ first: AsyncTransactionId, _ count: Int) {
    let failure = core.finish(commit)
    isCompleting = true
    for offset in 0..<count { completions.removeValue(forKey: first &+ AsyncTransactionId(offset))?(failure) }
    isCompleting = false
    activityCount -= 1
    proceed()
  }

  /// Keeps the realm and its actor while they are needed.
  private func settle() {
    if isBusy {
      if keptCore == nil { (keptCore, keptActor) = (core, core.confinement.actor) }
    } else {
      (keptCore, keptActor) = (nil, nil)
    }
  }
}

/// A task that waits for its realm's right to write.
final class WriteTurn: Sendable, Equatable {
  private enum State {
    case waiting(CheckedContinuation<Void, any Error>?)
    case due, cancelled
  }
  private let state = Locked(State.waiting(nil))

  static func == (a: WriteTurn, b: WriteTurn) -> Bool { a === b }
  static func ~= (a: WriteTurn, b: WriteTurn) -> Bool { a === b }

  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  nonisolated(nonsending) func wait() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          switch state {
          case .waiting:
            state = .waiting(continuation)
            return nil
          case .due: return .success(())
          case .cancelled: return .failure(CancellationError())
          }
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard case .waiting(let continuation) = state else { return nil }
        state = .cancelled
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// - Returns: false if it was cancelled.
  @discardableResult func resume() -> Bool {
    let (continuation, isDue) = state.withLock { state -> (CheckedContinuation<Void, any Error>?, Bool) in
      switch state {
      case .waiting(let continuation):
        state = .due
        return (continuation, true)
      case .due: return (nil, true)
      case .cancelled: return (nil, false)
      }
    }
    continuation?.resume()
    return isDue
  }

  /// Somebody else took the turn.
  func reset() {
    state.withLock { state in if case .due = state { state = .waiting(nil) } }
  }
}
