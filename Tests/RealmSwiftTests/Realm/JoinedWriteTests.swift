import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSwift

/// Asynchronous writes of every kind that write in one transaction, one after the other, as long as nobody looks at what is in between.
@Suite(.mustEnd) struct JoinedWriteTests {
  let directory = TestDirectory()

  @MainActor private func open(_ configuration: Realm.Configuration? = nil) throws -> Realm {
    try Realm(configuration: configuration ?? directory.configuration())
  }

  /// Runs `body` and waits until it calls what it is given.
  @MainActor private func untilDone(_ body: (_ done: @escaping () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in body { continuation.resume() } }
  }

  private func names(_ configuration: Realm.Configuration? = nil) throws -> [String] {
    try Realm(configuration: configuration ?? directory.configuration(), queue: nil).objects(Dog.self).map(\.name)
  }

  // MARK: Blocks

  @MainActor @Test func blocksOfEitherKindBecomeOneVersion() async throws {
    let realm = try open()
    var versions: Set<UInt64> = []
    var order: [Int] = []
    await untilDone { done in
      for index in 0..<20 {
        func write() {
          versions.insert(realm.core.transaction!.version)
          #expect(realm.objects(Dog.self).count == index, "a block sees what those before it wrote")
          realm.add(Dog(value: ["dog \(index)", index]))
        }
        func ended(_ error: (any Error)?) {
          #expect(error == nil)
          order.append(index)
          if index == 19 { done() }
        }
        if index % 3 == 0 {
          realm.writeAsync {
            write()
          } onComplete: {
            ended($0)
          }
        } else {
          realm.beginAsyncWrite {
            write()
            realm.commitAsyncWrite(allowGrouping: true) { ended($0) }
          }
        }
      }
    }
    #expect(versions.count < 20, "a slow machine may need a few")
    #expect(order == Array(0..<20))
    #expect(try names().count == 20)
  }

  @MainActor @Test func aBlockThatIsTakenBackTakesOnlyWhatItDid() async throws {
    let realm = try open()
    try realm.write {
      realm.add(Dog(value: ["Rex", 1]))
      realm.add(Dog(value: ["Fido", 2]))
    }
    var made: [Dog] = []
    let rex = try #require(realm.object(ofType: Dog.self, forPrimaryKey: "Rex"))
    await untilDone { done in
      realm.writeAsync {
        rex.age = 10
        made.append(realm.create(Dog.self, value: ["kept", 3]))
      }
      realm.beginAsyncWrite {
        #expect(rex.age == 10)
        rex.age = 20
        made[0].weight = 5
        made.append(realm.create(Dog.self, value: ["taken back", 4]))
        realm.delete(realm.objects(Dog.self).where { $0.name == "Fido" })
        // More than the memory that small transactions have.
        for index in 0..<2000 { realm.create(Dog.self, value: ["\(index) " + String(repeating: "x", count: 500), index]) }
        realm.cancelWrite()
        #expect(!realm.isInWriteTransaction)
      }
      realm.beginAsyncWrite { realm.create(Dog.self, value: ["never committed", 5]) }
      realm.writeAsync {
        #expect(rex.age == 10)
        rex.age += 1
        made.append(realm.create(Dog.self, value: ["last", 6]))
      } onComplete: { error in
        #expect(error == nil)
        done()
      }
    }
    #expect(rex.age == 11)
    #expect(made.map(\.isInvalidated) == [false, true, false])
    #expect(made[0].weight == nil)
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "Fido", "kept", "last"])
    try realm.core.group().check()
  }

  @MainActor @Test func aBlockMaySeeTheNewVersionAfterItsCommit() async throws {
    let realm = try open()
    await untilDone { done in
      realm.writeAsync { realm.add(Dog(value: ["first", 1])) }
      realm.beginAsyncWrite {
        realm.add(Dog(value: ["second", 1]))
        realm.commitAsyncWrite(allowGrouping: true)
        #expect(realm.objects(Dog.self).count == 2)
        try! realm.write { realm.add(Dog(value: ["third", 1])) }
      }
      realm.beginAsyncWrite {
        #expect(realm.objects(Dog.self).count == 3)
        done()
      }
    }
    #expect(try names().count == 3)
  }

  @MainActor @Test func aSynchronousCommitCompletesTheBlocksBefore() async throws {
    let realm = try open()
    var order: [String] = []
    await untilDone { done in
      realm.writeAsync {
        realm.add(Dog(value: ["first", 1]))
      } onComplete: { error in
        #expect(error == nil)
        order.append("first")
      }
      realm.beginAsyncWrite {
        realm.add(Dog(value: ["second", 1]))
        realm.commitAsyncWrite(allowGrouping: true) { error in
          #expect(error == nil)
          order.append("second")
        }
      }
      realm.beginAsyncWrite {
        realm.add(Dog(value: ["third", 1]))
        try! realm.commitWrite()
        order.append("third")
      }
      realm.writeAsync {
      } onComplete: { _ in
        done()
      }
    }
    // Where the machine is slow, the first may be complete before the third has its turn.
    #expect(order.filter { $0 != "third" } == ["first", "second"])
    #expect(order.contains("third"))
    #expect(try names() == ["first", "second", "third"])
  }

  @MainActor @Test func invalidateTakesBackTheRunningBlockOnly() async throws {
    let realm = try open()
    var made: [Dog] = []
    await untilDone { done in
      realm.writeAsync {
        made.append(realm.create(Dog.self, value: ["first", 1]))
      } onComplete: { error in
        #expect(error == nil)
        done()
      }
      realm.beginAsyncWrite {
        made.append(realm.create(Dog.self, value: ["second", 1]))
        realm.invalidate()
        #expect(!realm.isInWriteTransaction)
        #expect(made.map(\.isInvalidated) == [true, true])
      }
    }
    #expect(realm.objects(Dog.self).map(\.name) == ["first"])
  }

  /// What a block looks at is the version that it began with, whoever wrote in the same transaction before.
  @MainActor @Test func aBlockFreezesAndObservesWhatThoseBeforeItWrote() async throws {
    let realm = try open()
    let counts = LineLog()
    var tokens: [NotificationToken] = []
    await untilDone { done in
      realm.writeAsync { realm.add(Dog(value: ["first", 1])) }
      realm.beginAsyncWrite {
        let dogs = realm.objects(Dog.self)
        #expect(realm.freeze().objects(Dog.self).count == 1)
        #expect(dogs[0].freeze().name == "first")
        tokens.append(
          dogs.observe { change in
            switch change {
            case .initial(let dogs):
              counts.add("initial \(dogs.count)")
              if dogs.count == 2 { done() }
            case .update(let dogs, let deletions, let insertions, let modifications):
              counts.add("\(dogs.count): \(deletions) \(insertions) \(modifications)")
              done()
            case .error: break
            }
          })
        realm.add(Dog(value: ["second", 2]))
        #expect(realm.freeze().objects(Dog.self).count == 1)
        realm.commitAsyncWrite(allowGrouping: true)
      }
    }
    #expect(counts.all == ["initial 2"] || counts.all == ["initial 1", "2: [] [1] []"])
    tokens.forEach { $0.invalidate() }
  }

  // MARK: Tasks

  @MainActor @Test func awaitedWritesFailAlone() async throws {
    struct Refusal: Error {}
    let realm = try open()
    var failures = 0
    let tasks = (0..<30).map { index in
      Task { @MainActor in
        try await realm.asyncWrite {
          realm.add(Dog(value: ["dog \(index)", index]))
          if index % 5 == 4 {
            realm.delete(realm.objects(Dog.self))
            throw Refusal()
          }
        }
      }
    }
    for task in tasks { do { try await task.value } catch is Refusal { failures += 1 } }
    #expect(failures == 6)
    #expect(Set(realm.objects(Dog.self).map(\.age)) == Set((0..<30).filter { $0 % 5 != 4 }))
    try realm.core.group().check()
  }

  @MainActor @Test func whoReadsInBetweenSeesWhatWasWritten() async throws {
    let realm = try open()
    let tasks = (0..<20).map { index in
      Task { @MainActor in
        let dog = try await realm.asyncWrite { realm.create(Dog.self, value: ["dog \(index)", index]) }
        #expect(dog.age == index)
        #expect(realm.objects(Dog.self).count > index)
      }
    }
    var last = 0
    while last < 20 {
      await Task.yield()
      #expect(!realm.isInWriteTransaction)
      let count = realm.objects(Dog.self).count
      #expect(count >= last)
      last = count
    }
    for task in tasks { try await task.value }
  }

  @MainActor @Test func aTaskThatIsCancelledLeavesTheOthers() async throws {
    let realm = try open()
    let tasks = (0..<20).map { index in
      Task { @MainActor in
        try await realm.asyncWrite {
          realm.add(Dog(value: ["dog \(index)", index]))
          return
        }
      }
    }
    await Task.yield()
    for index in stride(from: 1, to: 20, by: 2) { tasks[index].cancel() }
    var written: Set<Int> = []
    for (index, task) in tasks.enumerated() {
      do {
        try await task.value
        written.insert(index)
      } catch is CancellationError {}
    }
    #expect(written.isSuperset(of: stride(from: 0, to: 20, by: 2)))
    #expect(Set(realm.objects(Dog.self).map(\.age)) == written)
  }

  /// Nobody waits for a task that cannot come: what it would join becomes durable without it.
  @MainActor @Test func aCommitDoesNotWaitForATaskThatDoesNotCome() async throws {
    let realm = try open()
    for _ in 0..<20 {
      if let isWritten = try await isWrittenWhileTheNextTaskCannotCome(realm) {
        #expect(isWritten, "not within 30 s")
        return
      }
      try realm.write { realm.deleteAll() }
    }
    Issue.record("the second task always came at once")
  }

  /// - Returns: nil if the second task came before anything kept it from coming.
  @MainActor private func isWrittenWhileTheNextTaskCannotCome(_ realm: Realm) async throws -> Bool? {
    let database = realm.core.file.database
    let version = database.newestVersion
    let isWritten = Locked<Bool?>(nil)
    let first = Task { @MainActor in
      try await realm.asyncWrite {
        realm.add(Dog(value: ["first", 1]))
        // Before the second task gets its turn, which has asked for it; on a busy machine it may be there already.
        DispatchQueue.main.async {
          let limit = ContinuousClock.now + .seconds(30)
          while database.newestVersion == version, ContinuousClock.now < limit { usleep(1000) }
          isWritten.withLock { $0 = database.newestVersion > version }
        }
      }
    }
    let second = Task { @MainActor in
      try await realm.asyncWrite {
        defer { realm.add(Dog(value: ["second", 2])) }
        return isWritten.withLock { $0 }
      }
    }
    try await first.value
    let result = try await second.value
    #expect(realm.objects(Dog.self).map(\.name) == ["first", "second"])
    return result
  }

  // MARK: Files of other kinds

  @MainActor @Test func encryptedFilesAndFilesInMemoryJoinWrites() async throws {
    var encrypted = directory.configuration()
    encrypted.encryptionKey = Data((0..<64).map { UInt8($0) })
    let inMemory = Realm.Configuration(inMemoryIdentifier: "\(UUID())", objectTypes: [Dog.self, Person.self, Address.self])
    for configuration in [encrypted, inMemory] {
      let realm = try open(configuration)
      var versions: Set<UInt64> = []
      await untilDone { done in
        for index in 0..<20 {
          realm.beginAsyncWrite {
            versions.insert(realm.core.transaction!.version)
            realm.add(Dog(value: ["dog \(index)", index]))
            if index % 4 == 3 { return realm.cancelWrite() }
            realm.commitAsyncWrite(allowGrouping: true) { error in
              #expect(error == nil)
              if index == 18 { done() }
            }
          }
        }
      }
      #expect(versions.count < 15, "a slow machine may need a few")
      #expect(try names(configuration).count == 15)
    }
  }

  // MARK: Random

  private struct Refusal: Error {}

  /// What a realm should hold, and writes that change both.
  @MainActor private final class Model {
    let realm: Realm
    let person: Person
    let seed: UInt64
    private(set) var ages: [String: Int] = [:]
    private var nicknames: Set<String> = []

    init(_ realm: Realm, seed: UInt64) throws {
      (self.realm, self.seed) = (realm, seed)
      person = try realm.write { realm.create(Person.self, value: ["name": "Ann"]) }
    }

    func check() {
      #expect(Dictionary(uniqueKeysWithValues: realm.objects(Dog.self).map { ($0.name, $0.age) }) == ages, "seed \(seed)")
      #expect(Set(person.nicknames) == nicknames, "seed \(seed)")
    }

    /// Writes something small.
    /// - Returns: to be called if it lasts.
    func write(_ seed: UInt64) -> () -> Void {
      check()
      var random = SeededGenerator(seed: seed)
      var (ages, nicknames) = (ages, nicknames)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let name = "dog \(Int.random(in: 0..<40, using: &random))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6:
          let age = Int.random(in: 0..<1000, using: &random)
          realm.create(Dog.self, value: ["name": name, "age": age], update: .modified)
          ages[name] = age
        case 6..<8:
          if let dog = realm.object(ofType: Dog.self, forPrimaryKey: name) { realm.delete(dog) }
          ages[name] = nil
        default:
          let text = name + String(repeating: "!", count: Int.random(in: 0..<200, using: &random))
          if nicknames.remove(text) != nil { person.nicknames.remove(text) } else { person.nicknames.insert(text) }
          if person.nicknames.contains(text) { nicknames.insert(text) }
        }
      }
      return { (self.ages, self.nicknames) = (ages, nicknames) }
    }

    /// Asks for a write of any kind, which may be taken back.
    func ask(_ seed: UInt64) -> Task<Void, any Error>? {
      switch seed % 6 {
      case 0: realm.writeAsync { self.write(seed)() }
      case 1:
        realm.beginAsyncWrite {
          self.write(seed)()
          self.realm.commitAsyncWrite(allowGrouping: seed % 5 != 0)
        }
      case 2: realm.beginAsyncWrite { _ = self.write(seed) }
      case 3:
        return Task { @MainActor in
          try? await realm.asyncWrite {
            _ = write(seed)
            throw Refusal()
          }
        }
      default: return Task { @MainActor in try await realm.asyncWrite { write(seed)() } }
      }
      return nil
    }
  }

  /// Random writes of many tasks and blocks, some of which are taken back: everything that was committed is there, and nothing else.
  @MainActor @Test(arguments: 0..<UInt64(isFullRun ? 60 : 6)) func nothingElseIsTakenBack(_ number: UInt64) async throws {
    let seed = testSeed &+ number
    let realm = try open()
    let model = try Model(realm, seed: seed)
    var random = SeededGenerator(seed: seed)
    var tasks: [Task<Void, any Error>] = []
    for _ in 0..<120 {
      let seed = random.next()
      if let task = model.ask(seed) { tasks.append(task) }
      if seed % 16 == 0 { await Task.yield() }
      if seed % 61 == 0 { try realm.write { model.write(seed)() } }
    }
    for task in tasks { try await task.value }
    await untilDone { done in
      realm.writeAsync {
      } onComplete: { _ in
        done()
      }
    }
    model.check()
    try realm.core.group().check()
  }
}
