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

/// A commit on its way to the disk, on a background thread: first it is written, then it is durable, maybe together with others. Until it is written
/// nobody may touch the transaction.
final class PendingCommit: @unchecked Sendable, Equatable {
  // SAFETY: `written`, `base`, `end` and `whenOver` are only touched under the condition; the transaction and its group belong to `run`.
  private let condition = NSCondition()
  private let transaction: WriteTransaction
  private let group: Group
  /// Memory of the transaction.
  let byteCount: UInt64
  private var written: Result<Snapshot?, StorageError>?
  private var end: Result<Void, StorageError>?
  private var whenOver: (@Sendable () -> Void)?
  private var base: Snapshot?
  /// Set by `run`, before anybody can see its end.
  private var metered: MeteredCommit?
  /// Of the transaction: for the case that it fails.
  let number: UInt32

  /// What has become of the changes. The commit holds no version any more once it has told.
  enum Outcome {
    /// The new version, which need not be durable yet; nil if it could not be claimed.
    case written(Snapshot?)
    /// Nothing was changed in the version that they were made to; nil if it could not be claimed.
    case failed(base: Snapshot?)
  }

  init(_ writing: RealmPhase.Writing, base: Snapshot?) {
    transaction = writing.transaction
    group = writing.group
    byteCount = writing.transaction.scratch.usedByteCount
    number = writing.number
    self.base = base
  }

  /// Written on return, unless it fails.
  /// - Parameter sharesBarriers: else it is durable on return.
  func run(sharesBarriers: Bool) {
    metered = MeteredCommit(byteCount: byteCount)
    do throws(StorageError) {
      let read: ReadTransaction? =
        sharesBarriers ? try transaction.commitIntoGroup(group) { self.isOver($0) } : try transaction.commitAndRead(group)
      isWritten(.success(read.map { Snapshot($0) }))
      if !sharesBarriers { isOver(nil) }
    } catch {
      transaction.cancel()
      isWritten(.failure(error))
      isOver(error)
    }
  }

  private func isWritten(_ result: Result<Snapshot?, StorageError>) {
    condition.lock()
    written = result
    // What waits for its barriers must not keep one version after the other.
    let released = if case .success = result { base.take() } else { Snapshot?.none }
    condition.broadcast()
    condition.unlock()
    withExtendedLifetime(released) {}
  }

  private func isOver(_ failure: StorageError?) {
    if failure == nil { metered?.succeeded() }
    condition.lock()
    end = failure.map { .failure($0) } ?? .success(())
    let whenOver = whenOver
    self.whenOver = nil
    condition.broadcast()
    condition.unlock()
    whenOver?()
  }

  static func == (a: PendingCommit, b: PendingCommit) -> Bool { a === b }
  static func ~= (a: PendingCommit, b: PendingCommit) -> Bool { a === b }

  /// Waits until the changes are written, or have failed to be. Whoever asks again gets no version.
  func takeOutcome() -> Outcome {
    condition.lock()
    defer { condition.unlock() }
    while true {
      switch written {
      case .success(let snapshot):
        written = .success(nil)
        return .written(snapshot)
      case .failure: return .failed(base: base.take())
      case nil: condition.wait()
      }
    }
  }

  /// Waits until the commit is durable.
  func waitUntilOver() throws(StorageError) {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let end { return try end.get() }
      condition.wait()
    }
  }

  /// Calls `body` on some thread when the commit is durable or has failed; at once if it is over.
  func notify(_ body: @escaping @Sendable () -> Void) {
    condition.lock()
    let isOver = end != nil
    if !isOver { whenOver = body }
    condition.unlock()
    if isOver { body() }
  }
}
