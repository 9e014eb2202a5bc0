import Foundation
import GRDB
import RealmSwift

/// The same people here and in SQLite, and what is measured with them.
struct BothStores {
  private let rows: Int
  private let realm: Realm
  private let queue: DatabaseQueue

  init(rows: Int, in directory: URL) throws {
    self.rows = rows
    let file = directory.appendingPathComponent("people.realm")
    realm = try Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [Person.self, Department.self]))
    queue = try DatabaseQueue(path: directory.appendingPathComponent("people.sqlite").path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER NOT NULL, score REAL NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL, \
          department INTEGER NOT NULL)
          """)
    }
  }

  /// All rows in one transaction; comes first.
  func insert() throws -> Line {
    let departments = try realm.write {
      (0..<100).map { realm.create(Department.self, value: ["id": $0, "title": "department \($0)"] as [String: Any]) }
    }
    let ours = try processorTime {
      try realm.write {
        for id in 0..<rows { realm.add(person(id, departments)) }
      }
    }
    let peer = try processorTime {
      try queue.write { db in
        for id in 0..<rows {
          let sample = Sample(id)
          try PersonRecord(id: id, age: sample.age, score: sample.score, name: sample.name, created: sample.created, department: sample.department)
            .insert(db)
        }
      }
    }
    return Line(
      name: "bulk add / Codable record insert", ours: ours / Double(rows), peer: peer / Double(rows), bar: "4x", isMet: peer >= 4 * ours)
  }

  /// A thousand objects, each many times.
  func readProperties() -> [Line] {
    let people = Array(realm.objects(Person.self).prefix(1000))
    @inline(__always) func line(_ name: String, limit: Double, _ read: (Person) -> Int) -> Line {
      let ours = median(9, 1_000_000) {
        var sum = 0
        for _ in 0..<1000 { for person in people { sum &+= read(person) } }
        consume(sum)
      }
      return Line(name: name, ours: ours, peer: nil, bar: "\(Int(limit)) ns", isMet: ours <= limit)
    }
    return [
      line("read Int", limit: 15) { $0.age }, line("read short String", limit: 40) { $0.name.utf8.count },
      line("link hop", limit: 60) { $0.department == nil ? 0 : 1 },
    ]
  }

  /// Three properties an object.
  func iterate() throws -> Line {
    let results = realm.objects(Person.self)
    let ours = median(9, rows) {
      var sum = 0
      for person in results { sum &+= person.age &+ person.created &+ Int(person.score) }
      consume(sum)
    }
    let peer = try median(5, rows) {
      try queue.read { db in
        var sum = 0
        let cursor = try Row.fetchCursor(db, sql: "SELECT age, created, score FROM person")
        while let row = try cursor.next() { sum &+= (row[0] as Int) &+ (row[1] as Int) &+ Int(row[2] as Double) }
        consume(sum)
      }
    }
    return Line(name: "iterate, three properties / GRDB row cursor", ours: ours, peer: peer, bar: "60 ns", isMet: ours <= 60)
  }

  /// By primary key.
  func lookUp() throws -> Line {
    let keys = (0..<100_000).map { _ in Int.random(in: 0..<rows) }
    let ours = median(5, keys.count) {
      var sum = 0
      for key in keys { sum &+= realm.object(ofType: Person.self, forPrimaryKey: key)?.age ?? 0 }
      consume(sum)
    }
    let peer = try median(5, keys.count) {
      try queue.read { db in
        var sum = 0
        for key in keys { sum &+= try PersonRecord.fetchOne(db, key: key)?.age ?? 0 }
        consume(sum)
      }
    }
    return Line(name: "object(forPrimaryKey:) / fetchOne", ours: ours, peer: peer, bar: "20x", isMet: peer >= 20 * ours)
  }
}
