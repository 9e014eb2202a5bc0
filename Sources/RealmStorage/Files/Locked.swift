#if REGNUM_SANITIZER
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A value behind a lock that ThreadSanitizer sees: it watches the functions of the system's threads, and not the waiting of `Mutex`.
  ///
  /// In builds with `REGNUM_SANITIZER=thread` in the environment only.
  @safe package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // SAFETY: both are allocated in `init`, released in `deinit`, and used nowhere else; the value only while the mutex is held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initial: consuming sending Value) {
      unsafe mutex = .allocate(capacity: 1)
      unsafe pthread_mutex_init(mutex, nil)
      unsafe value = .allocate(capacity: 1)
      unsafe value.initialize(to: initial)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deallocate()
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
    }

    /// Calls `body` with the value while nobody else has it.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return try body(&(unsafe value).pointee)
    }

    /// See the other one.
    package borrowing func withLockInPlace<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result { try withLock(body) }
  }
#else
  import Synchronization

  /// A value behind a lock. Builds for ThreadSanitizer have one of their own that it sees.
  ///
  /// `Mutex` is compiled into whoever uses it, and asks for the number of the running thread. Swift 6.3 looks up where that is kept once for what
  /// an asynchronous function does after an `await`, and before it goes back to its actor or executor, which may be on another thread: then the lock
  /// is taken in the name of a thread that does not have it, and the process ends or waits for ever as soon as two want it. Here the lock is
  /// only ever taken inside of a function that cannot be suspended.
  package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    package init(_ initial: consuming sending Value) { mutex = Mutex(initial) }

    /// Calls `body` with the value while nobody else has it.
    @inline(never) package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result { try withLockInPlace(body) }

    /// As `withLock`, compiled into the caller, which is some ninety instructions less: only for functions that are marked as never inlined and are not
    /// asynchronous.
    @inline(__always) package borrowing func withLockInPlace<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock { (value) throws(Failure) in try body(&value) }
    }
  }
#endif
