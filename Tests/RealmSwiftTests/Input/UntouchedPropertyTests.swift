import Foundation
import TestSupport
import Testing

@testable import RealmSwift

// One class for each type of primary key, with a property of every kind, none with an initial value of its own.

class UntouchedInt: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var any: AnyRealmValue
  @Persisted var point: OPoint
  @Persisted var pointOpt: OPoint?
  @Persisted var cents: OCents
  @Persisted var word: OWord?
  @Persisted var date: Date
  @Persisted var data: Data
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var part: OPart?
  @Persisted var next: UntouchedInt?
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var points: List<OPoint>
  @Persisted var nexts: MutableSet<UntouchedInt>
  @Persisted var anyMap: Map<String, AnyRealmValue>
}
class UntouchedInt8: Unlisted {
  @Persisted(primaryKey: true) var id: Int8
  @Persisted var any: AnyRealmValue
  @Persisted var point: OPoint
}
class UntouchedString: Unlisted {
  @Persisted(primaryKey: true) var id: String
  @Persisted var any: AnyRealmValue
  @Persisted var point: OPoint
}
class UntouchedOptional: Unlisted {
  @Persisted(primaryKey: true) var id: Int?
  @Persisted var any: AnyRealmValue
  @Persisted var point: OPoint
}

/// Properties that nobody has read or set are stored with the default values of their types, whichever way an object takes into a realm.
@Suite struct UntouchedPropertyTests {
  let directory = TestDirectory()

  private func realm() throws -> Realm {
    try Realm(
      configuration: directory.configuration(
        objectTypes + [UntouchedInt.self, UntouchedInt8.self, UntouchedString.self, UntouchedOptional.self, UntouchedHolder.self]))
  }

  private func expectDefaults(_ object: UntouchedInt) {
    #expect(object.any == .none)
    #expect(object.point.x == 1 && object.point.y == 2)
    #expect(object.pointOpt == nil && object.word == nil && object.part == nil && object.next == nil)
    #expect(object.cents.amount == 0 && object.data.isEmpty && object.decimal == 0)
    #expect(object.anyList.isEmpty && object.points.isEmpty && object.nexts.isEmpty && object.anyMap.count == 0)
  }

  @Test func addStoresDefaults() throws {
    let realm = try realm()
    for id in 0..<3 { try realm.write { realm.add(UntouchedInt(value: ["id": id])) } }
    try realm.write {
      realm.add(UntouchedInt8())
      realm.add(UntouchedString())
      realm.add(UntouchedOptional())
      realm.add(UntouchedInt(value: ["id": 3]), update: .modified)
      realm.add(UntouchedInt(value: ["id": 4]), update: .all)
      realm.create(UntouchedInt.self, value: ["id": 5])
    }
    for object in realm.objects(UntouchedInt.self) { expectDefaults(object) }
    #expect(realm.objects(UntouchedInt.self).map(\.id) == Array(0..<6))
    #expect(realm.objects(UntouchedInt8.self).first?.any == AnyRealmValue.none)
    #expect(realm.objects(UntouchedString.self).first?.point.y == 2)
    #expect(realm.objects(UntouchedOptional.self).first?.point.x == 1)
  }

  @Test func linksLeadToObjectsWithDefaults() throws {
    let realm = try realm()
    let holder = UntouchedHolder()
    holder.single = UntouchedInt(value: ["id": 1])
    holder.list.append(UntouchedInt(value: ["id": 2]))
    holder.map["k"] = UntouchedInt(value: ["id": 3])
    holder.any = .object(UntouchedInt(value: ["id": 4]))
    let first = UntouchedInt(value: ["id": 5])
    first.next = UntouchedInt(value: ["id": 6])
    try realm.write {
      realm.add(holder)
      realm.add(first)
      holder.list.append(UntouchedInt(value: ["id": 7]))
    }
    #expect(realm.objects(UntouchedInt.self).map(\.id).sorted() == Array(1...7))
    for object in realm.objects(UntouchedInt.self) where object.id != 5 { expectDefaults(object) }
    #expect(first.next?.id == 6)
  }

  @Test func whatWasSetIsStored() throws {
    let realm = try realm()
    let values: [AnyRealmValue] = [.int(1), .string("s"), .data(Data([1])), .double(-0.0), .bool(true), .uuid(UUID()), .none, .decimal128("1.50")]
    for (id, value) in values.enumerated() { try realm.write { realm.add(UntouchedInt(value: ["id": id, "any": value])) } }
    #expect(realm.objects(UntouchedInt.self).sorted(byKeyPath: "id").map(\.any) == values)
    try realm.write { realm.add(UntouchedInt(value: ["id": 100, "any": [1, ["k": 2]] as [Any], "point": [8, 9]])) }
    let object = try #require(realm.object(ofType: UntouchedInt.self, forPrimaryKey: 100))
    #expect(object.any.listValue?[1].dictionaryValue?["k"] == .int(2))
    #expect(object.point.x == 8)
  }
}

class UntouchedHolder: Unlisted {
  @Persisted var single: UntouchedInt?
  @Persisted var list: List<UntouchedInt>
  @Persisted var map: Map<String, UntouchedInt?>
  @Persisted var any: AnyRealmValue
}
