import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite struct ObjectTests {
  let directory = TestDirectory()

  @Test func aWrittenObjectIsReadBackByAnotherOpening() throws {
    let id = ObjectId.generate()
    let token = UUID()
    do {
      let realm = try Realm(configuration: directory.configuration())
      let person = Person()
      person._id = id
      person.name = "Ada"
      person.age = 36
      person.born = Date(timeIntervalSince1970: 1.5)
      person.data = Data([1, 2, 3])
      person.height = 1.7
      person.isNice = true
      person.money = 12.5
      person.token = token
      let rex = Dog(value: ["name": "Rex", "age": 3])
      person.favourite = rex
      person.home = Address(value: ["street": "Main"])
      person.dogs.append(objectsIn: [rex, Dog(value: ["Bella", 5])])
      person.scores.append(objectsIn: [3, 1, 2])
      person.nicknames.insert(objectsIn: ["b", "a"])
      person.ratings["x"] = 7
      person.pets["first"] = rex
      person.places.append(Address(value: ["street": "Second"]))
      person.anything = .string("hello")
      try realm.write { realm.add(person) }
      #expect(person.realm == realm)
      #expect(rex.realm == realm)
      #expect(person.dogs === person.dogs)
      #expect(realm.objects(Dog.self).count == 2)
    }
    let realm = try Realm(configuration: directory.configuration())
    let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: id))
    #expect(person.name == "Ada")
    #expect(person.age == 36)
    #expect(person.born == Date(timeIntervalSince1970: 1.5))
    #expect(person.data == Data([1, 2, 3]))
    #expect(person.height == 1.7)
    #expect(person.isNice)
    #expect(person.money == 12.5)
    #expect(person.token == token)
    #expect(person.favourite?.name == "Rex")
    #expect(person.home?.street == "Main")
    #expect(person.home?.city == nil)
    #expect(person.dogs.map(\.name) == ["Rex", "Bella"])
    #expect(Array(person.scores) == [3, 1, 2])
    #expect(Array(person.nicknames) == ["a", "b"])
    #expect(person.ratings["x"] == 7)
    #expect(person.pets["first"]??.age == 3)
    #expect(person.places.first?.street == "Second")
    #expect(person.anything == .string("hello"))
    #expect(person.dogs[0].owners.count == 1)
    #expect(person.dogs[0].owners.first?._id == id)
    #expect(person.dogs[0].mood == .calm)
  }

  @Test func createCopiesNestedDictionariesAndUpdatesByPrimaryKey() throws {
    let realm = try Realm(configuration: directory.configuration())
    let id = ObjectId.generate()
    try realm.write {
      let person = realm.create(
        Person.self, value: ["_id": id, "name": "Bob", "favourite": ["name": "Rex", "age": 1], "dogs": [["A", 1], ["B", 2]]] as [String: Any])
      #expect(person.age == 30)
      #expect(person.dogs.count == 2)
      realm.create(Person.self, value: ["_id": id, "age": 31] as [String: Any], update: .modified)
      #expect(person.age == 31)
      #expect(person.name == "Bob")
    }
    #expect(realm.objects(Person.self).count == 1)
    #expect(realm.objects(Dog.self).count == 3)
  }

  @Test func aThrowingBlockLeavesNoTrace() throws {
    struct Refusal: Error {}
    let realm = try Realm(configuration: directory.configuration())
    var dog: Dog?
    #expect(throws: Refusal.self) {
      try realm.write {
        dog = realm.create(Dog.self, value: ["name": "Rex"])
        throw Refusal()
      }
    }
    #expect(dog?.isInvalidated == true)
    #expect(realm.isEmpty)
  }

  @Test func deletingATargetNullsLinksAndShrinksLists() throws {
    let realm = try Realm(configuration: directory.configuration())
    try realm.write {
      let rex = realm.create(Dog.self, value: ["name": "Rex"])
      let person = realm.create(Person.self, value: ["name": "Ada", "favourite": rex, "dogs": [rex], "pets": ["a": rex]] as [String: Any])
      realm.delete(rex)
      #expect(rex.isInvalidated)
      #expect(person.favourite == nil)
      #expect(person.dogs.isEmpty)
      #expect(person.pets.keys == ["a"])
      #expect(person.pets["a"]! == nil)
    }
  }

  @Test func iterationGoesThroughTheElementsOfItsStart() throws {
    let realm = try Realm(configuration: directory.configuration())
    try realm.write { for index in 0..<1000 { realm.create(Dog.self, value: ["name": "dog \(index)", "age": index] as [String: Any]) } }
    var sum = 0
    for dog in realm.objects(Dog.self) { sum += dog.age }
    #expect(sum == 499_500)
    try realm.write { for dog in realm.objects(Dog.self) where dog.age % 2 == 0 { realm.delete(dog) } }
    #expect(realm.objects(Dog.self).count == 500)
  }

  @Test func aPartOfLiveResultsOrOfAListIsDeletedAsItWas() throws {
    let realm = try Realm(configuration: directory.configuration())
    try realm.write {
      let person = realm.create(Person.self, value: ["dogs": (0..<10).map { ["name": "\($0)"] }])
      realm.delete(realm.objects(Dog.self).sorted(byKeyPath: "name").prefix(3))
      #expect(person.dogs.map { $0.name } == (3..<10).map { "\($0)" })
      realm.delete(person.dogs[1...2])
      #expect(person.dogs.map { $0.name } == ["3", "6", "7", "8", "9"])
      realm.delete(person.dogs.lazy.filter { $0.name > "7" })
      #expect(realm.objects(Dog.self).map { $0.name } == ["3", "6", "7"])
    }
  }

  @Test func frozenObjectsKeepTheirVersion() throws {
    let realm = try Realm(configuration: directory.configuration())
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex", "age": 1] as [String: Any]) }
    let frozen = dog.freeze()
    try realm.write { dog.age = 2 }
    #expect(frozen.age == 1)
    #expect(frozen.isFrozen)
    #expect(dog.age == 2)
    #expect(frozen.thaw()?.age == 2)
  }
}
