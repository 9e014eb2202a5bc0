import Foundation
import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// Objects whose primary keys the damage took keep all that they have besides.
@Suite(.mustEnd) struct SalvagePrimaryKeyTests {
  let directory = TestDirectory()

  private static let keys = [
    ("int", (0..<300).map { "\($0 * 2)" }), ("string", (0..<300).map { "\"key \($0)\"" }),
    ("uuid", (0..<300).map { "\"00000000-0000-0000-0000-\(String($0 + 100_000_000_000))\"" }),
    ("objectId", (0..<300).map { "\"\(String($0 + 1000))00000000000000000000\"" }),
  ]

  private func names(_ path: String) throws -> [String: String] {
    var names: [String: String] = [:]
    for line in try ToolRun.realm("query", path, "--class", "A", "--format", "jsonl").output.split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      names[try #require(object["name"] as? String)] = "\(try #require(object["id"]))"
    }
    return names
  }

  /// Where the leaf of the primary keys of the first cluster is, nobody knows any more.
  @Test(arguments: 0..<4) func objectsAreKeptUnderKeysThatStandInForTheirs(_ number: Int) throws {
    let (type, keys) = Self.keys[number]
    let path = directory.file("a.realm")
    try ToolRun.realm("create", "class", path, "A", "id=\(type)", "name=string", "next=A", "--primary-key", "id", "--new").expect(status: 0)
    let rows = keys.enumerated().map { "{\"id\":\($1),\"name\":\"name \($0)\",\"next\":\(keys[($0 + 299) % 300])}" }
    let objects = try directory.write(Array(rows.map { $0.replacing(/,"next".*/, with: "}") }.joined(separator: "\n").utf8), as: "a.jsonl")
    try ToolRun.realm("import", objects, "-o", path, "--class", "A").expect(status: 0)
    let links = try directory.write(Array(rows.joined(separator: "\n").utf8), as: "b.jsonl")
    try ToolRun.realm("import", links, "-o", path, "--class", "A", "--update").expect(status: 0)
    let sound = try names(path)
    let file = try OpenFile(path: path)
    let table = try #require(file.find("A"))
    let column = try #require(table.primaryKeyColumn)
    var first: Cluster?
    for step in ReadableClusters(file.space, table.clusterRoot, leafIndexes: [], rowCount: { _, _ in nil }).steps {
      if case .cluster(let cluster) = step, first == nil { first = cluster }
    }
    let cluster = try #require(first)
    let (node, count) = (cluster.node, cluster.count)
    let slot = (Cluster.Slot.firstColumn + column.leafIndex) * node.header.width / 8
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[Int(node.ref.byteOffset) + NodeHeader.byteCount + slot] |= 1
    let saved = directory.file("saved.realm")
    let run = try ToolRun.realm("salvage", directory.write(bytes, as: "broken.realm"), "-o", saved)
    run.expect(status: 1, output: "saved 300 objects\n")
    #expect(run.errors.contains("lost: the primary keys of \(count) objects of A: they have new ones, "), "\(run)")
    try ToolRun.realm("verify", saved).expect(status: 0)
    let found = try names(saved)
    #expect(Set(found.keys) == Set(sound.keys))
    #expect(found.filter { sound[$0.key] == $0.value }.count == 300 - count, "the others keep their keys")
    for name in ["name 0", "name 150", "name 299"] {
      let query = "next.name == \"\(name)\""
      #expect(try ToolRun.realm("query", saved, "--class", "A", query, "--count").output == "1\n", "links lead to it as before")
    }
  }
}
