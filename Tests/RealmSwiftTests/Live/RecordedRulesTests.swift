import Foundation
import RealmSwift
import TestSupport
import Testing

final class RuleItem: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var id = 0
  @Persisted var n = 0
  @Persisted var link: RuleItem?
  @Persisted var items: List<RuleItem>
  @Persisted var numbers: List<Int>
  @Persisted var any: AnyRealmValue
  @Persisted var part: RulePart?
  @Persisted(originProperty: "link") var linkers: LinkingObjects<RuleItem>
}

final class RulePart: EmbeddedObject {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var v = 0
}

/// Rules that the recorded scenarios of the original show, one by one.
@Suite(.mustEnd) struct RecordedRulesTests {
  private let directory = TestDirectory(inMemory: true)
  private let log = ReportLog()

  @MainActor private func open(_ count: Int) throws -> (realm: Realm, items: [RuleItem]) {
    let realm = try Realm(configuration: directory.configuration([RuleItem.self, RulePart.self]))
    return (realm, try realm.write { (0..<count).map { realm.create(RuleItem.self, value: ["id": $0]) } })
  }

  @MainActor private func observed<C: RealmCollection>(_ collection: C, _ realm: Realm, keyPaths: [String]? = nil) -> NotificationToken {
    let token = collection.observe(keyPaths: keyPaths) { [log] in log.note($0) }
    realm.refresh()
    _ = log.take()
    return token
  }

  @MainActor private func reports(_ realm: Realm, _ body: () -> Void) throws -> [String] {
    try realm.write(body)
    realm.refresh()
    return log.take()
  }

  @MainActor @Test func ofEqualElementsTheFirstAreTheSame() throws {
    let (realm, items) = try open(3)
    try realm.write { items[0].items.append(objectsIn: [items[1], items[1]]) }
    let token = observed(items[0].items.sorted(byKeyPath: "id", ascending: false), realm)
    #expect(try reports(realm) { items[0].items.insert(items[2], at: 0) } == ["-[] +[0] ~[]"])
    #expect(try reports(realm) { items[0].items.remove(at: 1) } == ["-[2] +[] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func aSortedValueIsTheElementThatItComesFrom() throws {
    let (realm, items) = try open(1)
    try realm.write { items[0].numbers.append(objectsIn: [5, 1, 3]) }
    let numbers = items[0].numbers
    let token = observed(numbers.sorted(), realm)
    #expect(try reports(realm) { numbers[0] = 5 } == ["-[] +[] ~[2]"])
    #expect(try reports(realm) { numbers[0] = 4 } == ["-[] +[] ~[2]"])
    #expect(try reports(realm) { numbers[0] = 0 } == ["-[2] +[0] ~[]"])
    #expect(try reports(realm) { numbers.insert(9, at: 0) } == ["-[] +[3] ~[]"])
    #expect(try reports(realm) { numbers.removeAll() } == ["-[0, 1, 2, 3] +[] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func anyPropertyCountsForKeyPathsThatEndInAsterisks() throws {
    let (realm, items) = try open(2)
    try realm.write {
      items[0].link = items[1]
      items[0].part = RulePart()
    }
    let token = observed(realm.objects(RuleItem.self), realm, keyPaths: ["*.*"])
    #expect(try reports(realm) { items[1].n = 1 } == ["-[] +[] ~[0, 1]"])
    token.invalidate()
    let named = observed(realm.objects(RuleItem.self), realm, keyPaths: ["*.v"])
    #expect(try reports(realm) { items[0].n = 1 }.isEmpty)
    #expect(try reports(realm) { items[0].part?.v = 1 } == ["-[] +[] ~[0]"])
    named.invalidate()
  }

  @MainActor @Test func backlinksChangeForWhoIsLinkedToNow() throws {
    let (realm, items) = try open(3)
    try realm.write { items[0].link = items[1] }
    let token = observed(realm.objects(RuleItem.self), realm, keyPaths: ["linkers"])
    #expect(try reports(realm) { items[0].link = items[2] } == ["-[] +[] ~[2]"])
    #expect(try reports(realm) { items[0].link = nil }.isEmpty)
    token.invalidate()
  }

  @MainActor @Test func aCollectionInAPropertyEndsWhenAnotherValueTakesItsPlace() throws {
    let (realm, items) = try open(1)
    try realm.write { items[0].any = .fromArray([.int(1), .int(2)]) }
    let list = try #require(items[0].any.listValue)
    let token = observed(list, realm)
    #expect(try reports(realm) { items[0].any = .fromArray([.int(3)]) } == ["-[0, 1] +[0] ~[]"])
    #expect(list == items[0].any.listValue && !list.isInvalidated)
    let changes = try reports(realm) {
      items[0].any = .int(4)
      items[0].any = .fromArray([.int(5)])
    }
    #expect(changes == ["-[0] +[] ~[]"])
    #expect(list.isInvalidated)
    #expect(items[0].any.listValue?.first == .int(5))
    #expect(try reports(realm) { items[0].any.listValue?.append(.int(6)) }.isEmpty)
    token.invalidate()
  }
}
