import EngineWorkloads

/// Our engine.
final class EnginePeer: Peer {
  static let name = "Regnum"
  static func files(_ path: String) -> [String] { [path, path + ".lock", path + ".note", path + ".management"] }

  let store: EngineStore

  init(path: String) throws { store = try EngineStore(path: path) }
  func insert(_ people: People) throws { try store.insert(people) }
  func sumOfAges(_ keys: [Int64]) throws -> Int64 { try store.sumOfAges(keys) }
  func beginAndEndReads(_ count: Int) throws { try store.beginAndEndReads(count) }
  func sumOfAllAges() throws -> Int64 { try store.sumOfAllAges() }
  func update(_ keys: [Int64], ages: [Int64]) throws { try store.update(keys, ages: ages) }
  func delete(_ keys: [Int64]) throws { try store.delete(keys) }
  func createNameIndex() throws { try store.createNameIndex() }
  func count(name: [UInt8]) throws -> Int { try store.count(name: name) }
  func count() throws -> Int { try store.count() }
  func close() throws { store.close() }
}
