#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread of the operating system, for work that may block for ever or that must stay on one thread.
struct SystemThread {
  private let handle: pthread_t

  /// Starts a thread on which all signals are blocked. It has to be joined, or detached, once.
  init(_ body: @escaping @Sendable () -> Void) throws(StorageError) {
    // The thread takes the closure out of the box and frees it.
    let box = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
    unsafe box.initialize(to: body)
    // A thread begins with the mask of the one that makes it. Blocking them on the new thread itself would leave a moment for a signal.
    var (all, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    #if canImport(Darwin)
      var started: pthread_t?
      let code = unsafe pthread_create(&started, nil, { unsafe SystemThread.run($0) }, box)
      let thread = started
    #else
      var started = pthread_t()
      let code = unsafe pthread_create(&started, nil, { unsafe SystemThread.run($0) }, box)
      let thread: pthread_t? = started
    #endif
    guard code == 0, let thread else {
      unsafe box.deinitialize(count: 1)
      unsafe box.deallocate()
      throw .io(operation: "pthread_create", path: "", code: code)
    }
    handle = thread
  }

  /// Waits until the thread's body has returned.
  func join() { _ = pthread_join(handle, nil) }

  /// Lets the thread end on its own.
  func detach() { _ = pthread_detach(handle) }

  private static func run(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let raw = unsafe raw else { return nil }
    let box = unsafe raw.bindMemory(to: (@Sendable () -> Void).self, capacity: 1)
    let body = unsafe box.move()
    unsafe box.deallocate()
    body()
    return nil
  }
}

/// State shared by one worker thread and its clients, with a queue to sleep in for either side.
@safe final class Monitor<State>: @unchecked Sendable {
  // SAFETY: `state` is touched only between locking and unlocking `mutex`; the pthread objects have stable addresses of their own and
  // live from `init` to `deinit`.
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let workerWakes: UnsafeMutablePointer<pthread_cond_t>
  private let clientsWake: UnsafeMutablePointer<pthread_cond_t>

  init(_ state: State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe workerWakes = .allocate(capacity: 1)
    unsafe clientsWake = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe workerWakes.initialize(to: pthread_cond_t())
    unsafe clientsWake.initialize(to: pthread_cond_t())
    let codes = unsafe (pthread_mutex_init(mutex, nil), pthread_cond_init(workerWakes, nil), pthread_cond_init(clientsWake, nil))
    precondition(codes == (0, 0, 0), "no resources for a private mutex")
  }

  deinit {
    unsafe pthread_cond_destroy(clientsWake)
    unsafe pthread_cond_destroy(workerWakes)
    unsafe pthread_mutex_destroy(mutex)
    unsafe clientsWake.deallocate()
    unsafe workerWakes.deallocate()
    unsafe mutex.deallocate()
  }

  /// A change by a client; wakes the worker if there is something to do for it now.
  func tellWorker<R, E: Error>(ifWork hasWork: (State) -> Bool, _ body: (inout State) throws(E) -> R) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer {
      if hasWork(state) { unsafe pthread_cond_signal(workerWakes) }
      unsafe pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// A change by the worker; wakes the clients.
  func tellClients(_ body: (inout State) -> Void) {
    unsafe pthread_mutex_lock(mutex)
    body(&state)
    unsafe pthread_cond_broadcast(clientsWake)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// The worker sleeps until `body` finds something to do.
  func awaitWork<R>(_ body: (inout State) -> R?) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      unsafe pthread_cond_wait(workerWakes, mutex)
    }
  }

  /// A client sleeps until `body` finds its answer; then the worker wakes, as it may go on.
  func awaitAnswer<R>(_ body: (inout State) -> R?) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) {
        unsafe pthread_cond_signal(workerWakes)
        return result
      }
      unsafe pthread_cond_wait(clientsWake, mutex)
    }
  }
}
