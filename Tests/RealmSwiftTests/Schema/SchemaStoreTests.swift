import Foundation
import RealmStorage
import Testing

@testable import RealmSwift

@Suite struct SchemaStoreTests {
  // MARK: Files of other SDKs

  @Test(arguments: [("os_basic", UInt64(0)), ("os_migrated", 7), ("os_schema_only", 42)])
  func aFileOfAnotherSDKOpensWithoutAWrite(_ name: String, _ version: UInt64) throws {
    let file = try SchemaFile(copyOf: name)
    try file.read { (group) throws in
      #expect(try group.schemaVersion() == version)
      let schema = try SchemaStore.schema(of: group)
      #expect(try SchemaDecision.of(group, schema, version: version) == .unchanged)
      try SchemaDecision.checkReadOnly(group, schema, version: version)
      #expect(try SchemaDecision.keepsFile(group, schema, version: version))
      // A subset of the classes is no change either.
      #expect(try SchemaDecision.of(group, Schema([]), version: version) == .unchanged)
    }
  }

  @Test func theSchemaOfAFileIsReadAsItWasDeclared() throws {
    let schema = try SchemaFile(copyOf: "os_basic").read { try SchemaStore.schema(of: $0) }
    #expect(schema.objectSchema.map(\.className) == ["Address", "Dog", "Kinds", "Person"])
    #expect(schema["Address"]?.isEmbedded == true && schema["Dog"]?.isEmbedded == false)
    let person = try #require(schema["Person"])
    #expect(person.properties.map(\.name) == ["id", "name", "bio", "dog"])
    #expect(person.primaryKeyProperty?.name == "id" && person["name"]?.isIndexed == true)
    #expect(person["bio"]?.isFullTextIndexed == true && person["bio"]?.isIndexed == false)
    #expect(person["dog"] == .link("dog", "Dog"))
    let kinds = try #require(schema["Kinds"])
    #expect(kinds.properties.count == 92)
    #expect(kinds["loInt"]?.typeText == "array<int?>" && kinds["mDate"]?.typeText == "dictionary<string, date>")
    #expect(kinds["any"]?.isOptional == false && kinds["lAny"]?.typeText == "array<mixed>")
    #expect(kinds["lEmb"] == .list("lEmb", of: "Address") && kinds["mEmb"] == .map("mEmb", of: "Address"))
    #expect(kinds["oUUID"]?.typeText == "uuid?" && kinds["pObjectId"]?.typeText == "object id" && kinds["pData"]?.typeText == "data")
  }

  /// Leaf indexes show the order in which columns were made.
  private func columns(_ group: Group) throws -> [String] {
    var lines: [String] = []
    for key in try group.tableKeys() {
      let table = try group.table(key)
      lines.append("\(key.rawValue) \(table.nameText) \(table.kind) pk \(table.primaryKeyColumn?.key.rawValue ?? -1)")
      for column in table.publicColumns {
        lines.append(
          "  \(String(decoding: column.name, as: UTF8.self)) \(column.key.rawValue) \(column.specAttributes.rawValue) \(!column.indexRef.isNull)")
      }
      lines += table.backlinkColumns.map { "  from \($0.oppositeTable.rawValue) \($0.leafIndex)" }
    }
    return lines
  }

  @Test(arguments: ["os_basic", "os_schema_only"])
  func aNewFileIsLaidOutAsAnotherSDKDoes(_ name: String) throws {
    let (schema, version, theirs) = try SchemaFile(copyOf: name).read { group in
      (try SchemaStore.schema(of: group), try group.schemaVersion(), try columns(group))
    }
    let file = try SchemaFile()
    try file.create(schema, version: version)
    let ours = try file.read { try columns($0) }
    // The fixture's objects have made backlink columns for links in AnyRealmValue.
    let expected = theirs.filter { !$0.hasPrefix("  from") }
    #expect(ours.filter { !$0.hasPrefix("  from") } == expected)
    #expect(try file.problems() == [])
    #expect(try file.read { try SchemaDecision.of($0, schema, version: version) } == .unchanged)
  }

  // MARK: Our own files

  private static let everything = Schema([
    ObjectSchema("Address", embedded: true, .string("street", optional: true)),
    ObjectSchema("Dog", .key("id", .objectId), .string("name", indexed: true), .origins("owners", "Person", "dogs")),
    ObjectSchema(
      "Person", .list("dogs", of: "Dog"), .link("best", "Dog"), .map("byName", of: "Dog"), .link("home", "Address"),
      Property(name: "swift", columnName: "stored", type: .any), Property(name: "tags", type: .string, collection: .set, isOptional: true),
      Property(name: "text", type: .string, isFullTextIndexed: true),
      Property(name: "day", type: .date, isIndexed: true), Property(name: "money", type: .decimal128, isOptional: true)),
  ])

  @Test func aWrittenSchemaReadsBack() throws {
    let file = try SchemaFile()
    try file.create(Self.everything, version: 3)
    #expect(try file.problems() == [])
    try file.read { (group) throws in
      #expect(try group.schemaVersion() == 3)
      #expect(try group.table(inSlot: 0)?.nameText == "metadata")
      let schema = try SchemaStore.schema(of: group)
      #expect(schema["Person"]?.properties.map(\.name) == ["dogs", "best", "byName", "home", "stored", "tags", "text", "day", "money"])
      #expect(SchemaComparison.changes(from: schema, to: Self.everything).isEmpty)
      #expect(try SchemaDecision.of(group, Self.everything, version: 3) == .unchanged)
    }
  }

  @Test func newClassesAndIndexesNeedNoNewVersion() throws {
    let file = try SchemaFile()
    try file.create(Schema([ObjectSchema("A", .int("x"), .string("s", indexed: true))]))
    try file.write { (group) throws in
      let table = try #require(try SchemaStore.table("A", in: group))
      for number in Int64(0)..<300 { try table.set(table.createObject(), table.column(named: "x").key, .int(number)) }
    }
    let larger = Schema([
      ObjectSchema("A", .int("x", indexed: true), .string("s")), ObjectSchema("B", .key("id"), .link("a", "A"), .link("c", "C")),
      ObjectSchema("C", embedded: true, .int("y")),
    ])
    #expect(try file.read { try SchemaDecision.keepsFile($0, larger, version: 0) })
    try file.update(larger, version: 0)
    #expect(try file.problems() == [])
    try file.read { (group) throws in
      #expect(try SchemaDecision.of(group, larger, version: 0) == .unchanged)
      let table = try #require(try SchemaStore.table("A", in: group))
      #expect(try table.indexedObjects(table.column(named: "x").key, equalTo: .int(7)).count == 1)
      #expect(try table.column(named: "s").indexRef.isNull)
    }
  }

  @Test func theVersionIsABitPattern() throws {
    let file = try SchemaFile()
    #expect(try file.read { try $0.schemaVersion() } == Group.noSchemaVersion)
    try file.create(Schema([]), version: .max - 1)
    #expect(try file.read { try $0.schemaVersion() } == UInt64.max - 1)
    #expect(try file.problems() == [])
  }
}
