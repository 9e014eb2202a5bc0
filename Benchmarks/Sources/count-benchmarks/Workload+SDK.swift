import Foundation
import RealmSwift

final class CountedItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var score: Double
  @Persisted var next: CountedItem?
}

final class CountedOwner: Object {
  @Persisted var items: List<CountedItem>
}

extension Workload {
  private static func realm(_ path: String, count: Int) throws -> Realm {
    let realm = try Realm(configuration: .init(fileURL: URL(fileURLWithPath: path), objectTypes: [CountedItem.self]))
    try realm.write { for number in 0..<count { realm.add(item(number)) } }
    return realm
  }
  private static func item(_ number: Int) -> CountedItem {
    let item = CountedItem()
    item.id = number
    item.name = "item \(number)"
    item.score = Double(number) / 3
    return item
  }

  static let sdk: [Workload] = [
    Workload(name: "SDK: opening, with its schema") { path in
      _ = try realm(path, count: 1)
      return { _ = try realm(path, count: 0) }
    },
    Workload(name: "SDK: 2,000 objects added in one commit") { path in
      let realm = try realm(path, count: 1)
      return { try realm.write { for number in 1...2000 { realm.add(item(number)) } } }
    },
    Workload(name: "SDK: 2,000 objects, two properties read") { path in
      let realm = try realm(path, count: 2000)
      return {
        var sum = 0.0
        for item in realm.objects(CountedItem.self) { sum += item.score + Double(item.name.utf8.count) }
        precondition(sum > 0)
      }
    },
    Workload(name: "SDK: 2,000 properties set in one commit") { path in
      let realm = try realm(path, count: 2000)
      return { try realm.write { for item in realm.objects(CountedItem.self) { item.score += 1 } } }
    },
    Workload(name: "SDK: 100 commits of one property") { path in
      let realm = try realm(path, count: 2000)
      guard let item = realm.object(ofType: CountedItem.self, forPrimaryKey: 7) else { return {} }
      return { for _ in 0..<100 { try realm.write { item.score += 1 } } }
    },
    Workload(name: "SDK: 2,000 of 4,000 objects of a list deleted") { path in
      let configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [CountedItem.self, CountedOwner.self])
      let realm = try Realm(configuration: configuration)
      try realm.write {
        let owner = realm.create(CountedOwner.self)
        // Neither in the order of the objects nor side by side.
        for number in 0..<4000 { owner.items.append(item(number * 2731 % 4000)) }
      }
      return { try realm.write { realm.delete(realm.objects(CountedItem.self).where { $0.id < 2000 }) } }
    },
    Workload(name: "SDK: 100 queries as code, counted") { path in
      let realm = try realm(path, count: 2000)
      return { for number in 0..<100 { _ = realm.objects(CountedItem.self).where { $0.score > Double(number) && $0.name != "x" }.count } }
    },
    Workload(name: "SDK: 100 queries as text, counted") { path in
      let realm = try realm(path, count: 2000)
      return { for number in 0..<100 { _ = realm.objects(CountedItem.self).filter("score > %@ AND name != 'x'", number).count } }
    },
    Workload(name: "SDK: 100 changes of an observed list of 2,000") { path in
      let realm = try realm(path, count: 2000)
      var (token, reports): (NotificationToken?, Int) = (nil, 0)
      token = realm.objects(CountedItem.self).sorted(byKeyPath: "name").observe { _ in reports += 1 }
      realm.refresh()
      return {
        for number in 0..<100 {
          try realm.write { realm.object(ofType: CountedItem.self, forPrimaryKey: number)?.score += 1 }
          realm.refresh()
        }
        token?.invalidate()
      }
    },
  ]
}
