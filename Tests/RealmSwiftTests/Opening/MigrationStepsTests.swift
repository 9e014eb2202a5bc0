import RealmStorage
import Testing

@testable import RealmSwift

@Suite struct MigrationStepsTests {
  /// A file at version 1 with `count` objects of each class whose Int property `n` (and key) counts up.
  private func file(_ schema: Schema, count: Int64 = 300) throws -> SchemaFile {
    let file = try SchemaFile()
    try file.create(schema, version: 1)
    try file.write { (group) throws in
      for objectSchema in schema.objectSchema where !objectSchema.isEmbedded {
        let table = try #require(try SchemaStore.table(objectSchema.className, in: group))
        for number in 0..<count {
          let key = try table.createObject(primaryKey: objectSchema.primaryKeyProperty == nil ? nil : .int(number))
          if let column = try? table.column(named: "n"), column.key != table.primaryKeyColumn?.key {
            try table.set(key, column.key, .int(number))
          }
        }
      }
    }
    return file
  }

  private func values(_ file: SchemaFile, _ className: String, _ property: String) throws -> [String] {
    try file.read { (group) throws in
      let table = try #require(try SchemaStore.table(className, in: group))
      let column = try table.column(named: property).key
      return try table.keys().map { "\(try table.value($0, column))" }
    }
  }

  private func failure(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return ErrorBorder.text(of: error, path: nil) }
    return nil
  }

  /// The file has the schema and breaks no rule.
  private func check(_ file: SchemaFile, _ schema: Schema, version: UInt64 = 2, _ place: SourceLocation = #_sourceLocation) throws {
    let decision = try file.read { try SchemaDecision.of($0, schema, version: version) }
    #expect(decision == .unchanged, sourceLocation: place)
    #expect(try file.problems() == [], sourceLocation: place)
  }

  // MARK: Automatic changes

  @Test func columnsChangeAsTheSchemaSays() throws {
    let old = Schema([
      ObjectSchema(
        "C", .int("n"), .int("becomesOptional"), .int("becomesRequired", optional: true), .int("becomesText"), .int("goes"),
        Property(name: "list", type: .int, collection: .list))
    ])
    let new = Schema([
      ObjectSchema(
        "C", .int("n", indexed: true), .int("becomesOptional", optional: true, indexed: true), .int("becomesRequired"), .string("becomesText"),
        .string("comes"), Property(name: "list", type: .int, collection: .list, isOptional: true))
    ])
    let file = try file(old)
    try file.write { (group) throws in
      let table = try #require(try SchemaStore.table("C", in: group))
      for (index, key) in try table.keys().enumerated() {
        for name in ["becomesOptional", "becomesRequired", "becomesText", "goes"] {
          try table.set(key, table.column(named: name).key, .int(Int64(index)))
        }
        try table.collection(key, table.column(named: "list").key).append(.int(Int64(index)))
      }
    }
    var wasCalled = false
    try file.update(new, version: 2) { _ in wasCalled = true }
    #expect(wasCalled)
    try check(file, new)
    #expect(try values(file, "C", "n").suffix(1) == ["int(299)"])
    #expect(try values(file, "C", "becomesOptional").suffix(1) == ["int(299)"])
    #expect(try values(file, "C", "becomesRequired").suffix(1) == ["int(0)"])
    #expect(try values(file, "C", "becomesText").suffix(1) == ["string(\"\")"])
    #expect(try values(file, "C", "comes").suffix(1) == ["string(\"\")"])
    try file.read { (group) throws in
      let table = try #require(try SchemaStore.table("C", in: group))
      #expect(try table.collection(table.keys()[7], table.column(named: "list").key).value(at: 0).isInt(7))
      #expect(throws: StorageError.self) { try table.column(named: "goes") }
    }
  }

  @Test func aFileWithoutVersionTakesAnySchemaWithoutTheBlock() throws {
    let file = try SchemaFile()
    try file.write { (group) throws in
      let table = try group.addTable("class_C")
      try table.addColumn(ColumnDefinition("old", .int))
      try table.createObject()
    }
    let schema = Schema([ObjectSchema("C", .key("id"))])
    try file.update(schema, version: 5) { _ in throw RealmFailure.misuse("called") }
    try check(file, schema, version: 5)
    #expect(try values(file, "C", "id") == ["int(0)"])
  }

  @Test func aFailedMigrationLeavesTheFileAsItWas() throws {
    let old = Schema([ObjectSchema("C", .int("n"))])
    let file = try file(old)
    #expect(
      failure { try file.update(Schema([ObjectSchema("C", .string("other"))]), version: 2) { _ in throw RealmFailure.misuse("no") } } == "no"
    )
    try check(file, old, version: 1)
    #expect(try values(file, "C", "n").count == 300)
  }

  // MARK: Primary keys

  @Test func primaryKeysComeGoAndMove() throws {
    let file = try file(Schema([ObjectSchema("C", .key("n"), .int("other"), .int("third", indexed: true))]))
    try file.write { (group) throws in
      let table = try #require(try SchemaStore.table("C", in: group))
      for (index, key) in try table.keys().enumerated() { try table.set(key, table.column(named: "other").key, .int(Int64(1000 - index))) }
    }
    let moved = Schema([ObjectSchema("C", .int("n", indexed: true), .key("other"), .int("third"))])
    try file.update(moved, version: 2)
    try check(file, moved)
    try file.read { (group) throws in
      let table = try #require(try SchemaStore.table("C", in: group))
      #expect(try table.find(primaryKey: 990) == table.keys()[10])
      #expect(try table.indexedObjects(table.column(named: "n").key, equalTo: .int(10)).count == 1)
    }
    let removed = Schema([ObjectSchema("C", .int("n"), .int("other"), .int("third"))])
    try file.update(removed, version: 3) { _ in }
    try check(file, removed, version: 3)
    let optional = Schema([ObjectSchema("C", .int("n"), Property(name: "other", type: .int, isOptional: true, isPrimary: true), .int("third"))])
    try file.update(optional, version: 4) { _ in }
    try check(file, optional, version: 4)
    try file.read { (group) throws in
      #expect(try #require(try SchemaStore.table("C", in: group)).find(primaryKey: .int(990)) != nil)
    }
  }

  @Test func duplicatesOfAPrimaryKeyAreAllowedUntilTheEnd() throws {
    let schema = Schema([ObjectSchema("C", .key("n"), .int("other"))])
    let file = try file(schema)
    let text = "Primary key property 'C.n' has duplicate values after migration."
    func store(_ value: Int64, _ steps: MigrationSteps) throws {
      guard let table = try SchemaStore.table("C", in: steps.group) else { return }
      let column = try table.column(named: "n").key
      try table.set(table.createObject(), column, .int(7))
      try table.set(table.keys()[0], column, .int(value))
    }
    #expect(failure { try file.update(schema, version: 2) { steps in try store(1, steps) } } == text)
    #expect(
      failure { try file.update(Schema([ObjectSchema("C", .int("n"), .key("other"))]), version: 2) }?.contains("'C.other' has duplicate") == true)
    try file.update(schema, version: 2) { steps in
      try store(0, steps)
      guard let table = try SchemaStore.table("C", in: steps.group) else { return }
      try table.set(table.keys()[7], table.column(named: "n").key, .int(1_000_000))
    }
    try check(file, schema)
    #expect(try values(file, "C", "n").count == 301)
  }

  // MARK: Renaming

  private let before = Schema([ObjectSchema("C", .int("n"), .int("kept"), .int("maybe", optional: true)), ObjectSchema("D", .int("n"))])

  @Test func aRenamedPropertyKeepsItsValues() throws {
    let file = try file(before)
    let after = Schema([
      ObjectSchema(
        "C", Property(name: "swift", columnName: "number", type: .int, isOptional: true, isIndexed: true), .int("kept"), .int("maybe", optional: true)
      )
    ])
    try file.update(after, version: 2) { steps in try steps.rename("C", from: "n", to: "swift") }
    try check(file, after)
    #expect(try values(file, "C", "number").suffix(1) == ["int(299)"])
  }

  @Test func aPrimaryKeyCanBeRenamedInSteps() throws {
    let file = try file(Schema([ObjectSchema("C", .key("n"), .int("x"))]))
    let after = Schema([ObjectSchema("C", .key("id"), .int("x"))])
    try file.update(after, version: 2) { steps in
      let stamp = steps.stamp
      try steps.rename("C", from: "n", to: "between")
      try steps.rename("C", from: "between", to: "id")
      if steps.stamp == stamp { throw RealmFailure.misuse("unnoticed") }
    }
    try check(file, after)
    try file.read { (group) throws in #expect(try #require(try SchemaStore.table("C", in: group)).find(primaryKey: 123) != nil) }
  }

  @Test func impossibleRenamesHaveTheirTexts() throws {
    let file = try file(before, count: 3)
    let after = Schema([ObjectSchema("C", .string("text"), .int("kept"), .int("required"))])
    func text(_ className: String, _ old: String, _ new: String) -> String? {
      failure { try file.update(after, version: 2) { steps in try steps.rename(className, from: old, to: new) } }
    }
    #expect(text("Nobody", "a", "b") == "Cannot rename properties for type 'Nobody' because it does not exist.")
    #expect(text("D", "n", "b") == "Cannot rename properties for type 'D' because it has been removed from the Realm.")
    #expect(text("C", "kept", "required") == "Cannot rename property 'C.kept' to 'required' because the source property still exists.")
    #expect(text("C", "nothing", "required") == "Cannot rename property 'C.nothing' because it does not exist.")
    #expect(text("C", "n", "text") == "Cannot rename property 'C.n' to 'text' because it would change from type 'int' to 'string'.")
    #expect(text("C", "maybe", "required") == "Cannot rename property 'C.maybe' to 'required' because it would change from optional to required.")
    #expect(text("C", "n", "elsewhere") == "Renamed property 'C.elsewhere' does not exist.")
    #expect(text("C", "n", "required") == nil)
  }

  // MARK: Deleting data

  @Test func deletedClassesGoAndOthersAreEmptied() throws {
    let old = Schema([ObjectSchema("C", .int("n"), .link("d", "D")), ObjectSchema("D", .int("n"), .list("all", of: "D"))])
    let file = try file(old)
    try file.write { (group) throws in
      let (c, d) = (try #require(try SchemaStore.table("C", in: group)), try #require(try SchemaStore.table("D", in: group)))
      let targets = try d.keys()
      for (index, key) in try c.keys().enumerated() { try c.set(key, c.column(named: "d").key, .link(targets[index])) }
    }
    let new = Schema([ObjectSchema("C", .int("n"))])
    var answers: [Bool] = []
    try file.update(new, version: 2) { steps in
      answers = [try steps.deleteData("C"), try steps.deleteData("D"), try steps.deleteData("E")]
    }
    #expect(answers == [true, true, false])
    try check(file, new)
    try file.read { (group) throws in
      #expect(try SchemaStore.table("D", in: group) == nil)
      #expect(try SchemaStore.table("C", in: group)?.count() == 0)
    }
  }

  @Test func aClassThatNobodyDeletesStaysInTheFile() throws {
    let file = try file(before)
    try file.update(Schema([before.objectSchema[0]]), version: 2) { _ in }
    #expect(try values(file, "D", "n").count == 300)
    #expect(try file.problems() == [])
  }

  // MARK: Embedding

  @Test func objectsThatBecomeEmbeddedHaveOneOwnerEach() throws {
    let file = try file(schema(embedded: false), count: 3)
    try linkSeveralTimes(file)
    let new = schema(embedded: true)
    try file.update(new, version: 2) { _ in }
    try check(file, new)
    try expectCopies(file)
    // And back.
    let back = schema(embedded: false)
    try file.update(back, version: 3) { _ in }
    try check(file, back, version: 3)
  }

  private func schema(embedded: Bool) -> Schema {
    Schema([
      ObjectSchema(
        "Child", embedded: embedded, .int("n"), .link("leaf", "Leaf"), .link("owned", "Owned"), .list("ownedList", of: "Owned"),
        Property(name: "any", type: .any), Property(name: "tags", type: .string, collection: .set)),
      ObjectSchema("Leaf", embedded: embedded, .int("n")),
      ObjectSchema("Owned", embedded: true, .int("n")),
      ObjectSchema("Owner", .int("n"), .link("one", "Child"), .list("many", of: "Child"), .map("named", of: "Child")),
    ])
  }

  /// Child 0 has four links, child 1 has one, child 2 none. Leaf 0 belongs to children 0 and 1, leaf 1 to child 2.
  private func linkSeveralTimes(_ file: SchemaFile) throws {
    try file.write { (group) throws in
      let owner = try #require(try SchemaStore.table("Owner", in: group))
      let child = try #require(try SchemaStore.table("Child", in: group))
      let leaf = try #require(try SchemaStore.table("Leaf", in: group))
      let owned = try #require(try SchemaStore.table("Owned", in: group))
      let (owners, children, leaves) = (try owner.keys(), try child.keys(), try leaf.keys())
      for key in owners.prefix(1) {
        try owner.set(key, owner.column(named: "one").key, .link(children[0]))
        let many = try owner.collection(key, owner.column(named: "many").key)
        for target in [children[0], children[1], children[0]] { try many.append(.link(target)) }
        try owner.collection(key, owner.column(named: "named").key).set(key: [65], .typedLink(ObjectLink(table: child.key, key: children[0])))
      }
      for (child_, leaf_) in [(0, 0), (1, 0), (2, 1)] { try child.set(children[child_], child.column(named: "leaf").key, .link(leaves[leaf_])) }
      let key = children[0]
      try owned.set(child.setEmbedded(key, child.column(named: "owned").key), owned.column(named: "n").key, .int(77))
      try owned.set(child.collection(key, child.column(named: "ownedList").key).insertEmbedded(at: 0), owned.column(named: "n").key, .int(78))
      try child.set(key, child.column(named: "any").key, .list(.null))
      let nested = try child.collection(key, child.column(named: "any").key)
      try nested.append(.int(5))
      try nested.append(.dictionary(.null))
      try nested.nested(.index(1)).set(key: [66], Value("deep"))
      _ = try child.collection(key, child.column(named: "tags").key).insert(Value("tag"))
    }
  }

  /// An object that several link to was copied with everything in it.
  private func expectCopies(_ file: SchemaFile) throws {
    try file.read { (group) throws in
      let owner = try #require(try SchemaStore.table("Owner", in: group))
      let child = try #require(try SchemaStore.table("Child", in: group))
      let owned = try #require(try SchemaStore.table("Owned", in: group))
      #expect(child.kind == .embedded)
      #expect(try child.count() == 5)
      #expect(try SchemaStore.table("Leaf", in: group)?.count() == 5)
      #expect(try owned.count() == 8)
      for key in try child.keys() { #expect(try child.backlinkCount(key) == 1) }
      let many = try owner.collection(owner.keys()[0], owner.column(named: "many").key).all()
      #expect(many.count == 3)
      guard case .link(let last) = many[2] else { return }
      let nested = try child.collection(last, child.column(named: "any").key)
      #expect(try nested.value(at: 0).isInt(5))
      #expect(try nested.nested(.index(1)).count() == 1)
      #expect(try child.collection(last, child.column(named: "tags").key).count() == 1)
      guard case .link(let inner) = try child.value(last, child.column(named: "owned").key) else {
        Issue.record("the copy owns no object")
        return
      }
      #expect(try owned.value(inner, owned.column(named: "n").key).isInt(77))
    }
  }

  @Test func linksInMixedPropertiesForbidEmbedding() throws {
    let file = try file(Schema([ObjectSchema("C", .int("n")), ObjectSchema("M", Property(name: "any", type: .any))]), count: 2)
    try file.write { (group) throws in
      let (c, m) = (try #require(try SchemaStore.table("C", in: group)), try #require(try SchemaStore.table("M", in: group)))
      try m.set(m.keys()[0], m.column(named: "any").key, .typedLink(ObjectLink(table: c.key, key: c.keys()[0])))
    }
    let new = Schema([ObjectSchema("C", embedded: true, .int("n")), ObjectSchema("M", Property(name: "any", type: .any))])
    #expect(
      failure { try file.update(new, version: 2) }
        == "Cannot convert 'C' to embedded: there is an incoming link from the Mixed property 'M.any', which does not support linking to embedded objects."
    )
  }
}

extension Value {
  fileprivate func isInt(_ number: Int64) -> Bool { if case .int(number) = self { true } else { false } }
}
