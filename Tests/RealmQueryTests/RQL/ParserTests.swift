import RealmStorage
import Testing

@testable import RealmQuery

@Suite struct ParserTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  @Test func `chains of conditions stay flat`() {
    let one = Condition.compare(.path("age"), .greater, .value(.int(3)))
    guard case .and(let parts) = one && one && one && (one && one) else {
      Issue.record("is no conjunction")
      return
    }
    #expect(parts.count == 5)
  }

  private func error(_ text: String, _ arguments: [QueryArgument] = []) -> QueryError? {
    do {
      _ = try Query(text, arguments: arguments).bind(sample.people, in: sample.group)
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    ("age > 3 &&", 10), ("age ? 3", 4), ("age > 3) && age < 4", 7), ("age IN {1, 2", 12), ("nope == 1", 0), ("age == 1 && nme == 2", 12),
  ])
  func `errors point at the place`(text: String, offset: Int) {
    guard case .invalid(_, _, let found)? = error(text) else {
      Issue.record("\(text) is accepted")
      return
    }
    #expect(found == offset)
  }

  @Test func `nesting a thousand deep is refused and not met with a trap`() throws {
    for text in [
      String(repeating: "(", count: 1000) + "age == 1" + String(repeating: ")", count: 1000), String(repeating: "NOT ", count: 1000) + "age == 1",
      "age == " + String(repeating: "(", count: 1000) + "1", "age == 1" + String(repeating: " + 1", count: 1000),
      String(repeating: "SUBQUERY(dogs, $d, ", count: 1000), "age == " + String(repeating: "obj('Dog', ", count: 1000),
      String(repeating: "friend.", count: 1000) + "age == 1",
    ] {
      guard case .invalid(.syntaxError, let message, _)? = error(text) else {
        Issue.record("\(text.prefix(30)) is accepted")
        continue
      }
      #expect(message.utf8.count < 10_000)
      let format = text.replacing("SUBQUERY(dogs, $d, ", with: "SUBQUERY(dogs, $d, ")
      #expect(throws: QueryError.self) { _ = try PredicateFormat.parse(format, arguments: []).bind(sample.people, in: sample.group) }
    }
  }

  @Test func `many conditions take time in proportion`() throws {
    let text = Array(repeating: "age == 1000", count: longText * 6 / 100).joined(separator: " || ") + " || age == 5"
    let clock = ContinuousClock.now
    #expect(try sample.keys(text) == sample.keys("age == 5"))
    #expect(ContinuousClock.now - clock < .microseconds(60 * longText))
    let list = "age IN {" + (0..<longText / 5).map { "\($0 + 100)" }.joined(separator: ", ") + ", 5}"
    #expect(try sample.keys(list) == sample.keys("age == 5"))
  }

  @Test(arguments: [
    "age > 3 && (name BEGINSWITH[c] \"a\" || NOT dog == NULL)", "ANY dogs.age IN {1, 2.5, NULL}",
    "tags == {\"a\", \"b\"} SORT(age DESC, dog.name ASC) LIMIT(3)",
    "SUBQUERY(dogs, $d, $d.age > 5).@count >= age DISTINCT(age)", "born > T5:0 && data == binary(B64\"YQ==\")",
    "map['k0'] == 5 && extra[*].x == 1.5f",
    "@links.@count == 0", "@links.Person.friend.age > 3", "notes TEXT \"hello -realm\"", "age BETWEEN {1, 5}", "$K0 == 5 && height > $1",
    "(age + 1) * 2 == 8", "name == \"quote ' in it\" && name != B64\"AA==\"", "height == nan || height == -inf || price == 1.50", "with\\ space == 0",
    "scores.@sum > 3 && dogs.@max.age < 12", "extra.@type == 'int'", "friend IN {obj('Person', 3), NULL}",
  ])
  func `printed queries are read back with the same meaning`(text: String) throws {
    let arguments: [QueryArgument] = [.value(Value("age")), .value(.double(3))]
    let query = try Query(text, arguments: arguments)
    let (printed, printedArguments) = query.rqlText()
    let again = try Query(printed, arguments: printedArguments)
    #expect(again.rqlText().text == printed)
    #expect(
      try again.bind(sample.people, in: sample.group).execute() == query.bind(sample.people, in: sample.group).execute(), "\(printed)")
    #expect(try Query(query.description, arguments: arguments).description == query.description)
  }

  /// As in the original. Generic comparisons find only a NaN of the same bits.
  @Test(arguments: ["nan", "+nan", "-nan", "-NaN"]) func `a sign before NaN counts for decimals only`(literal: String) throws {
    let found = try sample.keys("height + nan == \(literal)")
    #expect(try !found.isEmpty && found == sample.keys("height + nan == nan"))
    #expect(try sample.keys("price + nan == \(literal)").isEmpty == literal.hasPrefix("-"))
  }

  @Test func `names that are no identifiers are passed as arguments`() throws {
    let query = Query(.compare(.property(PropertyOperand(QueryPath([.name("null")]))), .equal, .value(.int(1))), dialect: .rql)
    let (text, arguments) = query.rqlText()
    #expect(text == "$K0 == 1")
    guard case .value(.string(let name))? = arguments.first else {
      Issue.record("there is no argument")
      return
    }
    #expect(name == Array("null".utf8))
  }
}
