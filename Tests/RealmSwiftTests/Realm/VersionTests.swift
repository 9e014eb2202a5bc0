import Foundation
import RealmStorage
import RealmSwift
import TestSupport
import Testing

@Suite(.mustEnd) struct VersionTests {
  let directory = TestDirectory()

  private func addElsewhere(_ name: String) throws {
    let configuration = directory.configuration()
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: [name, 1])) }
    }
  }

  @Test func aRealmKeepsItsVersionUntilItIsRefreshed() throws {
    let realm = try Realm(configuration: directory.configuration())
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 0)
    try addElsewhere("Rex")
    #expect(dogs.count == 0)
    #expect(realm.refresh())
    #expect(dogs.count == 1)
    #expect(!realm.refresh())
    realm.beginWrite()
    #expect(!realm.refresh())
    realm.cancelWrite()
  }

  @Test func aRealmThatReadsNothingIsAlwaysNew() throws {
    let realm = try Realm(configuration: directory.configuration())
    #expect(realm.refresh())
    #expect(!realm.refresh())
  }

  @Test func invalidateLetsGoOfObjectsAndVersion() throws {
    let realm = try Realm(configuration: directory.configuration())
    let dog = try realm.write { realm.create(Dog.self, value: ["Rex", 1]) }
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 1)
    try addElsewhere("Bella")
    realm.invalidate()
    #expect(dog.isInvalidated)
    #expect(dogs.isInvalidated)
    #expect(dog.realm == realm)
    #expect(realm.objects(Dog.self).count == 2)
  }

  @Test func invalidateInATransactionRollsBack() throws {
    let realm = try Realm(configuration: directory.configuration())
    realm.beginWrite()
    realm.add(Dog(value: ["Rex", 1]))
    realm.invalidate()
    #expect(!realm.isInWriteTransaction)
    #expect(realm.isEmpty)
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
  }

  /// The documents' scenario. Versions between the pinned one and the newest are free again, so that the file grows once, not with every
  /// write; what the reader holds itself is only free after `invalidate()`.
  @Test func invalidateFreesWhatAPinnedVersionHolds() throws {
    func growth(_ name: String, invalidating: Bool) throws -> Int {
      var configuration = directory.configuration([Extra.self])
      configuration.fileURL = directory.fileURL(name)
      let reader = try Realm(configuration: configuration)
      let shared = configuration
      try reader.write { for _ in 0..<20 { reader.add(Extra(value: ["text": String(repeating: "x", count: 100_000)])) } }
      for index in 0..<60 {
        if invalidating { reader.invalidate() } else { _ = reader.isEmpty }
        try otherThread {
          let realm = try Realm(configuration: shared)
          try realm.write { realm.objects(Extra.self)[index % 20].text = String(repeating: "\(index % 10)", count: 100_000) }
        }
      }
      return try directory.byteCount(name)
    }
    let pinned = try growth("pinned.realm", invalidating: false)
    let free = try growth("free.realm", invalidating: true)
    #expect(pinned > 39 * 100_000)
    #expect(pinned < 60 * 100_000)
    #expect(free < 27 * 100_000)
  }

  // MARK: Changes of the schema by others

  @Test func whatOthersAddDoesNotMatter() throws {
    let realm = try Realm(configuration: directory.configuration([NoteV1.self]))
    let note = try realm.write { realm.create(NoteV1.self, value: ["title": "a"]) }
    let database = try Database.open(path: directory.fileURL().path)
    try database.write { (group) throws(StorageError) in
      _ = try group.table(named: "class_Note")!.addColumn(ColumnDefinition("extra", .int))
      _ = try group.addTable("class_Other")
    }
    realm.refresh()
    #expect(note.title == "a")
    try realm.write { note.title = "b" }
    #expect(realm.objects(NoteV1.self).first?.title == "b")
  }

  @Test(.endsProcesses) func whatOthersRemoveIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path, [NoteV2.self]), queue: nil)
      let note = try realm.write { realm.create(NoteV2.self, value: ["title": "a"]) }
      let database = try Database.open(path: path + "/test.realm")
      try database.write { (group) throws(StorageError) in
        let table = try group.table(named: "class_Note")!
        try table.removeColumn(table.column(named: "stars").key)
      }
      #expect(note.title == "a")
      realm.refresh()
      _ = note.title
    }
    #expect(
      result?.stopped(
        with: "Unsupported schema changes were made by another client or process:\n- Property 'Note.stars' has been removed.\nIf your app is "
          + "running in development mode, you can delete the realm and restart the app to update your schema.") == true)
  }

  // MARK: Frozen

  @Test func aFrozenRealmStaysAsItIs() throws {
    let realm = try Realm(configuration: directory.configuration())
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    let frozen = realm.freeze()
    #expect(frozen.isFrozen && !realm.isFrozen)
    #expect(frozen.freeze() == frozen)
    #expect(realm.freeze() == frozen)
    #expect(!frozen.autorefresh)
    try realm.write { realm.deleteAll() }
    #expect(frozen.objects(Dog.self).count == 1)
    #expect(realm.freeze() != frozen)
    #expect(frozen.thaw() == realm)
    #expect(realm.thaw() == realm)
    #expect(!frozen.refresh())
    let stolen = Stolen(frozen)
    #expect(try otherThread { stolen.value.objects(Dog.self).first?.name } == "Rex")
    let configuration = directory.configuration()
    #expect(try otherThread { try stolen.value.thaw() == Realm(configuration: configuration) })
  }

  @Test func freezingInATransactionShowsTheLastCommit() throws {
    let realm = try Realm(configuration: directory.configuration())
    try realm.write { realm.add(Dog(value: ["Rex", 1])) }
    realm.beginWrite()
    realm.add(Dog(value: ["Bella", 1]))
    #expect(realm.freeze().objects(Dog.self).count == 1)
    realm.cancelWrite()
  }

  @Test(.endsProcesses) func anInvalidatedFrozenRealmIsClosedForGood() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
      let frozen = realm.freeze()
      let dog = frozen.objects(Dog.self)[0]
      frozen.invalidate()
      #expect(dog.isInvalidated)
      // Another one of the same version can be had.
      #expect(realm.freeze().objects(Dog.self).count == 1)
      _ = frozen.objects(Dog.self).count
    }
    #expect(result?.stopped(with: "Cannot read from a frozen Realm which has been invalidated.") == true)
  }

  @Test(.endsProcesses) func autorefreshCannotBeSwitchedOnWhenFrozen() async throws {
    let realm = try Realm(configuration: directory.configuration(), queue: nil)
    #expect(realm.autorefresh)
    realm.autorefresh = false
    #expect(!realm.autorefresh)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let frozen = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil).freeze()
      frozen.autorefresh = false
      frozen.autorefresh = true
    }
    #expect(result?.stopped(with: "Auto-refresh cannot be enabled for frozen Realms.") == true)
  }

  @Test(.endsProcesses) func readOnlyRealmsCannotBeRefreshed() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      do { _ = try Realm(configuration: configuration, queue: nil) }
      configuration.readOnly = true
      try Realm(configuration: configuration, queue: nil).refresh()
    }
    #expect(result?.stopped(with: "Read-only Realms do not change and cannot be refreshed.") == true)
  }
}
