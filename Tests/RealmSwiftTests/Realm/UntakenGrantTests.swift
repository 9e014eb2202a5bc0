import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Asynchronous writes whose turn comes while nobody can come for it.
@Suite(.mustEnd) struct UntakenGrantTests {
  let directory = TestDirectory()
  private let log = LineLog()

  /// Writes on a thread of its own as soon as the right to write was given to somebody else.
  private func writeBesideGrant(_ configuration: Realm.Configuration) async throws {
    try await awaitOtherThread { [log] in
      let realm = try Realm(configuration: configuration)
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
    let mayGoOn = DispatchSemaphore(value: 0)
    queue.async { [log] in
      do {
        let realm = try Realm(configuration: configuration, queue: queue)
        realm.beginAsyncWrite {
          realm.add(Dog(value: ["name": "later"]))
          realm.commitAsyncWrite { log.add($0.map { "\($0)" } ?? "later") }
        }
      } catch { log.add("\(error)") }
      mayGoOn.wait()
    }
    try await writeBesideGrant(configuration)
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

    /// - Returns: when the actor can do nothing until it is told to go on.
    func write(_ name: String, _ log: LineLog, after mayGoOn: DispatchSemaphore) -> Task<Void, any Error> {
      let task = Task {
        try await realm.asyncWrite { _ = realm.create(Dog.self, value: ["name": name]) }
        log.add(name)
        realm = nil
      }
      // After the task has asked.
      executor.queue.async { [queue = executor.queue] in queue.async { mayGoOn.wait() } }
      return task
    }
  }

  @Test func anActorThatDoesNotComeForItsTurnKeepsNobodyFromWriting() async throws {
    let configuration = directory.configuration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    let mayGoOn = DispatchSemaphore(value: 0)
    let write = await keeper.write("later", log, after: mayGoOn)
    try await writeBesideGrant(configuration)
    #expect(log.all == ["at once"])
    mayGoOn.signal()
    try await write.value
    #expect(try names(configuration) == ["at once", "later"])
  }

  @Test func aTurnThatWasTakenBackCanBeCancelled() async throws {
    let configuration = directory.configuration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    let mayGoOn = DispatchSemaphore(value: 0)
    let write = await keeper.write("never", log, after: mayGoOn)
    try await writeBesideGrant(configuration)
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
