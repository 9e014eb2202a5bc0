import EngineWorkloads
import Foundation
import RealmSwift

/// What one answer costs here and there: the least processor time of several rounds, in which both take turns.
private func compare(_ name: String, _ bar: Double?, _ engine: () throws -> Int, _ others: [(String, () -> Int)]) rethrows {
  var best = [Double](repeating: .infinity, count: others.count + 1)
  for _ in 0..<15 {
    var answers: [Int] = []
    best[0] = min(best[0], try processorTime { answers.append(try engine()) })
    for (index, other) in others.enumerated() { best[index + 1] = min(best[index + 1], processorTime { answers.append(other.1()) }) }
    precondition(Set(answers).count == 1, "\(name): \(answers)")
    consume(answers[0])
  }
  var text = String(format: "%10.1f", best[0] / 1000)
  for (index, other) in others.enumerated() {
    let ratio = best[index + 1] / best[0]
    text += String(format: "  %@ %10.1f %5.2fx", other.0, best[index + 1] / 1000, ratio)
    if let bar, index == 0 { text += ratio <= bar ? " met" : " MISSED" }
  }
  print(text + "   " + name)
}

/// Counts and aggregates through `Results` beside the engine's own, over one file.
func runCounts(rows: Int) throws {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("sdk-counts-\(getpid())", isDirectory: true)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  let file = directory.appendingPathComponent("people.realm")
  let realm = try Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [Person.self, Department.self]))
  try realm.write {
    let departments = (0..<100).map { realm.create(Department.self, value: ["id": $0, "title": "department \($0)"] as [String: Any]) }
    for id in 0..<rows {
      let sample = Sample(id)
      let person = Person()
      (person.id, person.age, person.score) = (id, sample.age, sample.score)
      (person.name, person.created, person.department) = (sample.name, sample.created, departments[sample.department])
      realm.add(person)
    }
  }
  let store = try EngineStore(path: file.path)
  print("\(rows) rows; processor time in microseconds: the engine, results that are there, a query from its beginning")
  try compareConditions(realm, store, name: Sample(rows / 2).name)
  try compareAggregates(realm, store)
  try compareIndexes(store)
}

private func compareConditions(_ realm: Realm, _ store: EngineStore, name: String) throws {
  let people = realm.objects(Person.self)
  try compare(
    "int equality", 1.2, { try store.count(age: 42) },
    [
      ("kept", people.where { $0.age == 42 }.counter), ("new", { people.where { $0.age == 42 }.count }),
      ("text", { people.filter("age == 42").count }),
    ])
  try compare(
    "int range", 1.2, { try store.count(created: 500_000_000...1_000_000_000) },
    [
      ("kept", people.where { $0.created.contains(500_000_000...1_000_000_000) }.counter),
      ("new", { people.where { $0.created.contains(500_000_000...1_000_000_000) }.count }),
      ("text", { people.filter("created BETWEEN {500000000, 1000000000}").count }),
    ])
  try compare(
    "string equality", 1.2, { try store.scanCount(name: Array(name.utf8)) },
    [
      ("kept", people.where { $0.name == name }.counter), ("new", { people.where { $0.name == name }.count }),
      ("text", { people.filter("name == %@", name).count }),
    ])
  try compare(
    "contains", 1.2, { try store.count(nameContains: Array("a7".utf8), ignoresCase: false) },
    [
      ("kept", people.where { $0.name.contains("a7") }.counter), ("new", { people.where { $0.name.contains("a7") }.count }),
      ("text", { people.filter("name CONTAINS 'a7'").count }),
    ])
  try compare(
    "three predicates", 1.2, { try store.count(ageAbove: 50, scoreBelow: 500, createdAfter: 1_000_000_000) },
    [
      ("kept", people.where { $0.age > 50 && $0.score < 500 && $0.created > 1_000_000_000 }.counter),
      ("new", { people.where { $0.age > 50 && $0.score < 500 && $0.created > 1_000_000_000 }.count }),
      ("text", { people.filter("age > 50 AND score < 500 AND created > 1000000000").count }),
    ])
  try compare(
    "over a link", 1.2, { try store.count(department: 10...49) },
    [
      ("kept", people.where { $0.department.id.contains(10...49) }.counter), ("new", { people.where { $0.department.id.contains(10...49) }.count }),
      ("text", { people.filter("department.id BETWEEN {10, 49}").count }),
    ])
  try compare("all", nil, { try store.count() }, [("kept", people.counter), ("new", { realm.objects(Person.self).count })])
}

private func compareAggregates(_ realm: Realm, _ store: EngineStore) throws {
  let people = realm.objects(Person.self)
  try compare("sum of an Int", 1.2, { Int(try store.sumOfAgesByQuery()) }, [("kept", { people.sum(of: \.age) })])
  try compare("average of a Double", 1.2, { Int(try store.averageOfScores()) }, [("kept", { Int(people.average(of: \.score) ?? 0) })])
  try compare("smallest Int", 1.2, { Int(try store.smallestCreated()) }, [("kept", { people.min(of: \.created) ?? 0 })])
  try compare("largest Double", 1.2, { Int(try store.largestScore()) }, [("kept", { Int(people.max(of: \.score) ?? 0) })])
  let adults = people.where { $0.age > 50 }
  compare(
    "sum of an Int with a condition", nil, { adults.sum(of: \.created) }, [("loop", { adults.reduce(0) { $0 + $1.created } })])
}

/// Without an index first, then with one.
private func compareIndexes(_ store: EngineStore) throws {
  try store.createNameIndex()
  print("\nindexes: processor time in microseconds: without, with index")
  for text in [
    "name BEGINSWITH 'user-1a2'", "name >= 'user-1a2' && name < 'user-1a3'", "name BEGINSWITH 'user-1'", "name >= 'user-8'", "name < 'user-8'",
    "name BEGINSWITH 'user-1a' && age == 5", "name BEGINSWITH 'user-1' && age == 5", "id BETWEEN {5000, 5100}", "id BETWEEN {5000, 500000}",
    "department.id == 7", "department.id IN {7, 8, 9}",
    "department.id < 50", "department.id == 7 && age == 5",
  ] {
    try compare("count, " + text, nil, { try store.count(query: text, ignoringIndexes: true) }, [("with", { (try? store.count(query: text)) ?? -1 })])
    try compare(
      "keys, " + text, nil, { try store.keyCount(query: text, ignoringIndexes: true) }, [("with", { (try? store.keyCount(query: text)) ?? -1 })])
  }
}

extension Results {
  fileprivate var counter: () -> Int { { count } }
}
