import Foundation
import RealmSwift

/// A realm in memory with a box and as many items as an operation asks for.
struct Stage {
  let realm: Realm
  let box: Box
  let count: Int

  init(_ count: Int) throws {
    self.count = count
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Item.self, Part.self, Box.self, Page.self]))
    self.realm = realm
    box = try realm.write { realm.create(Box.self) }
  }

  /// `0..<count` in no order.
  var shuffled: [Int] { (0..<count).map { $0 * 7919 % count } }
  func key(_ number: Int) -> String { "key \(number * 7919 % count)" }

  func write(_ body: () -> Void) throws { try realm.write { body() } }

  /// Adds the items, ids counted up.
  @discardableResult func items() throws -> [Item] {
    let items = (0..<count).map { Item($0) }
    try write { realm.add(items) }
    return items
  }
}

/// Something done to `count` elements, or with them.
struct Operation {
  let name: String
  /// What is needed first; returns what is measured.
  let prepare: (Stage) throws -> () throws -> Void

  init(_ name: String, _ prepare: @escaping (Stage) throws -> () throws -> Void) { (self.name, self.prepare) = (name, prepare) }

  /// One write transaction is measured.
  static func write(_ name: String, _ prepare: @escaping (Stage) throws -> () -> Void) -> Operation {
    Operation(name) { stage in
      let body = try prepare(stage)
      return { try stage.write(body) }
    }
  }
}
