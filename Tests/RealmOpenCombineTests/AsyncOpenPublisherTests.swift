import Dispatch
import Foundation
import OpenCombine
import OpenCombineDispatch
import RealmOpenCombine
import RealmSwift
import TestSupport
import Testing

/// Realms that are opened for subscribers.
@Suite(.mustEnd) @MainActor struct AsyncOpenPublisherTests {
  let directory = TestDirectory()
  private let log = Log()

  @Test func aRealmIsPublishedOnTheMainQueue() async throws {
    let cancellable = Realm.asyncOpen(configuration: directory.configuration).sink(
      receiveCompletion: { log.end($0) },
      receiveValue: {
        dispatchPrecondition(condition: .onQueue(.main))
        log.add("\($0.isEmpty)")
      })
    #expect(log.all == [])
    #expect(try await eventually { log.all == ["true", "finished"] })
    cancellable.cancel()
  }

  @Test func aRealmIsPublishedOnTheQueueThatIsNamed() async throws {
    let queue = DispatchQueue(label: "opening")
    let publisher = Realm.asyncOpen(configuration: directory.configuration).onProgressNotification { _ in }.receive(on: queue)
    let cancellable = publisher.sink(
      receiveCompletion: { @Sendable [log] in log.end($0) },
      receiveValue: { @Sendable [log] realm in
        dispatchPrecondition(condition: .onQueue(queue))
        do { try realm.write { realm.create(Walk.self) } } catch { log.add("\(error)") }
        log.add("\(realm.objects(Walk.self).count)")
      })
    #expect(try await eventually { log.all == ["1", "finished"] })
    cancellable.cancel()
    queue.sync {}
  }

  @Test func whatOpeningThrowsIsTheFailure() async throws {
    _ = try directory.write(Array("nothing that is a database".utf8), as: "walks.realm")
    let cancellable = Realm.asyncOpen(configuration: directory.configuration).sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { log.add(error is Realm.Error ? "failed" : "\(error)") }
      }, receiveValue: { _ in log.add("opened") })
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["failed"])
    cancellable.cancel()
  }

  @Test func cancelledNothingIsSent() async throws {
    let cancellable = Realm.asyncOpen(configuration: directory.configuration).sink(
      receiveCompletion: { _ in log.add("completed") }, receiveValue: { _ in log.add("opened") })
    cancellable.cancel()
    let other = Realm.asyncOpen(configuration: directory.configuration).sink(
      receiveCompletion: { _ in log.add("other") }, receiveValue: { _ in })
    #expect(try await eventually { log.all.contains("other") })
    #expect(log.take() == ["other"])
    other.cancel()
  }
}
