import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private class AnyOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var number: Int
}

/// An `AnyRealmValue` that holds a list equals every list, one that holds a dictionary every dictionary (Q5.4).
@Suite struct NestedValueQueryTests {
  private let directory = TestDirectory()

  private func owners() throws -> Results<AnyOwner> {
    let realm = try Realm(configuration: directory.configuration([AnyOwner.self]))
    let values: [AnyRealmValue] = [
      .fromArray([.int(1)]), .fromArray([]), .fromDictionary(["k": .int(1)]), .fromDictionary([:]), .none, .int(1), .string("list"),
    ]
    try realm.write {
      for (id, value) in values.enumerated() {
        let owner = realm.create(AnyOwner.self, value: ["id": id] as [String: Any])
        owner.any = value
        owner.anys.append(value)
      }
    }
    return realm.objects(AnyOwner.self).sorted(byKeyPath: "id")
  }

  @Test func `typed queries find lists and dictionaries`() throws {
    let owners = try owners()
    func ids(_ isIncluded: (Query<AnyOwner>) -> Query<Bool>) -> [Int] { owners.where(isIncluded).map(\.id) }
    #expect(ids { $0.any == .fromArray([.string("other")]) } == [0, 1])
    #expect(ids { $0.any == .fromDictionary([:]) } == [2, 3])
    #expect(ids { $0.any != .fromArray([]) } == [2, 3, 4, 5, 6])
    #expect(ids { $0.any.in([.fromArray([]), .int(1)]) } == [0, 1, 5])
    #expect(ids { $0.anys == .fromDictionary([:]) } == [2, 3])
    #expect(ids { $0.anys.contains(.fromArray([])) } == [0, 1])
    #expect(ids { $0.any == owners[0].any } == [0, 1])
  }

  @Test func `formats find lists and dictionaries`() throws {
    let owners = try owners()
    func ids(_ format: String, _ arguments: Any...) -> [Int] { owners.filter(NSPredicate(format: format, argumentArray: arguments)).map(\.id) }
    #expect(ids("#any == %@", AnyRealmValue.fromArray([])) == [0, 1])
    #expect(ids("#any == %@", [1, 2] as [Int]) == [0, 1])
    #expect(ids("#any == %@", ["k": 1]) == [2, 3])
    #expect(ids("#any != %@", AnyRealmValue.fromDictionary([:])) == [0, 1, 4, 5, 6])
    #expect(ids("ANY anys == %@", [] as [Int]) == [0, 1])
    let alternatives: [AnyRealmValue] = [.fromArray([]), .fromDictionary([:]), .int(1)]
    #expect(owners.filter("#any IN %@", alternatives).map(\.id) == [0, 1, 2, 3, 5])
    let nested: [[Int]] = [[1], []]
    #expect(owners.filter("#any IN %@", nested).map(\.id) == [0, 1])
  }

  @Test(.endsProcesses) func `other properties hold neither`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "nested", objectTypes: [AnyOwner.self]))
      _ = realm.objects(AnyOwner.self).filter("number == %@", [1, 2])
    }
    #expect(result?.standardError.contains("to property 'number' of type 'int'") == true)
  }
}
