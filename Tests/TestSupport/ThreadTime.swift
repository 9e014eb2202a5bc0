import Foundation

/// What the calling thread computes for `body`. Unlike the time that passes it does not grow when other tests hold the processors, and a limit
/// of the testing library counts from when all tests begin, not from when this one gets a thread.
package func threadTime(of body: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}
