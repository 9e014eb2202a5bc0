import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private let outside =
  "Attempting to modify object outside of a write transaction - call beginWrite on a Realm instance first."

private func holder(_ realm: Realm) throws -> OHolder {
  try realm.write {
    realm.create(
      OHolder.self, value: ["id": 1, "ints": [1, 2, 3], "intSet": [1], "intMap": ["a": 1], "part": ["p"], "parts": [["q"]]] as [String: Any])
  }
}

/// Misuse of objects and collections, each with the text that stops the process.
let objectMisuses: [Misuse] = [
  Misuse(outside) { try holder($0).name = "x" },
  Misuse(outside) { try holder($0).ints = List<Int>() },
  Misuse(outside) { try holder($0)["name"] = "x" },
  Misuse("Primary key can't be changed after an object is inserted.") { realm in
    let holder = try holder(realm)
    realm.beginWrite()
    holder.id = 7
  },
  Misuse("Cannot modify primary key after creation: 'OHolder.id'") { realm in
    _ = try holder(realm)
    realm.beginWrite()
    realm.objects(OHolder.self).setValue(7, forKey: "id")
  },
  Misuse("Cannot modify managed objects outside of a write transaction.") { realm in
    _ = try holder(realm)
    realm.objects(OHolder.self).setValue("x", forKey: "name")
  },
  Misuse("Can only add, remove, or create objects in a Realm in a write transaction - call beginWrite on a Realm instance first.") {
    $0.add(OTag())
  },
  Misuse("Can only add, remove, or create objects in a Realm in a write transaction - call beginWrite on a Realm instance first.") {
    $0.create(OTag.self)
  },
  Misuse("'OPlain' does not have a primary key and can not be updated") { realm in
    realm.beginWrite()
    realm.add(OPlain(), update: .modified)
  },
  Misuse("Object has been deleted or invalidated.") { realm in
    let holder = try holder(realm)
    try realm.write { realm.delete(holder) }
    _ = holder.name
  },
  Misuse("Adding a deleted or invalidated object to a Realm is not permitted") { realm in
    let holder = try holder(realm)
    realm.beginWrite()
    let tag = realm.create(OTag.self, value: [1])
    realm.delete(tag)
    holder.tag = tag
  },
  Misuse("Adding a deleted or invalidated object to a Realm is not permitted") { realm in
    realm.beginWrite()
    let tag = realm.create(OTag.self, value: [1])
    realm.delete(tag)
    realm.add(tag)
  },
  Misuse("Can only delete an object from the Realm it belongs to.") { realm in
    realm.beginWrite()
    realm.delete(OTag())
  },
  Misuse("Can only delete an object from the Realm it belongs to.") { realm in
    realm.beginWrite()
    let tag = realm.create(OTag.self, value: [1])
    realm.delete([tag, tag])
  },
  Misuse("Can only delete objects from the Realm they belong to.") { realm in
    realm.beginWrite()
    realm.delete(List<OTag>())
  },
  Misuse("Can't set object of type 'OTag' to property of type 'OTag'") { realm in
    let holder = try holder(realm)
    let tag = try realm.write { realm.create(OTag.self, value: [1]) }
    let frozen = tag.freeze()
    realm.beginWrite()
    holder.tag = frozen
  },
  Misuse("Object is already managed by another Realm. Use create instead to copy it into this Realm.") { realm in
    let holder = try holder(realm)
    let tag = try realm.write { realm.create(OTag.self, value: [1]) }
    let frozen = tag.freeze()
    realm.beginWrite()
    holder.tags.append(frozen)
  },
  Misuse("Can't set link to existing managed embedded object") { realm in
    let holder = try holder(realm)
    realm.beginWrite()
    holder.part = holder.parts[0]
  },
  Misuse("Cannot add an existing managed embedded object to a List.") { realm in
    let holder = try holder(realm)
    realm.beginWrite()
    holder.parts.append(holder.part!)
  },
  Misuse("Cannot add an existing managed embedded object to a Dictionary.") { realm in
    let holder = try holder(realm)
    realm.beginWrite()
    holder.partMap["a"] = holder.part
  },
  Misuse("Embedded objects cannot be created directly") { realm in
    realm.beginWrite()
    realm.dynamicCreate("OPart")
  },
  Misuse("Attempting to modify a frozen object - call thaw on the Object instance first.") { try holder($0).freeze().name = "x" },
  Misuse("LinkingObjects properties are read-only") { _ in OTag().holders = LinkingObjects(fromType: OHolder.self, property: "tags") },
  Misuse("Illegal recursive call") { _ in _ = OReentrant.sharedSchema() },
  Misuse("Failed to convert persisted value '99' to type 'ONumber' in a non-optional context.") { realm in
    let all = try realm.write { realm.create(OAll.self) }
    try realm.write { realm.dynamicObjects("OAll")[0]["number"] = 99 }
    _ = all.number
  },
  Misuse(
    "Failed to default construct a OOdd using the default value for persisted type Int. This conversion must either succeed, the property must be optional, or you must explicitly specify a default value for the property."
  ) { _ in _ = OOddHolder().odd },
  Misuse("Invalid value '{1}' of type") { realm in
    realm.beginWrite()
    realm.create(OTag.self, value: ["id": 1, "text": IntBox()] as [String: Any])
  },

  // Collections

  Misuse("Cannot modify managed List outside of a write transaction.") { try holder($0).ints.append(1) },
  Misuse("Cannot modify managed Set outside of a write transaction.") { try holder($0).intSet.insert(1) },
  Misuse("Cannot modify managed Dictionary outside of a write transaction.") { try holder($0).intMap["a"] = 1 },
  Misuse("Cannot pass a negative value for 'index'.") { _ = try holder($0).ints[-1] },
  Misuse("Index 3 is out of bounds (must be less than 3).") { _ = try holder($0).ints[3] },
  Misuse("Index 0 is out of bounds (must be less than 0).") { _ = $0.objects(OTag.self)[0] },
  Misuse("Index 1 is out of bounds (must be less than 0).") { _ in List<Int>().remove(at: 1) },
  Misuse("Indexes for collection are out of bounds.") { _ = try holder($0).ints.objects(at: [1, 3]) },
  Misuse("It is not possible to remove more objects (4) from a list than it already contains (3).") { realm in
    let ints = try holder(realm).ints
    realm.beginWrite()
    ints.removeLast(4)
  },
  Misuse("This method may only be called on List instances retrieved from a Realm") { _ in _ = List<Int>().sorted(ascending: true) },
  Misuse("Cannot query a member of 'OPoint', which is stored as another type: write .persistableValue before it") {
    _ = $0.objects(OPlaces.self).where { $0.point.x == 1 }
  },
  Misuse("index(of:) is not available on MutableSet") { _ in _ = MutableSet<Int>().index(of: 1) },
  Misuse("index(matching:) is not available on MutableSet") { try _ = holder($0).tagSet.index(matching: "id = 1") },
  Misuse("Right hand side value must be a managed Set.") { realm in
    let set = try holder(realm).intSet
    realm.beginWrite()
    set.formUnion(MutableSet<Int>())
  },
  Misuse("Cannot insersect sets managed by different Realms.") { realm in
    let set = try holder(realm).intSet
    let frozen = set.freeze()
    realm.beginWrite()
    set.formIntersection(frozen)
  },
  Misuse("List is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed.") { realm in
    let ints = try holder(realm).ints
    realm.invalidate()
    _ = ints.count
  },
  Misuse("List is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed.") { realm in
    let map = try holder(realm).anyMap
    let list = try realm.write { () -> List<AnyRealmValue>? in
      map["k"] = .fromArray([.int(1)])
      return map["k"]?.listValue
    }
    try realm.write { map["k"] = .fromArray([.int(2)]) }
    _ = list?.count
  },
  Misuse("List is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed.") { realm in
    let values = try holder(realm).anyList
    realm.beginWrite()
    values.append(.fromArray([.int(1)]))
    let list = values[0].listValue
    values[0] = .int(2)
    list?.append(.int(3))
  },
  Misuse("Access to invalidated Results objects") { realm in
    let tag = try realm.write { realm.create(OTag.self, value: [1]) }
    let holders = tag.holders
    try realm.write { realm.delete(tag) }
    _ = holders.count
  },
  Misuse("Dictionary::insert: key must not contain '.'") { _ in Map<String, Int>()["a.b"] = 1 },
  Misuse("Object of type 'OPlain' does not match List type 'OTag'.") { realm in
    let holder = try holder(realm)
    realm.beginWrite()
    let plain = realm.dynamicCreate("OPlain")
    holder.dynamicList("tags").append(plain)
  },
  Misuse("Value of type 'OPlain' does not match Map value type 'OTag'.") { realm in
    let holder = try holder(realm)
    realm.beginWrite()
    let plain = realm.dynamicCreate("OPlain")
    let map: Map<String, DynamicObject?> = holder.dynamicMap("tagMap")
    map["a"] = plain
  },
  Misuse("Arrays of 'int' can only be aggregated on \"self\"") { _ = try holder($0).ints.sum(ofProperty: "x") as Int },
  Misuse("Unsupported KVC collection operator found in key path '@nope.x'") { _ = $0.objects(OTag.self).value(forKeyPath: "@nope.x") },
  Misuse("Max nesting level reached") { realm in
    let holder = try holder(realm)
    var value = AnyRealmValue.fromArray([])
    for _ in 0..<100 { value = .fromArray([value]) }
    realm.beginWrite()
    holder.any = value
  },
]

@Suite(.mustEnd) struct MisuseTests {
  @Test(.endsProcesses, arguments: objectMisuses.indices) func misuseStopsWithItsText(_ index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in try objectMisuses[index].perform() }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Fatal error: " + objectMisuses[index].text), "\(text.prefix(600))")
  }
}

/// Reads its own schema while it is being made known.
class OReentrant: Unlisted {
  @Persisted var value: Int
  override init() {
    super.init()
    _ = OUnseen().objectSchema
  }
}
class OUnseen: Unlisted { @Persisted var value: Int }

struct OOdd: FailableCustomPersistable {
  typealias PersistedType = Int
  var value: Int
  init?(persistedValue: Int) {
    guard !persistedValue.isMultiple(of: 2) else { return nil }
    value = persistedValue
  }
  var persistableValue: Int { value }
}
class OOddHolder: Unlisted { @Persisted var odd: OOdd }

private struct IntBox: CustomStringConvertible { var description: String { "{1}" } }
