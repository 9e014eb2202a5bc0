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
  /// Until when the next write may join what the last one has written.
  private var end = ContinuousClock.now
  /// Of the commit that blocks have been put into last.
  private var lastEnd: End?
  /// Blocks and awaited writes under way, and commits whose end was not announced yet.
  private var activityCount = 0
  private(set) var isCompleting = false

  private enum Job {
    case block(Block)
    /// A suspended task, which writes itself.
    case turn(WriteTurn)

    var block: Block? { if case .block(let block) = self { block } else { nil } }
  }

  private enum Block {
    /// Commits or cancels by itself.
    case free(() -> Void)
    /// Surely commits at its end.
    case write(() -> Void, Completion?)
  }
  typealias Completion = ((any Error)?) -> Void

  init(_ core: RealmCore) { self.core = core }

  /// A task that was cancelled leaves its request behind.
  deinit { request?.abandon() }

  var isBusy: Bool { activityCount > 0 || !jobs.isEmpty }

  // MARK: Asking

  /// Runs `block` in a write transaction at a later turn.
  func begin(_ block: @escaping () -> Void) throws -> AsyncTransactionId { try begin(.free(block)) }

  /// Runs `block` in a write transaction at a later turn, commits, and calls `completion` when the disk has the changes.
  func write(_ block: @escaping () -> Void, _ completion: Completion?) throws -> AsyncTransactionId {
    try begin(.write(block, completion))
  }

  private func begin(_ block: Block) throws -> AsyncTransactionId {
    try core.requireWriting()
    try core.checkVersionLimit()
    if isCompleting { throw RealmFailure.misuse("Can't begin a write transaction from inside a commit completion callback.") }
    _ = try scheduler()
    return add(.block(block))
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
    jobs.removeAll { $0.number == number && $0.job.block != nil }
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
    jobs.removeAll { $0.job.block != nil }
    settle()
  }

  // MARK: Getting the right to write

  /// Asks for the right to write if there is something to do and no transaction in its way.
  /// - Parameter precedesCommit: the caller hands a commit to the file's writer right away. No other thread has to be woken to look for work before that.
  func proceed(precedesCommit: Bool = false) {
    settle()
    guard request == nil, !jobs.isEmpty, !core.isInWriteTransaction, core.heldCommit == nil else { return }
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
    end = ContinuousClock.now + Limit.turnLength
    begin(request)
    followGrants()
  }

  private func followGrants() {
    while let grant {
      self.grant = nil
      if ContinuousClock.now < end { begin(grant.request) } else { grant.arrived() }
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

  private func begin(_ request: LockRequest) {
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
    }
  }

  // MARK: Blocks

  /// Runs a block, and those behind it that find room in the same version: it costs what one of them would.
  private func run(_ first: Block) {
    activityCount += 1
    do { try core.beginWrite(staysOnThread: false) } catch {
      refuse(first, error)
      activityCount -= 1
      return proceed()
    }
    let count = runAndJoin(first)
    guard count > 1, let held = core.heldCommit, mayJoin(held), let scheduler = Scheduler(core) else { return endBlocks() }
    // Where several were written together others are often about to be asked for, perhaps by what is called at the end of those before: they come first.
    scheduler.invoke { self.takeIn(held) }
  }

  /// Tells whoever waits for the end of a write that it could not begin. A block that nobody waits for must not be lost in silence.
  private func refuse(_ block: Block, _ error: any Error) {
    guard !(error is RealmFailure), case .write(_, let completion?) = block else { stop(error, core) }
    isCompleting = true
    completion(error)
    isCompleting = false
  }

  /// - Returns: how many blocks wrote in one transaction.
  private func runAndJoin(_ first: Block?) -> Int {
    isRunningBlock = true
    var count = 0
    var next = first
    while let block = next {
      count += 1
      switch block {
      case .free(let body):
        body()
        // Neither committed nor cancelled.
        if core.isInWriteTransaction { orStop(core) { try core.cancelWrite() } }
      case .write(let body, let completion):
        body()
        orStop(core) { _ = try commit(sharesBarriers: true, completion) }
      }
      next = joiningBlock()
    }
    isRunningBlock = false
    return count
  }

  private func endBlocks() {
    isRunningBlock = true
    if let held = core.heldCommit { core.beginCommit(held, mayRunHere: true) }
    isRunningBlock = false
    activityCount -= 1
    proceed()
  }

  /// What was in the queue before `commit` has had its turn: what it asked for joins.
  private func takeIn(_ commit: PendingCommit) {
    // Otherwise somebody has begun it.
    if core.heldCommit == commit { _ = runAndJoin(joiningBlock()) }
    endBlocks()
    followGrants()
  }

  /// The next block, with the transaction of the one before.
  private func joiningBlock() -> Block? {
    guard let held = core.heldCommit, mayJoin(held), let block = jobs.first?.job.block else { return nil }
    // One that surely commits cannot be rolled back.
    let canRollBack = if case .free = block { true } else { false }
    let isJoined = orStop(core) { try core.joinWrites(held, canRollBack: canRollBack) }
    if !isJoined { return nil }
    jobs.removeFirst()
    return block
  }

  private func mayJoin(_ commit: PendingCommit) -> Bool { commit.byteCount < Limit.joinedByteCount && ContinuousClock.now < end }

  // MARK: Awaited writes

  /// Begins the write of a task whose turn it seems to be.
  /// - Returns: false if another write came first: the task has to wait on.
  func start(_ turn: WriteTurn) throws -> Bool {
    if case .turn(turn)? = jobs.first?.job, let held = core.heldCommit, try core.joinWrites(held, canRollBack: true) {
      jobs.removeFirst()
      activityCount += 1
      return true
    }
    guard let request, request.isFulfilled, case .turn(turn)? = jobs.first?.job else {
      turn.reset()
      proceed()
      // Its transaction may have come just before.
      if let request, request.isFulfilled, case .turn(turn)? = jobs.first?.job { turn.resume() }
      return false
    }
    jobs.removeFirst()
    activityCount += 1
    end = .now + Limit.turnLength
    do { try core.beginWrite(staysOnThread: false) } catch let failure as RealmFailure {
      // What stops other writes stops this one.
      stop(failure, core)
    } catch {
      finishAwaited()
      throw error
    }
    return true
  }

  /// Commits what a task has written, maybe together with what the next one writes.
  /// - Returns: nil if there is nothing to commit.
  func commitAwaited() throws -> PendingCommit? {
    guard core.isInWriteTransaction else { return nil }
    let commit = try core.holdCommit()
    handOn()
    return commit
  }

  /// The end of an awaited write.
  func finishAwaited() {
    activityCount -= 1
    handOn()
    proceed()
  }

  /// Gives what is held to the next task if it may join it, and else to the file's writer.
  private func handOn() {
    guard !isRunningBlock, let held = core.heldCommit else { return }
    if case .turn(let next)? = jobs.first?.job, mayJoin(held), next.resume() {
      core.file.writer.hold(held)
    } else {
      core.beginCommit(held)
    }
  }

  // MARK: Commits

  /// Commits in the background and calls `completion` at a later turn.
  /// - Parameter sharesBarriers: see `RealmCore.beginCommit`. Then blocks that follow may join the commit of one that runs.
  func commit(sharesBarriers: Bool, _ completion: Completion?) throws -> AsyncTransactionId {
    try core.requireWriting()
    if isCompleting { throw RealmFailure.misuse("Can't commit a write transaction from inside a commit completion callback.") }
    guard core.isInWriteTransaction else { throw RealmFailure.misuse("Can't commit a non-existing write transaction") }
    let scheduler = try scheduler()
    let commit = try core.holdCommit()
    lastNumber &+= 1
    completions[lastNumber] = completion
    if let lastEnd, lastEnd.commit == commit {
      lastEnd.numbers.append(lastNumber)
    } else {
      let end = End(self, commit, lastNumber)
      lastEnd = end
      activityCount += 1
      settle()
      commit.notify { scheduler.invoke { end.deliver() } }
    }
    if !isRunningBlock || !sharesBarriers || commit.staysOnThread {
      core.beginCommit(commit, sharesBarriers: sharesBarriers)
    } else {
      // The block may run on for long.
      core.file.writer.hold(commit)
    }
    return lastNumber
  }

  /// Blocks that wait for the end of one commit.
  /// - SAFETY: looked into in the confinement only.
  private final class End: @unchecked Sendable {
    private let writing: AsyncWriting
    let commit: PendingCommit
    var numbers: [AsyncTransactionId]
    init(_ writing: AsyncWriting, _ commit: PendingCommit, _ number: AsyncTransactionId) {
      self.writing = writing
      self.commit = commit
      numbers = [number]
    }
    func deliver() { writing.finish(self) }
  }

  private func finish(_ end: End) {
    if lastEnd === end { lastEnd = nil }
    let failure = core.finish(end.commit)
    isCompleting = true
    for number in end.numbers { completions.removeValue(forKey: number)?(failure) }
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
