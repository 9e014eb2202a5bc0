import RealmStorage
import TestSupport
import Testing

/// What is named twice, or is to be dropped that stays.
@Suite(.mustEnd) struct RepeatedNameTests {
  let directory = TestDirectory()

  private func file(_ json: String) throws -> String {
    let (input, path) = (try directory.write(Array(json.utf8), as: "a.json"), directory.file("a.realm"))
    try ToolRun.realm("import", input, "-o", path, "--class", "A", "--quiet").expect(status: 0)
    return path
  }

  @Test(arguments: [
    (["--sum", "a,a"], "sum_a"), (["--sum", "a", "--sum", "a"], "sum_a"), (["--group-by", "a,a"], "a"), (["--columns", "a,b,a"], "a"),
    (["--group-by", "count"], "count"),
  ])
  func twoColumnsOfOneNameAreRefused(_ options: [String], _ name: String) throws {
    let path = try file("[{\"a\":1,\"b\":2,\"count\":3}]")
    for format in ["table", "json", "csv"] {
      let run = try ToolRun("realm", ["query", path, "--class", "A", "TRUEPREDICATE", "--format", format] + options)
      run.expectError(2, about: path, "two columns would be called '\(name)'; leave one of them out")
      #expect(run.output == "")
    }
  }

  @Test func columnsWithoutANameAreRefused() throws {
    let path = try file("[{\"a\":1}]")
    try ToolRun.realm("query", path, "--class", "A", "TRUEPREDICATE", "--columns", "").expectError(
      2, about: path, "--columns names no property; write")
  }

  @Test func aPropertyIsSetOnce() throws {
    let path = try file("[{\"a\":1}]")
    try ToolRun.realm("set", path, "--class", "A", "TRUEPREDICATE", "a=2", "a=3").expectError(2, about: path, "'a' is set twice; give it one value")
    try ToolRun.realm("query", path, "--class", "A", "a == 1", "--count").expect(status: 0, output: "1\n")
  }

  @Test func theVersionOfTheSchemaIsNoClass() throws {
    let path = try file("[{\"a\":1}]")
    for command in [
      ["drop", "class", path, "metadata"], ["drop", "property", path, "metadata", "version"], ["create", "property", path, "metadata", "a=int"],
      ["create", "index", path, "metadata", "version"], ["delete", path, "--class", "metadata", "TRUEPREDICATE"],
      ["insert", path, "--class", "metadata", #"{"version": 7}"#],
    ] {
      let reason = "'metadata' is no class: it holds the version of the schema, which 'realm set' changes; nothing was changed"
      try ToolRun("realm", command).expectError(2, about: path, reason)
    }
    #expect(try Database.open(path: path).read { (group) throws(StorageError) in try group.schemaVersion() } == 0)
    // A class of that name is one.
    try ToolRun.realm("create", "class", path, "metadata", "a=int").expect(status: 0)
    try ToolRun.realm("drop", "class", path, "metadata").expect(status: 0, output: "dropped the class metadata with 0 objects\n")
  }

  @Test func thePrimaryKeyKeepsItsIndex() throws {
    let path = directory.file("keys.realm")
    try Database.open(path: path).write { (group) throws(StorageError) in
      let table = try group.addTable("class_A")
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
    }
    try ToolRun.realm("drop", "index", path, "A", "id").expectError(2, about: path, "'A.id' is the primary key, which always has an index")
    // What is marked as indexed besides loses the mark.
    let schema = try ToolRun.realm("schema", path).output
    try ToolRun.realm("create", "index", path, "A", "id").expect(status: 0)
    try ToolRun.realm("drop", "index", path, "A", "id").expect(status: 0, output: "dropped the index of A.id; that of the primary key stays\n")
    try ToolRun.realm("schema", path).expect(status: 0, output: schema)
  }
}
