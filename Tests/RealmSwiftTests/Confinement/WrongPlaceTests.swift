import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// What is said when a realm is used where it does not belong: both places have names.
@Suite(.mustEnd) struct WrongPlaceTests {
  let directory = TestDirectory()

  /// The text that a process stopped with, numbers of threads replaced by #, and without names of threads that nobody has named.
  private func text(_ result: ExitTest.Result?) throws -> String {
    let errors = try #require(result).standardError
    let line = try #require(errors.split(separator: "\n").first { $0.contains("Fatal error: ") })
    return String(line).replacing(#/^.*Fatal error: /#, with: "").replacing(#/thread \d+/#, with: "thread #")
      .replacing(#/ '(?!(?:named|my\.queue|other\.queue)')[^']*'/#, with: "")
  }

  @Test(.endsProcesses) func threadsHaveNumbersAndNames() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let begun = DispatchSemaphore(value: 0)
      let box = Handed<Realm>()
      Thread.detachNewThread {
        try? "named".write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
        box.value = try? Realm(configuration: TestDirectory.configuration(in: path))
        begun.signal()
        while true { sleep(1) }
      }
      begun.waitForSignal()
      try otherThread { _ = box.value?.isEmpty }
    }
    #expect(
      try text(result) == "Realm accessed from incorrect thread. It is confined to thread # 'named' and was used on thread #.")
  }

  @Test(.endsProcesses) func aThreadThatHasEndedHasItsNumber() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let box = Handed<Realm>()
      try otherThread { box.value = try Realm(configuration: TestDirectory.configuration(in: path)) }
      _ = box.value?.isEmpty
    }
    #expect(try text(result).hasPrefix("Realm accessed from incorrect thread. It is confined to thread # and was used on thread #"))
  }

  @Test(.endsProcesses) func theMainThreadIsCalledSo() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let box = Handed<Realm>()
      box.value = try await Realm(configuration: TestDirectory.configuration(in: path))
      try otherThread { _ = box.value?.isEmpty }
    }
    #expect(try text(result) == "Realm accessed from incorrect thread. It is confined to the main thread and was used on thread #.")
  }

  @Test(.endsProcesses) func queuesHaveLabels() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let (queue, other) = (DispatchQueue(label: "my.queue"), DispatchQueue(label: "other.queue"))
      let box = Handed<Realm>()
      try queue.sync { box.value = try Realm(configuration: TestDirectory.configuration(in: path), queue: queue) }
      await withCheckedContinuation { continuation in
        other.async {
          _ = box.value?.isEmpty
          continuation.resume()
        }
      }
    }
    #expect(
      try text(result) == "Realm accessed from incorrect thread. It is confined to queue 'my.queue' and was used on queue 'other.queue' (thread #).")
  }

  @Test(.endsProcesses) func actorsHaveTypes() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let (owner, other) = (Owner(), Stranger())
      try await owner.open(TestDirectory.configuration(in: path))
      await other.use(owner.box)
    }
    #expect(
      try text(result) == "Realm accessed from incorrect thread. It is confined to actor Owner and was used on actor Stranger (thread #).")
  }

  @Test(.endsProcesses) func anActorsRealmIsNotTheMainActors() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let owner = Owner()
      try await owner.open(TestDirectory.configuration(in: path))
      _ = owner.box.value?.isEmpty
    }
    #expect(try text(result) == "Realm accessed from incorrect thread. It is confined to actor Owner and was used on the main thread.")
  }

  @Test(.endsProcesses) func anActorWithItsOwnExecutorIsAskedByTheRuntime() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let owner = OwnerWithQueue()
      try await owner.open(TestDirectory.configuration(in: path))
      // Whatever its queue runs is on the actor.
      owner.queue.sync { precondition(owner.box.value?.isEmpty == true) }
      try otherThread {
        print("elsewhere")
        _ = owner.box.value?.isEmpty
      }
    }
    #expect(result != nil)
  }
}

private actor Owner {
  nonisolated let box = Handed<Realm>()
  func open(_ configuration: Realm.Configuration) async throws { box.value = try await Realm(configuration: configuration, actor: self) }
}

private actor Stranger {
  func use(_ box: Handed<Realm>) { _ = box.value?.isEmpty }
}

private final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "executor")
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

private actor OwnerWithQueue {
  nonisolated let box = Handed<Realm>()
  private nonisolated let executor = QueueExecutor()
  nonisolated var queue: DispatchQueue { executor.queue }
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func open(_ configuration: Realm.Configuration) async throws {
    box.value = try await Realm(configuration: configuration, actor: self)
    precondition(box.value?.isEmpty == true)
  }
}
