import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RealmSwift

/// Ends with the first call of `pass`.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func pass() { semaphore.signal() }
  /// - Returns: whether it was passed within half a minute.
  func wait() -> Bool { semaphore.wait(timeout: .now() + .seconds(patience)) == .success }
}

/// Adds dogs on a thread of its own and returns when it has.
private func commitElsewhere(_ configuration: Realm.Configuration, _ names: String...) {
  let done = Gate()
  Thread.detachNewThread {
    autoreleasepool {
      let realm = try! Realm(configuration: configuration)
      for name in names { try! realm.write { realm.add(Dog(value: ["name": name])) } }
    }
    done.pass()
  }
  #expect(done.wait())
}

@Suite(.mustEnd) struct AutorefreshTests {
  let directory = TestDirectory()
  private var configuration: Realm.Configuration { directory.configuration() }

  // MARK: Who advances

  /// Waits until the realm is told of something.
  @MainActor private func told(_ realm: Realm, by body: () -> Void) async -> Realm.Notification {
    var token: NotificationToken?
    defer { token?.invalidate() }
    return await withCheckedContinuation { continuation in
      var isTold = false
      token = realm.observe { notification, _ in
        if isTold { return }
        isTold = true
        continuation.resume(returning: notification)
      }
      body()
    }
  }

  @MainActor @Test func aRealmOfTheMainActorAdvancesWhenAnotherThreadCommits() async throws {
    let realm = try await Realm(configuration: configuration)
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 0)
    let notification = await told(realm) { commitElsewhere(configuration, "Rex") }
    #expect(notification == .didChange)
    #expect(dogs.first?.name == "Rex")
  }

  @MainActor @Test func theViewIsConsistentWithinOneTurn() async throws {
    let realm = try await Realm(configuration: configuration)
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 0)
    _ = await told(realm) {
      commitElsewhere(configuration, "Rex", "Bella")
      // Still the same turn, although the commits are done.
      #expect(dogs.count == 0)
    }
    #expect(dogs.count > 0)
  }

  @Test func aRealmOfAnActorAdvancesByItself() async throws {
    let watcher = try await DogWatcher(configuration)
    #expect(await watcher.count == 0)
    for round in 1...20 {
      commitElsewhere(configuration, "\(round)")
      #expect(await watcher.reaches(round))
    }
  }

  @Test func aRealmOfAQueueAdvancesByItself() throws {
    let queue = DispatchQueue(label: "autorefresh")
    let seen = Gate()
    var token: NotificationToken?
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let dogs = realm.objects(Dog.self)
      #expect(dogs.count == 0)
      token = realm.observe { _, realm in if realm.objects(Dog.self).count == 2 { seen.pass() } }
    }
    commitElsewhere(configuration, "a")
    commitElsewhere(configuration, "b")
    #expect(seen.wait())
    queue.sync { _ = token?.invalidate() }
  }

  @Test func aThreadWithARunLoopAdvancesInIt() throws {
    let (ready, seen) = (Gate(), Gate())
    let configuration = configuration
    Thread.detachNewThread {
      // The loop is known to run in the timers that it calls.
      let timer = Timer(timeInterval: 0, repeats: false) { _ in
        let realm = try! Realm(configuration: configuration)
        #expect(realm.objects(Dog.self).count == 0)
        let token = realm.observe { _, realm in
          if realm.objects(Dog.self).count == 1 { seen.pass() }
        }
        Thread.current.threadDictionary["token"] = token
        Thread.current.threadDictionary["realm"] = realm.core
        ready.pass()
      }
      RunLoop.current.add(timer, forMode: .default)
      let end = Date(timeIntervalSinceNow: 30)
      while Thread.current.threadDictionary["done"] == nil, Date() < end {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.2))
        if (Thread.current.threadDictionary["realm"] as? RealmCore)?.version ?? 0 > 2 {
          (Thread.current.threadDictionary["token"] as? NotificationToken)?.invalidate()
          Thread.current.threadDictionary["done"] = true
        }
      }
    }
    #expect(ready.wait())
    commitElsewhere(configuration, "Rex")
    #expect(seen.wait())
  }

  @Test func aPlainThreadStaysAtItsVersionUntilItAsks() throws {
    let configuration = configuration
    let done = Gate()
    Thread.detachNewThread {
      let realm = try! Realm(configuration: configuration)
      let dogs = realm.objects(Dog.self)
      #expect(realm.autorefresh)
      #expect(dogs.count == 0)
      commitElsewhere(configuration, "Rex")
      #expect(dogs.count == 0)
      #expect(realm.refresh())
      #expect(dogs.count == 1)
      #expect(!realm.refresh())
      commitElsewhere(configuration, "Bella")
      #expect(dogs.count == 1)
      realm.beginWrite()
      #expect(dogs.count == 2)
      realm.cancelWrite()
      commitElsewhere(configuration, "Tom")
      realm.invalidate()
      #expect(dogs.isInvalidated)
      #expect(realm.objects(Dog.self).count == 3)
      done.pass()
    }
    #expect(done.wait())
  }

  // MARK: Who does not

  @MainActor @Test func withoutAutorefreshTheRealmIsOnlyToldThatARefreshIsRequired() async throws {
    let realm = try await Realm(configuration: configuration)
    realm.autorefresh = false
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 0)
    var notification = await told(realm) { commitElsewhere(configuration, "Rex") }
    #expect(notification == .refreshRequired)
    #expect(dogs.count == 0)
    notification = await told(realm) { realm.refresh() }
    #expect(notification == .didChange)
    #expect(dogs.count == 1)
    notification = await told(realm) { commitElsewhere(configuration, "Bella") }
    #expect(notification == .refreshRequired)
    // Switching it on makes up for what was missed.
    notification = await told(realm) { realm.autorefresh = true }
    #expect(notification == .didChange)
    #expect(dogs.count == 2)
  }

  @MainActor @Test func asyncRefreshAdvancesWithoutAutorefresh() async throws {
    let realm = try await Realm(configuration: configuration)
    realm.autorefresh = false
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 0)
    commitElsewhere(configuration, "Rex")
    #expect(dogs.count == 0)
    #expect(await realm.asyncRefresh())
    #expect(dogs.count == 1)
    #expect(await !realm.asyncRefresh())
  }

  @MainActor @Test func frozenAndInvalidatedRealmsStayAsTheyAre() async throws {
    let realm = try await Realm(configuration: configuration)
    #expect(realm.objects(Dog.self).count == 0)
    let frozen = realm.freeze()
    let dogs = frozen.objects(Dog.self)
    #expect(!frozen.autorefresh)
    _ = await told(realm) { commitElsewhere(configuration, "Rex") }
    #expect(dogs.count == 0)
    realm.invalidate()
    // Nothing is being read, so there is nothing to advance; observers hear of the commit.
    let notification = await told(realm) { commitElsewhere(configuration, "Bella") }
    #expect(notification == .didChange)
    #expect(!realm.core.isReading)
    #expect(realm.objects(Dog.self).count == 2)
  }

  @MainActor @Test func aRealmInATransactionIsNotDisturbed() async throws {
    let realm = try await Realm(configuration: configuration)
    #expect(realm.objects(Dog.self).count == 0)
    commitElsewhere(configuration, "Rex")
    realm.beginWrite()
    realm.add(Dog(value: ["name": "Bella"]))
    // The turn that the commit asked for comes now.
    for _ in 0..<10 { await Task.yield() }
    #expect(realm.isInWriteTransaction)
    #expect(realm.objects(Dog.self).count == 2)
    realm.cancelWrite()
    #expect(realm.objects(Dog.self).count == 1)
    _ = await told(realm) { commitElsewhere(configuration, "Tom") }
    #expect(realm.objects(Dog.self).count == 2)
  }

  // MARK: Nothing is lost

  @Test func noCommitIsMissedWhenManyThreadsCommit() throws {
    let queue = DispatchQueue(label: "autorefresh")
    let configuration = configuration
    let (threads, commits) = (4, 40)
    let all = Gate()
    var token: NotificationToken?
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      #expect(realm.objects(Dog.self).count == 0)
      token = realm.observe { _, realm in if realm.objects(Dog.self).count == threads * commits { all.pass() } }
    }
    for thread in 0..<threads {
      Thread.detachNewThread {
        let realm = try! Realm(configuration: configuration)
        for commit in 0..<commits { try! realm.write { realm.add(Dog(value: ["name": "\(thread).\(commit)"])) } }
      }
    }
    #expect(all.wait())
    queue.sync { _ = token?.invalidate() }
  }

  @MainActor @Test func commitsDuringAnAsynchronousCommitAreNotMissed() async throws {
    let realm = try await Realm(configuration: configuration)
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 0)
    for round in 1...10 {
      try await realm.asyncWrite { realm.add(Dog(value: ["name": "own \(round)"])) }
      commitElsewhere(configuration, "other \(round)")
      let end = ContinuousClock.now + .seconds(30)
      while dogs.count < 2 * round, ContinuousClock.now < end { await Task.yield() }
      #expect(dogs.count == 2 * round)
    }
  }

  // MARK: Other processes

  @MainActor @Test func aCommitOfAnotherProcessAdvancesTheRealm() async throws {
    let realm = try await Realm(configuration: configuration)
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 0)
    let agent = try ChildProcess.agent("add", directory.fileURL().path, "class_Dog")
    #expect(try agent.line() == "ready")
    for round in 1...10 {
      _ = await told(realm) {
        agent.say("dog \(round)")
        #expect((try? agent.line()) == "added dog \(round)")
        #expect(dogs.count == round - 1)
      }
      #expect(dogs.count == round)
    }
    #expect(try agent.end() == [])
  }

  @Test func anotherProcessIsWokenByCommitsAndSleepsBetweenThem() throws {
    let realm = try Realm(configuration: configuration)
    let agent = try ChildProcess.agent("watch", directory.fileURL().path)
    #expect(try agent.line() == "watching")
    for round in 1...5 {
      try realm.write { realm.add(Dog(value: ["name": "\(round)"])) }
      #expect(try agent.line() == "version \(realm.core.version ?? 0)")
    }
    let before = try agent.processorTicks()
    // Nothing is committed, so it has nothing to do.
    letPass(milliseconds: 1000)
    #expect(try agent.processorTicks() - before <= 1)
    // The thread that watched ends with the file.
    #expect(try agent.end() == ["threads 1"])
  }

  // MARK: Closing

  @Test func aClosedFileCanBeDeletedRightAfterACommit() throws {
    for round in 0..<20 {
      let queue = DispatchQueue(label: "closing")
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        #expect(realm.isEmpty)
        try realm.write { realm.add(Dog(value: ["name": "\(round)"])) }
      }
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }
}

private actor DogWatcher {
  private var realm: Realm!
  private var token: NotificationToken?
  private var waiting: (goal: Int, continuation: CheckedContinuation<Bool, Never>)?

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
    observe()
  }
  private func observe() {
    token = realm.observe { [unowned self] _, _ in self.assumeIsolated { $0.check() } }
  }
  private func check() {
    guard let waiting, count >= waiting.goal else { return }
    self.waiting = nil
    waiting.continuation.resume(returning: true)
  }

  var count: Int { realm.objects(Dog.self).count }

  func reaches(_ goal: Int) async -> Bool {
    if count >= goal { return true }
    return await withCheckedContinuation { waiting = (goal, $0) }
  }
}
