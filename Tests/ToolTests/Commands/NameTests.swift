import TestSupport
import Testing

@testable import RealmStorage

/// Names that look alike: files tell them apart by their bytes, and classes from tables that are none.
@Suite(.mustEnd) struct NameTests {
  let directory = TestDirectory()
  /// The same letter, in one code point and in two.
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"

  private func file(_ json: String, as name: String = "a.realm", class className: String = "A") throws -> String {
    let input = try directory.write(Array(json.utf8), as: name + ".json")
    try ToolRun.realm("import", input, "-o", directory.file(name), "--class", className, "--quiet").expect(status: 0)
    return directory.file(name)
  }

  @Test func propertiesOfJSONAreToldApartByTheirBytes() throws {
    let rows = "[{\"\(Self.composed)\":1,\"\(Self.decomposed)\":2}]"
    let path = try file(rows)
    let output = try ToolRun.realm("export", path, "--class", "A", "--format", "jsonl").output
    #expect(Array(output.utf8) == Array(rows.dropFirst().dropLast().utf8) + [0x0A])
    // Also where one of them is there already.
    let other = try file("[{\"\(Self.composed)\":1}]", as: "b.realm")
    let input = try directory.write(Array("\(Self.decomposed)\n7\n".utf8), as: "more.csv")
    try ToolRun.realm("import", input, "-o", other, "--class", "A").expect(status: 0)
    try ToolRun.realm("query", other, "--class", "A", "\(Self.decomposed) == 7", "--count").expect(status: 0, output: "1\n")
    // And where the type of one is given.
    let typed = directory.file("typed.realm")
    let both = directory.file("a.realm.json")
    try ToolRun.realm("import", both, "-o", typed, "--class", "A", "--type", "\(Self.decomposed)=string").expect(status: 0)
    let schema = try ToolRun.realm("schema", typed).output
    #expect(schema.utf8.split(separator: 0x0A).contains { $0.elementsEqual("  \(Self.decomposed)  String".utf8) }, "\(schema)")
  }

  @Test func differencesAreOfPropertiesAndClassesByTheirBytes() throws {
    let before = try file("[{\"\(Self.composed)\":1,\"\(Self.decomposed)\":2}]")
    let after = try file("[{\"\(Self.composed)\":3,\"\(Self.decomposed)\":4}]", as: "b.realm")
    try ToolRun.realm("diff", before, after, "--quiet").expect(
      status: 1, output: "~ A 0 \(Self.composed): 1 → 3, \(Self.decomposed): 2 → 4\n", errors: "")
    for path in [before, after] {
      for name in [Self.composed, Self.decomposed] { try ToolRun.realm("create", "class", path, name, "x=int").expect(status: 0) }
    }
    try ToolRun.realm("insert", after, "--class", Self.decomposed, "{\"x\": 5}").expect(status: 0)
    let run = try ToolRun.realm("diff", before, after, "--quiet")
    #expect(run.output.split(separator: "\n").contains { $0.utf8.elementsEqual("+ \(Self.decomposed) 0 {\"x\":5}".utf8) }, "\(run)")
  }

  /// Such names would be taken for a mark of the encoding, or for what separates the fields.
  @Test(arguments: ["\u{FEFF}a", "\u{FEFF}", "sep=x"]) func aNameThatLooksLikeTheBeginningOfAFileIsReadBackFromCSV(_ name: String) throws {
    let path = try file("[{\"\(name)\":\"x\"}]")
    let csv = try directory.write(Array(try ToolRun.realm("export", path, "--class", "A", "--format", "csv").output.utf8), as: "a.csv")
    let copy = directory.file("copy.realm")
    try ToolRun.realm("import", csv, "-o", copy, "--class", "A").expect(status: 0)
    try ToolRun.realm("diff", path, copy).expect(status: 0, output: "")
  }

  /// The version of the schema is in a table `metadata`, which is no class.
  @Test func aClassCalledMetadataIsNoneLess() throws {
    let path = try file("[{\"name\":\"Rex\"}]", class: "metadata")
    try ToolRun.realm("create", "class", path, "T", "owner=metadata", "any=mixed").expect(status: 0)
    let link = "{\"$link\": {\"class\": \"metadata\", \"key\": 0}}"
    try ToolRun.realm("insert", path, "--class", "T", "{\"owner\": 0, \"any\": \(link)}").expect(status: 0)
    for format in ["json", "jsonl"] {
      let (exported, copy) = (directory.file("export.\(format)"), directory.file("\(format).realm"))
      try ToolRun.realm("export", path, "--format", format, "-o", exported).expect(status: 0)
      try ToolRun.realm("import", exported, "-o", copy).expect(status: 0)
      try ToolRun.realm("diff", path, copy).expect(status: 0, output: "")
      let document = try ToolRun.realm("export", path).output
      try ToolRun.realm("export", copy).expect(status: 0, output: document)
      try ToolRun.realm("set", copy, "--class", "metadata", "TRUEPREDICATE", "name=Bello").expect(status: 0)
      try ToolRun.realm("diff", path, copy, "--quiet").expect(status: 1, output: "~ metadata 0 name: \"Rex\" → \"Bello\"\n")
    }
  }

  @Test func theVersionOfTheSchemaIsComparedAsWhatIsNoClass() throws {
    let paths = try [1, 2].map { (version: Int64) in
      let path = directory.file("\(version).realm")
      let database = try Database.open(path: path)
      defer { database.close() }
      try database.write { (group) throws(StorageError) in
        let table = try group.addTable("metadata")
        let column = try table.addColumn(ColumnDefinition("version", .int))
        try table.set(try table.createObject(), column, .int(version))
      }
      return path
    }
    try ToolRun.realm("diff", paths[0], paths[1], "--quiet").expect(
      status: 1, output: "~ metadata (table without class) 0 version: 1 → 2\n")
    try ToolRun.realm("diff", paths[0], paths[1], "--quiet", "--json").expect(
      status: 1, output: #"{"change":"changed","table":"metadata","key":0,"properties":{"version":[1,2]}}"# + "\n")
  }
}
