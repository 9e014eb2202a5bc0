#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How the write mutex came to a writer.
package enum WriteGrant: Sendable {
  case clean
  /// The previous owner died while it held the mutex: its last version may be in the header but not in the version list (T14.1).
  case afterDeadOwner
}

/// Called some ten times a second, on some thread, while the right to write is waited for that another process has, with the time waited in seconds.
/// What it throws ends the wait.
package typealias WhileWaiting = @Sendable (_ seconds: Double) throws(StorageError) -> Void

/// Takes and releases a session's write mutex, on a thread of its own: a robust mutex has to be unlocked by the thread that locked it, and
/// Swift code changes threads. T5.1, T5.4.
///
/// Requests of this process are granted in the order in which they came. The thread is started by the first request that needs it: a caller
/// who promises to stay on its thread gets a free mutex without any hop.
final class LockingThread: Sendable {
  private let file: LockFile
  private let whileWaiting: WhileWaiting?
  private let monitor = Monitor(State())

  private struct State {
    var thread: SystemThread?
    /// The number of the next request; requests below `answeredCount` have got their answer.
    var requestCount: UInt64 = 0
    var answeredCount: UInt64 = 0
    /// The answer to request `answeredCount` that waits to be collected.
    var answer: Answer?
    /// Request `answeredCount` only tries.
    var isTrying = false
    /// Some client of this process may write.
    var isHeld = false
    /// The thread that locked the mutex itself, when it was not the locking thread.
    var directOwner: pthread_t?
    var isReleaseRequested = false
    var isStopping = false
  }

  private enum Answer {
    case granted(WriteGrant)
    case refused(StorageError)
    /// To a request that only tries.
    case busy
  }

  /// How a request goes on after it was made.
  private enum Start {
    case answered(Answer)
    case queued(UInt64)
  }

  private enum Work {
    case acquire(onlyTry: Bool)
    case release
    case stop
  }

  init(_ file: LockFile, _ whileWaiting: WhileWaiting?) {
    self.file = file
    self.whileWaiting = whileWaiting
  }

  /// Waits for the write mutex.
  /// - Parameter staysOnThread: the mutex will be released on the calling thread.
  /// - Throws: `.sessionRestartRequired` when a process died at the critical moment of a commit; the mutex is free again then.
  func acquire(staysOnThread: Bool) throws(StorageError) -> WriteGrant {
    let start = try tell { (state) throws(StorageError) -> Start in
      guard !state.isStopping else { throw .transactionEnded }
      if staysOnThread, let answer = tryDirectly(&state) { return .answered(answer) }
      try startIfNeeded(&state)
      return .queued(Self.takeTicket(&state))
    }
    switch collectAnswer(start) {
    case .granted(let grant): return grant
    case .refused(let error): throw error
    case .busy: preconditionFailure("a waiting request got the answer of one that tries")
    }
  }

  /// nil when somebody has the write mutex or waits for it in this process.
  func tryAcquire(staysOnThread: Bool) throws(StorageError) -> WriteGrant? {
    let start = try tell { (state) throws(StorageError) -> Start in
      guard !state.isStopping else { throw .transactionEnded }
      guard state.answeredCount == state.requestCount, !state.isHeld || state.isReleaseRequested else { return .answered(.busy) }
      if staysOnThread, let answer = tryDirectly(&state) { return .answered(answer) }
      try startIfNeeded(&state)
      state.isTrying = true
      return .queued(Self.takeTicket(&state))
    }
    switch collectAnswer(start) {
    case .granted(let grant): return grant
    case .refused(let error): throw error
    case .busy: return nil
    }
  }

  /// Gives the mutex back: from any thread, unless it was taken with `staysOnThread`. It is free a moment later, not necessarily on return.
  func release() {
    let othersWait = tell { state in
      precondition(state.isHeld && !state.isReleaseRequested, "the write mutex was released without being held")
      guard state.directOwner == nil else { return releaseDirectly(&state) }
      state.isReleaseRequested = true
      return false
    }
    if othersWait { letOthersPass() }
  }

  var isHeld: Bool { tell { $0.isHeld && !$0.isReleaseRequested } }

  /// Releases the mutex if it is held and ends the thread. Nobody may be waiting for the mutex.
  func stop() {
    let thread = tell { state in
      precondition(state.answeredCount == state.requestCount, "a session ended while a thread waited for its write mutex")
      if state.directOwner != nil { _ = releaseDirectly(&state) }
      state.isStopping = true
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  // MARK: Clients

  /// A writer that takes and releases the mutex itself does not wake the thread.
  private func tell<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    try monitor.tellWorker(ifWork: { Self.nextWork($0) != nil }, body)
  }

  /// Takes the mutex on the calling thread if it is free and nobody waits for it here; nil if it has to be waited for.
  private func tryDirectly(_ state: inout State) -> Answer? {
    guard !state.isHeld, state.answeredCount == state.requestCount else { return nil }
    let answer = lock(onlyTry: true)
    switch answer {
    case .granted:
      state.isHeld = true
      state.directOwner = pthread_self()
    case .busy: return nil
    case .refused: break
    }
    return answer
  }

  /// Returns whether a thread of another participant waits for the mutex.
  private func releaseDirectly(_ state: inout State) -> Bool {
    precondition(state.directOwner == pthread_self(), "the write mutex was taken to be released on the same thread, and was not")
    state.directOwner = nil
    state.isHeld = false
    let othersWait = file.writeMutex.hasWaiters
    file.writeMutex.unlock()
    return othersWait
  }

  private func startIfNeeded(_ state: inout State) throws(StorageError) {
    if state.thread == nil { state.thread = try SystemThread { self.run() } }
  }

  private static func takeTicket(_ state: inout State) -> UInt64 {
    defer { state.requestCount += 1 }
    return state.requestCount
  }

  private func collectAnswer(_ start: Start) -> Answer {
    switch start {
    case .answered(let answer): answer
    case .queued(let ticket): awaitAnswer(ticket)
    }
  }

  private func awaitAnswer(_ ticket: UInt64) -> Answer {
    monitor.awaitAnswer { state in
      guard state.answeredCount == ticket, let answer = state.answer else { return nil }
      state.answer = nil
      state.isTrying = false
      state.answeredCount += 1
      return answer
    }
  }

  // MARK: The thread

  private func run() {
    while true {
      switch monitor.awaitWork({ Self.nextWork($0) }) {
      case .acquire(let onlyTry):
        let answer = lock(onlyTry: onlyTry)
        monitor.tellClients { state in
          if case .granted = answer { state.isHeld = true }
          state.answer = answer
        }
      case .release:
        let othersWait = file.writeMutex.hasWaiters
        file.writeMutex.unlock()
        if othersWait { letOthersPass() }
        monitor.tellClients { state in
          state.isHeld = false
          state.isReleaseRequested = false
        }
      case .stop: return
      }
    }
  }

  private static func nextWork(_ state: State) -> Work? {
    if state.isHeld {
      guard state.directOwner == nil, state.isReleaseRequested || state.isStopping else { return nil }
      return .release
    }
    if state.answer == nil, state.answeredCount < state.requestCount { return .acquire(onlyTry: state.isTrying) }
    return state.isStopping ? .stop : nil
  }

  private func lock(onlyTry: Bool) -> Answer {
    let grant: WriteGrant
    var refusal: StorageError?
    switch onlyTry ? file.writeMutex.tryLock() : lock(until: &refusal) {
    case .acquired: grant = .clean
    case .acquiredFromDeadOwner: grant = .afterDeadOwner
    case .busy: return refusal.map { .refused($0) } ?? .busy
    case .failed(let code): return .refused(.io(operation: "pthread_mutex_lock", path: file.paths.lock, code: code))
    }
    guard file.byte(LockFileLayout.Fixed.commitInCriticalPhase) == 0 else {
      file.writeMutex.unlock()
      return .refused(.sessionRestartRequired(path: file.paths.database))
    }
    return .granted(grant)
  }

  /// - Parameter refusal: why the wait was ended.
  private func lock(until refusal: inout StorageError?) -> SharedMutex.Outcome {
    guard let whileWaiting else { return file.writeMutex.lock() }
    let start = ContinuousClock.now
    return file.writeMutex.lock {
      do throws(StorageError) {
        try whileWaiting((ContinuousClock.now - start) / .seconds(1))
        return true
      } catch {
        refusal = error
        return false
      }
    }
  }

  /// The C library lets whoever comes first have the mutex, and that would be this process, again and again, while another one's sleeping
  /// writer is being woken. So we wait until the other one has it, at most a fifth of a millisecond.
  private func letOthersPass() {
    var rounds = 0
    while rounds < 4, !file.writeMutex.isHeld {
      var time = timespec(tv_sec: 0, tv_nsec: 50_000)
      _ = unsafe nanosleep(&time, nil)
      rounds += 1
    }
  }
}
