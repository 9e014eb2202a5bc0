import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What several blocks have written together waits for what their queue had to do before: the writes that are asked for there join it.
@Suite(.mustEnd) struct LateWriteTests {
  let directory = TestDirectory()

  /// Two blocks that are written together, and what their queue has to do before that is committed.
  private func twoBlocks(_ realm: Realm, _ queue: DispatchQueue, then: @escaping @Sendable (_ realm: Realm, _ version: UInt64) -> Void) {
    let configuration = realm.configuration
    realm.writeAsync { realm.add(Dog(value: ["first", 1])) }
    realm.writeAsync {
      let version = realm.core.transaction!.version
      #expect(realm.objects(Dog.self).count == 1)
      queue.async { then(try! Realm(configuration: configuration, queue: queue), version) }
      realm.add(Dog(value: ["second", 2]))
    }
  }

  @Test func whatIsAskedForInBetweenBecomesTheSameVersion() async throws {
    var isJoined = false
    // A slow machine may take longer than a commit is held.
    for _ in 0..<20 where !isJoined {
      isJoined = await directory.onQueue { realm, queue, done in
        try! realm.write { realm.deleteAll() }
        twoBlocks(realm, queue) { realm, version in
          realm.writeAsync {
            #expect(realm.objects(Dog.self).count == 2)
            done(realm.core.transaction!.version == version)
          }
        }
      }
    }
    #expect(isJoined)
  }

  @Test func whoWritesInBetweenFindsItWritten() async throws {
    let names: [String] = await directory.onQueue { realm, queue, done in
      twoBlocks(realm, queue) { realm, version in
        try! realm.write {
          #expect(realm.core.transaction!.version > version)
          #expect(realm.objects(Dog.self).count == 2)
          realm.add(Dog(value: ["third", 3]))
        }
        realm.writeAsync {
          realm.add(Dog(value: ["fourth", 4]))
        } onComplete: { error in
          #expect(error == nil)
          done(realm.objects(Dog.self).map(\.name))
        }
      }
    }
    #expect(names == ["first", "second", "third", "fourth"])
  }

  @Test func aBusyQueueDoesNotKeepItFromOthers() async throws {
    let configuration = directory.configuration()
    let isSeen: Bool = await directory.onQueue { realm, queue, done in
      twoBlocks(realm, queue) { realm, _ in
        // Nothing else happens on this queue until another thread has seen it.
        let seen = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          let other = try! Realm(configuration: configuration, queue: nil)
          while other.objects(Dog.self).count < 2 {
            usleep(1000)
            other.refresh()
          }
          seen.signal()
        }
        let isSeen = seen.wait(timeout: .now() + .seconds(patience)) == .success
        realm.writeAsync {
          #expect(realm.objects(Dog.self).count == 2)
        } onComplete: { error in
          #expect(error == nil)
          done(isSeen)
        }
      }
    }
    #expect(isSeen)
  }
}
