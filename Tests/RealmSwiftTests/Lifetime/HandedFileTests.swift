import Dispatch
import Foundation
import RealmSwift
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
