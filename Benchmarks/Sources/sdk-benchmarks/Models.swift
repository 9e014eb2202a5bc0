import Foundation
import GRDB
import RealmSwift

/// The row of both sides: six properties, as in the engine's benchmarks.
final class Person: RealmSwift.Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var name: String
  @Persisted var created: Int
  @Persisted var department: Department?
}

final class Department: RealmSwift.Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
}

struct PersonRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "person"
  var id: Int
  var age: Int
  var score: Double
  var name: String
  var created: Int
  var department: Int
}

/// The values of row `id`, drawn from its number alone.
struct Sample {
  let age: Int
  let score: Double
  let name: String
  let created: Int
  let department: Int

  init(_ id: Int) {
    var state = UInt64(truncatingIfNeeded: id) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    age = Int(next() % 100)
    score = Double(next() % 1_000_000) / 1000
    name = "user-" + String(next() % 100_000, radix: 16)
    created = Int(next() % 2_000_000_000)
    department = Int(next() % 100)
  }
}
