import Foundation
import RealmStorage

/// Runs `body` on a thread of its own; for bodies that wait for a task. Nothing may block a thread of the tasks meanwhile: there are as few of these as
/// processors, and the main actor needs one of them in a test.
package func awaitOtherThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// Runs `body` on a thread of its own and returns when that is done. It must not wait for a task.
package func otherThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
  let finished = DispatchSemaphore(value: 0)
  let outcome = Outcome<Result>()
  Thread.detachNewThread {
    outcome.set(Swift.Result { try body() })
    finished.signal()
  }
  finished.wait()
  return try outcome.get()
}

private final class Outcome<Value: Sendable>: Sendable {
  private let value = Locked<Result<Value, any Error>?>(nil)
  func set(_ result: Result<Value, any Error>) { value.withLock { $0 = result } }
  func get() throws -> Value { try value.withLock { $0 }!.get() }
}
