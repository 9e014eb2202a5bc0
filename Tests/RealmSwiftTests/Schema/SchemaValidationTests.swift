import RealmStorage
import Testing

@testable import RealmSwift

@Suite struct SchemaValidationTests {
  private func problems(_ classes: ObjectSchema...) -> [String] { SchemaValidation.problems(in: Schema(classes)) }
  private let target = ObjectSchema("Target", .int("value"))

  @Test func aGoodSchemaHasNoProblems() throws {
    let schema = Schema([
      ObjectSchema("Address", embedded: true, .string("street", optional: true)),
      ObjectSchema("Dog", .key("id"), .string("name", indexed: true), .origins("owners", "Person", "dogs")),
      ObjectSchema(
        "Person", .list("dogs", of: "Dog"), .link("best", "Dog"), .map("byName", of: "Dog"), .link("home", "Address"),
        Property(name: "any", type: .any), Property(name: "tags", type: .string, collection: .list, isIndexed: true),
        Property(name: "text", type: .string, isFullTextIndexed: true)),
    ])
    #expect(SchemaValidation.problems(in: schema).isEmpty)
    try SchemaValidation.validate(schema)
  }

  @Test func namesMustNotRepeat() {
    #expect(problems(target, target) == ["Type 'Target' appears more than once in the schema."])
    #expect(problems(ObjectSchema("C", .int("p"), .string("p"))) == ["Property 'p' appears more than once in the schema for type 'C'."])
    let (a, b) = (Property(name: "x", columnName: "a", type: .int), Property(name: "x", columnName: "b", type: .int))
    #expect(problems(ObjectSchema("C", a, b)) == ["Alias 'x' appears more than once in the schema for type 'C'."])
    #expect(
      problems(ObjectSchema("C", a, .int("x"))) == ["Property 'C.a' has an alias 'x' that conflicts with a property of the same name."])
  }

  @Test func linksNeedAKnownTarget() {
    #expect(problems(ObjectSchema("C", .link("p", "Nobody"))) == ["Property 'C.p' of type 'object' has unknown object type 'Nobody'"])
    #expect(problems(ObjectSchema("C", .list("p", of: "Nobody"))) == ["Property 'C.p' of type 'array' has unknown object type 'Nobody'"])
  }

  @Test func optionalityFollowsTheKindOfLink() {
    #expect(
      problems(target, ObjectSchema("C", Property(name: "p", type: .object, objectClassName: "Target")))
        == ["Property 'C.p' of type 'object' must be nullable."])
    #expect(
      problems(target, ObjectSchema("C", Property(name: "p", type: .object, collection: .list, isOptional: true, objectClassName: "Target")))
        == ["Property 'C.p' of type 'array' cannot be nullable."])
    #expect(
      problems(target, ObjectSchema("C", Property(name: "p", type: .object, collection: .set, isOptional: true, objectClassName: "Target")))
        == ["Property 'C.p' of type 'set' cannot be nullable."])
    #expect(
      problems(target, ObjectSchema("C", Property(name: "p", type: .object, collection: .dictionary, objectClassName: "Target")))
        == ["Property 'C.p' of type 'dictionary' must be nullable."])
  }

  @Test(arguments: [PropertyType.bool, .double, .float, .data, .date, .decimal128, .any])
  func onlyFourTypesCanBeThePrimaryKey(_ type: PropertyType) {
    #expect(
      problems(ObjectSchema("C", .key("p", type))) == ["Property 'C.p' of type '\(type.nameInErrors)' cannot be made the primary key."])
  }

  @Test func keysAndIndexesObeyTheirRules() {
    #expect(
      problems(ObjectSchema("C", .key("a"), .key("b"))) == ["Properties 'a' and 'b' are both marked as the primary key of 'C'."])
    #expect(
      problems(ObjectSchema("C", Property(name: "p", type: .double, isIndexed: true))) == ["Property 'C.p' of type 'double' cannot be indexed."])
    #expect(
      problems(ObjectSchema("C", Property(name: "p", type: .int, collection: .list, isIndexed: true)))
        == ["Property 'C.p' of type 'array' cannot be indexed."])
    #expect(
      problems(ObjectSchema("C", Property(name: "p", type: .int, isFullTextIndexed: true))) == ["Property 'C.p' of type 'int' cannot be indexed."])
    #expect(problems(ObjectSchema("E", embedded: true, .key("a"))) == ["Embedded object type 'E' cannot have a primary key."])
  }

  @Test func originsOfLinkingObjectsAreLinksToTheClass() {
    let subject = "Property 'Origin.o' declared as origin of linking objects property 'C.b'"
    let linking = ObjectSchema("C", .int("value"), .origins("b", "Origin", "o"))
    #expect(problems(linking, ObjectSchema("Origin", .int("x"))) == ["\(subject) does not exist"])
    #expect(problems(linking, ObjectSchema("Origin", .int("o"))) == ["\(subject) is not a link"])
    #expect(problems(linking, target, ObjectSchema("Origin", .link("o", "Target"))) == ["\(subject) links to type 'Target'"])
    #expect(problems(linking, ObjectSchema("Origin", .list("o", of: "C"))).isEmpty)
  }

  @Test func embeddedAndAsymmetricClassesAreConfined() {
    let embedded = ObjectSchema("E", embedded: true, .int("x"))
    #expect(
      problems(embedded, ObjectSchema("C", Property(name: "p", type: .object, collection: .set, objectClassName: "E")))
        == ["Set property 'C.p' cannot contain embedded object type 'E'. Set semantics are not applicable to embedded objects."])
    #expect(problems(ObjectSchema("A", asymmetric: true, .key("_id"))) == ["Asymmetric table 'A' not allowed in a local Realm"])
    #expect(
      problems(ObjectSchema("A", asymmetric: true, .key("_id")), ObjectSchema("C", .link("p", "A"))).last
        == "Property 'C.p' of type 'object' cannot be a link to an asymmetric object.")
  }

  @Test func embeddedClassesFormNoCycles() {
    let text = "Cycles containing embedded objects are not currently supported: "
    #expect(problems(ObjectSchema("E", embedded: true, .link("me", "E"))) == ["\(text)'E.me'"])
    #expect(
      problems(ObjectSchema("Body", embedded: true, .link("subBody", "SubBody")), ObjectSchema("SubBody", embedded: true, .list("body", of: "Body")))
        == ["\(text)'Body.subBody.body'", "\(text)'SubBody.body.subBody'"])
    // Through a top-level class it is no cycle of owners.
    #expect(problems(ObjectSchema("E", embedded: true, .link("top", "T")), ObjectSchema("T", .link("e", "E"))).isEmpty)
  }

  @Test func allProblemsComeInOneText() {
    let schema = Schema([ObjectSchema("C", .link("p", "Nobody"), Property(name: "q", type: .double, isIndexed: true))])
    #expect(
      throws: RealmFailure(
        .fail,
        """
        Schema validation failed due to the following errors:
        - Property 'C.p' of type 'object' has unknown object type 'Nobody'
        - Property 'C.q' of type 'double' cannot be indexed.
        """, name: "SchemaValidationFailed")
    ) { try SchemaValidation.validate(schema) }
  }

  @Test func namesHaveTheLengthThatTablesCanHold() throws {
    let (fits, tooLong) = (String(repeating: "n", count: 57), String(repeating: "n", count: 58))
    try SchemaValidation.validate(Schema([ObjectSchema(fits, .int("x"))]))
    func failure(_ name: String) -> RealmFailure { RealmFailure(.fail, "Name too long: \(name)", name: "InvalidName") }
    #expect(throws: failure(tooLong)) { try SchemaValidation.validate(Schema([ObjectSchema(tooLong, .int("x"))])) }
    let column = String(repeating: "p", count: 64)
    #expect(throws: failure(column)) { try SchemaValidation.validate(Schema([ObjectSchema("C", .int(column))])) }
  }
}
