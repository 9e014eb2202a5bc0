import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// A run loop inside of a block of the main queue, as dialogs and tests have them: the queue runs nothing else meanwhile.
@Suite(.mustEnd) struct NestedLoopTests {
  let directory = TestDirectory()

  @MainActor private func inABlockOfTheMainQueue(_ body: @escaping @MainActor () -> Void) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { body() }
        continuation.resume()
      }
    }
  }

  @MainActor private func runLoop(until isDone: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 120)
    while !isDone(), Date() < end { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
  }

  @MainActor @Test func asynchronousWritesGoOnInIt() async throws {
    let realm = try open()
    await inABlockOfTheMainQueue {
      var done: [Int] = []
      for index in 0..<3 {
        realm.writeAsync {
          realm.add(Extra())
        } onComplete: { error in
          #expect(error == nil)
          done.append(index)
        }
      }
      runLoop { done.count == 3 }
      #expect(done == [0, 1, 2])
    }
    #expect(realm.objects(Extra.self).count == 3)
  }

  @MainActor @Test func asynchronousWritesGoOnInOneInsideOfThem() async throws {
    let realm = try open()
    await inABlockOfTheMainQueue {
      var isOuterDone = false
      realm.writeAsync {
        realm.add(Extra())
      } onComplete: { _ in
        isOuterDone = true
      }
      runLoop { isOuterDone }
      var isInnerDone = false
      let token = realm.observe { _, realm in
        if isInnerDone { return }
        realm.writeAsync {
          realm.add(Extra())
        } onComplete: { _ in
          isInnerDone = true
        }
        runLoop { isInnerDone }
      }
      try! realm.write { realm.add(Extra()) }
      #expect(isOuterDone && isInnerDone)
      token.invalidate()
    }
    #expect(realm.objects(Extra.self).count == 3)
  }

  @MainActor private func open() throws -> Realm { try Realm(configuration: directory.configuration([Extra.self])) }
}
