import CPeak
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

/// Bytes of the heap that one call of `body` needs at most at a time, beyond those that were in use before.
func peakMemory(_ body: () throws -> Void) rethrows -> Double {
  peak_begin()
  try body()
  return Double(peak_end())
}

/// Measures one call.
typealias Meter = (() throws -> Void) throws -> Double

/// A realm of so many items, its observers, and what telling them costs: the commit comes before, and is not counted.
struct Stage {
  let realm: Realm
  let items: Results<Item>
  let count: Int
  let box: Box
  private let ownerCount: Int

  init(_ count: Int, in directory: URL) throws {
    self.count = count
    ownerCount = max(1, count / 10)
    let file = directory.appendingPathComponent("live-\(count).realm")
    realm = try Realm(
      configuration: Realm.Configuration(fileURL: file, objectTypes: [Item.self, Owner.self, Box.self, Bystander.self]))
    box = try realm.write { [realm, ownerCount] in
      let owners = (0..<ownerCount).map { realm.create(Owner.self, value: ["id": $0, "age": $0 % 100]) }
      for id in 0..<count { realm.add(Item(id, owners)) }
      let box = realm.create(Box.self, value: ["id": 0])
      box.items.append(objectsIn: realm.objects(Item.self))
      for id in 0..<1001 { realm.create(Bystander.self, value: ["id": id, "value": 0]) }
      return box
    }
    items = realm.objects(Item.self)
  }

  /// An item, another one each time.
  func item(_ step: Int) -> Item { object(step &* 7_368_787 % count) }
  /// Always the same one.
  var lastItem: Item { object(count - 1) }
  /// An owner, another one each time.
  func owner(_ step: Int) -> Owner { object(step &* 7_368_787 % ownerCount) }

  private func object<Found: RealmSwift.Object>(_ id: Int) -> Found {
    guard let found = realm.object(ofType: Found.self, forPrimaryKey: id) else { fatalError("no \(Found.self) \(id)") }
    return found
  }

  /// What telling takes of each of several changes.
  /// - Parameters:
  ///   - first: the number of the first step.
  ///   - share: of the items, changed at once; nil for one change.
  ///   - meter: measures the call that tells.
  func measure(_ row: Row, steps: Int, first: Int = 0, share: Double? = nil, _ meter: Meter) throws -> [Double] {
    var reports = 0
    let tokens = row.observe(self) { reports += 1 }
    defer { tokens.forEach { $0.invalidate() } }
    realm.refresh()
    let changeCount = share.map { max(1, Int($0 * Double(count)) / row.itemsPerChange) } ?? 1
    // One step each, unless many are taken at once: then each is another item.
    let stride = share == nil ? 1 : row.stepsPerItem
    var step = first
    return try (0..<steps).map { number in
      try realm.write {
        for _ in 0..<changeCount {
          row.change(self, step)
          step += stride
        }
      }
      let before = reports
      let figure = try meter { realm.refresh() }
      guard reports - before == row.reports else { fatalError("\(reports - before) reports of \(row.reports) after change \(number)") }
      return figure
    }
  }

  /// What somebody takes who evaluates anew: the first report.
  func measureAnew(_ row: Row, _ meter: Meter) throws -> Double {
    var tokens: [NotificationToken] = []
    defer { tokens.forEach { $0.invalidate() } }
    return try meter {
      tokens = row.observe(self) {}
      realm.refresh()
    }
  }
}

extension [Double] {
  var median: Double { sorted()[count / 2] }
}
