import EngineWorkloads
import Foundation
import RealmSwift

/// Something fixed that the engine or the SDK does: always the same rows, in a new file.
struct Workload: Sendable {
  let name: String
  /// What is needed before counting begins; returns what is counted.
  let prepare: @Sendable (_ path: String) throws -> () throws -> Void

  func counts(in directory: URL) throws -> Counts {
    let place = directory.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    _ = Self.people
    return try Counts(name, prepare(place.appendingPathComponent("counted.realm").path))
  }

  private static let people = People(count: 20_000, seed: 7)
  private static let key = (0..<64).map { UInt8($0) }
  /// Keys of people in no order.
  private static let someKeys = (0..<2000).map { Int64($0 * 7919 % 20_000) }

  private static func filled(_ path: String, _ key: [UInt8]? = nil) throws -> EngineStore {
    let store = try EngineStore(path: path, key: key)
    try store.insert(people)
    return store
  }

  static let all: [Workload] =
    engine("engine", nil) + engine("encrypted engine", key) + [
      Workload(name: "engine: 2,000 lookups by key") { path in
        let store = try filled(path)
        return { _ = try store.sumOfAges(someKeys) }
      },
      Workload(name: "engine: sum of 20,000 integers") { path in
        let store = try filled(path)
        return { for _ in 0..<100 { _ = try store.sumOfAllAges() } }
      },
      Workload(name: "engine: 100 counts by three properties") { path in
        let store = try filled(path)
        return { for _ in 0..<100 { _ = try store.count(ageAbove: 50, scoreBelow: 500, createdAfter: 1 << 30) } }
      },
      Workload(name: "engine: 1,000 reads begun and ended") { path in
        let store = try filled(path)
        return { try store.beginAndEndReads(1000) }
      },
    ] + sdk

  private static func engine(_ name: String, _ key: [UInt8]?) -> [Workload] {
    [
      Workload(name: "\(name): 20,000 inserts in one commit") { path in
        let store = try EngineStore(path: path, key: key)
        return { try store.insert(people) }
      },
      Workload(name: "\(name): 100 commits of nothing") { path in
        let store = try filled(path, key)
        return { for _ in 0..<100 { try store.commitNothing() } }
      },
      Workload(name: "\(name): 100 commits of one object") { path in
        let store = try filled(path, key)
        return { for key in someKeys.prefix(100) { try store.update([key], ages: [key % 100]) } }
      },
      Workload(name: "\(name): 2,000 deletions in one commit") { path in
        let store = try filled(path, key)
        return { try store.delete(someKeys) }
      },
    ]
  }
}
