import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// Writes by callback, on the main queue and on queues of their own.
@Suite(.mustEnd) struct AsyncWriteTests {
  let directory = TestDirectory()

  @MainActor private func open() throws -> Realm { try Realm(configuration: directory.configuration()) }

  @MainActor @Test func aBlockIsWrittenAtALaterTurn() async throws {
    let realm = try open()
    var order: [String] = []
    await withCheckedContinuation { continuation in
      realm.writeAsync {
        #expect(realm.isInWriteTransaction)
        order.append("block")
        realm.add(Dog(value: ["Rex", 1]))
      } onComplete: { error in
        #expect(error == nil)
        #expect(realm.objects(Dog.self).count == 1)
        order.append("complete")
        continuation.resume()
      }
      #expect(realm.isPerformingAsynchronousWriteOperations)
      order.append("asked")
    }
    #expect(order == ["asked", "block", "complete"])
    #expect(!realm.isInWriteTransaction)
  }

  /// An ordinary write takes the right to write that the block has asked for, and must give it back.
  @MainActor @Test func aBlockIsWrittenThoughAnOrdinaryWriteBeforeItCannotBegin() async throws {
    let realm = try open()
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    let top = try realm.core.file.database.snapshot().topRef.byteOffset
    let file = try FileHandle(forUpdating: directory.fileURL())
    func header(_ bytes: Data) throws {
      try file.seek(toOffset: top)
      try file.write(contentsOf: bytes)
    }
    try file.seek(toOffset: top)
    let sound = try #require(try file.read(upToCount: 8))
    let error: (any Error)? = try await withCheckedThrowingContinuation { continuation in
      realm.writeAsync {
        realm.add(Dog(value: ["Fido", 2]))
      } onComplete: {
        continuation.resume(returning: $0)
      }
      do {
        try header(Data(repeating: 0xff, count: 8))
        #expect(throws: Realm.Error.self) { try realm.write {} }
        try header(sound)
      } catch { continuation.resume(throwing: error) }
    }
    // What is asked for again may meet the damage, too, and says so then.
    #expect(realm.objects(Dog.self).map(\.name) == (error == nil ? ["Rex", "Fido"] : ["Rex"]))
  }

  @MainActor @Test func blocksRunInTheirOrder() async throws {
    let realm = try open()
    var order: [Int] = []
    await withCheckedContinuation { continuation in
      for index in 0..<20 {
        realm.writeAsync {
          order.append(index)
          realm.add(Dog(value: ["dog \(index)", index]))
        } onComplete: { _ in
          if index == 19 { continuation.resume() }
        }
      }
    }
    #expect(order == Array(0..<20))
    #expect(realm.objects(Dog.self).count == 20)
  }

  @MainActor @Test func smallWritesThatAreDueTogetherBecomeOneVersion() async throws {
    let realm = try open()
    var order: [String] = []
    var versions: Set<UInt64> = []
    await withCheckedContinuation { continuation in
      for index in 0..<10 {
        let id = realm.writeAsync {
          order.append("block \(index)")
          versions.insert(realm.core.transaction!.version)
          #expect(realm.objects(Dog.self).count == (index > 4 ? index - 1 : index), "a block sees what those before it wrote")
          realm.add(Dog(value: ["dog \(index)", index]))
        } onComplete: { error in
          #expect(error == nil)
          #expect(realm.objects(Dog.self).count >= (index > 4 ? index : index + 1))
          order.append("complete \(index)")
          if index == 9 { continuation.resume() }
        }
        if index == 4 { try? realm.cancelAsyncWrite(id) }
      }
    }
    let kept = [0, 1, 2, 3, 5, 6, 7, 8, 9]
    #expect(order.filter { $0.hasPrefix("block") } == kept.map { "block \($0)" })
    #expect(order.filter { $0.hasPrefix("complete") } == kept.map { "complete \($0)" })
    #expect(versions.count < kept.count, "a slow machine may need a few")
  }

  @MainActor @Test func aBlockThatIsTakenBackLeavesTheOthers() async throws {
    let realm = try open()
    await withCheckedContinuation { continuation in
      realm.writeAsync { realm.add(Dog(value: ["first", 1])) }
      realm.beginAsyncWrite {
        #expect(realm.objects(Dog.self).count == 1)
        realm.add(Dog(value: ["taken back", 2]))
        realm.cancelWrite()
      }
      realm.writeAsync {
        realm.add(Dog(value: ["third", 3]))
      } onComplete: { _ in
        continuation.resume()
      }
    }
    #expect(realm.objects(Dog.self).map(\.name) == ["first", "third"])
  }

  @MainActor @Test func largeWritesAreVersionsOfTheirOwn() async throws {
    let realm = try open()
    var versions: [UInt64] = []
    await withCheckedContinuation { continuation in
      for index in 0..<3 {
        realm.writeAsync {
          versions.append(realm.core.transaction!.version)
          realm.add(Dog(value: [String(repeating: "\(index)", count: 300_000), index]))
        } onComplete: { _ in
          if index == 2 { continuation.resume() }
        }
      }
    }
    #expect(Set(versions).count == 3)
  }

  @MainActor @Test func aBlockWithoutACommitIsRolledBack() async throws {
    let realm = try open()
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite { realm.add(Dog(value: ["Rex", 1])) }
      realm.beginAsyncWrite { continuation.resume() }
    }
    #expect(realm.isEmpty)
  }

  @MainActor @Test func commitsMayBeOfEitherKind() async throws {
    let realm = try open()
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite {
        realm.add(Dog(value: ["a", 1]))
        try! realm.commitWrite()
      }
      realm.beginAsyncWrite {
        realm.add(Dog(value: ["b", 1]))
        realm.commitAsyncWrite(allowGrouping: true) { error in
          #expect(error == nil)
          continuation.resume()
        }
        #expect(!realm.isInWriteTransaction)
        // The new version is there at once.
        #expect(realm.objects(Dog.self).count == 2)
      }
    }
    realm.beginWrite()
    realm.add(Dog(value: ["c", 1]))
    await withCheckedContinuation { continuation in realm.commitAsyncWrite { _ in continuation.resume() } }
    try realm.write {
      realm.add(Dog(value: ["d", 1]))
      realm.commitAsyncWrite()
    }
    #expect(realm.objects(Dog.self).count == 4)
  }

  @MainActor @Test func synchronousWritesComeInBetween() async throws {
    let realm = try open()
    await withCheckedContinuation { continuation in
      for index in 0..<5 {
        realm.writeAsync {
          realm.add(Dog(value: ["async \(index)", index]))
        } onComplete: { _ in
          if index == 4 { continuation.resume() }
        }
      }
      for index in 0..<5 { try! realm.write { realm.add(Dog(value: ["sync \(index)", index])) } }
      #expect(realm.objects(Dog.self).count == 5)
    }
    #expect(realm.objects(Dog.self).count == 10)
  }

  @MainActor @Test func whatIsCancelledDoesNotRun() async throws {
    let realm = try open()
    await withCheckedContinuation { continuation in
      let first = realm.writeAsync { Issue.record("ran") }
      let second = realm.beginAsyncWrite {
        realm.add(Dog(value: ["Rex", 1]))
        let commit = realm.commitAsyncWrite { _ in Issue.record("completed") }
        try! realm.cancelAsyncWrite(commit)
      }
      try! realm.cancelAsyncWrite(first)
      try! realm.cancelAsyncWrite(999)
      _ = second
      realm.beginAsyncWrite { continuation.resume() }
    }
    #expect(realm.objects(Dog.self).count == 1)
  }

  @MainActor @Test func invalidateDropsWhatDidNotRun() async throws {
    let realm = try open()
    realm.writeAsync { Issue.record("ran") }
    realm.invalidate()
    await withCheckedContinuation { continuation in
      realm.writeAsync {
      } onComplete: { _ in
        continuation.resume()
      }
    }
  }

  @MainActor @Test func theRealmLivesAsLongAsItsWork() async throws {
    let configuration = directory.configuration()
    await withCheckedContinuation { continuation in
      try! Realm(configuration: configuration, queue: nil).writeAsync {
        try! Realm(configuration: configuration, queue: nil).add(Dog(value: ["Rex", 1]))
      } onComplete: { _ in
        continuation.resume()
      }
    }
    #expect(try open().objects(Dog.self).count == 1)
  }

  @Test func aQueueHasItsOwnWrites() async throws {
    let queue = DispatchQueue(label: "test")
    let configuration = directory.configuration()
    let count = await withCheckedContinuation { continuation in
      queue.async {
        let realm = try! Realm(configuration: configuration, queue: queue)
        realm.writeAsync {
          realm.add(Dog(value: ["Rex", 1]))
        } onComplete: { error in
          #expect(error == nil)
          continuation.resume(returning: realm.objects(Dog.self).count)
        }
      }
    }
    #expect(count == 1)
  }

  @Test func aThreadWithARunLoopHasItsOwnWrites() throws {
    let configuration = directory.configuration()
    let count = try otherThread {
      let done = Handed<Int>()
      let timer = Timer(timeInterval: 0, repeats: false) { _ in
        let realm = try! Realm(configuration: configuration)
        realm.writeAsync {
          realm.add(Dog(value: ["Rex", 1]))
        } onComplete: { _ in
          done.value = realm.objects(Dog.self).count
        }
      }
      RunLoop.current.add(timer, forMode: .default)
      let limit = Date(timeIntervalSinceNow: 20)
      while done.value == nil, Date() < limit { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
      return done.value ?? -1
    }
    #expect(count == 1)
  }

  @Test func othersMayWriteInTheMeantime() async throws {
    let configuration = directory.configuration()
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 { group.addTask { await writeTenTimes(configuration, number, counter) } }
    }
    #expect(counter.count.withLock { $0 } == 40)
    #expect(try Realm(configuration: configuration, queue: nil).objects(Dog.self).count == 40)
  }

  // MARK: Misuse

  /// A server goes on, whatever has become of one of its files.
  @MainActor @Test func aWriteThatCannotBeginSaysSo() async throws {
    let realm = try open()
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    realm.invalidate()
    try damageWhatIsCommitted()
    var hasRun = false
    let failure: (any Error)? = await withCheckedContinuation { continuation in
      realm.writeAsync({ hasRun = true }, onComplete: { continuation.resume(returning: $0) })
    }
    #expect((failure as? Realm.Error)?.code == .invalidDatabase, "\(String(describing: failure))")
    #expect(!hasRun && !realm.isInWriteTransaction && !realm.isPerformingAsynchronousWriteOperations)
  }

  /// Zeroes behind the header of the file, in place.
  private func damageWhatIsCommitted() throws {
    let file = try FileHandle(forWritingTo: directory.fileURL())
    let end = try file.seekToEnd()
    try file.seek(toOffset: 24)
    try file.write(contentsOf: Data(count: Int(end) - 24))
    try file.close()
  }

  @Test(.endsProcesses) func misuseStops() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try otherThread { _ = try Realm(configuration: TestDirectory.configuration(in: path)).writeAsync {} }
    }
    #expect(result?.stopped(with: "Cannot schedule async transaction. Make sure you are running from inside a run loop.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      realm.commitAsyncWrite()
    }
    #expect(result?.stopped(with: "Can't commit a non-existing write transaction") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
        realm.writeAsync { realm.add(Dog(value: ["Rex", 1])) }
        realm.writeAsync { realm.cancelWrite() }
        realm.writeAsync {}
      }
    }
    #expect(result?.stopped(with: "Can't commit a non-existing write transaction") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
        realm.writeAsync {
        } onComplete: { _ in
          realm.beginAsyncWrite {}
        }
      }
    }
    #expect(result?.stopped(with: "Can't begin a write transaction from inside a commit completion callback.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
        realm.writeAsync {
        } onComplete: { _ in
          realm.commitAsyncWrite()
        }
      }
    }
    #expect(result?.stopped(with: "Can't commit a write transaction from inside a commit completion callback.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
        realm.writeAsync {
        } onComplete: { _ in
          realm.cancelWrite()
        }
      }
    }
    #expect(result?.stopped(with: "Can't cancel a write transaction from inside a commit completion callback.") == true)
  }
}

private final class Counter: Sendable { let count = Locked(0) }

private func writeTenTimes(_ configuration: Realm.Configuration, _ number: Int, _ counter: Counter) async {
  let queue = DispatchQueue(label: "test \(number)")
  await withCheckedContinuation { continuation in
    queue.async {
      let realm = try! Realm(configuration: configuration, queue: queue)
      for index in 0..<10 {
        realm.writeAsync {
          realm.add(Dog(value: ["\(number) \(index)", index]))
        } onComplete: { _ in
          counter.count.withLock { $0 += 1 }
          if index == 9 { continuation.resume() }
        }
      }
    }
  }
}
