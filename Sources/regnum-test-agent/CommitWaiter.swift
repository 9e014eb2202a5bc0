#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Plays another engine's thread that waits for a commit, which this engine never does (T14.8).
///
///     regnum-test-agent wait-for-commit LOCK-FILE MUTEX-OFFSET CONDITION-OFFSET
///
/// Answers `waiting` when it holds the mutex, just before it waits, and `woken` when it was woken.
enum CommitWaiter {
  static func run(_ arguments: ArraySlice<String>) {
    let offsets = arguments.dropFirst().compactMap { Int($0) }
    guard let path = arguments.first, offsets.count == 2 else { Agent.fail("wait-for-commit LOCK-FILE MUTEX CONDITION") }
    let descriptor = unsafe open(path, O_RDWR)
    guard descriptor >= 0, let base = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      unsafe base != MAP_FAILED
    else { Agent.fail("cannot map \(path)") }
    let mutex = unsafe base.advanced(by: offsets[0]).bindMemory(to: pthread_mutex_t.self, capacity: 1)
    let condition = unsafe base.advanced(by: offsets[1]).bindMemory(to: pthread_cond_t.self, capacity: 1)
    guard unsafe pthread_mutex_lock(mutex) == 0 else { Agent.fail("cannot lock the mutex") }
    Agent.answer("waiting")
    let code = unsafe pthread_cond_wait(condition, mutex)
    _ = unsafe pthread_mutex_unlock(mutex)
    Agent.answer(code == 0 ? "woken" : "error \(code)")
  }
}
