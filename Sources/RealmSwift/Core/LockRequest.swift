import Foundation
import RealmStorage

/// A write transaction that is waited for on a background thread.
///
/// The realm that asked may also take it before it is told, when it begins to write in the ordinary way: it would wait for itself otherwise.
final class LockRequest: @unchecked Sendable {
  // SAFETY: `outcome` is only touched under the condition; a transaction is taken once.
  private let condition = NSCondition()
  private var outcome: Result<WriteTransaction, StorageError>?

  /// Waits for the right to write; on a background thread.
  func run(_ database: Database) {
    let result: Result<WriteTransaction, StorageError>
    do throws(StorageError) { result = .success(try database.beginWrite(staysOnThread: false)) } catch { result = .failure(error) }
    condition.lock()
    outcome = result
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until `run` is over.
  func take() throws(StorageError) -> WriteTransaction {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let outcome { return try outcome.get() }
      condition.wait()
    }
  }
}

/// A commit on its way to the disk, on a background thread. Until it is over nobody may touch the transaction.
final class PendingCommit: @unchecked Sendable, Equatable {
  // SAFETY: `outcome` and `whenDone` are only touched under the condition; the transaction and its group belong to `run`.
  private let condition = NSCondition()
  private let transaction: WriteTransaction
  private let group: Group
  private var outcome: Result<Snapshot?, StorageError>?
  private var whenDone: (@Sendable () -> Void)?
  /// The version that the changes were made to, and the number of the transaction: for the case that it fails.
  let base: Snapshot?
  let number: UInt32

  init(_ writing: RealmPhase.Writing, base: Snapshot?) {
    transaction = writing.transaction
    group = writing.group
    number = writing.number
    self.base = base
  }

  /// Durable on return, unless it fails.
  func run() {
    let result: Result<Snapshot?, StorageError>
    do throws(StorageError) {
      let read: ReadTransaction? = try transaction.commitAndRead(group)
      result = .success(read.map { Snapshot($0) })
    } catch {
      transaction.cancel()
      result = .failure(error)
    }
    condition.lock()
    outcome = result
    let whenDone = whenDone
    self.whenDone = nil
    condition.broadcast()
    condition.unlock()
    whenDone?()
  }

  static func == (a: PendingCommit, b: PendingCommit) -> Bool { a === b }
  static func ~= (a: PendingCommit, b: PendingCommit) -> Bool { a === b }

  /// The version that the commit has made, which is durable; nil in it if it could not be claimed.
  func wait() -> Result<Snapshot?, StorageError> {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let outcome { return outcome }
      condition.wait()
    }
  }

  /// Calls `body` on some thread when the commit is over; at once if it is.
  func notify(_ body: @escaping @Sendable () -> Void) {
    condition.lock()
    let isOver = outcome != nil
    if !isOver { whenDone = body }
    condition.unlock()
    if isOver { body() }
  }
}
