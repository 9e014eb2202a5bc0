import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmSwift

/// `index(of:)` and `index(matching:)` of managed objects say what looking at one element after the other says.
@Suite struct ElementPositionTests {
  let directory = TestDirectory()

  private func expectPositions<Elements: RealmCollection>(
    _ elements: Elements, of objects: [OPlain], _ what: String
  ) where Elements.Element == OPlain {
    let model = Array(elements)
    for object in objects { #expect(elements.index(of: object) == model.firstIndex { $0.isSameObject(as: object) }, "\(what): \(object.number)") }
    for number in [-1, 0, 40, 41, 4_000] {
      #expect(elements.index(matching: "number == %@", number) == model.firstIndex { $0.number == number }, "\(what): number \(number)")
    }
  }

  @Test func positionsAreThoseOfAWalk() throws {
    var random = SeededGenerator(test: 74)
    let realm = try directory.objectRealm()
    let holder = try realm.write {
      for number in 0..<1_200 { realm.create(OPlain.self, value: ["text": "\(number % 3)", "number": number]) }
      let holder = realm.create(OHolder.self, value: ["id": 1])
      let all = Array(realm.objects(OPlain.self))
      // Several leaves; some objects are in it more than once.
      for _ in 0..<1_200 { holder.plains.append(all[random.below(all.count)]) }
      return holder
    }
    func expectAll(_ context: String) {
      let all = realm.objects(OPlain.self)
      let some = (0..<12).map { _ in all[random.below(all.count)] }
      expectPositions(all, of: some, "\(context), class")
      expectPositions(holder.plains, of: some, "\(context), list")
      expectPositions(all.filter("text == '1'"), of: some, "\(context), filter")
      expectPositions(all.sorted(byKeyPath: "text"), of: some, "\(context), sorted")
      expectPositions(holder.plains.sorted(byKeyPath: "number", ascending: false), of: some, "\(context), sorted list")
      expectPositions(holder.plains.distinct(by: ["number"]), of: some, "\(context), distinct list")
    }
    expectAll("as created")
    try realm.write {
      for _ in 0..<200 { realm.delete(realm.objects(OPlain.self)[random.below(realm.objects(OPlain.self).count)]) }
      // The transaction itself sees them, too.
      expectAll("while deleting")
    }
    expectAll("after deleting")
    let frozen = holder.freeze()
    for place in [0, 500, frozen.plains.count - 1] {
      let object = frozen.plains[place]
      #expect(frozen.plains.index(of: object) == Array(frozen.plains).firstIndex { $0.isSameObject(as: object) })
      #expect(holder.plains.index(of: object) == nil, "an object of another realm")
    }
  }

  private func expectMembership<Elements: RealmCollection>(_ elements: Elements, of objects: [Elements.Element], _ what: String) {
    let model = Array(elements)
    for (index, object) in objects.enumerated() {
      #expect(elements.contains(object) == model.contains(object), "\(what): object \(index)")
      #expect(elements.firstIndex(of: object) == model.firstIndex(of: object), "\(what): object \(index)")
    }
  }

  /// The standard library's `contains` and `firstIndex(of:)` say what comparing with one element after the other says, whatever equality is.
  @Test func membershipIsThatOfEqualElements() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write {
      let holder = realm.create(OHolder.self, value: ["id": 1])
      for number in 0..<30 {
        let tag = realm.create(OTag.self, value: ["id": number, "number": number % 3])
        let plain = realm.create(OPlain.self, value: ["number": number])
        if number % 2 == 0 { holder.tags.append(objectsIn: [tag, tag]) }
        if number % 2 == 0 { holder.plains.append(plain) }
        if number % 5 == 0 { holder.tagSet.insert(tag) }
      }
      return holder
    }
    let gone = try #require(realm.object(ofType: OTag.self, forPrimaryKey: 29))
    try realm.write { realm.delete(realm.objects(OTag.self).where { $0.id == 29 }) }
    let frozen = holder.freeze()
    let other = try directory.objectRealm().freeze()
    let tags = realm.objects(OTag.self)
    let asked = [tags[0], tags[5], tags[28], OTag(), gone, frozen.tags[0], try #require(other.objects(OTag.self).first)]
    for all in [tags, frozen.realm?.objects(OTag.self)].compactMap(\.self) {
      expectMembership(all, of: asked, "class")
      expectMembership(all.filter("number == 1"), of: asked, "filter")
      expectMembership(all.sorted(byKeyPath: "number"), of: asked, "sorted")
      expectMembership(AnyRealmCollection(all), of: asked, "any collection")
    }
    for tags in [holder.tags, frozen.tags, OHolder().tags] { expectMembership(tags, of: asked, "list") }
    expectMembership(holder.tagSet, of: asked, "set")
    expectMembership(tags[0].holders, of: [holder, frozen], "linking objects")
    let plains = realm.objects(OPlain.self)
    let plain = plains[0]
    for plains in [holder.plains, frozen.plains] { expectMembership(plains, of: [plain, frozen.plains[3], OPlain()], "without a primary key") }
    #expect(holder.tags.contains(tags[28]) && !holder.tags.contains(tags[5]) && holder.tags.firstIndex(of: tags[28]) == 28)
    #expect(frozen.plains.contains(frozen.plains[3]) && !holder.plains.contains(holder.plains[3]))
  }

  /// Each is asked of results of which nothing is known yet: they find it out in another way than those that know their elements.
  private func expectFirst(_ context: String, _ results: () -> Results<OPlain>) {
    let model = Array(results())
    #expect(results().isEmpty == model.isEmpty, "\(context)")
    let fresh = results()
    for attempt in 1...3 { #expect(fresh.first?.number == model.first?.number, "\(context), attempt \(attempt)") }
    #expect(fresh.isEmpty == model.isEmpty && fresh.count == model.count, "\(context)")
    #expect(fresh.map(\.number) == model.map(\.number), "\(context)")
    let frozen = results().freeze()
    #expect(frozen.isEmpty == model.isEmpty && frozen.first?.number == model.first?.number, "\(context), frozen")
  }

  @Test func theFirstElementIsTheSameWhetherTheOthersAreKnownOrNot() throws {
    let realm = try directory.objectRealm()
    let all = realm.objects(OPlain.self)
    func expectAll(_ context: String) {
      for format in ["number >= 0", "number == 77", "number > 500", "text == '2'", "number < 0", "text == '1' && number > 900"] {
        expectFirst("\(context), \(format)") { all.filter(format) }
        expectFirst("\(context), \(format), sorted") { all.filter(format).sorted(byKeyPath: "number", ascending: false) }
        expectFirst("\(context), \(format), sorted by two") {
          all.filter(format).sorted(by: [SortDescriptor(keyPath: "text", ascending: false), SortDescriptor(keyPath: "number")])
        }
        expectFirst("\(context), sorted, \(format)") { all.sorted(byKeyPath: "text").filter(format) }
        expectFirst("\(context), \(format), distinct") { all.filter(format).distinct(by: ["text"]) }
        expectFirst("\(context), \(format), sorted and distinct") { all.filter(format).sorted(byKeyPath: "number").distinct(by: ["text"]) }
      }
    }
    expectAll("empty")
    try realm.write { for number in 0..<1_200 { realm.create(OPlain.self, value: ["text": "\(number % 3)", "number": number]) } }
    expectAll("as created")
    // The same results follow what changes.
    let open = all.filter("number >= 0")
    try realm.write {
      for number in 0..<50 {
        #expect(open.first?.number == number)
        if let first = open.first { realm.delete(first) }
      }
    }
    #expect(open.first?.number == 50)
    expectAll("after deleting")
    try realm.write { realm.delete(all) }
    #expect(open.first == nil && open.isEmpty)
  }

  @Test func classesThatHaveNoSuchObjectsHaveNoPosition() throws {
    let realm = try directory.objectRealm()
    let other = try TestDirectory().objectRealm()
    let (mine, foreign) = (OPlain(), OPlain())
    try realm.write { realm.add(mine) }
    try other.write { other.add(foreign) }
    let all = realm.objects(OPlain.self)
    #expect(all.index(of: mine) == 0)
    #expect(all.index(of: foreign) == nil)
    #expect(all.index(of: OPlain()) == nil)
    #expect(all.index(matching: "number == 8") == nil)
    #expect(realm.objects(OHolder.self).index(matching: "id == 8") == nil)
    #expect(throws: (any Error).self) { try all.throwing.index(matching: "nobody == 8") }
  }
}
