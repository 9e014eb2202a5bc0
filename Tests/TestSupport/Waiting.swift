import Foundation
import Testing

/// Waits until something is so, looking again and again.
/// - Returns: whether it became so in time.
@discardableResult
package func waitUntil(within limit: Duration = .seconds(patience), _ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + limit
  var pause: UInt32 = 100
  while try !condition() {
    if ContinuousClock.now >= end { return false }
    usleep(pause)
    pause = min(2 * pause, 5000)
  }
  return true
}

/// The same without blocking the thread, for asynchronous tests. Looks some times at least: where other tests have taken all threads, the time may pass
/// between two looks, and what is waited for waits for a thread, too.
/// - Returns: whether it became so in time.
@discardableResult
package func eventually(
  isolation: isolated (any Actor)? = #isolation, within limit: Duration = .seconds(patience), _ condition: () async throws -> Bool
) async throws -> Bool {
  let end = ContinuousClock.now + limit
  var looks = 0
  while try await !condition() {
    looks += 1
    if looks > 10, ContinuousClock.now >= end { return false }
    try await Task.sleep(for: .milliseconds(2))
  }
  return true
}

/// Lets time pass, where nothing but time shows something: that nothing happens in it, or that something was a while ago. The caller says which.
package func letPass(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }
