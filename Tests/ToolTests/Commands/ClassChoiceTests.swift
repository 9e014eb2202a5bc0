import RealmStorage
import TestSupport
import Testing

/// Commands about objects need no `--class` where one class alone can be meant.
@Suite(.mustEnd) struct ClassChoiceTests {
  private let directory = TestDirectory()

  /// A file with these classes, `id` and an embedded class beside them.
  private func file(_ names: [String]) throws -> String {
    let path = directory.file()
    let database = try Database.open(path: path)
    try database.write { (group) throws(StorageError) in
      try group.addTable("class_Inside", kind: .embedded).addColumn(ColumnDefinition("x", .int))
      // What is no class is not counted, either.
      _ = try group.addTable("metadata")
      for name in names { try group.addTable("class_" + name).addColumn(ColumnDefinition("id", .int)) }
    }
    database.close()
    return path
  }

  @Test func theOnlyClassOfAFileIsMeant() throws {
    let path = try file(["Dog"])
    try ToolRun.realm("insert", path, #"[{"id": 1}, {"id": 2}]"#).expect(status: 0, output: "inserted 2 objects of Dog\n")
    try ToolRun.realm("query", path, "id == 2", "--format", "jsonl").expect(status: 0, output: "{\"id\":2}\n")
    try ToolRun.realm("query", path, "--count").expect(status: 0, output: "2\n")
    #expect(try ToolRun.realm("query", path, "--explain").output.hasPrefix("2 objects of Dog\n"))
    #expect(try ToolRun.realm("set", path, "id == 2", "id=3").output.hasPrefix("changed 1 object of Dog: "))
    #expect(try ToolRun.realm("delete", path, "id == 3").output.hasPrefix("deleted 1 object of Dog: "))
    try ToolRun.realm("query", path, "--class", "Inside", "--count").expect(status: 0, output: "0\n")
  }

  @Test(arguments: [["query"], ["delete"], ["set", "id=1"], ["link", "other", "1"], ["watch"]])
  func oneOfSeveralClassesHasToBeNamed(_ command: [String]) throws {
    let path = try file(["Dog", "Cat"])
    let arguments = [command[0], path, "id == 2"] + command.dropFirst()
    try ToolRun("realm", arguments).expectError(2, about: path, "it has 2 classes: Dog, Cat; name one with --class")
  }

  @Test func aFileWithoutClassesHasNoneToChoose() throws {
    let path = try file([])
    try ToolRun.realm("query", path).expectError(2, about: path, "it has no class; 'realm create class' makes one")
    try ToolRun.realm("insert", path, "{}").expectError(2, about: path, "it has no class; 'realm create class' makes one")
  }

  @Test(arguments: [["Dog"], ["Dog", "Cat"]])
  func aClassInPlaceOfTheQueryIsRecognised(_ classes: [String]) throws {
    let path = try file(classes)
    try ToolRun.realm("query", path, "Dog").expectError(2, about: path, "'Dog' is a class; write --class Dog")
    try ToolRun.realm("delete", path, "Inside").expectError(2, about: path, "'Inside' is a class; write --class Inside")
  }

  @Test func anIndexThatIsNotThereCannotBeDropped() throws {
    let path = try file(["Dog"])
    try ToolRun.realm("create", "index", path, "Dog", "id").expect(status: 0, output: "Dog.id is indexed\n")
    try ToolRun.realm("drop", "index", path, "Dog", "id").expect(status: 0, output: "dropped the index of Dog.id\n")
    try ToolRun.realm("drop", "index", path, "Dog", "id").expectError(2, about: path, "'Dog.id' has no index")
  }
}
