import Foundation

/// Threads that tests run on beside the pool of the language, which has one for each processor: a test that waits for a thread, a process or a
/// time holds its own meanwhile, and with these there is another one that has something to do.
final class TestThreads: TaskExecutor {
  static let shared = TestThreads()

  private let condition = NSCondition()
  // SAFETY: read and written with `condition` held.
  nonisolated(unsafe) private var jobs: [UnownedJob] = []
  // SAFETY: as above.
  nonisolated(unsafe) private var next = 0

  private init() {
    for _ in 0...ProcessInfo.processInfo.activeProcessorCount {
      let thread = Thread { [self] in
        while true { take().runSynchronously(on: asUnownedTaskExecutor()) }
      }
      // As much as the threads of the pool have.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    jobs.append(job)
    condition.signal()
    condition.unlock()
  }

  private func take() -> UnownedJob {
    condition.lock()
    defer { condition.unlock() }
    while next == jobs.count { condition.wait() }
    defer {
      next += 1
      if next == jobs.count { (jobs, next) = ([], 0) }
    }
    return jobs[next]
  }
}
