import Foundation
import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// What a node says of itself is eight bytes; what others say of it is enough to read it without them. This is about nodes of the schema, and of the
/// trees of objects.
@Suite(.mustEnd) struct SalvageSchemaTests {
  let directory = TestDirectory()

  enum Part: CaseIterable { case tableNames, tables, table, spec, types, attributes, keys, names, cluster, inner }
  enum Damage: CaseIterable { case narrow, wide, one, many }

  private func node(_ part: Part, _ file: OpenFile, _ table: TableDescription) throws -> Ref {
    let group = try #require(file.group)
    func spec(_ slot: Int) throws -> Ref { try file.space.refs(at: table.specRef).child(slot) }
    return switch part {
    case .tableNames: group.namesRef
    case .tables: group.tablesRef
    case .table: table.ref
    case .spec: table.specRef
    case .types: try spec(SpecSlot.types)
    case .attributes: try spec(SpecSlot.attributes)
    case .keys: try spec(SpecSlot.keys)
    case .names: try spec(SpecSlot.names)
    case .cluster, .inner: table.clusterRoot
    }
  }

  /// Changes the node's header.
  private func apply(_ damage: Damage, to bytes: inout [UInt8], at ref: Ref) {
    let start = Int(ref.byteOffset)
    switch damage {
    case .narrow: bytes[start + 4] = bytes[start + 4] & 0xF8 | (max(bytes[start + 4] & 7, 1) - 1)
    case .wide: bytes[start + 4] = bytes[start + 4] & 0xF8 | min((bytes[start + 4] & 7) + 1, 7)
    case .one: bytes[start + 7] += 1
    case .many: bytes[start + 5] = 0xFF
    }
  }

  private func objects(_ path: String) throws -> [String] {
    ["A", "Other"].flatMap { name in
      (try? ToolRun.realm("export", path, "--class", name, "--format", "jsonl"))?.output.split(separator: "\n").map(String.init) ?? []
    }
  }

  @Test(arguments: Part.allCases) func objectsComeBackWhereTheSchemaSaysOfItselfWhatIsNotSo(_ part: Part) throws {
    let path = directory.file("a.realm")
    let count = part == .inner ? 600 : 40
    let rows = (0..<count).map { "\($0),name \($0),\($0).5\n" }
    let input = try directory.write(Array(("id,name,x\n" + rows.joined()).utf8), as: "a.csv")
    try ToolRun.realm("create", "class", path, "Other", "text=string", "numbers=[int]", "--new").expect(status: 0)
    try ToolRun.realm("insert", path, "--class", "Other", #"{"text": "one", "numbers": [1, 2]}"#).expect(status: 0)
    try ToolRun.realm("import", input, "-o", path, "--class", "A", "--primary-key", "id").expect(status: 0)
    let sound = try objects(path)
    #expect(sound.count == count + 1)
    let file = try OpenFile(path: path)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let ref = try node(part, file, #require(file.find("A")))
    for damage in Damage.allCases {
      var damaged = bytes
      apply(damage, to: &damaged, at: ref)
      // What is as narrow or as wide as can be cannot be more so.
      if damaged == bytes { continue }
      let saved = directory.file("\(damage).realm")
      let run = try ToolRun.realm("salvage", directory.write(damaged, as: "broken.realm"), "-o", saved)
      #expect(run.status == 1 && run.output == "saved \(count + 1) objects\n", "\(damage): \(run)")
      #expect(try objects(saved) == sound, "\(damage): \(run)")
      try ToolRun.realm("verify", saved).expect(status: 0)
    }
  }

  @Test func aClassWhoseNameIsLostHasAnotherOne() throws {
    let path = directory.file("a.realm")
    try ToolRun.realm("create", "class", path, "Dog", "name=string", "--new").expect(status: 0)
    try ToolRun.realm("insert", path, "--class", "Dog", #"{"name": "Rex"}"#).expect(status: 0)
    let file = try OpenFile(path: path)
    let slot = try #require(file.find("Dog")).key.slot
    let group = try #require(file.group)
    let width = try file.space.node(at: group.namesRef).header.width
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[Int(group.namesRef.byteOffset) + 8 + slot * width] = 0xFF
    let saved = directory.file("saved.realm")
    let run = try ToolRun.realm("salvage", directory.write(bytes, as: "broken.realm"), "-o", saved)
    #expect(run.status == 1 && run.errors.contains("lost: the name of a class, which is called 'Class\(slot)' now: "), "\(run)")
    try ToolRun.realm("query", saved, "--class", "Class\(slot)", "--format", "jsonl").expect(status: 0, output: "{\"name\":\"Rex\"}\n")
  }

  enum Links: CaseIterable { case classes, properties, classesOfTarget, propertiesOfTarget }

  /// To which class a link leads stands in two places.
  @Test(arguments: Links.allCases) func linksLeadWhereTheyLedAlthoughOneListOfThemIsDamaged(_ links: Links) throws {
    let path = directory.file("a.realm")
    for words in [["Place", "name=string", "--new"], ["Owner", "name=string"], ["A", "id=int", "friend=A", "owner=Owner", "places=[Place]"]] {
      let key = words[0] == "A" ? ["--primary-key", "id"] : []
      try ToolRun("realm", ["create", "class", path] + words + key).expect(status: 0)
    }
    try ToolRun.realm("insert", path, "--class", "Place", #"[{"name": "p"}, {"name": "q"}]"#).expect(status: 0)
    try ToolRun.realm("insert", path, "--class", "Owner", #"[{"name": "o"}, {"name": "u"}]"#).expect(status: 0)
    let rows = #"[{"id": 1, "friend": 2, "owner": 0, "places": [1, 0]}, {"id": 2, "friend": 1, "owner": 1, "places": [1]}]"#
    try ToolRun.realm("insert", path, "--class", "A", rows).expect(status: 0)
    let sound = try objects(path)
    let file = try OpenFile(path: path)
    let (table, target) = (try #require(file.find("A")), try #require(file.find("Owner")))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let ref =
      switch links {
      case .classes: table.oppositeTablesRef
      case .properties: table.oppositeColumnsRef
      case .classesOfTarget: target.oppositeTablesRef
      case .propertiesOfTarget: target.oppositeColumnsRef
      }
    for damage in Damage.allCases {
      var damaged = bytes
      apply(damage, to: &damaged, at: ref)
      let saved = directory.file("\(damage).realm")
      let run = try ToolRun.realm("salvage", directory.write(damaged, as: "broken.realm"), "-o", saved)
      #expect([0, 1].contains(run.status), "\(damage): \(run)")
      #expect(try objects(saved) == sound, "\(damage): \(run)")
      try ToolRun.realm("verify", saved).expect(status: 0)
    }
  }
}
