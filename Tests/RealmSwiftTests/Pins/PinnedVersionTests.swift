import Foundation
import RealmStorage
import RealmSwift
import TestSupport
import Testing

/// Who holds old versions, and how they are let go.
@Suite(.mustEnd) struct PinnedVersionTests {
  let directory = TestDirectory()
  typealias Pinned = Realm.PinnedVersion

  private func add(_ name: String, _ configuration: Realm.Configuration) throws {
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: [name, 1])) }
    }
  }

  @Test func nothingIsHeldOfAFileThatIsNotOpen() throws {
    let configuration = directory.configuration()
    #expect(try Realm.pinnedVersions(for: configuration).isEmpty)
    let realm = try Realm(configuration: configuration)
    #expect(try Realm.pinnedVersions(for: configuration).isEmpty)
    _ = realm.isEmpty
    #expect(try Realm.pinnedVersions(for: configuration).map(\.holder) == [.realm])
    realm.invalidate()
    #expect(try Realm.pinnedVersions(for: configuration).isEmpty)
  }

  @Test func eachHolderIsNamedWithItsVersionAgeAndPlace() throws {
    let configuration = directory.configuration()
    // 3: the schema and one object.
    try add("Rex", configuration)
    let realm = try Realm(configuration: configuration)
    let dog = try #require(realm.objects(Dog.self).first)
    let first = try #require(try Realm.pinnedVersions(for: configuration).first)
    #expect(first.isNewest && first.holder == .realm)
    let frozen = realm.freeze()
    let reference = ThreadSafeReference(to: dog)
    // Versions have an age.
    letPass(milliseconds: 60)
    try add("Bella", configuration)
    let queue = DispatchQueue(label: "org.example.reader")
    let ofQueue = try queue.sync { Stolen(try Realm(configuration: configuration, queue: queue)) }
    queue.sync { _ = ofQueue.value.isEmpty }
    let pinned = try Realm.pinnedVersions(for: configuration)
    #expect(pinned.map(\.holder) == [.realm, .frozenRealm, .threadSafeReference, .realm])
    #expect(pinned.map(\.version) == [first.version, first.version, first.version, first.version + 1])
    #expect(pinned.map(\.isNewest) == [false, false, false, true])
    #expect(pinned[0].confinement == first.confinement && pinned[1].confinement == .none && pinned[3].confinement == .queue("org.example.reader"))
    #expect(try #require(pinned[0].age) >= .milliseconds(50) && #require(pinned[0].age) < .seconds(60))
    #expect(try #require(pinned[3].age) < #require(pinned[0].age))
    #expect("\(pinned[3])".hasPrefix("version \(first.version + 1) (newest) held by realm of queue org.example.reader for "))
    // Letting go, one after the other.
    _ = realm.resolve(reference)
    #expect(try Realm.pinnedVersions(for: configuration).map(\.holder) == [.realm, .frozenRealm, .realm])
    frozen.invalidate()
    realm.refresh()
    #expect(try Realm.pinnedVersions(for: configuration).map(\.isNewest) == [true, true])
    realm.beginWrite()
    #expect(try Realm.pinnedVersions(for: configuration).map(\.holder).contains(.writeTransaction))
    realm.cancelWrite()
    #expect(try Realm.pinnedVersions(for: configuration).map(\.holder) == [.realm, .realm])
    queue.sync { ofQueue.value.invalidate() }
  }

  @Test func aThreadIsNamedAsTheSystemNamesIt() throws {
    let configuration = directory.configuration()
    let number = try otherThread { () -> Int in
      let realm = try Realm(configuration: configuration)
      _ = realm.isEmpty
      guard case .thread(let number)? = try Realm.pinnedVersions(for: configuration).first?.confinement else { return 0 }
      return FileManager.default.fileExists(atPath: "/proc/self/task/\(number)") ? number : -1
    }
    #expect(number > 0)
    #expect(try Realm.pinnedVersions(for: configuration).isEmpty)
  }

  @Test func anActorIsNamedByItsType() async throws {
    let configuration = directory.configuration([Todo.self])
    let actor = try await RealmActor(configuration)
    _ = await actor.count
    #expect(try Realm.pinnedVersions(for: configuration).map(\.confinement) == [.actor("RealmActor")])
    await actor.close()
    #expect(try Realm.pinnedVersions(for: configuration).isEmpty)
  }

  @Test func whatHasNoRealmAndWhatOthersHoldIsListedToo() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    realm.invalidate()
    // As another process would.
    let database = try Database.open(path: directory.fileURL().path)
    let snapshot = try database.snapshot()
    #expect(try Realm.pinnedVersions(for: configuration).map(\.holder) == [.otherProcess])
    withExtendedLifetime(snapshot) {}
  }

  // MARK: The documents' scenario

  /// Thread A reads and blocks, thread B writes: the file grows by what B replaces, until A invalidates its realm.
  @Test func aBlockedReaderMakesTheFileGrowUntilItInvalidates() throws {
    let configuration = directory.configuration([Extra.self])
    let payload = 100_000
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { for _ in 0..<10 { realm.add(Extra(value: ["text": String(repeating: "x", count: payload)])) } }
    }
    let (hasRead, mayInvalidate, hasInvalidated, mayEnd, hasEnded) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Thread.detachNewThread {
      let realm = try! Realm(configuration: configuration)
      #expect(realm.objects(Extra.self).count == 10)
      hasRead.signal()
      mayInvalidate.wait()
      realm.invalidate()
      hasInvalidated.signal()
      mayEnd.wait()
      withExtendedLifetime(realm) {}
      hasEnded.signal()
    }
    hasRead.wait()
    let pinned = try #require(try Realm.pinnedVersions(for: configuration).first)
    /// Ten transactions of thread B, each of which replaces everything.
    func write() throws -> Int {
      try otherThread {
        for round in 0..<10 {
          let realm = try Realm(configuration: configuration)
          try realm.write { for extra in realm.objects(Extra.self) { extra.text = String(repeating: "\(round)", count: payload) } }
        }
      }
      return try directory.byteCount("test.realm")
    }
    // The pinned version, the newest one, and the one being written.
    let blocked = try write()
    #expect(blocked > 29 * payload)
    // Thread A is the culprit.
    let culprit = try #require(try Realm.pinnedVersions(for: configuration).first)
    #expect(culprit.version == pinned.version && !culprit.isNewest && culprit.confinement == pinned.confinement)
    mayInvalidate.signal()
    hasInvalidated.wait()
    #expect(try Realm.pinnedVersions(for: configuration).isEmpty)
    let free = try write()
    #expect(free <= blocked, "the space of the version that was let go is used again")
    mayEnd.signal()
    hasEnded.wait()
    let used = try Database.open(path: directory.fileURL().path).spaceUse().usedByteCount
    #expect(Int(used) < 13 * payload)
  }

  @Test(.endsProcesses) func aBlockedReaderExhaustsTheNumberOfActiveVersions() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      configuration.maximumNumberOfActiveVersions = 2
      let shared = configuration
      let hasRead = DispatchSemaphore(value: 0)
      try otherThread { _ = try Realm(configuration: shared) }
      let keeper = try Realm(configuration: shared, queue: nil)
      Thread.detachNewThread {
        let realm = try! Realm(configuration: shared)
        _ = realm.isEmpty
        hasRead.signal()
        // For as long as the process lives.
        DispatchSemaphore(value: 0).wait()
        withExtendedLifetime(realm) {}
      }
      hasRead.wait()
      for index in 0..<6 { try keeper.write { keeper.add(Dog(value: ["dog \(index)", 1])) } }
    }
    #expect(result?.stopped(with: "Number of active versions (3) in the Realm exceeded the limit of 2") == true)
  }

  // MARK: Idle realms

  private func idleConfiguration(milliseconds: Int = 50) -> Realm.Configuration {
    var configuration = directory.configuration()
    configuration.idleVersionLimit = .milliseconds(milliseconds)
    return configuration
  }
  /// Waits until nobody holds a version, at most two minutes: tests of other suites may keep the machine busy.
  private func isReleased(_ configuration: Realm.Configuration, within seconds: Double = 120) throws -> Bool {
    try waitUntil(within: .seconds(seconds)) { try Realm.pinnedVersions(for: configuration).isEmpty }
  }

  @Test func anIdleRealmOfAQueueGivesUpItsVersionAndGoesOnWithTheNewest() throws {
    let configuration = idleConfiguration()
    let queue = DispatchQueue(label: "org.example.idle")
    let held = try queue.sync { () throws -> Stolen<(Realm, Results<Dog>, Dog)> in
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
      let dogs = realm.objects(Dog.self)
      return Stolen((realm, dogs, try #require(dogs.first)))
    }
    #expect(try isReleased(configuration))
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        realm.objects(Dog.self).first?.age = 7
        realm.add(Dog(value: ["Bella", 2]))
      }
    }
    queue.sync {
      let (realm, dogs, dog) = held.value
      // Nothing became invalid: results and objects are live.
      #expect(!dog.isInvalidated && dog.age == 7 && dog.name == "Rex")
      #expect(dogs.count == 2 && !dogs.isInvalidated)
      #expect(realm.objects(Dog.self).count == 2)
    }
    #expect(try !Realm.pinnedVersions(for: configuration).isEmpty)
    #expect(try isReleased(configuration))
  }

  @Test func aRealmThatIsReadFromTimeToTimeHoldsOnToAVersion() throws {
    let configuration = idleConfiguration(milliseconds: 400)
    let queue = DispatchQueue(label: "org.example.busy")
    var lastRead = Date()
    let held = try queue.sync { () throws -> Stolen<Dog> in
      let realm = try Realm(configuration: configuration, queue: queue)
      return Stolen(try realm.write { realm.create(Dog.self, value: ["Rex", 1]) })
    }
    try add("Bella", configuration)
    let end = Date(timeIntervalSinceNow: 1.5)
    var longestPause = 0.0
    while Date() < end {
      queue.sync { #expect(held.value.age == 1) }
      longestPause = max(longestPause, Date().timeIntervalSince(lastRead))
      lastRead = Date()
      // On a busy machine this thread may have been the one that was idle.
      if longestPause < 0.2 { #expect(try !Realm.pinnedVersions(for: configuration).isEmpty) }
      letPass(milliseconds: 10)
    }
    #expect(try isReleased(configuration))
  }

  @Test func frozenRealmsWritersAndRealmsThatDoNotRefreshKeepTheirs() throws {
    let configuration = idleConfiguration(milliseconds: 20)
    let queue = DispatchQueue(label: "org.example.kept")
    let realm = try queue.sync { () throws -> Stolen<Realm> in
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.autorefresh = false
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
      return Stolen(realm)
    }
    let frozen = Stolen(queue.sync { realm.value.freeze() })
    // Many times the limit, and nothing is given up.
    letPass(milliseconds: 300)
    #expect(try Realm.pinnedVersions(for: configuration).map(\.holder) == [.realm, .frozenRealm])
    queue.sync {
      realm.value.autorefresh = true
      realm.value.beginWrite()
    }
    // As before.
    letPass(milliseconds: 300)
    #expect(try Set(Realm.pinnedVersions(for: configuration).map(\.holder)) == [.writeTransaction, .frozenRealm])
    queue.sync { realm.value.cancelWrite() }
    try waitUntil(within: .seconds(120)) { try Realm.pinnedVersions(for: configuration).count <= 1 }
    #expect(try Realm.pinnedVersions(for: configuration).map(\.holder) == [.frozenRealm])
    #expect(frozen.value.objects(Dog.self).count == 1)
  }

  @Test func anIdleRealmOfAnActorGivesUpItsVersion() async throws {
    var configuration = directory.configuration([Todo.self])
    configuration.idleVersionLimit = .milliseconds(30)
    let actor = try await RealmActor(configuration)
    try await actor.write("a")
    #expect(await actor.count == 1)
    #expect(try await eventually(within: .seconds(120)) { try Realm.pinnedVersions(for: configuration).isEmpty })
    #expect(await actor.count == 1)
    await actor.close()
  }

  @Test func aRealmOfAPlainThreadIsNeverTouched() throws {
    let configuration = idleConfiguration(milliseconds: 10)
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
      // Many times the limit, and nothing is given up.
      letPass(milliseconds: 200)
      #expect(try Realm.pinnedVersions(for: configuration).map(\.holder) == [.realm])
      withExtendedLifetime(realm) {}
    }
  }
}
