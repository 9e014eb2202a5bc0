import Foundation
import RealmStorage

/// A commit that its realm need not wait for. At first it is held: further writes of the realm may take the transaction back and do more in it. Then it is
/// begun, once, by the realm or somebody else: it is written, and at last durable, maybe together with others.
///
/// Until it is written nobody but whom the stage names may touch the transaction.
final class PendingCommit: @unchecked Sendable, Equatable {
  // SAFETY: everything that changes is only touched under the condition, but for `numbers`, `byteCount` and `isAnnounced`, which only
  // change in the realm's confinement; the transaction and its group belong to the realm while the commit is open, and to `run` once it is begun.
  private let condition = NSCondition()
  let transaction: WriteTransaction
  /// The transaction has to end on the thread on which it began.
  let staysOnThread: Bool
  private var stage = Stage.held
  private var group: Group
  /// Memory of the transaction when it was held last.
  private(set) var byteCount: UInt64
  private var written: Result<Snapshot?, StorageError>?
  private var end: Result<Void, StorageError>?
  private var whenOver: [@Sendable () -> Void] = []
  private var base: Snapshot?
  /// Set by `run`, before anybody can see its end.
  private var metered: MeteredCommit?
  /// How often it was held: who sees the same number again knows that nobody came.
  private var holdCount = 1
  /// Of the blocks that wrote in the transaction: for the case that it fails.
  private(set) var numbers: [UInt32]
  /// Observers were told of it.
  var isAnnounced = false

  private enum Stage {
    case held
    /// The realm writes on in the transaction.
    case open
    /// Being committed, or over.
    case begun
  }

  /// What has become of the changes. The commit holds no version any more once it has told.
  enum Outcome {
    /// The new version, which need not be durable yet; nil if it could not be claimed.
    case written(Snapshot?)
    /// Nothing was changed in the version that they were made to; nil if it could not be claimed.
    case failed(base: Snapshot?)
  }

  /// A commit that is held.
  init(_ writing: RealmPhase.Writing, base: Snapshot?) {
    transaction = writing.transaction
    staysOnThread = writing.staysOnThread
    group = writing.group
    byteCount = writing.transaction.scratch.usedByteCount
    numbers = [writing.number]
    self.base = base
  }

  static func == (a: PendingCommit, b: PendingCommit) -> Bool { a === b }
  static func ~= (a: PendingCommit, b: PendingCommit) -> Bool { a === b }

  // MARK: Holding

  var isHeld: Bool {
    condition.lock()
    defer { condition.unlock() }
    return stage == .held
  }

  /// Nil when it is not held.
  var numberOfHold: Int? {
    condition.lock()
    defer { condition.unlock() }
    return stage == .held ? holdCount : nil
  }

  /// Gives the transaction to the realm once more.
  /// - Returns: its tables; nil if the commit was begun meanwhile.
  func takeBack() -> Group? {
    condition.lock()
    defer { condition.unlock() }
    guard stage == .held else { return nil }
    stage = .open
    return group
  }

  /// The realm has done more in the transaction, by a block with the given number; nil if it is rolled back.
  func hold(_ group: Group, number: UInt32?) {
    if let number { numbers.append(number) }
    byteCount = transaction.scratch.usedByteCount
    condition.lock()
    self.group = group
    stage = .held
    holdCount += 1
    condition.unlock()
  }

  /// Nobody writes in the transaction any more. Whoever gets true has to see to it that `run` is called.
  func begin() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard stage == .held else { return false }
    stage = .begun
    return true
  }

  // MARK: Committing

  /// Written on return, unless it fails. Begun before.
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
      fail(error)
    }
  }

  /// The realm has made the transaction durable itself, with what it has done in it at last.
  func endedByRealm() {
    isWritten(.success(nil))
    isOver(nil)
  }

  /// Nothing of the transaction will be in the file.
  func fail(_ error: StorageError) {
    isWritten(.failure(error))
    isOver(error)
  }

  private func isWritten(_ result: Result<Snapshot?, StorageError>) {
    condition.lock()
    stage = .begun
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
    self.whenOver = []
    condition.broadcast()
    condition.unlock()
    for body in whenOver { body() }
  }

  // MARK: Waiting

  /// Waits until the changes are written, or have failed to be. Begun before. Whoever asks again gets no version.
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

  /// Waits until the commit is durable. Begun before.
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
    if !isOver { whenOver.append(body) }
    condition.unlock()
    if isOver { body() }
  }
}
