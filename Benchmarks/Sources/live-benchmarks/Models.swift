import Foundation
import GRDB
import RealmSwift

/// What is observed.
final class Item: RealmSwift.Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var group: Int
  /// By which items are sorted that move.
  @Persisted var rank: Int
  @Persisted var note: Int
  @Persisted var owner: Owner?

  convenience init(_ id: Int, _ owners: [Owner]) {
    self.init()
    self.id = id
    // Scattered, and each once.
    number = id &* 7919 % 1_000_003
    rank = number
    group = id % 10
    owner = owners[id % owners.count]
  }
}

final class Owner: RealmSwift.Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var age: Int
}

final class Box: RealmSwift.Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var items: List<Item>
}

/// Nobody observes it but those who shall not be told.
final class Bystander: RealmSwift.Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: Int
}

struct ItemRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "item"
  var id: Int
  var number: Int
  var `group`: Int
  var note: Int
}
