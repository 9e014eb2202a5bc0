import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private class Nest: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var any: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
}

/// Collections of `AnyRealmValue`s that are filled with what they hold.
@Suite struct NestedInputTests {
  private let directory = TestDirectory()

  private func nest(_ values: [String: Any]) throws -> (Realm, Nest) {
    let realm = try Realm(configuration: Realm.Configuration(fileURL: directory.fileURL(), objectTypes: [Nest.self]))
    return (realm, try realm.write { realm.create(Nest.self, value: values, update: .all) })
  }

  private func ints(_ value: AnyRealmValue?) -> [Int?]? { value?.listValue.map { $0.map(\.intValue) } }

  @Test(arguments: [Realm.UpdatePolicy.all, .modified]) func createWithTheElementsOfTheListKeepsNestedOnes(_ policy: Realm.UpdatePolicy) throws {
    let (realm, nest) = try nest(["id": 1, "list": ["x", [1, 2]] as [Any]])
    try realm.write {
      let values = Array(nest.list.reversed()) + [.int(9)]
      realm.create(Nest.self, value: ["id": 1, "list": values] as [String: Any], update: policy)
    }
    #expect(nest.list.count == 3)
    #expect(ints(nest.list.first) == [1, 2])
    #expect(nest.list[1] == .string("x") && nest.list[2] == .int(9))
  }

  @Test func aListIsReplacedByElementsOfItsOwn() throws {
    let (realm, nest) = try nest(["id": 1, "list": [[1, 2], "x", ["a": [3]]] as [Any]])
    try realm.write { nest.list.replaceSubrange(0..<3, with: [nest.list[2], nest.list[0]]) }
    #expect(nest.list.count == 2)
    #expect(ints(nest.list[0].dictionaryValue?["a"]) == [3])
    #expect(ints(nest.list[1]) == [1, 2])
    let other = List<AnyRealmValue>()
    other.append(objectsIn: nest.list.reversed())
    try realm.write { nest.list = other }
    #expect(ints(nest.list[0]) == [1, 2])
  }

  @Test func aMapIsAssignedEntriesOfItsOwn() throws {
    let (realm, nest) = try nest(["id": 1, "map": ["a": [1, 2], "b": 3] as [String: Any]])
    let other = Map<String, AnyRealmValue>()
    other["c"] = nest.map["a"]
    try realm.write { nest.map = other }
    #expect(nest.map.keys == ["c"])
    #expect(ints(nest.map["c"]) == [1, 2])
  }

  @Test func aValueByNameIsNestedInItself() throws {
    let (realm, nest) = try nest(["id": 1, "any": [1, 2]])
    try realm.write { nest["any"] = [nest["any"]] }
    #expect(ints(nest.any.listValue?.first) == [1, 2])
    try realm.write { nest["any"] = ["a": [nest["any"]]] }
    #expect(ints(nest.any.dictionaryValue?["a"]?.listValue?.first?.listValue?.first) == [1, 2])
  }

  @Test func aListInMemoryThatHoldsItselfIsThrown() throws {
    let (realm, _) = try nest(["id": 1])
    let list = List<AnyRealmValue>()
    list.append(.list(list))
    let knot = Nest(value: [2])
    knot.any = .list(list)
    let error = #expect(throws: Realm.Error.self) { try realm.write { try realm.throwing.add(knot) } }
    #expect(error?.localizedDescription == "Max nesting level reached")
    list.removeAll()
  }
}
