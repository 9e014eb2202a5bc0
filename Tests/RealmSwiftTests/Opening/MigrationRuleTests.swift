import Foundation
import RealmStorage
import RealmSwift
import TestSupport
import Testing

// Three versions of one class; each step only knows its neighbour.
class ChainV1: StoredAs {
  override class func _realmObjectName() -> String? { "Chain" }
  @Persisted var first: String
  @Persisted var last: String
  @Persisted var note: ChainNoteV1?
  @Persisted var notes: List<ChainNoteV1>
}
class ChainNoteV1: StoredAs {
  override class func _realmObjectName() -> String? { "ChainNote" }
  @Persisted var text: String
}
class ChainV2: StoredAs {
  override class func _realmObjectName() -> String? { "Chain" }
  @Persisted var full: String
  @Persisted var note: ChainNoteV1?
  @Persisted var notes: List<ChainNoteV1>
}
class ChainV3: StoredAs {
  override class func _realmObjectName() -> String? { "Chain" }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var length: Int
  @Persisted var note: ChainNoteV3?
  @Persisted var notes: List<ChainNoteV3>
}
class ChainNoteV3: StoredAsEmbedded {
  override class func _realmObjectName() -> String? { "ChainNote" }
  @Persisted var text: String
}
class ChainV4: StoredAs {
  override class func _realmObjectName() -> String? { "Chain" }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String?
  @Persisted var length: String
}

@Suite(.mustEnd) struct MigrationRuleTests {
  let directory = TestDirectory()

  private func configuration(_ types: [ObjectBase.Type], _ version: UInt64, _ block: MigrationBlock? = nil) -> Realm.Configuration {
    Realm.Configuration(fileURL: directory.fileURL(), schemaVersion: version, migrationBlock: block, objectTypes: types)
  }

  private func makeFirst(version: UInt64 = 1) throws {
    let realm = try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self], version))
    try realm.write {
      for index in 0..<3 {
        realm.create(
          ChainV1.self,
          value: ["first": "F\(index)", "last": "L\(index)", "note": ["text": "n\(index)"], "notes": [["text": "a"], ["text": "b"]]] as [String: Any])
      }
    }
  }

  /// The documented shape: one block for files of any age.
  private static let chain: MigrationBlock = { migration, oldVersion in
    if oldVersion < 2 {
      migration.enumerateObjects(ofType: "Chain") { old, new in new!["title"] = "\(old!["first"]!) \(old!["last"]!)" }
    }
    if oldVersion == 2 { migration.renameProperty(onType: "Chain", from: "full", to: "title") }
    if oldVersion < 3 {
      var next = 100
      migration.enumerateObjects(ofType: "Chain") { _, new in
        new!["id"] = next
        new!["length"] = (new!["title"] as! String).count
        next += 1
      }
    }
  }

  @Test func oneBlockServesFilesOfEveryAge() throws {
    try makeFirst()
    do {
      let realm = try Realm(configuration: configuration([ChainV3.self, ChainNoteV3.self], 3, Self.chain))
      #expect(realm.objects(ChainV3.self).map(\.title) == ["F0 L0", "F1 L1", "F2 L2"])
      #expect(realm.objects(ChainV3.self).map(\.id) == [100, 101, 102])
      #expect(realm.objects(ChainV3.self).map(\.length) == [5, 5, 5])
      #expect(realm.objects(ChainV3.self).map { $0.note?.text ?? "" } == ["n0", "n1", "n2"])
      #expect(realm.objects(ChainV3.self)[1].notes.map(\.text) == ["a", "b"])
    }
    try Realm.deleteFiles(for: Realm.Configuration(fileURL: directory.fileURL()))
    try makeFirst()
    do {
      let realm = try Realm(
        configuration: configuration([ChainV2.self, ChainNoteV1.self], 2) { migration, _ in
          migration.enumerateObjects(ofType: "Chain") { old, new in new!["full"] = "\(old!["first"]!)-\(old!["last"]!)" }
        })
      #expect(realm.objects(ChainV2.self).map(\.full) == ["F0-L0", "F1-L1", "F2-L2"])
    }
    let realm = try Realm(configuration: configuration([ChainV3.self, ChainNoteV3.self], 3, Self.chain))
    #expect(realm.objects(ChainV3.self).map(\.title) == ["F0-L0", "F1-L1", "F2-L2"])
  }

  @Test func anIntermediateNameMayBeRenamedAgain() throws {
    try makeFirst()
    let realm = try Realm(
      configuration: configuration([ChainV3.self, ChainNoteV3.self], 3) { migration, _ in
        migration.renameProperty(onType: "Chain", from: "first", to: "given")
        migration.renameProperty(onType: "Chain", from: "given", to: "title")
        var next = 0
        migration.enumerateObjects(ofType: "Chain") { _, new in
          new!["id"] = next
          next += 1
        }
      })
    #expect(realm.objects(ChainV3.self).map(\.title) == ["F0", "F1", "F2"])
  }

  @Test func aLinkToAClassThatBecomesEmbeddedIsSetInTheBlock() throws {
    try makeFirst()
    let realm = try Realm(
      configuration: configuration([ChainV3.self, ChainNoteV3.self], 3) { migration, _ in
        var next = 0
        migration.enumerateObjects(ofType: "Chain") { _, new in
          new?["id"] = next
          switch next {
          case 0: new?["note"] = ["text": "from values"]
          case 1: new?["note"] = ChainNoteV3(value: ["text": "from an instance"])
          default: new?["note"] = new?.dynamicList("notes").last
          }
          next += 1
        }
      })
    #expect(realm.objects(ChainV3.self).map { $0.note?.text } == ["from values", "from an instance", "b"])
    #expect(realm.objects(ChainV3.self).map { $0.notes.count } == [2, 2, 2])
  }

  @Test func theBlockIsOnlyCalledForOlderFilesThatHaveAVersion() throws {
    let calls = Locked<[UInt64]>([])
    let block: MigrationBlock = { _, version in calls.withLock { $0.append(version) } }
    do { _ = try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self], 3, block)) }
    do { _ = try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self], 3, block)) }
    #expect(calls.withLock { $0 } == [])
    do { _ = try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self], 4, block)) }
    do { _ = try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self], 4, block)) }
    #expect(calls.withLock { $0 } == [3])
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self], 3, block)) }
    #expect(calls.withLock { $0 } == [3])
  }

  @Test func newClassesAndIndexesNeedNoVersion() throws {
    try makeFirst()
    let realm = try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self, Extra.self], 1))
    #expect(realm.objects(Extra.self).isEmpty)
    #expect(realm.objects(ChainV1.self).count == 3)
  }

  @Test func enumerationShowsOldNewAndBoth() throws {
    try makeFirst()
    let log = Locked<[String]>([])
    _ = try Realm(
      configuration: configuration([ChainV2.self, ChainNoteV1.self, Extra.self], 2) { migration, _ in
        #expect(migration.oldSchema["Extra"] == nil && migration.newSchema["Extra"] != nil)
        migration.create("Extra", value: ["text": "made"])
        migration.create("Chain", value: ["full": "made"])
        migration.enumerateObjects(ofType: "Extra") { old, new in log.withLock { $0.append("extra \(old == nil) \(new!["text"]!)") } }
        var count = 0
        migration.enumerateObjects(ofType: "Chain") { old, new in
          count += 1
          #expect(old!.objectSchema.className == "Chain" && new!.objectSchema.className == "Chain")
          let notes = old!.dynamicList("notes")
          log.withLock { $0.append("chain \(notes.count) \(notes[0]["text"]!) \((old!["note"] as! MigrationObject)["text"]!)") }
        }
        #expect(count == 3)
        var isFirst = true
        migration.enumerateObjects(ofType: "ChainNote") { _, new in
          // Those whose new object is gone are left out.
          if isFirst { for other in Array(migrationNotes(new!)) where other != new! { migration.delete(other) } }
          if isFirst { log.withLock { $0.append("note") } }
          isFirst = false
        }
      })
    #expect(
      log.withLock { $0 } == ["extra true made", "chain 2 a n0", "chain 2 a n1", "chain 2 a n2", "note"])
  }

  @Test func classesThatAreGoneCanBeReadAndDropped() throws {
    try makeFirst()
    let texts = Locked<[String]>([])
    do {
      _ = try Realm(
        configuration: configuration([Extra.self], 2) { migration, _ in
          migration.enumerateObjects(ofType: "Chain") { old, new in
            #expect(new == nil)
            texts.withLock { $0.append(old!["first"] as! String) }
            migration.create("Extra", value: ["text": old!["last"]!])
          }
          #expect(migration.deleteData(forType: "Chain"))
          #expect(!migration.deleteData(forType: "Nobody"))
        })
    }
    #expect(texts.withLock { $0 } == ["F0", "F1", "F2"])
    do {
      let realm = try Realm(configuration: configuration([Extra.self], 2))
      #expect(realm.objects(Extra.self).map(\.text) == ["L0", "L1", "L2"])
      // What nobody deleted is still there.
      try realm.write { realm.deleteAll() }
      #expect(!realm.isEmpty)
    }
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration([ChainNoteV1.self], 1)) }
  }

  @Test func automaticChangesFollowTheTypes() throws {
    do {
      let realm = try Realm(configuration: configuration([ChainV3.self, ChainNoteV3.self], 3))
      try realm.write { realm.create(ChainV3.self, value: ["id": 1, "title": "kept", "length": 4] as [String: Any]) }
    }
    do {
      let realm = try Realm(configuration: configuration([ChainV4.self], 4))
      let object = try #require(realm.object(ofType: ChainV4.self, forPrimaryKey: 1))
      // Made optional: kept. Of another type: the type's default.
      #expect(object.title == "kept")
      #expect(object.length == "")
    }
    let realm = try Realm(configuration: configuration([ChainV3.self, ChainNoteV3.self], 5))
    // Made required: lost.
    #expect(realm.object(ofType: ChainV3.self, forPrimaryKey: 1)?.title == "")
  }

  @Test func aFailedMigrationLeavesTheFileAsItWas() throws {
    try makeFirst()
    let before = try Data(contentsOf: directory.fileURL())
    // All get the same primary key.
    #expect {
      _ = try Realm(configuration: configuration([ChainV3.self, ChainNoteV3.self], 3))
    } throws: {
      ($0 as? Realm.Error)?.code == .fail
        && $0.localizedDescription == "Primary key property 'Chain.id' has duplicate values after migration."
    }
    #expect(try Data(contentsOf: directory.fileURL())[24...] == before[24...])
    #expect(try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self], 1)).objects(ChainV1.self).count == 3)
  }

  @Test(.endsProcesses) func aCrashInABlockLeavesTheFileAsItWas() async throws {
    try makeFirst()
    await #expect(processExitsWith: .failure) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path, [ChainV2.self, ChainNoteV1.self])
      configuration.schemaVersion = 2
      configuration.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Chain") { old, new in new!["full"] = old!["first"] }
        exit(7)
      }
      _ = try Realm(configuration: configuration, queue: nil)
    }
    #expect(
      try Realm(configuration: configuration([ChainV1.self, ChainNoteV1.self], 1), queue: nil).objects(ChainV1.self).map(\.first) == [
        "F0", "F1", "F2",
      ])
  }

  @Test func migrationsHappenInTheBackgroundOfAsyncOpenings() async throws {
    try makeFirst()
    let places = Locked<[Bool]>([])
    let configuration = configuration([ChainV2.self, ChainNoteV1.self], 2) { migration, _ in
      places.withLock { $0.append(Thread.isMainThread) }
      migration.renameProperty(onType: "Chain", from: "first", to: "full")
    }
    try await Task { @MainActor in
      let realm = try await Realm(configuration: configuration)
      #expect(realm.objects(ChainV2.self).map(\.full) == ["F0", "F1", "F2"])
    }.value
    #expect(places.withLock { $0 } == [false])
  }

  @Test(.endsProcesses) func misuseStops() async throws {
    try makeFirst()
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try migrate(path) { $0.renameProperty(onType: "Nobody", from: "a", to: "b") }
    }
    #expect(result?.stopped(with: "Cannot rename properties for type 'Nobody' because it does not exist.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try migrate(path) { $0.renameProperty(onType: "Chain", from: "nothing", to: "full") }
    }
    #expect(result?.stopped(with: "Cannot rename property 'Chain.nothing' because it does not exist.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try migrate(path) { $0.enumerateObjects(ofType: "Chain") { old, _ in _ = old!["nothing"] } }
    }
    #expect(result?.stopped(with: "Invalid property name 'nothing' for class 'Chain'.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try migrate(path) { $0.enumerateObjects(ofType: "Chain") { old, _ in old!["first"] = "changed" } }
    }
    #expect(result?.stopped(with: "Attempting to modify a frozen object - call thaw on the Object instance first.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let escaped = Handed<MigrationObject>()
      try migrate(path) { migration in migration.enumerateObjects(ofType: "Chain") { old, _ in escaped.value = old } }
      _ = escaped.value!["first"]
    }
    #expect(result?.stopped(with: "Object has been deleted or invalidated.") == true)
  }

  @Test(.endsProcesses) func embeddedObjectsOfTheBlockHaveOneOwner() async throws {
    do {
      let realm = try Realm(configuration: configuration([ChainV3.self, ChainNoteV3.self], 1), queue: nil)
      try realm.write {
        for id in 0..<2 { realm.create(ChainV3.self, value: ["id": id, "note": ["text": "n"], "notes": [["text": "a"]]] as [String: Any]) }
      }
    }
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try migrate(path, [ChainV3.self, ChainNoteV3.self]) { $0.create("ChainNote", value: ["text": "x"]) }
    }
    #expect(result?.stopped(with: "Embedded objects cannot be created directly") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try migrate(path, [ChainV3.self, ChainNoteV3.self]) { migration in
        migration.enumerateObjects(ofType: "Chain") { _, new in
          new!["note"] = new!["note"]
          new!["note"] = new!.dynamicList("notes").first
        }
      }
    }
    #expect(result?.stopped(with: "Can't set link to existing managed embedded object") == true)
  }
}

/// All notes of the new realm that holds an object.
private func migrationNotes(_ object: MigrationObject) -> Results<DynamicObject> { object.realm!.dynamicObjects("ChainNote") }

private func migrate(
  _ path: String, _ types: [ObjectBase.Type] = [ChainV2.self, ChainNoteV1.self], _ body: @escaping @Sendable (Migration) -> Void
) throws {
  var configuration = TestDirectory.configuration(in: path, types)
  configuration.schemaVersion = 2
  configuration.migrationBlock = { migration, _ in body(migration) }
  _ = try Realm(configuration: configuration, queue: nil)
}
