import Dispatch
import Foundation
import RealmSwift
import Synchronization
import TestSupport
import Testing

/// Files are closed when a program has let go of them, and can be deleted at once.
@Suite(.mustEnd) struct HandedFileTests {
  let directory = TestDirectory()
  private var configuration: Realm.Configuration { directory.configuration([Extra.self]) }

  @Test func aFileCanBeDeletedRightAfterTheCallbackOfAsyncOpen() async throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "callback")
    for _ in 0..<100 {
      await withCheckedContinuation { continuation in
        Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
          #expect((try? result.get().isEmpty) == true)
          continuation.resume()
        }
      }
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }

  @Test func aFileCanBeDeletedRightAfterACallbackOfTheMainQueue() async throws {
    let configuration = configuration
    for _ in 0..<30 {
      await withCheckedContinuation { continuation in
        Realm.asyncOpen(configuration: configuration) { result in
          #expect((try? result.get().isEmpty) == true)
          continuation.resume()
        }
      }
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }

  @Test func aFileCanBeDeletedRightAfterAFailedOrCancelledOpening() async throws {
    let configuration = configuration
    for _ in 0..<30 {
      await withCheckedContinuation { continuation in
        let queue = DispatchQueue(label: "callback")
        let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in continuation.resume() }
        task.cancel()
      }
      _ = try Realm.deleteFiles(for: configuration)
    }
  }

  @MainActor @Test func aFileCanBeDeletedRightAfterItsRealmOfAnActorIsGone() async throws {
    for _ in 0..<50 {
      do { #expect(try await Realm(configuration: configuration).isEmpty) }
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }

  @Test func aFileCanBeDeletedRightAfterAnAwaitedWrite() async throws {
    let busy = BusyThreads()
    defer { busy.end() }
    while !busy.isLate {
      let writer = try await Writer(configuration)
      try await writer.write()
      await writer.close()
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }

  /// Which needs that nobody else has it open.
  @Test func aFileCanBeCompactedRightAfterAnAwaitedWrite() async throws {
    let busy = BusyThreads()
    defer { busy.end() }
    let questions = Questions()
    var compacting = configuration
    compacting.shouldCompactOnLaunch = { _, _ in questions.ask() }
    var round = 0
    while !busy.isLate {
      round += 1
      let writer = try await Writer(compacting)
      try await writer.write()
      await writer.close()
      #expect(questions.count == round)
    }
  }

  @Test func aCallbackThatWaitsForTheDeletionDoesNotHang() async throws {
    let configuration = configuration
    await withCheckedContinuation { continuation in
      Realm.asyncOpen(configuration: configuration, callbackQueue: DispatchQueue(label: "callback")) { result in
        let deleted = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
          deleted.signal()
        }
        deleted.wait()
        #expect((try? result.get().isEmpty) == true)
        #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
        continuation.resume()
      }
    }
  }
}

private actor Writer {
  private var realm: Realm!
  init(_ configuration: Realm.Configuration) async throws { realm = try await Realm(configuration: configuration, actor: self) }
  func write() async throws { try await realm.asyncWrite { _ = realm.create(Extra.self) } }
  func close() { realm = nil }
}

/// Take the processor from everybody else for a second, so that what others do between two steps of a thread is done.
private final class BusyThreads: Sendable {
  private let hasEnded = Atomic<Bool>(false)
  private let limit = ContinuousClock.now + .seconds(1)
  var isLate: Bool { ContinuousClock.now > limit }
  init() {
    for _ in 0..<4 { Thread.detachNewThread { [self] in while !hasEnded.load(ordering: .relaxed), !isLate {} } }
  }
  func end() { hasEnded.store(true, ordering: .relaxed) }
}

private final class Questions: Sendable {
  private let asked = Atomic<Int>(0)
  var count: Int { asked.load(ordering: .relaxed) }
  func ask() -> Bool {
    asked.add(1, ordering: .relaxed)
    return true
  }
}
