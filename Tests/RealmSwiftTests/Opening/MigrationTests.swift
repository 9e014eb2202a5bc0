import Foundation
import RealmSwift
import TestSupport
import Testing

// One stored class in several shapes: what a program's classes were in its earlier versions.
class StoredAs: Object { override class func shouldIncludeInDefaultSchema() -> Bool { false } }
class StoredAsEmbedded: EmbeddedObject { override class func shouldIncludeInDefaultSchema() -> Bool { false } }

final class Contact1: StoredAs {
  override class func _realmObjectName() -> String? { "Contact" }
  @Persisted var id: Int
  @Persisted var firstName: String
  @Persisted var lastName: String
  @Persisted var age: String
  @Persisted var pets: List<Pet1>
}
final class Pet1: StoredAs {
  override class func _realmObjectName() -> String? { "Pet" }
  @Persisted var name: String
}
final class Contact2: StoredAs {
  override class func _realmObjectName() -> String? { "Contact" }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var fullName: String
  @Persisted var age: Int?
  @Persisted var pets: List<Pet2>
}
final class Pet2: StoredAsEmbedded {
  override class func _realmObjectName() -> String? { "Pet" }
  @Persisted var name: String
}
final class Contact3: StoredAs {
  override class func _realmObjectName() -> String? { "Contact" }
  override class func propertiesMapping() -> [String: String] { ["given": "firstName"] }
  @Persisted var id: Int
  @Persisted var given: String
  @Persisted var family: String
  @Persisted var age: String
  @Persisted var pets: List<Pet1>
}

/// What blocks saw, which are `@Sendable`.
// SAFETY: migration blocks run on the thread that opens, before opening returns.
private final class Notes: @unchecked Sendable { var lines: [String] = [] }

@Suite struct MigrationTests {
  let directory = TestDirectory()

  private func configuration(_ types: [ObjectBase.Type], version: UInt64, _ block: MigrationBlock? = nil) -> Realm.Configuration {
    Realm.Configuration(fileURL: directory.fileURL(), schemaVersion: version, migrationBlock: block, objectTypes: types)
  }

  private func makeFirst(count: Int = 3) throws {
    let realm = try Realm(configuration: configuration([Contact1.self, Pet1.self], version: 1))
    try realm.write {
      for number in 0..<count {
        let pets: [[String: Any]] = [["name": "a\(number)"], ["name": "b\(number)"]]
        realm.create(
          Contact1.self,
          value: ["id": number, "firstName": "F\(number)", "lastName": "L\(number)", "age": "\(number * 10)", "pets": pets] as [String: Any])
      }
    }
  }

  private func error(_ configuration: Realm.Configuration) -> (code: Realm.Error.Code, text: String)? {
    do { _ = try Realm(configuration: configuration) } catch let error as Realm.Error { return (error.code, error.localizedDescription) } catch {
      Issue.record("\(error)")
    }
    return nil
  }

  @Test func aBlockMovesValuesFromOldObjectsToNewOnes() throws {
    try makeFirst()
    let notes = Notes()
    let new = configuration([Contact2.self, Pet2.self], version: 2) { (migration, oldVersion) in
      notes.lines.append(
        "\(oldVersion) \(migration.oldSchema["Contact"]?.properties.count ?? 0) \(migration.newSchema["Contact"]?.properties.count ?? 0)")
      migration.enumerateObjects(ofType: "Contact") { (old, new) in
        guard let old, let new else { return }
        new["fullName"] = "\(old["firstName"] as! String) \(old["lastName"] as! String)"
        new["age"] = Int(old["age"] as! String)
      }
      migration.enumerateObjects(ofType: "Nobody") { (_, _) in notes.lines.append("called") }
    }
    let realm = try Realm(configuration: new)
    #expect(notes.lines == ["1 5 4"])
    let contacts = realm.objects(Contact2.self)
    #expect(contacts.map(\.fullName) == ["F0 L0", "F1 L1", "F2 L2"])
    #expect(contacts.map { $0.age ?? -1 } == [0, 10, 20])
    #expect(realm.object(ofType: Contact2.self, forPrimaryKey: 2)?.pets.map(\.name) == ["a2", "b2"])
  }

  @Test func objectsAreCreatedAndDeletedInAMigration() throws {
    try makeFirst()
    let realm = try Realm(
      configuration: configuration([Contact2.self, Pet2.self], version: 2) { (migration, _) in
        // Twice the same primary key, for a moment.
        migration.create("Contact", value: ["id": 1, "fullName": "new"] as [String: Any])
        migration.enumerateObjects(ofType: "Contact") { (old, new) in
          if let new, old?["id"] as? Int == 1 { migration.delete(new) }
          if let new, old?["id"] as? Int == 2 { new["id"] = 22 }
        }
      })
    #expect(realm.objects(Contact2.self).map(\.id).sorted() == [0, 1, 22])
    #expect(realm.object(ofType: Contact2.self, forPrimaryKey: 1)?.fullName == "new")
  }

  /// They get their owners when the block is done.
  @Test func aBlockMakesObjectsOfAClassThatBecomesEmbedded() throws {
    try makeFirst()
    let realm = try Realm(
      configuration: configuration([Contact2.self, Pet2.self], version: 2) { migration, _ in
        let shared = migration.create("Pet", value: ["name": "shared"])
        migration.create("Pet", value: ["name": "nobody's"])
        migration.create("Contact", value: ["id": 3, "pets": [["name": "new"]]] as [String: Any])
        migration.enumerateObjects(ofType: "Contact") { _, new in
          switch new?["id"] as? Int {
          case 0: new?["pets"] = [["name": "x"], Pet2(value: ["name": "y"]), shared] as [Any]
          case 1: new?.dynamicList("pets").append(shared)
          default: break
          }
        }
      })
    let pets = realm.objects(Contact2.self).sorted(byKeyPath: "id").map { Array($0.pets.map(\.name)) }
    #expect(Array(pets) == [["x", "y", "shared"], ["a1", "b1", "shared"], ["a2", "b2"], ["new"]])
    try realm.write { realm.objects(Contact2.self).filter("id == 0").first?.pets.last?.name = "own" }
    #expect(realm.objects(Contact2.self).filter("id == 1").first?.pets.last?.name == "shared")
  }

  @Test func aRepeatedPrimaryKeyUndoesTheMigration() throws {
    try makeFirst()
    let failing = configuration([Contact2.self, Pet2.self], version: 2) { (migration, _) in
      migration.create("Contact", value: ["id": 1] as [String: Any])
    }
    let failure = try #require(error(failing))
    #expect(failure == (.fail, "Primary key property 'Contact.id' has duplicate values after migration."))
    let realm = try Realm(configuration: configuration([Contact1.self, Pet1.self], version: 1))
    #expect(realm.objects(Contact1.self).count == 3)
    #expect(realm.objects(Contact1.self)[1].pets.count == 2)
  }

  @Test func renamedPropertiesKeepTheirValues() throws {
    try makeFirst()
    let realm = try Realm(
      configuration: configuration([Contact3.self, Pet1.self], version: 2) { (migration, _) in
        migration.renameProperty(onType: "Contact", from: "lastName", to: "family")
        migration.enumerateObjects(ofType: "Contact") { (_, new) in
          if let new { new["family"] = "\(new["family"] as! String)!" }
        }
      })
    #expect(realm.objects(Contact3.self).map(\.family) == ["L0!", "L1!", "L2!"])
    #expect(realm.objects(Contact3.self).map(\.given) == ["F0", "F1", "F2"])
  }

  @Test func dataOfAClassIsDeleted() throws {
    try makeFirst()
    let notes = Notes()
    let realm = try Realm(
      configuration: configuration([Contact1.self, Pet1.self], version: 2) { (migration, _) in
        notes.lines = ["\(migration.deleteData(forType: "Pet")) \(migration.deleteData(forType: "Nobody"))"]
      })
    #expect(notes.lines == ["true false"])
    #expect(realm.objects(Pet1.self).isEmpty)
    #expect(realm.objects(Contact1.self)[0].pets.isEmpty)
  }

  @Test func aChangeWithoutNewVersionIsRefused() throws {
    try makeFirst()
    let failure = try #require(error(configuration([Contact2.self, Pet2.self], version: 1)))
    #expect(failure.code == .schemaMismatch)
    #expect(
      failure.text == """
        Migration is required due to the following errors:
        - Property 'Contact.firstName' has been removed.
        - Property 'Contact.lastName' has been removed.
        - Property 'Contact.age' has been changed from 'string' to 'int?'.
        - Property 'Contact.fullName' has been added.
        - Primary Key for class 'Contact' has been added.
        - Class 'Pet' has been changed from TopLevel to Embedded.
        """)
    let lower = try #require(error(configuration([Contact1.self, Pet1.self], version: 0)))
    #expect(lower == (.fail, "Provided schema version 0 is less than last set version 1."))
  }

  @Test func withoutABlockColumnsChangeByThemselves() throws {
    try makeFirst()
    let realm = try Realm(configuration: configuration([Contact3.self, Pet1.self], version: 9))
    #expect(realm.objects(Contact3.self).map(\.given) == ["F0", "F1", "F2"])
    #expect(realm.objects(Contact3.self).map(\.family) == ["", "", ""])
  }

  @Test func theFileIsDeletedInsteadOfMigratedIfWanted() throws {
    try makeFirst()
    var same = configuration([Contact1.self, Pet1.self], version: 1)
    same.deleteRealmIfMigrationNeeded = true
    do { #expect(try Realm(configuration: same).objects(Contact1.self).count == 3) }
    var other = configuration([Contact2.self, Pet2.self], version: 1) { (_, _) in Issue.record("the block was called") }
    other.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: other).objects(Contact2.self).isEmpty)
  }

  @Test func aReadOnlyRealmComparesButNeverWrites() throws {
    try makeFirst()
    var readOnly = configuration([Contact1.self, Pet1.self], version: 1)
    readOnly.readOnly = true
    let before = try Data(contentsOf: directory.fileURL())
    do { #expect(try Realm(configuration: readOnly).objects(Contact1.self).count == 3) }
    #expect(try Data(contentsOf: directory.fileURL()) == before)
    readOnly.schemaVersion = 2
    #expect(try #require(error(readOnly)) == (.fail, "Provided schema version 2 does not equal last set version 1."))
    readOnly = configuration([Contact3.self, Pet1.self], version: 1)
    readOnly.readOnly = true
    #expect(
      try #require(error(readOnly))
        == (.fail, "The following changes cannot be made in read-only schema mode:\n- Property 'Contact.family' has been added."))
  }

  @Test func openingAgainWithTheSameSchemaWritesNothing() throws {
    try makeFirst()
    let before = try Data(contentsOf: directory.fileURL())
    do { _ = try Realm(configuration: configuration([Contact1.self, Pet1.self], version: 1)).objects(Contact1.self).count }
    #expect(try Data(contentsOf: directory.fileURL()).count == before.count)
    #expect(try Data(contentsOf: directory.fileURL())[24...] == before[24...])
  }
}
