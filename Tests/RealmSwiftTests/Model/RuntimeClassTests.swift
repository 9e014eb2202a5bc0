import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

class RCAnimal: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var friend: RCAnimal?
  func sound() -> String { "nothing" }
}

class RCDog: RCAnimal {
  @Persisted var tricks: List<String>
  override func sound() -> String { "woof \(tricks.count)" }
}

/// Classes that are known at run time only, as in code that keeps any kind of object: elements are instances of the class itself.
@Suite(.mustEnd) struct RuntimeClassTests {
  let directory = TestDirectory()

  private func makeRealm() throws -> Realm {
    let realm = try Realm(
      configuration: .init(fileURL: URL(fileURLWithPath: directory.file("r.realm")), objectTypes: [RCAnimal.self, RCDog.self]))
    try realm.write {
      for id in 0..<10 { realm.create(RCDog.self, value: ["id": id, "name": "dog \(id % 3)", "tricks": ["sit"]]) }
      realm.create(RCAnimal.self, value: ["id": 1, "name": "cat"])
    }
    return realm
  }

  private func expectDogs<Elements: RealmCollection>(_ elements: Elements, _ what: String) where Elements.Element: Object {
    #expect(!elements.isEmpty, "\(what)")
    #expect(elements.allSatisfy { ($0 as? RCDog)?.sound() == "woof 1" }, "\(what): iteration")
    #expect(elements.indices.allSatisfy { elements[$0] is RCDog }, "\(what): by position")
    #expect(Array(elements).compactMap { $0 as? RCDog }.count == elements.count, "\(what): as an array")
    #expect(elements.first is RCDog && elements.last is RCDog, "\(what): the first and the last")
    // An accessor is used again by the iteration when nobody keeps it.
    var ids: [Int] = []
    for element in elements { ids.append((element as? RCDog)?.id ?? -1) }
    #expect(ids == elements.indices.map { elements[$0]["id"] as? Int }, "\(what)")
  }

  private func expectDogs<Element: Object>(of type: Element.Type, in realm: Realm) throws {
    let all = realm.objects(type)
    expectDogs(all, "\(Element.self), all")
    expectDogs(all.filter("id > 3"), "\(Element.self), filtered")
    expectDogs(all.sorted(byKeyPath: "name"), "\(Element.self), sorted")
    expectDogs(all.distinct(by: ["name"]), "\(Element.self), distinct")
    expectDogs(AnyRealmCollection(all), "\(Element.self), any collection")
    expectDogs(all.freeze(), "\(Element.self), frozen")
    expectDogs(try #require(all.freeze().thaw()), "\(Element.self), thawed")
    #expect(realm.object(ofType: type, forPrimaryKey: 3) is RCDog)
  }

  @Test func elementsAreOfTheClassThatWasAskedForAtRunTime() throws {
    let realm = try makeRealm()
    try expectDogs(of: RCDog.self as Object.Type, in: realm)
    try expectDogs(of: RCDog.self as RCAnimal.Type, in: realm)
    try expectDogs(of: RCDog.self, in: realm)
    let animals = realm.objects(RCAnimal.self as Object.Type)
    #expect(animals.count == 1 && animals.allSatisfy { $0 is RCAnimal && !($0 is RCDog) })
    #expect(realm.dynamicObjects("RCDog").allSatisfy { $0["name"] is String })
  }

  @Test func observersAndSectionsHaveThemToo() throws {
    let realm = try makeRealm()
    let all = realm.objects(RCDog.self as RCAnimal.Type)
    let sections = all.sectioned(by: \.name)
    #expect(sections.count == 3 && sections.allSatisfy { section in section.allSatisfy { $0 is RCDog } })
    let seen = Locked<[String]>([])
    let done = DispatchSemaphore(value: 0)
    let token = all.observe(on: DispatchQueue(label: "runtime classes")) { change in
      if case .initial(let animals) = change { seen.withLock { $0 = animals.map { $0.sound() } } }
      done.signal()
    }
    done.wait()
    #expect(seen.withLock { $0 } == Array(repeating: "woof 1", count: 10))
    token.invalidate()
  }

  /// The pattern of wrappers that hide what they store objects in.
  @Test func wrappersFindWhatTheyKeep() throws {
    func all<T>(_ model: T.Type, in realm: Realm) -> [T] {
      guard let type = model as? Object.Type else { return [] }
      return realm.objects(type).compactMap { $0 as? T }
    }
    let realm = try makeRealm()
    #expect(all(RCDog.self, in: realm).map(\.id) == Array(0..<10))
    #expect(all(RCAnimal.self, in: realm).map(\.name) == ["cat"])
  }
}
