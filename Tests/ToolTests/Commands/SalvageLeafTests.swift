import Foundation
import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// A leaf whose header says what cannot be is read as its column and the number of objects say that it is.
@Suite(.mustEnd) struct SalvageLeafTests {
  let directory = TestDirectory()

  /// Values of rows 0 to 39; each property is a case of its own way to stand in a leaf.
  private static let properties: [(type: String, value: @Sendable (Int) -> String)] = [
    ("int", { "\($0 * 1000 - 7)" }), ("int?", { $0 % 3 == 0 ? "null" : "\($0)" }), ("bool", { "\($0 % 2 == 0)" }),
    ("bool?", { ["null", "true", "false"][$0 % 3] }), ("float", { "\($0).5" }), ("double", { "\($0).25" }),
    ("double?", { $0 % 3 == 0 ? "null" : "\($0).75" }), ("decimal", { "\"\($0).125\"" }),
    ("date", { "\"2026-12-01T10:00:\($0 + 10)Z\"" }), ("date?", { $0 % 3 == 0 ? "null" : "\"2026-12-01T10:00:\($0 + 10)Z\"" }),
    ("string", { "\"\($0)\"" }), ("string?", { $0 % 3 == 0 ? "null" : "\"name \($0)\"" }),
    ("string", { "\"\(String(repeating: "long ", count: 5)) \($0)\"" }),
    ("string", { "\"\(String(repeating: "longer ", count: 20)) \($0)\"" }), ("data", { "\"\(Data("bytes \($0)".utf8).base64EncodedString())\"" }),
    ("data?", { $0 % 3 == 0 ? "null" : "\"\(Data("bytes \($0)".utf8).base64EncodedString())\"" }),
    ("objectId", { "\"0123456789abcdef012345\($0 + 10)\"" }), ("objectId?", { $0 % 3 == 0 ? "null" : "\"0123456789abcdef012345\($0 + 10)\"" }),
    ("uuid", { "\"00000000-0000-0000-0000-0000000000\($0 + 10)\"" }),
    ("uuid?", { $0 % 3 == 0 ? "null" : "\"00000000-0000-0000-0000-0000000000\($0 + 10)\"" }),
    ("mixed", { ["null", "\"text \($0)\"", "\($0)", "true", "\($0).5"][$0 % 5] }), ("A", { $0 % 3 == 0 ? "null" : "\($0 / 3)" }),
    ("[int]", { $0 % 3 == 0 ? "[]" : "[\($0), \($0 + 1)]" }), ("Map<String, string>", { "{\"key\": \"value \($0)\"}" }),
  ]

  enum Damage: CaseIterable { case flags, scheme, one, many }

  private func apply(_ damage: Damage, to bytes: inout [UInt8], at ref: Ref) {
    let start = Int(ref.byteOffset)
    switch damage {
    case .flags: bytes[start + 4] ^= 0x60
    case .scheme: bytes[start + 4] ^= 0x18
    case .one: bytes[start + 7] += 1
    case .many: for index in start + 5..<start + 8 { bytes[index] = 0xFF }
    }
  }

  private static func name(_ number: Int) -> String { "p\(number)" }

  /// A file with one cluster of 40 objects that have all properties.
  private func make() throws -> String {
    let path = directory.file("a.realm")
    let properties = Self.properties.enumerated().map { "\(Self.name($0))=\($1.type)" }
    try ToolRun("realm", ["create", "class", path, "A", "id=int"] + properties + ["--primary-key", "id", "--new"]).expect(status: 0)
    let rows = (0..<40).map { row in
      "{\"id\": \(row), " + Self.properties.enumerated().map { "\"\(Self.name($0))\": \($1.value(row))" }.joined(separator: ", ") + "}"
    }
    let input = try directory.write(Array(rows.joined(separator: "\n").utf8), as: "a.jsonl")
    try ToolRun.realm("import", input, "-o", path, "--class", "A", "--update").expect(status: 0)
    return path
  }

  private func cluster(_ file: OpenFile, _ table: TableDescription) throws -> Cluster {
    for step in ReadableClusters(file.space, table.clusterRoot, leafIndexes: [], rowCount: { _, _ in nil }).steps {
      if case .cluster(let cluster) = step { return cluster }
    }
    throw StorageError.corruptNode(ref: table.clusterRoot, reason: "no cluster")
  }

  private func objects(_ path: String) throws -> [String] {
    try ToolRun.realm("export", path, "--class", "A", "--format", "jsonl").output.split(separator: "\n").map(String.init)
  }

  @Test func valuesAreReadWithoutTheHeaderOfTheirLeaf() throws {
    let path = try make()
    let file = try OpenFile(path: path)
    let table = try #require(file.find("A"))
    let cluster = try cluster(file, table)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for (number, property) in Self.properties.enumerated() {
      let column = try #require(table.columns.first { $0.name == Array(Self.name(number).utf8) })
      let ref = try cluster.column(column.leafIndex)
      for damage in Damage.allCases {
        var damaged = bytes
        apply(damage, to: &damaged, at: ref)
        let what: Comment = "\(property.type) \(number), \(damage)"
        let leaves = try OpenFile(salvaging: directory.write(damaged, as: "\(number) \(damage).realm"), key: nil, onDamage: { _ in }).mendedLeaves()
        if column.isCollection {
          let (sound, mended) = (try file.space.refs(at: ref), try leaves.collections(ref, count: 40))
          for row in 0..<40 { #expect(try mended.child(row) == sound.child(row), what) }
        } else {
          let sound = try LeafReader(file.space, ref, column.leafKind, enumKeys: column.enumKeysRef)
          let mayBeNull = column.isNullable || column.type == .link || column.type == .mixed
          let mended = try leaves.reader(ref, column.leafKind, enumKeys: column.enumKeysRef, count: 40, mayBeNull: mayBeNull)
          for row in 0..<40 { #expect(try mended.value(row).isIdentical(to: sound.value(row)), what) }
        }
      }
    }
  }

  @Test(arguments: Damage.allCases) func nothingIsLostWithTheHeaderOfALeaf(_ damage: Damage) throws {
    let path = try make()
    let sound = try objects(path)
    #expect(sound.count == 40)
    let file = try OpenFile(path: path)
    let table = try #require(file.find("A"))
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let column = try #require(table.columns.first { $0.name == Array(Self.name(10).utf8) })
    apply(damage, to: &bytes, at: try cluster(file, table).column(column.leafIndex))
    let saved = directory.file("saved.realm")
    let run = try ToolRun.realm("salvage", directory.write(bytes, as: "broken.realm"), "-o", saved)
    #expect([0, 1].contains(run.status) && run.output.hasPrefix("saved 40 objects"), "\(run)")
    #expect(try objects(saved) == sound, "\(run)")
    try ToolRun.realm("verify", saved).expect(status: 0)
  }
}
