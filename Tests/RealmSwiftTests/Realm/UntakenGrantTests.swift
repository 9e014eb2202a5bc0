import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Asynchronous writes whose turn comes while nobody can come for it.
@Suite(.mustEnd) struct UntakenGrantTests {
  let directory = TestDirectory()
  private let log = LineLog()
  /// Whoever asks for a turn is held up between these two.
  private let isHeldUp = DispatchSemaphore(value: 0)
  private let mayGoOn = DispatchSemaphore(value: 0)

  /// Writes on a thread of its own as soon as the right to write was given to somebody else.
  /// - Parameter ask: lets that one ask. Its turn cannot come before it is held up.
  private func writeBesideGrant(_ configuration: Realm.Configuration, ask: @escaping @Sendable () -> Void) async throws {
    try await awaitOtherThread { [log, isHeldUp] in
      let realm = try Realm(configuration: configuration)
      realm.beginWrite()
      ask()
      isHeldUp.wait()
      realm.cancelWrite()
      while !realm.core.file.database.isWriting { usleep(1000) }
      try realm.write { realm.add(Dog(value: ["name": "at once"])) }
      log.add("at once")
    }
  }

  private func names(_ configuration: Realm.Configuration) throws -> [String] {
    try Realm(configuration: configuration).objects(Dog.self).map(\.name)
  }

  @Test func aQueueThatDoesNotComeForItsTurnKeepsNobodyFromWriting() async throws {
    let configuration = directory.configuration()
    let queue = DispatchQueue(label: "asks and does not come")
    try await writeBesideGrant(configuration) { [log, isHeldUp, mayGoOn] in
      queue.async {
        do {
          let realm = try Realm(configuration: configuration, queue: queue)
          realm.beginAsyncWrite {
            realm.add(Dog(value: ["name": "later"]))
            realm.commitAsyncWrite { log.add($0.map { "\($0)" } ?? "later") }
          }
        } catch { log.add("\(error)") }
        isHeldUp.signal()
        mayGoOn.wait()
      }
    }
    #expect(log.all == ["at once"])
    mayGoOn.signal()
    #expect(try await eventually { log.all == ["at once", "later"] })
    #expect(try names(configuration) == ["at once", "later"])
  }

  /// Runs on a queue that can be held up.
  private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "executor")
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private actor Keeper {
    let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var realm: Realm!

    func open(_ configuration: Realm.Configuration) async throws { realm = try await Realm(configuration: configuration, actor: self) }

    /// The actor can do nothing from when it has asked until it is told to go on.
    func write(_ name: String, _ log: LineLog, _ isHeldUp: DispatchSemaphore, _ mayGoOn: DispatchSemaphore) async throws {
      executor.queue.async {
        isHeldUp.signal()
        mayGoOn.wait()
      }
      try await realm.asyncWrite { _ = realm.create(Dog.self, value: ["name": name]) }
      log.add(name)
      realm = nil
    }
  }

  /// - Returns: the write of an actor whose turn came while it was held up.
  private func writeOfKeeper(_ name: String, _ configuration: Realm.Configuration) async throws -> Task<Void, any Error> {
    let keeper = Keeper()
    try await keeper.open(configuration)
    let (starts, start) = AsyncStream<Void>.makeStream()
    let write = Task { [log, isHeldUp, mayGoOn] in
      for await _ in starts { break }
      try await keeper.write(name, log, isHeldUp, mayGoOn)
    }
    try await writeBesideGrant(configuration) { start.yield() }
    return write
  }

  @Test func anActorThatDoesNotComeForItsTurnKeepsNobodyFromWriting() async throws {
    let configuration = directory.configuration()
    let write = try await writeOfKeeper("later", configuration)
    #expect(log.all == ["at once"])
    mayGoOn.signal()
    try await write.value
    #expect(try names(configuration) == ["at once", "later"])
  }

  @Test func aTurnThatWasTakenBackCanBeCancelled() async throws {
    let configuration = directory.configuration()
    let write = try await writeOfKeeper("never", configuration)
    write.cancel()
    mayGoOn.signal()
    let result = await write.result
    // Whether the cancellation came before its turn is open; nobody waits for ever, and what is said is so.
    if case .failure(let error) = result { #expect(error is CancellationError) }
    let isWritten = if case .success = result { true } else { false }
    #expect(try names(configuration) == (isWritten ? ["at once", "never"] : ["at once"]))
    try await awaitOtherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: ["name": "last"])) }
    }
  }
}
