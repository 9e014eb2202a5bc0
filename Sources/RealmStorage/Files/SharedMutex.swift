#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A robust, process-shared mutex that lives in a mapped lock file. T5.1.
///
/// It belongs to the thread that locked it: only that thread may unlock it. When an owner dies, the next one to lock gets it in a
/// recovered state; what the dead owner guarded has to be consistent at every step.
@safe struct SharedMutex {
  // SAFETY: points into the mapping of a `LockFile`, which makes these values and never outlives its mapping. Bytes at the address are
  // only given to the C library's mutex functions, apart from the lock word, which is read as a hint.
  private let address: UnsafeMutablePointer<pthread_mutex_t>

  @unsafe init(_ address: UnsafeMutablePointer<pthread_mutex_t>) { unsafe self.address = address }

  enum Outcome: Equatable {
    case acquired
    /// Acquired; the previous owner died while it held the mutex.
    case acquiredFromDeadOwner
    /// Somebody else holds it.
    case busy
    /// Not acquired; the code of the C library.
    case failed(Int32)
  }

  /// Waits as long as it takes, or until `goesOn` says no, which is asked about ten times a second: `.busy` then.
  @inline(__always) func lock(while goesOn: () -> Bool = { true }) -> Outcome {
    let code = unsafe pthread_mutex_trylock(address)
    if code == 0 { return .acquired }
    return code == EBUSY ? waitAndLock(while: goesOn) : recover(code)
  }

  func tryLock() -> Outcome {
    let code = unsafe pthread_mutex_trylock(address)
    return code == 0 ? .acquired : recover(code)
  }

  @inline(__always) func unlock() {
    let code = unsafe pthread_mutex_unlock(address)
    precondition(code == 0, "a shared mutex was unlocked by a thread that does not own it")
  }

  // The lock word comes first in glibc's mutex: owner's thread id, 0x80000000 somebody waits, 0x40000000 owner died.

  /// Whether another thread sleeps until the mutex is free. A hint.
  var hasWaiters: Bool { lockWord & 0x8000_0000 != 0 }
  /// Whether anybody holds the mutex. A hint.
  var isHeld: Bool { lockWord & 0x3FFF_FFFF != 0 }
  private var lockWord: UInt32 { unsafe UnsafeRawPointer(address).load(as: UInt32.self) }

  #if canImport(Glibc) || canImport(Musl)
    /// Sleeps in pieces of a tenth of a second. A waiter that is killed after it was woken and before it has the mutex takes the wake-up
    /// with it if somebody else got the mutex in between: the word then no longer says that others wait, and the kernel passes the wake-up
    /// on only while nobody owns the mutex. Who sleeps without end would do so although the mutex is free.
    @inline(never) private func waitAndLock(while goesOn: () -> Bool) -> Outcome {
      while goesOn() {
        var deadline = timespec()
        unsafe clock_gettime(Self.clock, &deadline)
        deadline.tv_nsec += 100_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
          deadline.tv_nsec -= 1_000_000_000
          deadline.tv_sec += 1
        }
        let code = unsafe lock(before: &deadline)
        if code == 0 { return .acquired }
        if code != ETIMEDOUT { return recover(code) }
      }
      return .busy
    }

    private typealias LockBefore = @convention(c) (UnsafeMutablePointer<pthread_mutex_t>, clockid_t, UnsafePointer<timespec>) -> Int32
    /// Waits by a clock of the caller's choice; nil where the C library has no such function, as musl and glibc before 2.30, or where it cannot be looked
    /// up, as in statically linked programs.
    private static let lockBefore: LockBefore? = {
      guard let symbol = unsafe dlsym(nil, "pthread_mutex_clocklock") else { return nil }
      // SAFETY: the function that POSIX defines under this name has this signature; whoever waits for a mutex calls it, as tests do.
      return unsafe unsafeBitCast(symbol, to: LockBefore.self)
    }()

    /// One that nobody sets, if possible: with the time of day, a piece lasts as long as the clock is set back.
    private static let clock = unsafe lockBefore == nil ? CLOCK_REALTIME : CLOCK_MONOTONIC
    @unsafe private func lock(before deadline: UnsafePointer<timespec>) -> Int32 {
      guard let lockBefore = unsafe Self.lockBefore else { return unsafe pthread_mutex_timedlock(address, deadline) }
      return unsafe lockBefore(address, Self.clock, deadline)
    }

    /// A dead owner is reported by `lock` and by `trylock`; in both cases the mutex is ours already (T14.2).
    @inline(never) private func recover(_ code: Int32) -> Outcome {
      switch code {
      case EBUSY: return .busy
      case EOWNERDEAD:
        let recovery = unsafe pthread_mutex_consistent(address)
        return recovery == 0 ? .acquiredFromDeadOwner : .failed(recovery)
      default: return .failed(code)
      }
    }

    /// Constructs the mutex in fresh memory. Only for the process that formats the file.
    func initialize() -> Int32 {
      var attributes = pthread_mutexattr_t()
      var code = unsafe pthread_mutexattr_init(&attributes)
      guard code == 0 else { return code }
      defer { _ = unsafe pthread_mutexattr_destroy(&attributes) }
      code = unsafe pthread_mutexattr_setpshared(&attributes, Int32(PTHREAD_PROCESS_SHARED))
      guard code == 0 else { return code }
      code = unsafe pthread_mutexattr_setrobust(&attributes, Int32(PTHREAD_MUTEX_ROBUST))
      guard code == 0 else { return code }
      return unsafe pthread_mutex_init(address, &attributes)
    }
  #else
    // Never reached: `LockFileLayout.native` is nil, so no lock file is opened.
    private func waitAndLock(while goesOn: () -> Bool) -> Outcome { recover(unsafe pthread_mutex_lock(address)) }
    private func recover(_ code: Int32) -> Outcome { code == EBUSY ? .busy : code == 0 ? .acquired : .failed(code) }
    func initialize() -> Int32 { ENOTSUP }
  #endif
}

/// A process-shared condition variable that others wait on. We never do: a process killed in such a wait makes the next broadcast hang.
/// T14.8.
@safe struct SharedCondition {
  // SAFETY: as for `SharedMutex`.
  private let address: UnsafeMutablePointer<pthread_cond_t>

  @unsafe init(_ address: UnsafeMutablePointer<pthread_cond_t>) { unsafe self.address = address }

  /// The word at +36 is 1 while nobody waits; otherwise there are waiters, alive or dead. To be read under the variable's mutex.
  var hasWaiters: Bool { unsafe UnsafeRawPointer(address).load(fromByteOffset: 36, as: UInt32.self) != 1 }

  /// May never return when a waiter died: call it only from a thread that nobody waits for.
  func broadcast() { _ = unsafe pthread_cond_broadcast(address) }

  /// Constructs the variable in fresh memory. Only for the process that formats the file.
  func initialize() -> Int32 {
    var attributes = pthread_condattr_t()
    let code = unsafe pthread_condattr_init(&attributes)
    guard code == 0 else { return code }
    defer { _ = unsafe pthread_condattr_destroy(&attributes) }
    let sharing = unsafe pthread_condattr_setpshared(&attributes, Int32(PTHREAD_PROCESS_SHARED))
    guard sharing == 0 else { return sharing }
    return unsafe pthread_cond_init(address, &attributes)
  }
}
