import Foundation
import RealmSwift
import Synchronization
import TestSupport
import Testing

@Suite(.mustEnd) struct TransactionTests {
  let directory = TestDirectory()
  private struct Refusal: Error {}

  private func open() throws -> Realm { try Realm(configuration: directory.configuration()) }

  // MARK: Blocks

  @Test func writeReturnsWhatTheBlockReturns() throws {
    let realm = try open()
    #expect(try realm.write { 7 } == 7)
    let dog = try realm.write { realm.create(Dog.self, value: ["Rex", 1]) }
    #expect(dog.name == "Rex")
    #expect(!realm.isInWriteTransaction)
  }

  @Test func aThrowingBlockIsRolledBackAndRethrown() throws {
    let realm = try open()
    #expect(throws: Refusal.self) {
      try realm.write {
        realm.add(Dog(value: ["Rex", 1]))
        #expect(realm.isInWriteTransaction)
        throw Refusal()
      }
    }
    #expect(!realm.isInWriteTransaction)
    #expect(realm.isEmpty)
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    #expect(realm.objects(Dog.self).count == 1)
  }

  @Test func aBlockMayEndItsTransactionItself() throws {
    let realm = try open()
    try realm.write {
      realm.add(Dog(value: ["Rex", 1]))
      realm.cancelWrite()
    }
    #expect(realm.isEmpty)
    try realm.write {
      realm.add(Dog(value: ["Rex", 1]))
      try realm.commitWrite()
    }
    #expect(realm.objects(Dog.self).count == 1)
    // What is begun after that is committed with the block.
    try realm.write {
      realm.add(Dog(value: ["Lost", 1]))
      realm.cancelWrite()
      realm.beginWrite()
      realm.add(Dog(value: ["Kept", 1]))
    }
    #expect(realm.objects(Dog.self).map(\.name).sorted() == ["Kept", "Rex"])
    #expect(throws: Refusal.self) {
      try realm.write {
        try realm.commitWrite()
        throw Refusal()
      }
    }
    #expect(!realm.isInWriteTransaction)
  }

  @Test func beginCommitAndCancelWorkByHand() throws {
    let realm = try open()
    realm.beginWrite()
    #expect(realm.isInWriteTransaction)
    let rex = realm.create(Dog.self, value: ["Rex", 1])
    try realm.commitWrite()
    realm.beginWrite()
    let lost = realm.create(Dog.self, value: ["Lost", 1])
    rex.age = 2
    realm.cancelWrite()
    #expect(rex.age == 1)
    #expect(lost.isInvalidated)
    #expect(!realm.isInWriteTransaction)
  }

  @Test func committingWithoutATransactionThrows() throws {
    let realm = try open()
    #expect {
      try realm.commitWrite()
    } throws: {
      ($0 as? Realm.Error)?.code == .fail && $0.localizedDescription == "Can't commit a non-existing write transaction"
    }
  }

  @Test func uncommittedObjectsShowInIsEmpty() throws {
    let realm = try open()
    #expect(realm.isEmpty)
    realm.beginWrite()
    realm.add(Dog(value: ["Rex", 1]))
    #expect(!realm.isEmpty)
    realm.cancelWrite()
    #expect(realm.isEmpty)
  }

  @Test func deleteAllClearsTheClassesOfTheSchemaOnly() throws {
    do {
      let realm = try Realm(configuration: directory.configuration([Dog.self, Person.self, Address.self, Extra.self]))
      try realm.write {
        realm.add(Dog(value: ["Rex", 1]))
        realm.add(Extra(value: ["text": "a"]))
      }
    }
    do {
      let realm = try open()
      try realm.write { realm.deleteAll() }
      #expect(realm.objects(Dog.self).isEmpty)
      #expect(!realm.isEmpty)
    }
    let realm = try Realm(configuration: directory.configuration([Extra.self]))
    #expect(realm.objects(Extra.self).count == 1)
  }

  @Test func writersOfSeveralThreadsTakeTurns() throws {
    let configuration = directory.configuration()
    let realm = try open()
    try realm.write { realm.add(Dog(value: ["counter", 0])) }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let realm = try! Realm(configuration: configuration)
      for _ in 0..<25 { try! realm.write { realm.object(ofType: Dog.self, forPrimaryKey: "counter")!.age += 1 } }
    }
    realm.refresh()
    #expect(realm.objects(Dog.self).first?.age == 100)
  }

  @Test func beginningToWriteAdvances() throws {
    let configuration = directory.configuration()
    let realm = try open()
    #expect(realm.isEmpty)
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    }
    #expect(realm.isEmpty)
    realm.beginWrite()
    #expect(!realm.isEmpty)
    realm.cancelWrite()
    #expect(!realm.isEmpty)
  }

  @Test func aRealmThatIsReleasedInATransactionRollsBack() throws {
    do {
      let realm = try open()
      realm.beginWrite()
      realm.add(Dog(value: ["Rex", 1]))
    }
    let realm = try open()
    #expect(realm.isEmpty)
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
  }

  @Test(.endsProcesses) func aCommitThatFailsIsRolledBackAndThrown() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path, [Extra.self]), queue: nil)
      try realm.write { realm.add(Extra(value: ["text": "before"])) }
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 64 * 1024, rlim_max: .max)
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
      var lost: Extra?
      #expect(throws: Realm.Error.self) {
        try realm.write {
          lost = realm.create(Extra.self, value: ["text": "lost"])
          for index in 0..<10_000 { realm.add(Extra(value: ["text": "a text of some length \(index)"])) }
        }
      }
      #expect(lost?.isInvalidated == true)
      #expect(!realm.isInWriteTransaction)
      #expect(realm.objects(Extra.self).map(\.text) == ["before"])
      limit.rlim_cur = .max
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
      try realm.write { realm.add(Extra(value: ["text": "after"])) }
      #expect(realm.objects(Extra.self).map(\.text) == ["before", "after"])
    }
  }

  // MARK: Live versions

  @Test(.endsProcesses) func tooManyLiveVersionsStopTheNextWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      configuration.maximumNumberOfActiveVersions = 2
      let realm = try Realm(configuration: configuration, queue: nil)
      var frozen: [Realm] = []
      for index in 0..<6 {
        try realm.write { realm.add(Dog(value: ["dog \(index)", 1])) }
        frozen.append(realm.freeze())
      }
    }
    #expect(result?.stopped(with: "Number of active versions (3) in the Realm exceeded the limit of 2") == true)
  }

  @Test func theLimitIsOfNoConcernWithoutOldVersions() throws {
    var configuration = directory.configuration()
    configuration.maximumNumberOfActiveVersions = 2
    let realm = try Realm(configuration: configuration)
    for index in 0..<20 { try realm.write { realm.add(Dog(value: ["dog \(index)", 1])) } }
    #expect(realm.objects(Dog.self).count == 20)
    configuration.maximumNumberOfActiveVersions = 0
    configuration.fileURL = directory.fileURL("b.realm")
    let other = try Realm(configuration: configuration)
    var frozen: [Realm] = []
    for index in 0..<5 {
      try other.write { other.add(Dog(value: ["dog \(index)", 1])) }
      frozen.append(other.freeze())
    }
    #expect(frozen.map { $0.objects(Dog.self).count } == [1, 2, 3, 4, 5])
  }

  // MARK: Misuse

  @Test(.endsProcesses) func misuseStopsWithTheDocumentedTexts() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      realm.beginWrite()
      realm.beginWrite()
    }
    #expect(result?.stopped(with: "The Realm is already in a write transaction") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      try realm.write { try realm.write {} }
    }
    #expect(result?.stopped(with: "The Realm is already in a write transaction") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try Realm(configuration: TestDirectory.configuration(in: path), queue: nil).cancelWrite()
    }
    #expect(result?.stopped(with: "Can't cancel a non-existing write transaction") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try Realm(configuration: TestDirectory.configuration(in: path), queue: nil).freeze().beginWrite()
    }
    #expect(result?.stopped(with: "Can't perform transactions on a frozen Realm") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      do { _ = try Realm(configuration: configuration, queue: nil) }
      configuration.readOnly = true
      try Realm(configuration: configuration, queue: nil).beginWrite()
    }
    #expect(result?.stopped(with: "Can't perform transactions on read-only Realms.") == true)
  }

  @Test(.endsProcesses) func otherThreadsAreRefused() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      let stolen = Stolen(realm)
      try otherThread { stolen.value.beginWrite() }
    }
    #expect(result?.stoppedOnAWrongThread() == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      let dog = try realm.write { realm.create(Dog.self, value: ["Rex", 1]) }
      let stolen = Stolen(dog)
      try otherThread { _ = stolen.value.name }
    }
    #expect(result?.stoppedOnAWrongThread() == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let queue = DispatchQueue(label: "test")
      let stolen = try queue.sync { Stolen(try Realm(configuration: TestDirectory.configuration(in: path), queue: queue)) }
      _ = try otherThread { stolen.value.objects(Dog.self).count }
    }
    #expect(result?.stoppedOnAWrongThread() == true)
  }

  @Test func someThingsMayBeAskedAnywhere() throws {
    let realm = try open()
    let stolen = Stolen(realm)
    try otherThread {
      #expect(!stolen.value.isFrozen)
      #expect(stolen.value == stolen.value)
      #expect(stolen.value.configuration.schemaVersion == 0)
    }
  }

  // MARK: Realm.observe

  @MainActor @Test func observersHearOfEveryVersion() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    var calls: [Realm.Notification] = []
    let token = realm.observe { notification, changed in
      #expect(changed == realm)
      calls.append(notification)
    }
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    #expect(calls == [.didChange])
    try realm.write(withoutNotifying: [token]) { realm.add(Dog(value: ["Bella", 1])) }
    #expect(calls.count == 1)
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: ["Max", 1])) }
    }
    #expect(calls.count == 1)
    #expect(realm.refresh())
    #expect(calls.count == 2)
    #expect(!realm.refresh())
    realm.beginWrite()
    realm.cancelWrite()
    #expect(calls.count == 2)
    #expect(token.invalidate())
    #expect(!token.invalidate())
    try realm.write { realm.deleteAll() }
    #expect(calls.count == 2)
  }

  @MainActor @Test func anObserverThatWritesIsNotCalledForIt() throws {
    let realm = try Realm(configuration: directory.configuration())
    var calls = 0
    let token = realm.observe { _, realm in
      calls += 1
      #expect(!realm.refresh())
      try! realm.write { realm.add(Dog(value: ["dog \(calls)", 1])) }
    }
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    #expect(calls == 1)
    #expect(realm.objects(Dog.self).count == 2)
    token.invalidate()
  }

  @Test(.endsProcesses) func whatCannotBeObservedStops() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try otherThread { _ = try Realm(configuration: TestDirectory.configuration(in: path)).observe { _, _ in } }
    }
    #expect(result?.stopped(with: "Can only add notification blocks from within runloops.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      _ = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil).freeze().observe { _, _ in }
    }
    #expect(result?.stopped(with: "Frozen Realms do not change and do not have change notifications.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      do { _ = try Realm(configuration: configuration, queue: nil) }
      configuration.readOnly = true
      _ = try Realm(configuration: configuration, queue: nil).observe { _, _ in }
    }
    #expect(result?.stopped(with: "Read-only Realms do not change and do not have change notifications.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      var other = TestDirectory.configuration(in: path)
      other.fileURL = URL(fileURLWithPath: path + "/other.realm")
      let token = try Realm(configuration: other, queue: nil).observe { _, _ in }
      try realm.write(withoutNotifying: [token]) {}
    }
    #expect(result?.stopped(with: "Incorrect Realm: only notifications for the Realm being modified can be skipped.") == true)
  }
}

/// Takes something where it does not belong.
// SAFETY: the value is set once; what is tried with it elsewhere has to stop before it touches anything.
final class Stolen<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
