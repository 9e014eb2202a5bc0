import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSwift

/// What happened, in order, on any thread.
private final class Events: Sendable {
  private let events = Locked<[String]>([])
  func add(_ event: String) { events.withLock { $0.append(event) } }
  var all: [String] { events.withLock { $0 } }
}

extension Realm {
  /// Barriers of the file so far.
  fileprivate var barrierCount: Int { (core.file.database.generation.storage as! FileStorage).barrierCount }
  /// The version that the header selects. It is listed as long as anybody writes in groups.
  fileprivate var durableVersion: UInt64 {
    let database = core.file.database
    while true {
      let top = try! database.readHeader().selectedTopRef
      if let listed = try! database.session!.listedSnapshots().first(where: { $0.topRef == top }) { return listed.version }
    }
  }
  fileprivate var isAtRest: Bool { core.file.database.commitGroup == nil && !core.file.database.isWriting }
}

/// The names of the dogs in the version that the file's header selects: what a crash falls back to.
private func durableDogs(_ configuration: Realm.Configuration) throws -> Set<String> {
  var options = DatabaseOptions()
  options.isImmutable = true
  return try Database.open(path: configuration.fileURL!.path, options: options).read { (group) throws(StorageError) in
    guard let table = try group.table(named: "class_Dog") else { return [] }
    let name = try table.column(named: "name").key
    var names: Set<String> = []
    for key in try table.keys() { if case .string(let bytes) = try table.value(key, name) { names.insert(String(decoding: bytes, as: UTF8.self)) } }
    return names
  }
}

/// An actor that writes.
private actor Kennel {
  private var realm: Realm!
  init(_ configuration: Realm.Configuration) async throws { realm = try await Realm(configuration: configuration, actor: self) }

  var count: Int { realm.objects(Dog.self).count }
  var barrierCount: Int { realm.barrierCount }
  func add(_ name: String) async throws { try await realm.asyncWrite { realm.add(Dog(value: [name, 1])) } }
  /// From one turn on so many at a time.
  func addMany(_ names: [String]) async throws -> Int {
    let before = realm.barrierCount
    let tasks = names.map { name in Task { try await add(name) } }
    for task in tasks { try await task.value }
    return realm.barrierCount - before
  }
}

/// Asynchronous commits that become durable together.
@Suite(.mustEnd) struct SharedBarrierTests {
  let directory = TestDirectory()
  private var configuration: Realm.Configuration { directory.configuration() }

  /// Sixty-four writes at a time, as callbacks.
  /// - Returns: the barriers that they needed.
  private func writeMany(_ round: Int) async -> Int {
    await directory.onQueue { realm, _, done in
      let before = realm.barrierCount
      let order = Events()
      let versions = Handed<[UInt64]>()
      versions.value = []
      for index in 0..<64 {
        let name = "\(round).\(index)"
        realm.writeAsync {
          realm.add(Dog(value: [name, index]))
          versions.value!.append(realm.core.transaction!.version)
        } onComplete: { error in
          #expect(error == nil)
          order.add(name)
          #expect(realm.durableVersion >= versions.value![index], "complete before it is durable")
          if index == 63 {
            #expect(order.all == (0..<64).map { "\(round).\($0)" })
            done(realm.barrierCount - before)
          }
        }
      }
    }
  }

  /// Six at most for sixty-four commits, two for each group. A machine that takes longer than the 40 ms after which a group ends has more groups: how many,
  /// its clock says. (Without a clock: two barriers for 64 commits, `CommitGroupTests`.)
  private func mostBarriers(since start: ContinuousClock.Instant) -> Int {
    max(6, 2 * (2 + Int((ContinuousClock.now - start) / .milliseconds(40))))
  }

  /// The first group may be small if the writes come late: the best of several rounds counts.
  private func expectSharing(_ writeMany: (_ round: Int) async throws -> Int) async throws -> Int {
    var rounds = 0
    var isShared = false
    while !isShared && rounds < 20 {
      let start = ContinuousClock.now
      let count = try await writeMany(rounds)
      isShared = count <= min(mostBarriers(since: start), 64)
      rounds += 1
    }
    #expect(isShared)
    return rounds
  }

  @Test func manyWritesAtATimeShareTheirBarriers() async throws {
    let rounds = try await expectSharing { await writeMany($0) }
    #expect(try durableDogs(configuration).count == rounds * 64)
  }

  @Test func manyAwaitedWritesShareTheirBarriers() async throws {
    let kennel = try await Kennel(configuration)
    let rounds = try await expectSharing { round in try await kennel.addMany((0..<64).map { "\(round).\($0)" }) }
    #expect(await kennel.count == rounds * 64)
    #expect(try durableDogs(configuration).count == rounds * 64)
  }

  @Test func writesOfSeveralActorsShareTheirBarriers() async throws {
    let kennels = [try await Kennel(configuration), try await Kennel(configuration), try await Kennel(configuration)]
    let before = await kennels[0].barrierCount
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, kennel) in kennels.enumerated() {
        group.addTask { _ = try await kennel.addMany((0..<40).map { "\(number).\($0)" }) }
      }
      try await group.waitForAll()
    }
    let after = await kennels[0].barrierCount
    #expect(after - before < 120)
    #expect(try durableDogs(configuration).count == 120)
  }

  @Test func anAwaitedWriteIsDurableWhenItReturns() async throws {
    let kennel = try await Kennel(configuration)
    for index in 0..<10 {
      try await kennel.add("dog \(index)")
      #expect(try durableDogs(configuration).count == index + 1)
    }
  }

  @Test func commitsThatForbidGroupingHaveTheirOwnBarriers() async throws {
    let barriers: Int = await directory.onQueue { realm, _, done in
      let before = realm.barrierCount
      for index in 0..<8 {
        realm.beginAsyncWrite {
          realm.add(Dog(value: ["dog \(index)", index]))
          realm.commitAsyncWrite(allowGrouping: false) { error in
            #expect(error == nil)
            if index == 7 { done(realm.barrierCount - before) }
          }
        }
      }
    }
    #expect(barriers == 16)
  }

  @Test func aCommitThatForbidsGroupingCompletesThoseBeforeIt() async throws {
    let events = Events()
    let isDurable: Bool = await directory.onQueue { [configuration] realm, _, done in
      for name in ["a", "b"] {
        realm.beginAsyncWrite {
          realm.add(Dog(value: [name, 1]))
          realm.commitAsyncWrite(allowGrouping: true) { _ in events.add(name) }
        }
      }
      realm.beginAsyncWrite {
        realm.add(Dog(value: ["c", 1]))
        realm.commitAsyncWrite { _ in
          events.add("c")
          done(try! durableDogs(configuration) == ["a", "b", "c"])
        }
      }
    }
    #expect(isDurable)
    #expect(events.all == ["a", "b", "c"])
  }

  @Test func aSynchronousWriteMakesThoseBeforeItDurable() async throws {
    let found: Set<String> = await directory.onQueue { [configuration] realm, _, done in
      realm.writeAsync {
        realm.add(Dog(value: ["asynchronous", 1]))
      }
      // Its block runs first, and takes the write that comes after it along.
      realm.beginAsyncWrite {
        realm.add(Dog(value: ["synchronous", 1]))
        try! realm.commitWrite()
        done(try! durableDogs(configuration))
      }
    }
    #expect(found == ["asynchronous", "synchronous"])
  }

  @Test func writesThatAreCancelledInAGroupAreLeftOut() async throws {
    let names: Set<String> = await directory.onQueue { [configuration] realm, _, done in
      var doomed: [AsyncTransactionId] = []
      for index in 0..<20 {
        let number = realm.writeAsync {
          realm.add(Dog(value: ["dog \(index)", index]))
          if index == 3 { doomed.forEach { try! realm.cancelAsyncWrite($0) } }
        } onComplete: { _ in
          #expect(index < 4 || index > 8, "\(index)")
          if index == 19 { done(try! durableDogs(configuration)) }
        }
        if (4...8).contains(index) { doomed.append(number) }
        if index == 10 { realm.beginAsyncWrite { realm.add(Dog(value: ["rolled back", 1])) } }
      }
    }
    #expect(names == Set((0..<20).filter { !(4...8).contains($0) }.map { "dog \($0)" }))
  }

  @Test func blocksMayAskForWritesThatJoinTheirGroup() async throws {
    let names: Set<String> = await directory.onQueue { [configuration] realm, _, done in
      let next = Handed<(Int) -> Void>()
      next.value = { depth in
        realm.writeAsync {
          realm.add(Dog(value: ["dog \(depth)", depth]))
          if depth < 15 { next.value!(depth + 1) }
        } onComplete: { _ in
          if depth < 15 { return }
          next.value = nil
          done(try! durableDogs(configuration))
        }
      }
      next.value!(0)
    }
    #expect(names.count == 16)
  }

  @Test func observersAreToldOfCommitsInGroups() async throws {
    let count: Int = await directory.onQueue { realm, _, done in
      let results = realm.objects(Dog.self)
      let token = Handed<NotificationToken>()
      token.value = results.observe { change in
        guard case .update(let dogs, _, _, _) = change, dogs.count == 30, token.value != nil else { return }
        done(dogs.count)
        token.value = nil
      }
      for index in 0..<30 { realm.writeAsync { realm.add(Dog(value: ["dog \(index)", index])) } }
    }
    #expect(count == 30)
  }

  /// What is written must not wait for the turn of somebody who waits for it.
  @Test func aWriteIsDurableAlthoughTheNextOneDoesNotGetItsTurn() async throws {
    let (configuration, queue) = (configuration, DispatchQueue(label: "blocked"))
    let durable = DispatchSemaphore(value: 0)
    let asked = DispatchSemaphore(value: 0)
    let isInTime: Bool = await directory.onQueue { realm, _, done in
      realm.beginAsyncWrite {
        queue.async {
          let other = try! Realm(configuration: configuration, queue: queue)
          other.writeAsync { other.add(Dog(value: ["second", 2])) }
          asked.signal()
          // Its block cannot run before the first write is durable.
          done(durable.wait(timeout: .now() + .seconds(patience)) == .success)
        }
        asked.wait()
        realm.add(Dog(value: ["first", 1]))
        realm.commitAsyncWrite(allowGrouping: true) { _ in durable.signal() }
      }
    }
    #expect(isInTime)
    #expect(try await eventually { try durableDogs(configuration) == ["first", "second"] })
  }

  @Test func otherThreadsWriteBetweenGroups() async throws {
    let configuration = configuration
    let stop = Atomic<Bool>(false)
    async let asynchronous: Int = directory.onQueue { realm, queue, done in
      let written = Counter()
      let next = Handed<() -> Void>()
      next.value = {
        realm.writeAsync {
          realm.add(Dog(value: ["asynchronous \(written.next())", 1]))
        } onComplete: { _ in
          queue.async {
            if !stop.load(ordering: .relaxed) { return next.value!() }
            next.value = nil
            done(written.value)
          }
        }
      }
      next.value!()
    }
    try await Task.detached {
      try otherThread {
        let realm = try Realm(configuration: configuration)
        for index in 0..<30 { try realm.write { realm.add(Dog(value: ["synchronous \(index)", index])) } }
      }
    }.value
    stop.store(true, ordering: .relaxed)
    let count = await asynchronous
    #expect(try durableDogs(configuration).count == 30 + count)
  }

  @Test func whatIsLeftAtTheEndIsMadeDurable() async throws {
    let configuration = configuration
    await directory.onQueue { realm, _, done in
      for index in 0..<10 { realm.writeAsync { realm.add(Dog(value: ["dog \(index)", index])) } }
      done(())
    }
    // Nobody else keeps the realm.
    #expect(try await eventually { try durableDogs(configuration).count == 10 })
    #expect(try await eventually { OpenFiles.entry(configuration.fileURL!.path).current == nil })
  }

  @Test(.endsProcesses) func whatIsCommittedIsDurableWhenTheProcessEnds() async throws {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let queue = DispatchQueue(label: "writes")
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
        queue.async {
          let realm = try! Realm(configuration: TestDirectory.configuration(in: path), queue: queue)
          realm.beginAsyncWrite {
            // Gets its transaction and no turn, so that the group stays open.
            realm.writeAsync {}
            realm.add(Dog(value: ["Rex", 1]))
            realm.commitAsyncWrite(allowGrouping: true)
            exit(0)
          }
        }
      }
    }
    #expect(try durableDogs(configuration) == ["Rex"])
  }

  /// The threads that write are not in the copy: who waits for them there waits in vain.
  @Test(.endsProcesses) func aForkedCopyOfTheProcessEndsWithoutWaitingForWrites() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      // Keeps the file open.
      let kept = try! Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      defer { withExtendedLifetime(kept) {} }
      let queue = DispatchQueue(label: "writes")
      await withCheckedContinuation { (written: CheckedContinuation<Void, Never>) in
        queue.async {
          let realm = try! Realm(configuration: TestDirectory.configuration(in: path), queue: queue)
          realm.writeAsync({ realm.add(Dog(value: ["Rex", 1])) }, onComplete: { _ in written.resume() })
        }
      }
      let start = ContinuousClock.now
      let child = forkProcess()
      if child == 0 { exit(0) }
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      #expect(child > 0 && status == 0)
      #expect(ContinuousClock.now - start < .seconds(4))
    }
  }

  @MainActor @Test func anActorIsFreeWhileItsAwaitedWriteIsWritten() async throws {
    let realm = try await Realm(configuration: configuration)
    let right = realm.core.file.database.right
    let (isLocked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // Nobody can commit until the actor says so, however long other tests keep it busy. One that is not free never does: `mustEnd` tells.
    Thread.detachNewThread {
      try? right.withCommitLock { () throws(StorageError) in
        isLocked.signal()
        release.wait()
      }
    }
    await Task.detached { isLocked.waitForSignal() }.value
    let events = Events()
    let task = Task { @MainActor in
      try await realm.asyncWrite {
        realm.add(Dog(value: ["Rex", 1]))
        events.add("block")
      }
      events.add("durable")
    }
    #expect(try await eventually { events.all == ["block"] })
    events.add("free")
    release.signal()
    try await task.value
    #expect(events.all == ["block", "free", "durable"])
  }

  @Test func nothingIsHeldOnceAllIsDurable() async throws {
    let isAtRest: Bool = await directory.onQueue { realm, _, done in
      for index in 0..<20 {
        realm.writeAsync {
          realm.add(Dog(value: ["dog \(index)", index]))
        } onComplete: { _ in
          guard index == 19 else { return }
          let held = try! realm.core.file.database.versionClaims().filter { $0.isHeld && !$0.isNewest }
          done(realm.isAtRest && held.isEmpty)
        }
      }
    }
    #expect(isAtRest)
  }

  @Test func aRealmInMemoryHasAsynchronousWritesToo() async throws {
    let queue = DispatchQueue(label: "memory")
    let configuration = Realm.Configuration(inMemoryIdentifier: "\(UUID())", objectTypes: [Dog.self, Person.self, Address.self])
    let count: Int = await withCheckedContinuation { continuation in
      queue.async {
        let realm = try! Realm(configuration: configuration, queue: queue)
        for index in 0..<20 {
          realm.writeAsync {
            realm.add(Dog(value: ["dog \(index)", index]))
          } onComplete: { _ in
            if index == 19 { continuation.resume(returning: realm.objects(Dog.self).count) }
          }
        }
      }
    }
    #expect(count == 20)
  }

  @Test func aLimitOfVersionsDoesNotCountWhatAGroupKeeps() async throws {
    var configuration = configuration
    configuration.maximumNumberOfActiveVersions = 2
    let kennel = try await Kennel(configuration)
    for round in 0..<3 { _ = try await kennel.addMany((0..<20).map { "\(round).\($0)" }) }
    #expect(await kennel.count == 60)
  }
}

private final class Counter: Sendable {
  private let count = Locked(0)
  var value: Int { count.withLock { $0 } }
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// Swift does not let through that of the C library.
@_silgen_name("fork") private func forkProcess() -> Int32
