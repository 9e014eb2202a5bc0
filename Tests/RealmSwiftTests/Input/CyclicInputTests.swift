import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class OKnot: Unlisted {
  @Persisted var name = ""
  @Persisted var next: OKnot?
  @Persisted var others: List<OKnot>
  @Persisted var any: AnyRealmValue
}

@Suite struct CyclicInputTests {
  let directory = TestDirectory()

  private func realm(_ name: String = "test.realm") throws -> Realm {
    try Realm(configuration: Realm.Configuration(fileURL: directory.fileURL(name), objectTypes: [OKnot.self]))
  }

  /// Two objects that link to each other in every way there is.
  private func cycle() -> (OKnot, OKnot) {
    let a = OKnot(value: ["name": "a"])
    let b = OKnot(value: ["name": "b"])
    a.next = b
    b.next = a
    a.others.append(objectsIn: [a, b])
    b.any = .object(a)
    return (a, b)
  }

  private func check(_ copy: OKnot) {
    #expect(copy.name == "a")
    #expect(copy.next?.name == "b")
    #expect(copy.next?.next?.isSameObject(as: copy) == true)
    #expect(copy.others.map(\.name) == ["a", "b"])
    #expect(copy.others[0].isSameObject(as: copy))
    #expect(copy.next?.any.object(OKnot.self)?.isSameObject(as: copy) == true)
  }

  @Test func createCopiesEachInstanceOfACycleOnce() throws {
    let realm = try realm()
    let (a, b) = cycle()
    let copy = try realm.write { realm.create(OKnot.self, value: a) }
    check(copy)
    #expect(realm.objects(OKnot.self).count == 2)
    #expect(a.realm == nil && b.realm == nil)
    a.next = nil
    b.next = nil
    a.others.removeAll()
  }

  @Test func eachCallOfCreateCopiesAnew() throws {
    let realm = try realm()
    let (a, _) = cycle()
    let copies = try realm.write { (0..<3).map { _ in realm.create(OKnot.self, value: a) } }
    copies.forEach(check)
    #expect(realm.objects(OKnot.self).count == 6)
  }

  @Test func aCycleOfAnotherRealmIsCopied() throws {
    let (first, second) = (try realm(), try realm("other.realm"))
    let (a, _) = cycle()
    try first.write { first.add(a) }
    check(a)
    #expect(first.objects(OKnot.self).count == 2)
    check(try second.write { second.create(OKnot.self, value: a) })
    #expect(second.objects(OKnot.self).count == 2)
  }

  @Test func cyclesWithPrimaryKeysAreUpdated() throws {
    let realm = try Realm(configuration: directory.configuration([OLoop.self]))
    let (a, b) = (OLoop(value: [1]), OLoop(value: [2]))
    (a.next, b.next) = (b, a)
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      let copy = try realm.write { realm.create(OLoop.self, value: a, update: policy) }
      #expect(copy.next?.next == copy)
      #expect(realm.objects(OLoop.self).count == 2)
    }
  }

  @Test func updatesInPlaceFollowACycleOnce() throws {
    let types = [OLoopHolder.self, OKnot.self]
    let realm = try Realm(configuration: directory.configuration(types))
    let (a, _) = cycle()
    try realm.write {
      realm.create(OLoopHolder.self, value: ["id": 1, "knot": a] as [String: Any])
      a.name = "a"
      realm.create(OLoopHolder.self, value: ["id": 1, "knot": a] as [String: Any], update: .modified)
    }
    check(try #require(realm.objects(OLoopHolder.self).first?.knot))
  }
}

class OLoop: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var next: OLoop?
}
class OLoopHolder: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var knot: OKnot?
}
