import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private class GoneTarget: Unlisted { @Persisted(primaryKey: true) var name: String }
private class GoneHolder: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var target: GoneTarget?
  @Persisted var text: String
}

/// Objects that are added in one go, and link to one that is gone.
@Suite struct GoneLinkTests {
  private let directory = TestDirectory()
  private let refusal = "Adding a deleted or invalidated object to a Realm is not permitted"

  private func realm() throws -> Realm {
    try Realm(configuration: Realm.Configuration(fileURL: directory.fileURL(), objectTypes: [GoneTarget.self, GoneHolder.self]))
  }

  private func refuses(_ target: GoneTarget, in realm: Realm) throws {
    let holder = GoneHolder(value: ["id": 1, "text": "a"] as [String: Any])
    holder.target = target
    let error = #expect(throws: Realm.Error.self) { try realm.write { try realm.throwing.add(holder) } }
    #expect(error?.localizedDescription == refusal)
    #expect(realm.objects(GoneHolder.self).isEmpty)
  }

  @Test func anObjectOfACancelledTransactionIsNotTakenForTheOneThatHasItsKeyNow() throws {
    let realm = try realm()
    realm.beginWrite()
    let gone = realm.create(GoneTarget.self, value: ["gone"])
    realm.cancelWrite()
    let other = try realm.write { realm.create(GoneTarget.self, value: ["other"]) }
    #expect(gone.key == other.key)
    try refuses(gone, in: realm)
  }

  @Test func anInvalidatedObjectIsRefused() throws {
    let realm = try realm()
    let target = try realm.write { realm.create(GoneTarget.self, value: ["a"]) }
    realm.invalidate()
    try refuses(target, in: realm)
  }

  @Test func anObjectThatWasDeletedElsewhereIsThrown() throws {
    let realm = try realm()
    let target = try realm.write { realm.create(GoneTarget.self, value: ["a"]) }
    try realm.write { realm.delete(realm.objects(GoneTarget.self)) }
    try refuses(target, in: realm)
  }

  @Test func whatCouldNotBeStoredIsManagedAfterwards() throws {
    let realm = try realm()
    let target = try realm.write { realm.create(GoneTarget.self, value: ["a"]) }
    try realm.write {
      realm.delete(realm.objects(GoneTarget.self))
      let holder = GoneHolder(value: ["id": 1, "text": "b"] as [String: Any])
      holder.target = target
      #expect(throws: Realm.Error.self) { try realm.throwing.add(holder) }
      #expect(holder.realm == realm)
      #expect(holder.text == "b" && holder.target == nil)
      realm.cancelWrite()
    }
  }
}
