import Foundation
import Glibc
import RealmSwift

/// Processor microseconds of one call of `body`, of the whole process.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
  let start = now()
  try body()
  return now() - start
}

/// A realm of so many items, its observers, and what telling them costs: the commit comes before, and is not counted.
struct Stage {
  let realm: Realm
  let items: Results<Item>
  let count: Int
  private let changeCount: Int

  init(_ count: Int, changeCount: Int, in directory: URL) throws {
    self.count = count
    self.changeCount = changeCount
    let file = directory.appendingPathComponent("live-\(count).realm")
    realm = try Realm(
      configuration: Realm.Configuration(fileURL: file, objectTypes: [Item.self, Owner.self, Box.self, Bystander.self]))
    try realm.write { [realm] in
      let owners = (0..<max(1, count / 10)).map { realm.create(Owner.self, value: ["id": $0, "age": $0 % 100]) }
      for id in 0..<count { realm.add(Item(id, owners)) }
      let box = realm.create(Box.self, value: ["id": 0])
      box.items.append(objectsIn: realm.objects(Item.self))
      for id in 0..<1001 { realm.create(Bystander.self, value: ["id": id, "value": 0]) }
    }
    items = realm.objects(Item.self)
  }

  /// An item, another one each time.
  func item(_ step: Int) -> Item {
    let id = step &* 7_368_787 % count
    guard let item = realm.object(ofType: Item.self, forPrimaryKey: id) else { fatalError("no item \(id)") }
    return item
  }

  /// The median of several changes.
  /// - Parameters:
  ///   - observe: begins to observe; the closure that it is handed counts reports.
  ///   - change: in a write transaction.
  func measure(
    reports expected: Int, _ observe: (@escaping () -> Void) -> [NotificationToken], _ change: (Int) -> Void
  ) throws -> Double {
    var reports = 0
    let tokens = observe { reports += 1 }
    defer { tokens.forEach { $0.invalidate() } }
    realm.refresh()
    var times: [Double] = []
    for step in 0..<changeCount {
      try realm.write { change(step) }
      let before = reports
      times.append(processorTime { realm.refresh() })
      guard reports - before == expected else { fatalError("\(reports - before) reports of \(expected) after change \(step)") }
    }
    return times.sorted()[times.count / 2]
  }
}
