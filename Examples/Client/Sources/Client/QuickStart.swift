import Foundation
import RealmSwift

class Dog: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Person: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted(indexed: true) var name: String
  @Persisted var dogs: List<Dog>
}

func quickStart(_ fileURL: URL) throws {
  let realm = try Realm(fileURL: fileURL)

  let person = Person(value: ["name": "Ada", "dogs": [["name": "Rex", "age": 3], ["name": "Bella", "age": 7]]])
  try realm.write { realm.add(person) }

  let old = realm.objects(Dog.self).where { $0.age > 5 }
  print("Old dogs:", old.map(\.name).joined(separator: ", "))  // Bella

  try realm.write { person.dogs[0].age = 8 }
  print("Now:", old.sorted(by: \.name).map(\.name).joined(separator: ", "))  // Bella, Rex
  print("Owner of Rex:", realm.objects(Dog.self).filter("name == %@", "Rex").first?.owners.first?.name ?? "nobody")
}
