import Foundation
import RealmSwift
import TestSupport
import Testing

/// Files of the original engine, opened with the classes that they were written with, and with others.
@Suite struct FixtureTests {
  let directory = TestDirectory()

  private func bytesUnchanged(_ name: String, _ types: [ObjectBase.Type], version: UInt64, _ body: (Realm) throws -> Void) throws {
    let url = try directory.copyURL("realm-core/\(name).realm")
    let before = try Data(contentsOf: url)
    do {
      let realm = try Realm(configuration: Realm.Configuration(fileURL: url, schemaVersion: version, objectTypes: types))
      try body(realm)
    }
    #expect(try Data(contentsOf: url) == before)
    #expect(try schemaVersionAtURL(url) == version)
    var readOnly = Realm.Configuration(fileURL: url, readOnly: true, schemaVersion: version, objectTypes: types)
    do { try body(Realm(configuration: readOnly)) }
    #expect(try Data(contentsOf: url) == before)
    readOnly.schemaVersion += 1
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: readOnly) }
  }

  @Test func allKindsOfPropertiesOpenWithoutAWrite() throws {
    try bytesUnchanged("os_basic", [OSAddress.self, OSDog.self, OSKinds.self, OSPerson.self], version: 0) { realm in
      #expect(realm.objects(OSPerson.self).count == 40)
      #expect(realm.objects(OSDog.self).count == 25)
      let kinds = realm.objects(OSKinds.self)
      #expect(kinds.count == 10)
      // Everything can be read.
      for object in kinds { #expect(!object.description.isEmpty) }
      #expect(realm.object(ofType: OSPerson.self, forPrimaryKey: 7)?.name == "Person 1")
    }
  }

  @Test func aMigratedFileOpensWithoutAWrite() throws {
    try bytesUnchanged("os_migrated", [OSMItem.self, OSMNew.self, OSMGone.self], version: 7) { realm in
      #expect(realm.objects(OSMItem.self).count == 30)
      #expect(realm.objects(OSMNew.self).count == 2)
    }
    try FileManager.default.removeItem(at: directory.fileURL())
    try FileManager.default.removeItem(at: directory.fileURL("test.realm.lock"))
    // A class that only the file has does not matter.
    try bytesUnchanged("os_migrated", [OSMItem.self, OSMNew.self], version: 7) { realm in #expect(realm.objects(OSMItem.self).count == 30) }
  }

  @Test func aFileWithASchemaOnlyOpensWithoutAWrite() throws {
    try bytesUnchanged("os_schema_only", [OSSA.self, OSSB.self], version: 42) { realm in #expect(realm.isEmpty) }
  }

  @Test(arguments: [1, 5] as [UInt64]) func changedClassesMigrateTheFile(_ version: UInt64) throws {
    let file = try SchemaFile(copyOf: "os_basic")
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: file.path), objectTypes: [OSAddress.self, OSDogChanged.self, OSKindsChanged.self, OSPersonChanged.self])
    #expect {
      _ = try Realm(configuration: configuration)
    } throws: {
      let text = $0.localizedDescription
      return ($0 as? Realm.Error)?.code == .schemaMismatch && text.hasPrefix("Migration is required due to the following errors:\n- ")
        && text.contains("\n- Property 'Dog.age' has been made optional.") && text.contains("\n- Property 'Person.dogs' has been added.")
        && text.contains("\n- Property 'Person.bio' has been removed.")
        && text.contains("\n- Property 'Kinds.pInt' has been changed from 'int' to 'string'.")
    }
    configuration.schemaVersion = version
    configuration.migrationBlock = { migration, old in
      #expect(old == 0)
      var count = 0
      migration.enumerateObjects(ofType: "Person") { old, new in
        count += 1
        new!["fullName"] = "\(old!["name"]!) \(old!["id"]!)"
        if let dog = old!["dog"] as? MigrationObject, let name = dog["name"] as? String, !name.isEmpty {
          // Links of new objects lead to new objects.
          new!.dynamicList("dogs").append(new!["dog"] as! DynamicObject)
        }
      }
      #expect(count == 40)
      migration.enumerateObjects(ofType: "Kinds") { old, new in new!["pInt"] = "\(old!["pInt"]!)" }
      migration.enumerateObjects(ofType: "Address") { old, new in #expect(old!["city"] as? String == new!["city"] as? String) }
    }
    do {
      let realm = try Realm(configuration: configuration)
      let people = realm.objects(OSPersonChanged.self)
      #expect(people.count == 40)
      #expect(people.allSatisfy { $0.fullName.hasSuffix(" \($0.id)") })
      #expect(people.allSatisfy { $0.dogs.count == ((($0.dog?.name ?? "").isEmpty) ? 0 : 1) })
      #expect(realm.objects(OSKindsChanged.self).allSatisfy { Int($0.pInt) != nil })
      try realm.write { realm.add(OSPersonChanged(value: ["id": 1000, "fullName": "new"])) }
    }
    #expect(try file.problems() == [])
  }

  @Test func whatWeWriteIsInOrder() throws {
    let file = try SchemaFile()
    let types: [ObjectBase.Type] = [OSAddress.self, OSDog.self, OSKinds.self, OSPerson.self]
    do {
      let realm = try Realm(configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: file.path), schemaVersion: 3, objectTypes: types))
      for round in 0..<5 {
        try realm.write {
          let dog = realm.create(OSDog.self, value: ["name": "dog \(round)", "age": round] as [String: Any])
          let person = realm.create(OSPerson.self, value: ["id": round, "name": "p \(round)", "bio": "some words here", "dog": dog] as [String: Any])
          let kinds = realm.create(
            OSKinds.self, value: ["_id": ObjectId.generate(), "pInt": round, "lString": ["a", "b"], "mInt": ["k": 1]] as [String: Any])
          kinds.link = person
          kinds.lLink.append(person)
          kinds.sLink.insert(person)
          kinds.mLink["x"] = person
          kinds.emb = OSAddress(value: ["city": "here"])
          kinds.lEmb.append(OSAddress(value: ["city": "there"]))
          kinds.any = .object(person)
        }
      }
      try realm.write { realm.delete(realm.objects(OSPerson.self)[0]) }
      try realm.writeCopy(toFile: URL(fileURLWithPath: file.path + ".copy"))
    }
    #expect(try file.problems() == [])
    let copy = try SchemaFile(copyOfFile: file.path + ".copy")
    #expect(try copy.problems() == [])
  }
}

class OSDogChanged: Object {
  override class func _realmObjectName() -> String? { "Dog" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var age: Int?
  @Persisted var name: String?
}
class OSPersonChanged: Object {
  override class func _realmObjectName() -> String? { "Person" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var fullName: String
  @Persisted var dog: OSDogChanged?
  @Persisted var dogs: List<OSDogChanged>
}
class OSKindsChanged: Object {
  override class func _realmObjectName() -> String? { "Kinds" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var pInt: String
  @Persisted var oString: String?
  @Persisted var lString: List<String>
  @Persisted var emb: OSAddress?
  @Persisted var lLink: List<OSPersonChanged>
}
