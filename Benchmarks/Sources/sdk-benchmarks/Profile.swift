import Foundation
import RealmSwift

/// `sdk-benchmarks ROWS --profile NAME`: repeats one of our own operations for a few seconds, for a profiler to look at.
func profile(_ name: String, rows: Int, in directory: URL) throws {
  let configuration = Realm.Configuration(fileURL: directory.appendingPathComponent("profile.realm"), objectTypes: [Person.self, Department.self])
  let realm = try Realm(configuration: configuration)
  let departments = try realm.write {
    (0..<100).map { realm.create(Department.self, value: ["id": $0, "title": "department \($0)"] as [String: Any]) }
  }
  var next = 0
  func add() throws {
    try realm.write {
      for _ in 0..<rows {
        realm.add(person(next, departments))
        next += 1
      }
    }
  }
  let rounds = name == "add" ? 10 : 1
  let adding = try processorTime { for _ in 0..<rounds { try add() } }
  if name == "add" { return print(adding / Double(rows * rounds), "ns") }
  let results = realm.objects(Person.self)
  let people = Array(results.prefix(1000))
  let operations = 30_000_000
  let time = processorTime {
    switch name {
    case "int": for _ in 0..<operations / 1000 { for person in people { consume(person.age) } }
    case "string": for _ in 0..<operations / 1000 { for person in people { consume(person.name.utf8.count) } }
    case "hop": for _ in 0..<operations / 1000 { for person in people { consume(person.department == nil ? 0 : 1) } }
    case "walk": for _ in 0..<operations / rows { for _ in results { consume(1) } }
    default: for _ in 0..<operations / rows { for person in results { consume(person.age &+ person.created &+ Int(person.score)) } }
    }
  }
  print(time / Double(operations), "ns")
}

/// The object of a number, not yet added.
func person(_ id: Int, _ departments: [Department]) -> Person {
  let sample = Sample(id)
  let person = Person()
  person.id = id
  person.age = sample.age
  person.score = sample.score
  person.name = sample.name
  person.created = sample.created
  person.department = departments[sample.department]
  return person
}
