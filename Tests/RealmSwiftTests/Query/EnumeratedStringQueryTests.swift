import RealmSwift
import TestSupport
import Testing

/// Strings that old files store as numbers of distinct values: a write transaction adds some of these while results of it are alive.
@Suite struct EnumeratedStringQueryTests {
  @Test func resultsSeeValuesThatCameLater() throws {
    let directory = TestDirectory()
    let url = try directory.copyURL("realm-core/enumerated.realm")
    let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [EnumeratedStrings.self]))
    let objects = realm.objects(EnumeratedStrings.self)
    try realm.write {
      let new = objects.where { $0.color.starts(with: "new") }
      let sorted = new.sorted(byKeyPath: "color", ascending: false)
      let distinct = objects.distinct(by: ["color"])
      #expect(new.count == 0 && sorted.first == nil)
      #expect(distinct.count == Set(objects.map(\.color)).count)
      for round in 1...3 {
        for (index, object) in Array(objects).enumerated() where index % 3 == 0 && index < 90 { object.color = "new \(round) \(index % 9)" }
        #expect(new.count == 30 && Array(new).allSatisfy { $0.color?.hasPrefix("new \(round)") ?? false })
        #expect(sorted.first?.color == "new \(round) 6" && sorted.last?.color == "new \(round) 0")
        #expect(distinct.count == Set(objects.map(\.color)).count && new.max(of: \.n) != nil)
      }
    }
  }
}

final class EnumeratedStrings: Object {
  @Persisted var color: String?
  @Persisted var long: String
  @Persisted var n: Int
  @Persisted(indexed: true) var indexed: String
  @Persisted var later: Int
  override class func _realmObjectName() -> String { "E" }
}
