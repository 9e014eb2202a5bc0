import Foundation
import RealmSwift
import TestSupport
import Testing

final class Kennel1: StoredAs {
  override class func _realmObjectName() -> String? { "Kennel" }
  @Persisted var first: Hound1?
  @Persisted var all: List<Hound1>
}
final class Hound1: StoredAs {
  override class func _realmObjectName() -> String? { "Hound" }
  @Persisted var title: String
}
final class Kennel2: StoredAs {
  override class func _realmObjectName() -> String? { "Kennel" }
  @Persisted var first: Hound2?
  @Persisted var all: List<Hound2>
}
final class Hound2: StoredAs {
  override class func _realmObjectName() -> String? { "Hound" }
  @Persisted var name: String
}

@Suite struct RenamedLinkTargetTests {
  let directory = TestDirectory()

  @Test func linksThatWereFollowedBeforeLeadToObjectsWithTheNewName() throws {
    try autoreleasepool {
      let realm = try Realm(
        configuration: Realm.Configuration(fileURL: directory.fileURL(), schemaVersion: 1, objectTypes: [Kennel1.self, Hound1.self]))
      try realm.write { realm.create(Kennel1.self, value: ["first": ["title": "Rex"], "all": [["title": "Ace"]]] as [String: Any]) }
    }
    let configuration = Realm.Configuration(
      fileURL: directory.fileURL(), schemaVersion: 2,
      migrationBlock: { (migration, _) in
        migration.enumerateObjects(ofType: "Kennel") { (_, new) in
          #expect((new?["first"] as? MigrationObject)?["name"] as? String == "")
          #expect(new?.dynamicList("all").first?["name"] as? String == "")
        }
        migration.renameProperty(onType: "Hound", from: "title", to: "name")
        migration.enumerateObjects(ofType: "Kennel") { (_, new) in
          #expect((new?["first"] as? MigrationObject)?["name"] as? String == "Rex")
          #expect(new?.dynamicList("all").first?["name"] as? String == "Ace")
        }
      }, objectTypes: [Kennel2.self, Hound2.self])
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Kennel2.self).first?.first?.name == "Rex")
  }
}
