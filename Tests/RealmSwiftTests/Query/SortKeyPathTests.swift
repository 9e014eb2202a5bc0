import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What nothing can be sorted by, in the words of the original (Q18.1).
@Suite struct SortKeyPathTests {
  private let directory = TestDirectory()

  private static let refusals: [(String, String)] = [
    ("", "missing property name"),
    ("pet.", "missing property name"),
    (".name", "missing property name"),
    ("pet..name", "missing property name"),
    ("nope", "property 'QueryPerson.nope' does not exist"),
    ("pet.nope", "property 'QueryPet.nope' does not exist"),
    ("friend.friend.nope.x", "property 'QueryPerson.nope' does not exist"),
    ("pet", "property 'QueryPerson.pet' of type 'object' cannot be the final property in the key path"),
    ("a.b", "property 'QueryPerson.a' of type 'int' may only be the final property in the key path"),
    ("dec.b", "property 'QueryPerson.dec' of type 'decimal' may only be the final property in the key path"),
    ("map[k].b", "property 'QueryPerson.map' of type 'dictionary<string, int>' may only be the final property in the key path"),
    ("data", "property 'QueryPerson.data' is of unsupported type 'data'"),
    ("ints", "property 'QueryPerson.ints' is of unsupported type 'array'"),
    ("pets.name", "property 'QueryPerson.pets' is of unsupported type 'array'"),
    ("dates", "property 'QueryPerson.dates' is of unsupported type 'set'"),
    ("pet.owners", "property 'QueryPet.owners' is of unsupported type 'linking objects'"),
    ("map", "missing dictionary key"),
    ("map[k", "missing ']'"),
  ]

  @Test func `key paths are refused with a text that names the property`() throws {
    let realm = try Realm(configuration: directory.configuration(queryTypes))
    let results = try #require(realm.objects(QueryPerson.self).results)
    for (keyPath, reason) in Self.refusals {
      let text = "Cannot sort on key path '\(keyPath)': \(reason)."
      #expect { try results.sorted([SortDescriptor(keyPath: keyPath)]) } throws: { ($0 as? RealmFailure)?.text == text }
      #expect { try results.distinct([keyPath]) } throws: { ($0 as? RealmFailure)?.text == text }
    }
  }

  @Test func `keys of dictionaries and names behind links are accepted`() throws {
    let realm = try Realm(configuration: directory.configuration(queryTypes))
    for keyPath in ["map[k]", "friend.map['k']", "pet.name", "friend.friend.dec", "mixed", "uuid", "oid", "pet.place.name"] {
      #expect(realm.objects(QueryPerson.self).sorted(byKeyPath: keyPath).isEmpty)
      #expect(realm.objects(QueryPerson.self).distinct(by: [keyPath]).isEmpty)
    }
  }

  @Test(.endsProcesses) func `values are sorted by themselves`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "sort", objectTypes: queryTypes))
      try realm.write {
        let person = realm.create(QueryPerson.self, value: ["id": 1])
        _ = person.ints.distinct(by: ["self", "self"])
      }
    }
    #expect(result?.stopped(with: "Cannot sort array of 'int' on more than one key path") == true)
  }
}
