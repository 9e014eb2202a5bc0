import Foundation
import RealmSwift
import TestSupport
import Testing

class SyncedPerson: Unlisted {
  override class func _realmObjectName() -> String? { "Person" }
  @Persisted(primaryKey: true) var _id: String
  @Persisted var name: String?
  @Persisted var age: Int
  @Persisted var friend: SyncedPerson?
  @Persisted var friends: List<SyncedPerson>
  @Persisted var home: SyncedAddress?
  @Persisted var homes: List<SyncedAddress>
  @Persisted var byName: Map<String, SyncedAddress?>
  @Persisted var nick: List<String>
}

class SyncedAddress: UnlistedEmbedded {
  override class func _realmObjectName() -> String? { "Address" }
  @Persisted var street: String?
  @Persisted var no: Int
  @Persisted var tags: List<SyncedTag>
  @Persisted var owner: SyncedPerson?
}

class SyncedTag: UnlistedEmbedded {
  override class func _realmObjectName() -> String? { "Tag" }
  @Persisted var label: String
}

/// Whom the file does not know.
class SyncedPet: Unlisted {
  override class func _realmObjectName() -> String? { "Pet" }
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
}

/// A person under another name, as a migration would make one.
class RenamedPerson: Unlisted {
  override class func _realmObjectName() -> String? { "Person" }
  @Persisted(primaryKey: true) var _id: String
  @Persisted var called: String?
}

/// Files of clients that synchronised, opened by programs that do not: Compatibility.md, Sync and App Services.
@Suite(.mustEnd) struct SyncFileTests {
  static let merged = "sync/11-merged-twice-local-unsent.realm"
  static let withQueries = "sync/38-flx-set2-error.realm"
  let directory = TestDirectory()

  private func configuration(
    _ url: URL, _ types: [ObjectBase.Type]? = [SyncedPerson.self, SyncedAddress.self, SyncedTag.self], readOnly: Bool = false
  ) -> Realm.Configuration {
    Realm.Configuration(fileURL: url, readOnly: readOnly, objectTypes: types)
  }

  /// What the tool says of a file: that nothing is wrong with it, and how far it has come.
  private func status(_ url: URL) throws -> [String: Any] {
    try ToolRun.realm("verify", url.path).expect(status: 0)
    let text = try ToolRun.realm("stat", url.path, "--json").output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    return try #require(object["synchronisation"] as? [String: Any])
  }

  /// The changes of each version for others, as the history has them.
  private func changesForOthers(_ url: URL) throws -> [String] {
    try ToolRun.realm("history", url.path, "--json").output.split(separator: "\n").compactMap { line in
      line.range(of: "\"sync\"").map { String(line[$0.lowerBound...]) }
    }
  }

  @Test(arguments: sample(Fixture.files("sync"))) func aFileThatIsOnlyReadStaysAsItIs(_ fixture: Fixture) throws {
    let url = try directory.copyURL(fixture.name)
    let before = try Data(contentsOf: url)
    do {
      let realm = try Realm(configuration: configuration(url, [], readOnly: true))
      #expect(realm.configuration.readOnly)
      _ = realm.isEmpty
    }
    #expect(try Data(contentsOf: url) == before)
    _ = try status(url)
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func objectsAreReadByTheirClassesAndByNames() throws {
    let url = try directory.copyURL(Self.merged)
    for readOnly in [true, false] {
      let realm = try Realm(configuration: configuration(url, readOnly: readOnly))
      let people = realm.objects(SyncedPerson.self)
      #expect(people.count == 4)
      let dan = try #require(realm.object(ofType: SyncedPerson.self, forPrimaryKey: "dan"))
      #expect(people.where { $0.name == dan.name }.contains(dan))
      let dynamic = try #require(realm.dynamicObject(ofType: "Person", forPrimaryKey: "dan"))
      #expect(dynamic["name"] as? String == dan.name && dynamic["age"] as? Int == dan.age)
      let homes = people.reduce(0) { $0 + ($1.home == nil ? 0 : 1) + $1.homes.count + $1.byName.count }
      #expect(homes + realm.dynamicObjects("Person").count > 4)
    }
  }

  @Test(arguments: sample(Fixture.files("sync"))) func openingToWriteKeepsTheHistory(_ fixture: Fixture) throws {
    let url = try directory.copyURL(fixture.name)
    let (before, changes) = (try status(url), try changesForOthers(url))
    for _ in 0..<2 { _ = try Realm(configuration: configuration(url, [SyncedPet.self])).isEmpty }
    let after = try status(url)
    // The new class, which others have to hear of, is all that is new.
    let newChanges = try changesForOthers(url)
    #expect(Array(newChanges.prefix(changes.count)) == changes)
    #expect(newChanges.dropFirst(changes.count).filter { $0.contains("\"Pet\"") }.count == 1)
    for name in ["fileIdent", "latestServerVersion", "downloadedBytes", "uploadedBytes", "schemaVersion"] {
      #expect(after[name] as? Int == before[name] as? Int && before[name] is Int, "\(name)")
    }
    for name in ["download", "upload"] { #expect((after[name] as? NSDictionary) == (before[name] as? NSDictionary), "\(name)") }
    #expect((after["subscriptionSets"] as? NSArray) == (before["subscriptionSets"] as? NSArray))
  }

  @Test func aWriteIsRecordedForTheServer() throws {
    let url = try directory.copyURL(Self.merged)
    let (before, changes) = (try status(url), try changesForOthers(url))
    do {
      let realm = try Realm(configuration: configuration(url))
      try realm.write {
        let person = SyncedPerson()
        (person._id, person.name, person.age) = ("zoe", "Zoe", 41)
        person.nick.append("e")
        person.home = SyncedAddress()
        person.home?.street = "Elm"
        realm.add(person)
        realm.object(ofType: SyncedPerson.self, forPrimaryKey: "dan")?.friend = person
      }
      try realm.write { realm.dynamicObject(ofType: "Person", forPrimaryKey: "dan")?["age"] = 77 }
      // Nothing that anybody sees.
      realm.beginWrite()
      realm.add(SyncedPerson(value: ["_id": "nobody"]))
      realm.cancelWrite()
    }
    let after = try status(url)
    let new = Array(try changesForOthers(url).dropFirst(changes.count))
    #expect(try Array(changesForOthers(url).prefix(changes.count)) == changes && new.count == 2)
    let words = try ToolRun.realm("history", url.path, "--last", "2").output
    for line in [
      #"CreateObject Person["zoe"]"#, #"Update Person["zoe"].name = "Zoe""#, #"Update Person["zoe"].age = 41"#, #"Update Person["dan"].age = 77"#,
      #"Person["zoe"].home.street"#, "waits for upload",
    ] { #expect(words.contains(line), "\(line) in\n\(words)") }
    #expect(!words.contains("nobody"))
    #expect((after["uploadableBytes"] as? Int ?? 0) > before["uploadableBytes"] as? Int ?? .max)
    #expect(after["entries"] as? Int == (before["entries"] as? Int).map { $0 + 2 })
  }

  @Test func whatOnlySynchronisationUsesIsLeftAlone() throws {
    let url = try directory.copyURL(Self.withQueries)
    let sets = try #require(try status(url)["subscriptionSets"] as? NSArray)
    do {
      let realm = try Realm(configuration: configuration(url, [SyncedPerson.self, SyncedAddress.self, SyncedTag.self, SyncedPet.self]))
      #expect(!realm.isEmpty)
      try realm.write {
        realm.add(SyncedPet(value: ["name": "Rex"]))
        realm.deleteAll()
      }
      #expect(realm.isEmpty)
    }
    #expect(try status(url)["subscriptionSets"] as? NSArray == sets && sets.count == 2)
  }

  @Test func whatAServerCannotBeToldIsRefusedAndNothingIsLost() throws {
    let url = try directory.copyURL(Self.merged)
    let changes = try changesForOthers(url)
    var renaming = configuration(url, [RenamedPerson.self])
    renaming.schemaVersion = 1
    renaming.migrationBlock = { migration, _ in migration.renameProperty(onType: "Person", from: "name", to: "called") }
    do {
      _ = try Realm(configuration: renaming)
      Issue.record("a property was renamed")
    } catch let error as Realm.Error {
      #expect(error.localizedDescription.contains("synchronises"), "\(error.localizedDescription)")
    }
    _ = try status(url)
    #expect(try changesForOthers(url) == changes)
    #expect(try Realm(configuration: configuration(url)).objects(SyncedPerson.self).count == 4)
  }

  @Test func propertiesThatAProgramLacksAreNotRemoved() throws {
    let url = try directory.copyURL(Self.merged)
    let (changes, schema) = (try changesForOthers(url), try ToolRun.realm("schema", url.path).output)
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration(url, [RenamedPerson.self])) }
    var forgetful = configuration(url, [RenamedPerson.self])
    forgetful.deleteRealmIfMigrationNeeded = true
    // The server may not have everything: nothing of it is deleted either.
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: forgetful) }
    #expect(try changesForOthers(url) == changes)
    #expect(try ToolRun.realm("schema", url.path).output == schema)
  }

  @Test func compactionKeepsWhatTheServerLacks() throws {
    let url = try directory.copyURL(Self.merged)
    let changes = try changesForOthers(url)
    var compacting = configuration(url)
    compacting.shouldCompactOnLaunch = { _, _ in true }
    #expect(try Realm(configuration: compacting).objects(SyncedPerson.self).count == 4)
    #expect(try Array(changesForOthers(url).prefix(changes.count)) == changes)
    _ = try status(url)
  }
}
