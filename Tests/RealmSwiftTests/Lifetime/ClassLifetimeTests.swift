import TestSupport
import Testing

@testable import RealmSwift

/// What a realm keeps of its classes, which lead to each other by links.
@Suite(.mustEnd) struct ClassLifetimeTests {
  let directory = TestDirectory()

  @Test func theClassesOfARealmGoWithIt() throws {
    weak var dog: ClassBinding?
    weak var person: ClassBinding?
    try autoreleasepool {
      let realm = try Realm(configuration: directory.configuration())
      try realm.write { realm.create(Person.self, value: ["favourite": ["Rex", 1]]) }
      #expect(realm.objects(Person.self).first?.favourite?.owners.count == 0)
      dog = realm.objects(Dog.self).first?.binding
      person = realm.objects(Person.self).first?.binding
      #expect(dog != nil && person != nil)
    }
    #expect(dog == nil && person == nil)
  }

  @Test func theClassesOfAFrozenRealmGoWithIt() throws {
    let realm = try Realm(configuration: directory.configuration())
    weak var old: ClassBinding?
    for number in 0..<3 {
      try realm.write { realm.create(Dog.self, value: ["Rex \(number)", 1]) }
      #expect(old == nil)
      let frozen = realm.freeze()
      old = frozen.objects(Dog.self).first?.binding
      #expect(old != nil)
    }
  }
}
