import Foundation
import RealmStorage
import RealmSwift
import TestSupport
import Testing

/// A class before others linked to it, and after.
private class BareTarget: Unlisted {
  override class func _realmObjectName() -> String? { "LinkedTarget" }
  @Persisted(primaryKey: true) var id: Int
}
private class LinkedTarget: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(originProperty: "target") var linkers: LinkingObjects<LinkingOrigin>
}
private class LinkingOrigin: Unlisted {
  @Persisted var name: String
  @Persisted var target: LinkedTarget?
}

@Suite(.mustEnd) struct OpeningTests {
  let directory = TestDirectory()

  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    try otherThread(body)
  }

  // MARK: Instances

  @Test func openingAgainGivesTheSameRealm() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    #expect(try Realm(configuration: configuration) == realm)
    // Other settings do not matter to an instance that is there.
    var other = configuration
    other.schemaVersion = 9
    #expect(try Realm(configuration: other) == realm)
    #expect(try onThread { try Realm(configuration: configuration).isEmpty })
  }

  @Test func aRealmOfAnotherThreadIsAnotherOne() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    #expect(try onThread { try Realm(configuration: configuration).objects(Dog.self).count } == 1)
  }

  @Test func oneFileReachedByALinkIsOneRealm() throws {
    let link = directory.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: directory.url)
    let realm = try Realm(configuration: directory.configuration())
    var other = directory.configuration()
    other.fileURL = link.appendingPathComponent("test.realm")
    #expect(try Realm(configuration: other) == realm)
  }

  /// While the first file is open: what its name led to is remembered.
  @Test func aLinkThatWasTurnedLeadsToTheOtherFile() throws {
    let link = directory.url.appendingPathComponent("newest.realm")
    var newest = directory.configuration()
    newest.fileURL = link
    var realms: [Realm] = []
    for name in ["a.realm", "b.realm", "a.realm"] {
      let file = directory.url.appendingPathComponent(name)
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      for _ in 0..<2 {
        realms.append(try Realm(configuration: newest))
      }
    }
    #expect(realms[0] == realms[1] && realms[0] != realms[2] && realms[0] == realms[4])
  }

  @Test func differencesInOnePlaceAreNamed() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    func text(_ change: (inout Realm.Configuration) -> Void) -> String? {
      var other = configuration
      change(&other)
      do {
        _ = try Realm(configuration: other)
        return nil
      } catch { return (error as? Realm.Error)?.localizedDescription }
    }
    let start = "Realm at path '\(directory.fileURL().path)' already opened with "
    #expect(text { $0.readOnly = true } == start + "different read permissions")
    #expect(text { $0.schemaVersion = 1 } == nil)
    withExtendedLifetime(realm) {}
  }

  @Test func differencesOnAnotherThreadAreNamed() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    func text(_ change: @escaping @Sendable (inout Realm.Configuration) -> Void) throws -> String? {
      try onThread {
        var other = configuration
        change(&other)
        do {
          _ = try Realm(configuration: other)
          return nil
        } catch { return (error as? Realm.Error)?.localizedDescription }
      }
    }
    let start = "Realm at path '\(directory.fileURL().path)' already opened with "
    #expect(try text { $0.readOnly = true } == start + "different read permissions.")
    #expect(try text { $0.schemaVersion = 1 } == start + "different schema version.")
    #expect(try text { $0.deleteRealmIfMigrationNeeded = true } == start + "a different schema mode.")
    #expect(try text { $0.objectTypes = [Address.self] } == nil)
    withExtendedLifetime(realm) {}
  }

  @Test func aURLOfAPathWithoutSchemeOpensTheFile() throws {
    let path = directory.file("plain.realm")
    let realm = try Realm(configuration: Realm.Configuration(fileURL: URL(string: path), objectTypes: [Address.self]))
    #expect(try Realm(configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Address.self])) == realm)
    let remote = Realm.Configuration(fileURL: URL(string: "https://example.com/a.realm"), objectTypes: [Address.self])
    #expect(throws: Realm.Error.self) { try Realm(configuration: remote) }
  }

  @Test func memoryAndFileOfOnePathExcludeEachOther() throws {
    let name = "regnum-memory-" + UUID().uuidString
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: name, objectTypes: [Address.self]))
    let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name)
    #expect {
      _ = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Address.self]))
    } throws: {
      $0.localizedDescription == "Realm at path '\(url.path)' already opened with different inMemory settings"
    }
    withExtendedLifetime(realm) {}
  }

  /// Opening empties the file of an identifier.
  @Test(arguments: ["../up", "a/../../b", "/..", "/", ".", "a/.", "..", "a\0b"]) func anIdentifierCannotLeaveTheTemporaryDirectory(_ name: String) {
    #expect {
      _ = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: name, objectTypes: [Address.self]))
    } throws: {
      $0.localizedDescription == "The in-memory identifier '\(name)' cannot be the name of a file in the temporary directory."
    }
  }

  @Test func anIdentifierMayLeadIntoADirectoryThatIsThere() throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("below-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: folder.lastPathComponent + "/a..b", objectTypes: [Address.self]))
    #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("a..b").path))
    withExtendedLifetime(realm) {}
  }

  @Test func manyThreadsOpenOneFileTogether() throws {
    let configuration = directory.configuration()
    let failures = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Dog(value: ["dog \(index)", index])) }
      } catch { failures.withLock { $0 += 1 } }
    }
    #expect(failures.withLock { $0 } == 0)
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 16)
  }

  // MARK: Queues

  @Test func aQueueHasItsOwnRealm() throws {
    let queue = DispatchQueue(label: "test")
    let configuration = directory.configuration()
    let outside = try Realm(configuration: configuration)
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      #expect(realm != outside)
      #expect(try Realm(configuration: configuration, queue: queue) == realm)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    }
    outside.refresh()
    #expect(outside.objects(Dog.self).count == 1)
    #expect {
      _ = try Realm(configuration: configuration, queue: queue)
    } throws: {
      $0.localizedDescription == "Realm opened from incorrect dispatch queue."
    }
  }

  @MainActor @Test func theMainThreadQueueAndActorAreOne() async throws {
    let configuration = directory.configuration()
    let realm = try await Realm(configuration: configuration)
    #expect(try await Realm(configuration: configuration, actor: MainActor.shared) == realm)
    #expect(try openSynchronously(configuration) == realm)
    #expect(try openSynchronously(configuration, .main) == realm)
  }
  @MainActor private func openSynchronously(_ configuration: Realm.Configuration, _ queue: DispatchQueue? = nil) throws -> Realm {
    try Realm(configuration: configuration, queue: queue)
  }

  // MARK: In memory

  @Test func memoryIsSharedByItsNameAndGoneWithTheLastInstance() throws {
    let name = "regnum-memory-" + UUID().uuidString
    let configuration = Realm.Configuration(inMemoryIdentifier: name, objectTypes: [Dog.self, Person.self, Address.self])
    let path = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name).path
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.configuration.inMemoryIdentifier == name)
      #expect(realm.configuration.fileURL == nil)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
      #expect(try onThread { try Realm(configuration: configuration).objects(Dog.self).count } == 1)
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try Realm(configuration: configuration).isEmpty)
    for suffix in [".lock", ".note", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  // MARK: Seeds

  @Test func aSeedIsCopiedWhenThereIsNoFile() throws {
    let seed = directory.fileURL("seed.realm")
    do {
      let realm = try Realm(configuration: Realm.Configuration(fileURL: seed, objectTypes: [Dog.self, Person.self, Address.self]))
      try realm.write { realm.add(Dog(value: ["Seed", 1])) }
    }
    var configuration = directory.configuration()
    configuration.seedFilePath = seed
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Dog.self).first?.name == "Seed")
      try realm.write { realm.deleteAll() }
    }
    #expect(try Realm(configuration: configuration).isEmpty)
    configuration.fileURL = directory.fileURL("b.realm")
    configuration.seedFilePath = directory.fileURL("missing.realm")
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(!Realm.fileExists(for: configuration))
    // A read-only realm may be made from a seed, too.
    configuration.seedFilePath = seed
    configuration.readOnly = true
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
  }

  @Test func aClassThatAReadOnlyFileLacksHasNoObjects() throws {
    do { _ = try Realm(configuration: directory.configuration([Address.self, Dog.self, Person.self])) }
    var configuration = directory.configuration([Address.self, Dog.self, Person.self, Extra.self])
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    for extras in [realm.objects(Extra.self), realm.freeze().objects(Extra.self)] {
      let asked = [
        extras, extras.filter("text == 'a'"), extras.where { $0.text == "a" }, extras.sorted(byKeyPath: "text"),
        extras.sorted(by: \.text, ascending: false), extras.distinct(by: ["text"]),
        extras.filter("text == 'a'").sorted(byKeyPath: "text").distinct(by: ["text"]).filter("text != 'b'"),
      ]
      for results in asked {
        #expect(results.count == 0 && results.first == nil && results.last == nil && results.isEmpty && !results.isInvalidated)
        #expect(results.map(\.text) == [] && Array(results).isEmpty)
        #expect(results.index(matching: "text == 'a'") == nil)
        #expect(results.sectioned(by: \.text).count == 0)
        #expect(results.value(forKey: "text") as? [String] == [])
        #expect(results.freeze().isEmpty)
      }
    }
    #expect(realm.dynamicObjects("Extra").filter("text == 'a'").isEmpty)
  }

  @Test func nobodyLinksFromAClassThatAReadOnlyFileLacks() throws {
    do {
      let realm = try Realm(configuration: directory.configuration([BareTarget.self]))
      try realm.write { _ = realm.create(BareTarget.self, value: [1]) }
    }
    var configuration = directory.configuration([LinkedTarget.self, LinkingOrigin.self])
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    let target = try #require(realm.objects(LinkedTarget.self).first)
    for linkers in [target.linkers, target.linkers.freeze()] {
      #expect(linkers.count == 0 && linkers.first == nil && Array(linkers).isEmpty)
      #expect(linkers.filter("name == 'a'").isEmpty && linkers.sorted(by: \.name).isEmpty)
    }
    #expect(target.value(forKeyPath: "linkers.name") as? [String] == [])
    #expect(target.description.contains("id = 1") && String(reflecting: target).contains("1"))
  }

  // MARK: deleteRealmIfMigrationNeeded

  @Test func theFileIsKeptWhenNothingNeedsAMigration() throws {
    var configuration = directory.configuration()
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    }
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
    configuration.objectTypes = [Address.self, Dog.self, Person.self, Extra.self]
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
  }

  @Test(arguments: [1, 3] as [UInt64]) func anotherVersionStartsAnew(_ version: UInt64) throws {
    var configuration = directory.configuration()
    configuration.schemaVersion = 2
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    }
    configuration.deleteRealmIfMigrationNeeded = true
    configuration.schemaVersion = version
    configuration.migrationBlock = { _, _ in Issue.record("called") }
    #expect(try Realm(configuration: configuration).isEmpty)
    #expect(try schemaVersionAtURL(directory.fileURL()) == version)
  }

  @Test func anotherSchemaStartsAnew() throws {
    do {
      let realm = try Realm(configuration: directory.configuration([NoteV1.self]))
      try realm.write { realm.add(NoteV1(value: ["title": "a"])) }
    }
    var configuration = directory.configuration([NoteV2.self])
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  @Test(.needsOlderFormats) func anOldFormatStartsAnew() throws {
    let url = try directory.copyURL("older/v22.realm")
    let configuration = Realm.Configuration(fileURL: url, deleteRealmIfMigrationNeeded: true, objectTypes: [Extra.self])
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  // MARK: Read-only

  @Test(.endsProcesses) func readOnlyNeedsNoLockFileAndNoWritableDirectory() async throws {
    try autoreleasepool {
      let realm = try Realm(configuration: directory.configuration(), queue: nil)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    }
    for name in ["test.realm.lock", "test.realm.note", "test.realm.management"] {
      try? FileManager.default.removeItem(at: directory.fileURL(name))
    }
    let bytes = try Data(contentsOf: directory.fileURL())
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      chmod(path + "/test.realm", 0o444)
      chmod(path, 0o555)
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      #expect(throws: Realm.Error.self) { _ = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil) }
      var configuration = TestDirectory.configuration(in: path)
      configuration.readOnly = true
      let shared = configuration
      let realm = try Realm(configuration: configuration, queue: nil)
      let dog = try #require(realm.objects(Dog.self).first)
      #expect(dog.name == "Rex")
      #expect(dog.freeze().age == 1)
      #expect(realm.resolve(ThreadSafeReference(to: dog))?.name == "Rex")
      #expect(try otherThread { try Realm(configuration: shared).objects(Dog.self).count } == 1)
    }
    chmod(directory.path, 0o755)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["test.realm"])
    #expect(try Data(contentsOf: directory.fileURL()) == bytes)
  }

  @Test func readOnlyRealmsChecksTheSchema() throws {
    do {
      let realm = try Realm(configuration: directory.configuration([NoteV1.self]))
      try realm.write { realm.add(NoteV1(value: ["title": "a"])) }
    }
    func text(_ types: [ObjectBase.Type], version: UInt64 = 0) -> (Realm.Error.Code, String)? {
      var configuration = directory.configuration(types)
      configuration.readOnly = true
      configuration.schemaVersion = version
      do {
        let realm = try Realm(configuration: configuration)
        #expect(realm.isEmpty == false)
        return nil
      } catch {
        let error = error as! Realm.Error
        return (error.code, error.localizedDescription)
      }
    }
    #expect(text([NoteV1.self]) == nil)
    #expect(text([NoteV1.self, Extra.self]) == nil)
    let wrong = text([NoteV1.self], version: 1)
    #expect(wrong?.0 == .fail)
    #expect(wrong?.1 == "Provided schema version 1 does not equal last set version 0.")
    let changed = text([NoteV2.self])
    #expect(changed?.0 == .fail)
    #expect(changed?.1 == "The following changes cannot be made in read-only schema mode:\n- Property 'Note.stars' has been added.")
    var configuration = directory.configuration([NoteV1.self, Extra.self])
    configuration.readOnly = true
    #expect(try Realm(configuration: configuration).objects(Extra.self).isEmpty)
  }

  // MARK: shouldCompactOnLaunch

  @Test func compactionIsAskedAtEachFirstOpening() throws {
    let calls = Locked<[(Int, Int)]>([])
    var configuration = bulky()
    configuration.shouldCompactOnLaunch = { total, used in
      calls.withLock { $0.append((total, used)) }
      return false
    }
    do {
      let realm = try Realm(configuration: configuration)
      #expect(calls.withLock { $0.count } == 1)
      // A file that has just been made.
      #expect(calls.withLock { $0[0].0 } == 4096)
      #expect(calls.withLock { $0[0].1 } == 184)
      try realm.write { for index in 0..<20_000 { realm.add(Extra(value: ["text": "a text of some length \(index)"])) } }
      try realm.write { realm.deleteAll() }
      // Not while another instance lives.
      let again = configuration
      _ = try onThread { try Realm(configuration: again).isEmpty }
      #expect(calls.withLock { $0.count } == 1)
    }
    let size = try directory.byteCount()
    do { _ = try Realm(configuration: configuration) }
    #expect(calls.withLock { $0.count } == 2)
    let (total, used) = calls.withLock { $0[1] }
    #expect(total == size)
    #expect(used < total / 10)
    configuration.shouldCompactOnLaunch = { total, used in Double(used) / Double(total) < 0.5 }
    do { _ = try Realm(configuration: configuration) }
    #expect(try directory.byteCount() < size / 10)
    #expect(try directory.byteCount() < used * 2 + 8192)
  }

  @Test func memoryIsAskedForAndCompactedToo() throws {
    let name = "regnum-memory-" + UUID().uuidString
    let calls = Locked(0)
    let configuration = Realm.Configuration(
      inMemoryIdentifier: name,
      shouldCompactOnLaunch: { _, _ in
        calls.withLock { $0 += 1 }
        return true
      }, objectTypes: [Extra.self])
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Extra(value: ["text": "a"])) }
      #expect(realm.objects(Extra.self).count == 1)
      #expect(calls.withLock { $0 } == 1)
    }
    let path = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name).path
    for suffix in [".lock", ".note", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  @Test func anOpeningInsideItsOwnCallbackIsRefused() throws {
    var configuration = directory.configuration()
    let inner = configuration
    let text = Locked<String?>(nil)
    configuration.shouldCompactOnLaunch = { _, _ in
      do { _ = try Realm(configuration: inner) } catch { text.withLock { $0 = error.localizedDescription } }
      return false
    }
    _ = try Realm(configuration: configuration)
    #expect(text.withLock { $0 } == "A Realm cannot be opened from within its own migration block or `shouldCompactOnLaunch`.")
  }

  @Test(.endsProcesses) func compactionIsSkippedWhileAnotherProcessHasTheFile() async throws {
    try autoreleasepool {
      let realm = try Realm(configuration: bulky(), queue: nil)
      try realm.write { for index in 0..<20_000 { realm.add(Extra(value: ["text": "a text of some length \(index)"])) } }
      try realm.write { realm.deleteAll() }
    }
    let size = try directory.byteCount()
    // This process keeps the file open while another one opens it.
    let realm = try Realm(configuration: bulky(), queue: nil)
    await #expect(processExitsWith: .success) { [path = directory.path as String, size = size as Int] in
      var configuration = TestDirectory.configuration(in: path, [Extra.self])
      let calls = Locked(0)
      configuration.shouldCompactOnLaunch = { _, _ in
        calls.withLock { $0 += 1 }
        return true
      }
      let realm = try Realm(configuration: configuration, queue: nil)
      #expect(calls.withLock { $0 } == 1)
      #expect(realm.isEmpty)
      let now = try FileManager.default.attributesOfItem(atPath: path + "/test.realm")[.size] as? Int
      #expect(now == size)
    }
    withExtendedLifetime(realm) {}
  }
  private func bulky() -> Realm.Configuration { directory.configuration([Extra.self]) }
}

extension TestDirectory {
  func byteCount(_ name: String = "test.realm") throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: file(name))[.size] as? Int)
  }
}
