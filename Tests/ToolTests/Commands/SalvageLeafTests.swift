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

  private func objects(_ path: String) throws -> [String] {
    try ToolRun.realm("export", path, "--class", "A", "--format", "jsonl").output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: properties.indices) func nothingIsLostWithTheHeaderOfALeaf(_ number: Int) throws {
    let (type, value) = Self.properties[number]
    let path = directory.file("a.realm")
    try ToolRun.realm("create", "class", path, "A", "id=int", "value=\(type)", "--primary-key", "id", "--new").expect(status: 0)
    let rows = (0..<40).map { "{\"id\": \($0), \"value\": \(value($0))}" }.joined(separator: "\n")
    try ToolRun.realm("import", directory.write(Array(rows.utf8), as: "a.jsonl"), "-o", path, "--class", "A", "--update").expect(status: 0)
    let sound = try objects(path)
    #expect(sound.count == 40)
    let file = try OpenFile(path: path)
    let table = try #require(file.find("A"))
    let column = try #require(table.columns.first { $0.name == Array("value".utf8) })
    var leaf: Ref?
    for step in ReadableClusters(file.space, table.clusterRoot, leafIndexes: [], rowCount: { _, _ in nil }).steps {
      if case .cluster(let cluster) = step { leaf = try cluster.column(column.leafIndex) }
    }
    let ref = try #require(leaf)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for damage in Damage.allCases {
      var damaged = bytes
      apply(damage, to: &damaged, at: ref)
      let saved = directory.file("saved \(damage).realm")
      let run = try ToolRun.realm("salvage", directory.write(damaged, as: "broken \(damage).realm"), "-o", saved)
      #expect([0, 1].contains(run.status) && run.output.hasPrefix("saved 40 objects"), "\(type), \(damage): \(run)")
      #expect(try objects(saved) == sound, "\(type), \(damage): \(run)")
      if damage == .many { try ToolRun.realm("verify", saved).expect(status: 0) }
    }
  }
}
