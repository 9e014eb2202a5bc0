import TestSupport
import Testing

@testable import RealmSwift

/// Accessors of objects that are gone delete nothing, whatever has their key now.
@Suite struct DeletingGoneObjectsTests {
  let directory = TestDirectory()

  @Test(arguments: [false, true]) func anAccessorFromBeforeAnInvalidationDeletesNothing(inArray: Bool) throws {
    let realm = try directory.objectRealm()
    let tag = try realm.write { realm.create(OTag.self, value: ["id": 1]) }
    realm.invalidate()
    #expect(tag.isInvalidated)
    try realm.write { if inArray { realm.delete([tag]) } else { realm.delete(tag) } }
    #expect(realm.objects(OTag.self).map(\.id) == [1])
  }

  @Test(arguments: [false, true]) func anAccessorFromACancelledTransactionDeletesNothing(inArray: Bool) throws {
    let realm = try directory.objectRealm()
    realm.beginWrite()
    let plain = realm.create(OPlain.self)
    realm.cancelWrite()
    #expect(plain.isInvalidated)
    try realm.write {
      // It gets the key that the other one had.
      let other = realm.create(OPlain.self)
      if inArray { realm.delete([plain]) } else { realm.delete(plain) }
      #expect(!other.isInvalidated)
    }
    #expect(realm.objects(OPlain.self).count == 1)
  }
}
