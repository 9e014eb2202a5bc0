import Foundation
import GRDB

/// A request of GRDB's that is observed: fetched anew with every transaction.
struct Peer {
  private let queue: DatabaseQueue
  let count: Int

  init(_ count: Int, in directory: URL) throws {
    self.count = count
    queue = try DatabaseQueue(path: directory.appendingPathComponent("live-\(count).sqlite").path)
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, \"group\" INTEGER NOT NULL, note INTEGER NOT NULL)")
      for id in 0..<count { try ItemRecord(id: id, number: id &* 7919 % 1_000_003, group: id % 10, note: 0).insert(db) }
    }
  }

  private func change(_ step: Int) throws {
    try queue.write { db in
      try db.execute(sql: "UPDATE item SET note = note + 1 WHERE id = ?", arguments: [step &* 7_368_787 % count])
    }
  }

  /// What telling an observer takes, who has all items after one was changed: less the same transaction without observer.
  /// - Parameter meter: measures a transaction.
  func measure(steps: Int, _ meter: Meter) throws -> [Double] {
    let alone = try (0..<steps).map { step in try meter { try change(step) } }.median
    let told = DispatchSemaphore(value: 0)
    let observation = ValueObservation.tracking { db in try ItemRecord.fetchAll(db) }
    let cancellable = observation.start(
      in: queue, scheduling: .async(onQueue: DispatchQueue(label: "told")), onError: { fatalError("\($0)") }, onChange: { _ in told.signal() })
    told.wait()
    let observed = try (0..<steps).map { step in
      try meter {
        try change(step)
        told.wait()
      }
    }
    cancellable.cancel()
    return observed.map { $0 - alone }
  }
}
