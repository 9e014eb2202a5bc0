import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// Classes as JSON Schema and back.
@Suite(.mustEnd) struct JSONSchemaTests {
  let directory = TestDirectory()

  private func makeFile(_ body: (Group) throws -> Void) throws -> OpenFile {
    let path = directory.file("\(UInt64.random(in: 0 ... .max)).realm")
    let database = try Database.open(path: path)
    let transaction = try database.beginWrite()
    let group = try transaction.openGroup()
    try body(group)
    try transaction.commit(group)
    database.close()
    return try OpenFile(path: path)
  }

  private func remade(_ schema: [UInt8]) throws -> OpenFile {
    let document = try #require(ImportValue(json: schema))
    let classes = try JSONSchemaClasses(document)
    return try makeFile { try classes.make(in: $0) }
  }

  @Test func theFormIsThatOfBackends() throws {
    let file = try makeFile { group in
      let dog = try group.addTable("class_Dog")
      let key = try dog.addColumn(ColumnDefinition("_id", .objectID))
      try dog.setPrimaryKey(key)
      let home = try group.addTable("class_Home", kind: .embedded)
      try home.addColumn(ColumnDefinition("street", .string))
      try home.addColumn(ColumnDefinition("guard", .link, target: dog.key))
      let person = try group.addTable("class_Person")
      let id = try person.addColumn(ColumnDefinition("_id", .int))
      try person.setPrimaryKey(id)
      try person.addColumn(ColumnDefinition("name", .string, .nullable))
      try person.addColumn(ColumnDefinition("tags", .string, .set))
      try person.addColumn(ColumnDefinition("scores", .double, .dictionary))
      try person.addColumn(ColumnDefinition("dogs", .link, .list, target: dog.key))
      try person.addColumn(ColumnDefinition("home", .link, target: home.key))
      try person.addColumn(ColumnDefinition("homes", .link, .list, target: home.key))
    }
    let schema = JSONSchemaText(file, classNames: [ExactName("Person")], service: "s", database: "d")
    #expect(schema.losses.isEmpty)
    let home =
      #"{"title":"Home","bsonType":"object","required":["street"],"properties":{"street":{"bsonType":"string"},"guard":{"bsonType":"objectId"}}}"#
    let relation = ##"{"ref":"#/relationship/s/d/Dog","foreign_key":"_id","is_list":"##
    let expected = """
      {"schemas":{
      "Person":{"title":"Person","bsonType":"object","required":["_id"],"properties":{"_id":{"bsonType":"long"},"name":{"bsonType":"string"},\
      "tags":{"bsonType":"array","items":{"bsonType":"string"},"uniqueItems":true},\
      "scores":{"bsonType":"object","properties":{},"additionalProperties":{"bsonType":"double"}},\
      "dogs":{"bsonType":"array","items":{"bsonType":"objectId"}},"home":\(home),"homes":{"bsonType":"array","items":\(home)}}}
      },
      "relationships":{
      "Person":{"dogs":\(relation)true},"home.guard":\(relation)false},"homes.[].guard":\(relation)false}}
      },
      "asymmetric_tables":[]}

      """
    #expect(String(decoding: schema.bytes, as: UTF8.self) == expected)
  }

  /// A class whose every part the form has a word for.
  private func addRandomClasses(_ group: Group, _ random: inout SeededGenerator) throws {
    let types: [ColumnType] = [.int, .bool, .string, .binary, .timestamp, .float, .double, .decimal, .objectID, .uuid, .mixed]
    var targets: [Table] = []
    var embedded: [Table] = []
    for number in 0...random.below(5) {
      let kind: TableKind = number == 0 ? .topLevel : [.topLevel, .embedded, .asymmetric][random.below(3)]
      let table = try group.addTable("class_C\(number)", kind: kind)
      if kind != .embedded {
        let type: ColumnType = [.int, .string, .objectID, .uuid][random.below(4)]
        let key = try table.addColumn(ColumnDefinition("_id", type, random.below(3) == 0 ? .nullable : []))
        try table.setPrimaryKey(key)
      }
      for property in 0..<random.below(6) {
        let collection: ColumnAttributes = [[], [], .list, .set, .dictionary][random.below(5)]
        let name = ["größe", "a b", "p", "\"q\""][random.below(4)] + "\(property)"
        switch random.below(4) {
        case 0 where !targets.isEmpty:
          try table.addColumn(ColumnDefinition(name, .link, collection, target: targets[random.below(targets.count)].key))
        case 1 where !embedded.isEmpty && collection != .set:
          try table.addColumn(ColumnDefinition(name, .link, collection, target: embedded[random.below(embedded.count)].key))
        default:
          let optional: ColumnAttributes = collection.isEmpty && random.below(2) == 0 ? .nullable : []
          try table.addColumn(ColumnDefinition(name, types[random.below(types.count)], collection.union(optional)))
        }
      }
      if kind == .topLevel { targets.append(table) } else if kind == .embedded { embedded.append(table) }
    }
    // An embedded class that nobody holds is in no schema.
    let holder = try group.addTable("class_Holder")
    for table in embedded { try holder.addColumn(ColumnDefinition(table.nameText, .link, target: table.key)) }
  }

  private func classes(_ file: OpenFile) -> [String] {
    SchemaText.readable(file).split(separator: "\n\n").filter { !$0.hasPrefix("metadata (") }.map { block in
      let lines = block.split(separator: "\n").filter { !$0.hasPrefix("  (linked from") }
      return lines.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "\n")
    }.sorted()
  }

  @Test func whatTheFormHasWordsForComesBack() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    for round in 0..<trials(full: 500, tenth: 25) {
      let file = try makeFile { try addRandomClasses($0, &random) }
      let schema = JSONSchemaText(file)
      #expect(schema.losses.isEmpty, "seed \(seed), round \(round)")
      let again = try remade(schema.bytes)
      #expect(classes(again) == classes(file), "seed \(seed), round \(round)\n\(String(decoding: schema.bytes, as: UTF8.self))")
      #expect(JSONSchemaText(again).bytes == schema.bytes, "seed \(seed), round \(round)")
    }
  }

  @Test func schemasOfRecordedFilesAreReadAgain() throws {
    var count = 0
    for fixture in Fixture.files("realm-core", upTo: 1 << 20) {
      guard let file = try? OpenFile(path: fixture.path), file.tables.contains(where: { SchemaText.isClass($0.name) && $0.kind != .embedded }) else {
        continue
      }
      let schema = JSONSchemaText(file)
      let value = try JSONSerialization.jsonObject(with: Data(schema.bytes)) as? [String: Any]
      #expect(value?["schemas"] != nil, "\(fixture.name)")
      let again = try remade(schema.bytes)
      #expect(JSONSchemaText(again).bytes.count > 0)
      count += 1
    }
    #expect(count > 5)
  }

  @Test func whatIsNotKeptIsTold() throws {
    let file = try makeFile { group in
      let plain = try group.addTable("class_Plain")
      try plain.addColumn(ColumnDefinition("x", .int))
      let tree = try group.addTable("class_Tree", kind: .embedded)
      try tree.addColumn(ColumnDefinition("left", .link, target: tree.key))
      let table = try group.addTable("class_A")
      let id = try table.addColumn(ColumnDefinition("id", .int))
      try table.setPrimaryKey(id)
      let name = try table.addColumn(ColumnDefinition("name", .string))
      try table.addIndex(name)
      let text = try table.addColumn(ColumnDefinition("text", .string))
      try table.addFullTextIndex(text)
      try table.addColumn(ColumnDefinition("numbers", .int, [.list, .nullable]))
      try table.addColumn(ColumnDefinition("plain", .link, target: plain.key))
      try table.addColumn(ColumnDefinition("tree", .link, target: tree.key))
    }
    let losses = JSONSchemaText(file).losses
    #expect(
      losses == [
        "A.id: that it is the primary key; backends know it by the name _id", "A.name: its index", "A.text: its full-text index",
        "A.numbers: that elements may be null", "A.plain: the link, as Plain has no primary key", "Tree.left: Tree objects inside of Tree objects",
      ])
  }

  @Test(arguments: [
    ("{}", "$ has no title"), ("[]", "$ describes no class"), (#"{"title": "A"}"#, "$ is no class"),
    (#"{"title": "A", "bsonType": "object", "properties": {"a": {}}}"#, "$.properties.a.bsonType is missing"),
    (#"{"title": "A", "bsonType": "object", "properties": {"a": {"bsonType": "regex"}}}"#, "$.properties.a.bsonType is 'regex'"),
    (#"{"title": "A", "bsonType": "object", "properties": {"a": {"bsonType": "array"}}}"#, "$.properties.a.items is missing"),
    (#"{"title": "A", "bsonType": "object", "required": ["b"], "properties": {}}"#, "$.required names 'b'"),
    (#"{"schemas": {"A": {"title": "B", "bsonType": "object", "properties": {}}}}"#, "$.schemas.A.title is 'B'"),
    (
      #"[{"title": "A", "bsonType": "object", "properties": {"e": {"bsonType": "object", "title": "E", "properties": {}}, "f": {"bsonType": "object", "title": "E", "properties": {"x": {"bsonType": "int"}}}}}]"#,
      "$[0].properties.f describes 'E' in another way"
    ),
  ]) func mistakesAreToldWithTheirPlace(_ text: String, _ reason: String) throws {
    let document = try #require(ImportValue(json: Array(text.utf8)))
    #expect { try JSONSchemaClasses(document) } throws: { ($0 as? ImportProblem)?.reason.hasPrefix(reason) == true }
  }

  @Test func theCommandsPrintAndMake() throws {
    let path = directory.file("a.realm")
    try Database.open(path: path).close()
    let properties = #""properties": {"_id": {"bsonType": "int"}, "age": {"bsonType": "long"}}"#
    let text = #"{"title": "Dog", "bsonType": "object", "required": ["_id"], \#(properties)}"#
    let schema = try directory.write(Array(text.utf8), as: "schema.json")
    let made = try ToolRun("realm", ["create", "classes", path, schema])
    #expect(made.status == 0 && made.output == "created Dog\n", "\(made.errors)")
    let printed = try ToolRun("realm", ["schema", path, "--json-schema"])
    #expect(printed.output.contains(#""Dog":{"title":"Dog","bsonType":"object","required":["_id"],"properties":{"_id":{"bsonType":"long"},"#))
    let again = try ToolRun("realm", ["create", "classes", path, schema])
    #expect(again.status == 2 && again.errors.contains("the class 'Dog' exists"), "\(again.errors)")
  }

  @Test func classesThatWriteALetterInTwoWaysAreTwo() throws {
    let (path, copy) = (directory.file("a.realm"), directory.file("b.realm"))
    let letters = ["\u{E9}", "e\u{301}"]
    try ToolRun.realm("create", "class", path, letters[0], "\(letters[0])=int", "\(letters[1])=int?", "--new").expect(status: 0)
    try ToolRun.realm("create", "class", path, letters[1], "\(letters[0])=int", "\(letters[1])=int?").expect(status: 0)
    let schema = try directory.write(Array(ToolRun.realm("schema", path, "--json-schema").output.utf8), as: "schema.json")
    try ToolRun.realm("create", "classes", copy, schema, "--new").expect(status: 0)
    try ToolRun.realm("diff", path, copy).expect(status: 0, output: "")
    for letter in letters {
      let lines = try ToolRun.realm("schema", path, "--class", letter).output.split(separator: "\n")
      #expect(lines.count == 3 && lines[0].utf8.elementsEqual(letter.utf8), "\(lines)")
    }
  }
}
