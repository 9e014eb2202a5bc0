import Foundation
import GRDB
import Glibc
import RealmSwift

/// Processor nanoseconds of one call of `body`.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}

/// The median of several repetitions, per operation.
func median(_ repetitions: Int, _ operations: Int, _ body: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<repetitions { times.append(try processorTime(body) / Double(operations)) }
  return times.sorted()[repetitions / 2]
}

nonisolated(unsafe) var sink = 0
@inline(never) func consume(_ value: Int) { sink &+= value }

struct Line {
  let name: String
  let ours: Double
  let peer: Double?
  let bar: String
  let isMet: Bool
}

func run() throws {
  let rows = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("sdk-benchmarks-\(getpid())", isDirectory: true)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  let arguments = CommandLine.arguments
  if let option = arguments.firstIndex(of: "--profile"), option + 1 < arguments.count {
    return try profile(arguments[option + 1], rows: rows, in: directory)
  }
  var lines: [Line] = []

  // Bulk insert.
  let configuration = Realm.Configuration(fileURL: directory.appendingPathComponent("people.realm"), objectTypes: [Person.self, Department.self])
  let realm = try Realm(configuration: configuration)
  let departments = try realm.write {
    (0..<100).map { realm.create(Department.self, value: ["id": $0, "title": "department \($0)"] as [String: Any]) }
  }
  let insertOurs =
    try processorTime {
      try realm.write {
        for id in 0..<rows {
          realm.add(person(id, departments))
        }
      }
    } / Double(rows)
  let queue = try DatabaseQueue(path: directory.appendingPathComponent("people.sqlite").path)
  try queue.write { db in
    try db.execute(
      sql:
        "CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER NOT NULL, score REAL NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL, department INTEGER NOT NULL)"
    )
  }
  let insertPeer =
    try processorTime {
      try queue.write { db in
        for id in 0..<rows {
          let sample = Sample(id)
          try PersonRecord(id: id, age: sample.age, score: sample.score, name: sample.name, created: sample.created, department: sample.department)
            .insert(db)
        }
      }
    } / Double(rows)
  lines.append(Line(name: "bulk add / Codable record insert", ours: insertOurs, peer: insertPeer, bar: "4x", isMet: insertPeer >= 4 * insertOurs))

  // Property reads: a thousand objects, each many times.
  let people = Array(realm.objects(Person.self).prefix(1000))
  let readInt = median(9, 1_000_000) {
    var sum = 0
    for _ in 0..<1000 { for person in people { sum &+= person.age } }
    consume(sum)
  }
  lines.append(Line(name: "read Int", ours: readInt, peer: nil, bar: "15 ns", isMet: readInt <= 15))
  let readString = median(9, 1_000_000) {
    var sum = 0
    for _ in 0..<1000 { for person in people { sum &+= person.name.utf8.count } }
    consume(sum)
  }
  lines.append(Line(name: "read short String", ours: readString, peer: nil, bar: "40 ns", isMet: readString <= 40))
  let hop = median(9, 1_000_000) {
    var sum = 0
    for _ in 0..<1000 { for person in people { sum &+= person.department == nil ? 0 : 1 } }
    consume(sum)
  }
  lines.append(Line(name: "link hop", ours: hop, peer: nil, bar: "60 ns", isMet: hop <= 60))

  // Iteration, three properties an object.
  let results = realm.objects(Person.self)
  let iterate = median(9, rows) {
    var sum = 0
    for person in results { sum &+= person.age &+ person.created &+ Int(person.score) }
    consume(sum)
  }
  let iterateCursor = try median(5, rows) {
    try queue.read { db in
      var sum = 0
      let cursor = try Row.fetchCursor(db, sql: "SELECT age, created, score FROM person")
      while let row = try cursor.next() { sum &+= (row[0] as Int) &+ (row[1] as Int) &+ Int(row[2] as Double) }
      consume(sum)
    }
  }
  lines.append(Line(name: "iterate, three properties / GRDB row cursor", ours: iterate, peer: iterateCursor, bar: "60 ns", isMet: iterate <= 60))

  // Lookup by primary key.
  let keys = (0..<100_000).map { _ in Int.random(in: 0..<rows) }
  let lookup = median(5, keys.count) {
    var sum = 0
    for key in keys { sum &+= realm.object(ofType: Person.self, forPrimaryKey: key)?.age ?? 0 }
    consume(sum)
  }
  let lookupPeer = try median(5, keys.count) {
    try queue.read { db in
      var sum = 0
      for key in keys { sum &+= try PersonRecord.fetchOne(db, key: key)?.age ?? 0 }
      consume(sum)
    }
  }
  lines.append(Line(name: "object(forPrimaryKey:) / fetchOne", ours: lookup, peer: lookupPeer, bar: "20x", isMet: lookupPeer >= 20 * lookup))

  print("\(rows) rows; nanoseconds of processor time per operation")
  for line in lines {
    let peer = line.peer.map { String(format: "%10.1f %6.1fx", $0, $0 / line.ours) } ?? "                  "
    print(String(format: "%10.1f", line.ours), peer, line.isMet ? "met   " : "MISSED", line.bar, " ", line.name)
  }
}

if CommandLine.arguments.dropFirst().first == "counts" {
  try runCounts(rows: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000_000)
} else {
  try run()
}
