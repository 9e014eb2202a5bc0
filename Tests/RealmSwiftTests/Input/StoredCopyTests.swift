import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private class PlainRecord: Unlisted {
  override class func _realmObjectName() -> String? { "Record" }
  @Persisted var number: Int
  @Persisted var numbers: List<Int>
  @Persisted var set: MutableSet<Int>
  @Persisted var map: Map<String, Int?>
}
private class EnumRecord: Unlisted {
  override class func _realmObjectName() -> String? { "Record" }
  @Persisted var number: ONumber
  @Persisted var numbers: List<ONumber>
  @Persisted var set: MutableSet<ONumber>
  @Persisted var map: Map<String, ONumber?>
}

/// `create` with an object of another realm copies what is stored.
@Suite struct StoredCopyTests {
  private let directory = TestDirectory()

  private func realm(_ type: ObjectBase.Type, _ name: String) throws -> Realm {
    try Realm(configuration: Realm.Configuration(fileURL: directory.fileURL(name), objectTypes: [type]))
  }

  @Test func valuesThatNoCaseStandsForAreCopied() throws {
    let values: [String: Any] = ["number": 7, "numbers": [1, 8], "set": [2, 9], "map": ["a": 1, "b": 9, "c": nil] as [String: Int?]]
    try autoreleasepool {
      let realm = try realm(PlainRecord.self, "from.realm")
      try realm.write { _ = realm.create(PlainRecord.self, value: values) }
    }
    try autoreleasepool {
      let (from, to) = (try realm(EnumRecord.self, "from.realm"), try realm(EnumRecord.self, "to.realm"))
      let record = try #require(from.objects(EnumRecord.self).first)
      try to.write { _ = try to.throwing.create(EnumRecord.self, value: record) }
    }
    let copy = try #require(realm(PlainRecord.self, "to.realm").objects(PlainRecord.self).first)
    #expect(copy.number == 7)
    #expect(Array(copy.numbers) == [1, 8])
    #expect(Array(copy.set) == [2, 9])
    #expect(copy.map.keys == ["a", "b", "c"])
    #expect(copy.map["b"] == 9 && copy.map["c"] == .some(nil))
  }
}
