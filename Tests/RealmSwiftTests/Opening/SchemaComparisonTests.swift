import RealmStorage
import Testing

@testable import RealmSwift

@Suite struct SchemaComparisonTests {
  private func changes(_ old: ObjectSchema, _ new: ObjectSchema) -> [SchemaChange] {
    SchemaComparison.changes(from: Schema([old]), to: Schema([new]))
  }
  private func texts(_ old: ObjectSchema, _ new: ObjectSchema) -> [String] { changes(old, new).compactMap(\.text) }

  @Test func eachChangeThatNeedsAMigrationHasItsText() {
    #expect(texts(ObjectSchema("C"), ObjectSchema("C", .int("p"))) == ["Property 'C.p' has been added."])
    #expect(texts(ObjectSchema("C", .int("p")), ObjectSchema("C")) == ["Property 'C.p' has been removed."])
    #expect(texts(ObjectSchema("C", .int("p")), ObjectSchema("C", .int("p", optional: true))) == ["Property 'C.p' has been made optional."])
    #expect(texts(ObjectSchema("C", .int("p", optional: true)), ObjectSchema("C", .int("p"))) == ["Property 'C.p' has been made required."])
    #expect(texts(ObjectSchema("C", .int("p")), ObjectSchema("C", .string("p"))) == ["Property 'C.p' has been changed from 'int' to 'string'."])
    #expect(
      texts(ObjectSchema("C", .link("p", "Dog")), ObjectSchema("C", .list("p", of: "Dog")))
        == ["Property 'C.p' has been changed from '<Dog>' to 'array<Dog>'."])
    #expect(
      texts(ObjectSchema("C", .link("p", "Dog")), ObjectSchema("C", .link("p", "Cat")))
        == ["Property 'C.p' has been changed from '<Dog>' to '<Cat>'."])
    #expect(texts(ObjectSchema("C", .int("p")), ObjectSchema("C", .key("p"))) == ["Primary Key for class 'C' has been added."])
    #expect(texts(ObjectSchema("C", .key("p")), ObjectSchema("C", .int("p"))) == ["Primary Key for class 'C' has been removed."])
    #expect(
      texts(ObjectSchema("C", .key("a"), .int("b")), ObjectSchema("C", .int("a"), .key("b")))
        == ["Primary Key for class 'C' has changed from 'a' to 'b'."])
    #expect(
      texts(ObjectSchema("C", embedded: true, .int("a")), ObjectSchema("C", .int("a")))
        == ["Class 'C' has been changed from Embedded to TopLevel."])
    #expect(
      texts(ObjectSchema("C", .int("a")), ObjectSchema("C", embedded: true, .int("a")))
        == ["Class 'C' has been changed from TopLevel to Embedded."])
    #expect(changes(ObjectSchema("C", .int("p")), ObjectSchema("C", .string("p"))).allSatisfy { $0.needsMigration })
  }

  @Test func orderNamesInSwiftAndMissingClassesAreNoChange() {
    #expect(changes(ObjectSchema("C", .int("a"), .int("b")), ObjectSchema("C", .int("b"), .int("a"))).isEmpty)
    #expect(changes(ObjectSchema("C", .int("stored")), ObjectSchema("C", Property(name: "swift", columnName: "stored", type: .int))).isEmpty)
    #expect(SchemaComparison.changes(from: Schema([ObjectSchema("Gone", .int("x"))]), to: Schema([])).isEmpty)
  }

  @Test func classesAndIndexesNeedNoMigration() {
    let indexed = changes(ObjectSchema("C", .int("a")), ObjectSchema("C", .int("a", indexed: true)))
    let unindexed = changes(ObjectSchema("C", .int("a", indexed: true)), ObjectSchema("C", .int("a")))
    let added = SchemaComparison.changes(from: Schema([]), to: Schema([ObjectSchema("C", .int("a"))]))
    #expect(indexed == [.addIndex("C", .int("a", indexed: true))] && unindexed == [.removeIndex("C", .int("a"))])
    for change in indexed + unindexed + added { #expect(!change.needsMigration && change.text == nil) }
  }

  // MARK: Decisions

  private let stored = Schema([ObjectSchema("C", .int("a"), .int("b", optional: true))])
  private let changed = Schema([ObjectSchema("C", .int("a", optional: true), .int("c"))])

  private func decide(_ schema: Schema, stored number: UInt64, version: UInt64) throws -> SchemaDecision {
    try SchemaDecision.of(stored, storedVersion: number, schema, version: version)
  }

  @Test func theVersionDecides() throws {
    #expect(try decide(stored, stored: 3, version: 3) == .unchanged)
    #expect(try decide(Schema([ObjectSchema("D", .int("x"))]), stored: 3, version: 3) == .additions([.addClass(ObjectSchema("D", .int("x")))]))
    #expect(try decide(stored, stored: 3, version: 4) == .update([], from: 3, runsBlock: true))
    guard case .update(let changes, from: .max, runsBlock: false) = try decide(changed, stored: .max, version: 0) else {
      Issue.record("a file without version takes any schema")
      return
    }
    #expect(changes.count == 3)
    #expect(throws: RealmFailure(.fail, "Provided schema version 2 is less than last set version 3.", name: "InvalidSchemaVersion")) {
      try decide(stored, stored: 3, version: 2)
    }
    #expect(
      throws: RealmFailure(
        .schemaMismatch,
        """
        Migration is required due to the following errors:
        - Property 'C.a' has been made optional.
        - Property 'C.b' has been removed.
        - Property 'C.c' has been added.
        """, name: "SchemaMismatch")
    ) { try decide(changed, stored: 3, version: 3) }
  }

  @Test func aReadOnlyRealmTakesLess() throws {
    let file = try SchemaFile()
    try file.create(stored, version: 3)
    try file.read { (group) throws in
      try SchemaDecision.checkReadOnly(group, Schema([ObjectSchema("C", .int("a")), ObjectSchema("D", .int("x"))]), version: 3)
      #expect(throws: RealmFailure(.fail, "Provided schema version 4 does not equal last set version 3.", name: "InvalidSchemaVersion")) {
        try SchemaDecision.checkReadOnly(group, stored, version: 4)
      }
      #expect(
        throws: RealmFailure(
          .fail,
          """
          The following changes cannot be made in read-only schema mode:
          - Property 'C.a' has been made optional.
          - Property 'C.c' has been added.
          """, name: "InvalidSchemaChange")
      ) { try SchemaDecision.checkReadOnly(group, changed, version: 3) }
      #expect(try !SchemaDecision.keepsFile(group, changed, version: 3))
      #expect(try !SchemaDecision.keepsFile(group, stored, version: 4))
      #expect(try SchemaDecision.keepsFile(group, stored, version: 3))
    }
  }

  @Test func changesByOthersAreTakenIfTheyOnlyAdd() throws {
    let file = try SchemaFile()
    try file.create(Schema([ObjectSchema("C", .int("a"), .int("more")), ObjectSchema("D", .int("x"))]))
    try file.read { (group) throws in
      #expect(try SchemaDecision.externalFailure(opened: Schema([ObjectSchema("C", .int("a"))]), now: group) == nil)
      let failure = try SchemaDecision.externalFailure(opened: Schema([ObjectSchema("C", .string("a"), .int("b"))]), now: group)
      #expect(
        failure?.text == """
          Unsupported schema changes were made by another client or process:
          - Property 'C.a' has been changed from 'string' to 'int'.
          - Property 'C.b' has been removed.
          If your app is running in development mode, you can delete the realm and restart the app to update your schema.
          """)
    }
  }
}
