import Foundation
import RealmStorage

/// Threads that tests run on beside the pool of the language, which has one for each processor: a test that waits for a thread, a process or a
/// time holds its own meanwhile, and with these there is another one that has something to do.
final class TestThreads: TaskExecutor {
  static let shared = TestThreads()

  private let jobs = Locked(JobQueue())
  /// Counts the jobs that wait.
  private let waiting = DispatchSemaphore(value: 0)

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
    jobs.withLock { $0.append(job) }
    waiting.signal()
  }

  private func take() -> UnownedJob {
    waiting.wait()
    return jobs.withLock { $0.removeFirst() }
  }
}

/// Jobs in the order in which they came.
private struct JobQueue: Sendable {
  private var jobs: [UnownedJob] = []
  private var next = 0

  mutating func append(_ job: UnownedJob) { jobs.append(job) }

  /// There has to be one.
  mutating func removeFirst() -> UnownedJob {
    defer {
      next += 1
      if next == jobs.count { (jobs, next) = ([], 0) }
    }
    return jobs[next]
  }
}
