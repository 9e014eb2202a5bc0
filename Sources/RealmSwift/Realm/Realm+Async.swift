public import Dispatch
import Foundation
import RealmStorage

/// Names an asynchronous write for `cancelAsyncWrite`.
public typealias AsyncTransactionId = UInt32

extension Realm {
  // MARK: Callbacks

  /// Runs `asyncWriteBlock` in a write transaction at a later turn of this realm's thread, queue or actor, without blocking it meanwhile.
  ///
  /// Blocks run in the order of the calls. One that neither commits nor cancels is rolled back. Stops on a wrong thread, on one without run loop, for
  /// a read-only or frozen realm, and in the callback of a commit.
  /// - Returns: what names the block for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    orStop(core) { try core.asyncWriting.begin(asyncWriteBlock) }
  }

  /// Commits in the background. The realm sees the new version at once; `onComplete` is called when the disk has it. Stops on a wrong thread, on one
  /// without run loop, outside of a write transaction, and in the callback of a commit.
  /// - Parameters:
  ///   - allowGrouping: whether the disk may be waited for together with commits that follow soon, which is a great deal faster if there are many
  ///     small ones: a crash before `onComplete` is called loses all of them or none. Otherwise this commit, and those before it, are made durable at
  ///     once.
  ///   - onComplete: gets the reason if the changes are not in the file, and will not be.
  /// - Returns: what names the commit for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func commitAsyncWrite(allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil) -> AsyncTransactionId {
    orStop(core) { try core.asyncWriting.commit(sharesBarriers: allowGrouping, translating(onComplete)) }
  }

  private func translating(_ onComplete: (((any Swift.Error)?) -> Void)?) -> AsyncWriting.Completion? {
    let path = core.file.path
    return onComplete.map { onComplete in { failure in onComplete(failure.map { ErrorBorder.translated($0, path: path) }) } }
  }

  /// `beginAsyncWrite` with a commit at the end of the block, and stops where that stops. Small writes that are due at the same time become one
  /// version, and the disk is waited for once; `onComplete` is called when it has the changes, and with the reason if it does not get them, also when
  /// the file could not be read or written where the transaction was to begin, and the block did not run. Without it that ends the process.
  /// - Returns: what names the block for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func writeAsync(_ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil) -> AsyncTransactionId {
    orStop(core) { try core.asyncWriting.write(block, translating(onComplete)) }
  }

  /// Takes back a block that has not run. Of a commit only `onComplete` is taken back. Stops on a wrong thread. Never throws, whatever its type says.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    orStop(core) { try core.verifyThread() }
    // A frozen realm, which many threads may use at once, has none.
    if !core.isFrozen { core.asyncWriting.cancel(asyncTransactionId) }
  }

  /// Whether asynchronous writes are waiting, running, or on their way to the disk.
  public var isPerformingAsynchronousWriteOperations: Bool { !core.isFrozen && core.asyncWriting.isBusy }

  // MARK: Tasks

  /// Suspends until nobody else writes to the file, runs `block` in a write transaction on the calling actor, and suspends until the disk has the
  /// changes, which it may get together with those of other asynchronous writes. The actor is free meanwhile. Stops for a realm that is not confined
  /// to the calling actor, and for a read-only or frozen one.
  ///
  /// - Returns: what `block` returns, which may be a managed object.
  /// - Throws: what `block` throws, after a rollback; `CancellationError` if the task was cancelled before `block` was called; `Realm.Error`.
  @discardableResult
  public func asyncWrite<Result>(_isolation actor: isolated any Actor = #isolation, _ block: (() throws -> Result)) async throws -> Result {
    orStop(core) { try requireActor("asyncWrite") }
    try Task.checkCancellation()
    let writing = core.asyncWriting
    try await awaitTurn(writing)
    let result: Result
    do { result = try block() } catch {
      if isInWriteTransaction { cancelWrite() }
      writing.finishAwaited()
      throw error
    }
    var failure: (any Swift.Error)?
    do {
      if let commit = try writing.commitAwaited() {
        await withCheckedContinuation { continuation in commit.notify { continuation.resume() } }
        failure = core.finish(commit)
      }
    } catch { failure = error }
    writing.finishAwaited()
    if let failure { throw ErrorBorder.translated(failure, path: core.file.path) }
    return result
  }

  private func awaitTurn(_isolation actor: isolated any Actor = #isolation, _ writing: AsyncWriting) async throws {
    let turn = orStop(core) { try writing.enqueue() }
    do {
      repeat { try await turn.wait(on: actor) } while try !writing.start(turn)
    } catch {
      writing.remove(turn)
      throw ErrorBorder.translated(error, path: core.file.path)
    }
  }

  private func requireActor(_ name: String) throws {
    switch core.confinement {
    case .main, .actor: try core.verifyThread()
    case .none where name == "asyncRefresh": return
    default: throw RealmFailure.misuse("\(name)() can only be called on main thread or actor-isolated Realms")
    }
  }

  /// Advances to the newest version. Stops for a realm that is not confined to an actor, unless it is frozen.
  /// - Returns: whether the version changed. False at once for what is frozen, read-only, being written, or reads nothing; false, too, if
  ///   the task is cancelled.
  @discardableResult
  public func asyncRefresh(_isolation actor: isolated any Actor = #isolation) async -> Bool {
    orStop(core) { try requireActor("asyncRefresh") }
    guard !core.isFrozen, !core.configuration.readOnly, core.isReading, !core.isInWriteTransaction else { return false }
    if Task.isCancelled { return false }
    return refresh()
  }
}

// MARK: - Opening

extension Realm {
  /// A realm that is being opened by `Realm.asyncOpen`, to be cancelled. Any thread may use it.
  public struct AsyncOpenTask: Sendable {
    let opening: AsyncOpening

    /// The callback is told that the operation was cancelled, unless it has been called already.
    public func cancel() { opening.cancel() }

    /// Progress is only reported for synced realms: `block` is never called.
    public func addProgressNotification(queue: DispatchQueue = .main, block: @escaping (SyncSession.Progress) -> Void) {}
  }

  /// What is awaited before a synced realm is opened. Makes no difference to local ones.
  public enum OpenBehavior: Sendable {
    /// Nothing is awaited: the realm is opened with what its file has.
    case never
    /// A synced realm waits for the server each time; a local one waits for nothing.
    case always
    /// A synced realm waits for the server if it has no file yet; a local one waits for nothing.
    case once
  }

  /// Opens a realm without blocking: compaction, upgrade and migration happen on another thread.
  /// - Parameters:
  ///   - configuration: which realm, and how.
  ///   - callbackQueue: a serial queue, to which the realm will be confined.
  ///   - callback: called on that queue, once, with the realm or with what ``Realm/init(configuration:queue:)`` would throw.
  @discardableResult
  public static func asyncOpen(
    configuration: Realm.Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let opening = AsyncOpening(configuration, callbackQueue, callback)
    opening.start()
    return AsyncOpenTask(opening: opening)
  }

  /// Opens a realm that is confined to the main actor. What takes long happens on another thread.
  /// - Parameters:
  ///   - configuration: which realm, and how.
  ///   - downloadBeforeOpen: makes no difference, since no realm is synced.
  /// - Throws: what ``init(configuration:queue:)`` throws, and `CancellationError` if the task is cancelled.
  @MainActor
  public init(configuration: Realm.Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior = .never) async throws {
    try await self.init(Self.core(configuration, on: MainActor.shared).core)
  }

  /// Opens a realm that is confined to an actor. What takes long happens on another thread.
  /// - Parameters:
  ///   - configuration: which realm, and how.
  ///   - actor: where the realm may be used.
  ///   - downloadBeforeOpen: makes no difference, since no realm is synced.
  /// - Throws: what ``init(configuration:queue:)`` throws, and `CancellationError` if the task is cancelled.
  public init<A: Actor>(
    configuration: Realm.Configuration = .defaultConfiguration, actor: A, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    try await self.init(Self.core(configuration, on: actor).core)
  }

  /// Opens a realm that is confined to the calling actor. What takes long happens on another thread.
  /// - Throws: what ``init(configuration:queue:)`` throws, and `CancellationError` if the task is cancelled.
  public static func open(
    configuration: Realm.Configuration = .defaultConfiguration, _isolation actor: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    try await Realm(core(configuration, on: actor).core)
  }

  /// - SAFETY: on its way to the actor that the realm is confined to.
  private struct OpenedCore: @unchecked Sendable {
    let core: RealmCore
  }

  private static func core(_ configuration: Realm.Configuration, on actor: any Actor) async throws -> OpenedCore {
    try Task.checkCancellation()
    let confinement = Confinement.of(actor)
    let opening = try orThrow { try RealmOpening(configuration) }
    // Fast if the file is open already; otherwise it is opened on another thread first, and kept until the actor has its realm.
    let file = try opening.isOpen ? nil : await AsyncOpening.file(opening)
    defer { file?.take() }
    try Task.checkCancellation()
    return OpenedCore(core: try orThrow(path: opening.path) { try opening.run(confinement) })
  }
}
