import Foundation
import RealmStorage

/// A write transaction that is waited for in the background.
///
/// The realm that asked may also take it before it is told, when it begins to write in the ordinary way: it would wait for itself otherwise. Until it does
/// the transaction may be taken back, and given again later.
final class LockRequest: @unchecked Sendable {
  // SAFETY: `outcome` and `isTaken` are only touched under the condition; a transaction is taken once.
  private let condition = NSCondition()
  private var outcome: Result<WriteTransaction, StorageError>?
  private var isTaken = false

  /// The transaction is there, or will never be.
  func fulfil(_ result: Result<WriteTransaction, StorageError>) {
    condition.lock()
    let isWanted = !isTaken
    if isWanted { outcome = result }
    condition.broadcast()
    condition.unlock()
    if !isWanted { try? result.get().cancel() }
  }

  /// Nobody will ever come for it.
  func abandon() {
    condition.lock()
    let unused = isTaken ? nil : outcome
    isTaken = true
    condition.unlock()
    try? unused?.get().cancel()
  }

  var isFulfilled: Bool {
    condition.lock()
    defer { condition.unlock() }
    return outcome != nil
  }

  /// Waits for `fulfil`.
  func take() throws(StorageError) -> WriteTransaction {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let outcome {
        isTaken = true
        return try outcome.get()
      }
      condition.wait()
    }
  }

  /// For somebody else.
  /// - Returns: nil if there is no transaction that nobody has taken.
  func takeBack() -> WriteTransaction? {
    condition.lock()
    defer { condition.unlock() }
    guard !isTaken, case .success(let transaction) = outcome else { return nil }
    outcome = nil
    return transaction
  }
}
