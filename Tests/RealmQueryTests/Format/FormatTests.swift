import RealmStorage
import Testing

@testable import RealmQuery

/// Cocoa's format strings and the typed where, by the rules of Q16.
@Suite struct FormatTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  private func refusal(_ format: String, _ arguments: QueryArgument...) -> String {
    do {
      _ = try PredicateFormat.parse(format, arguments: arguments).bind(sample.people, in: sample.group)
      return ""
    } catch { return error.message }
  }

  @Test(arguments: [
    ("age > 3 AND name BEGINSWITH[c] 'a'", "age > 3 && name BEGINSWITH[c] 'a'"),
    ("age > %@", "age > 7"), ("7 < age", "age > 7"), ("age IN {1, 2, 3}", "age == 1 || age == 2 || age == 3"),
    ("age BETWEEN {3, 5}", "age >= 3 && age <= 5"), ("NOT isGood == YES", "isGood != true"), ("dog.name = 'Rex'", "dog.name == 'Rex'"),
    ("ANY dogs.age > 10", "ANY dogs.age > 10"), ("NONE dogs.age > 10", "NONE dogs.age > 10"), ("'red' IN tags", "ANY tags == 'red'"),
    ("ANY tags = 'red'", "ANY tags == 'red'"), ("dogs.@count > 1", "dogs.@count > 1"), ("dogs.@max.age >= 15", "dogs.@max.age >= 15"),
    ("scores.@sum > 12", "scores.@sum > 12"),
    (
      "SUBQUERY(dogs, $d, $d.age > 5 AND $d.name == 'Fido').@count > 0",
      "SUBQUERY(dogs, $d, $d.age > 5 && $d.name == 'Fido').@count > 0"
    ),
    ("name == nil", "name == NULL"), ("SELF.age == 5", "age == 5"), ("map['k0'] > 100", "map['k0'] > 100"),
    ("ANY map.@allKeys == 'k1'", "ANY map.@keys == 'k1'"), ("TRUEPREDICATE", "TRUEPREDICATE"), ("dog == nil AND age < 10", "dog == NULL && age < 10"),
    ("name CONTAINS ''", "FALSEPREDICATE"), ("name ==[cd] 'arger'", "name ==[c] 'ärger'"), ("name < 'B'", "name < 'B'"),
    ("'B' > name", "name < 'B'"), ("age == name.age OR TRUEPREDICATE", ""), ("height < 0.0", "height < 0.0"), ("price == 7", "price == 7"),
  ])
  func `a format selects what its translation selects`(format: String, text: String) throws {
    if text.isEmpty {
      #expect(refusal(format) != "")
      return
    }
    #expect(try sample.format(format, .int(7)) == sample.keys(text), "\(format)")
  }

  @Test func `many members of a list are one look-up each`() throws {
    let needles = (0..<40_000).map { Value.int(Int64($0 * 3)) }
    let query = try PredicateFormat.parse("age IN %@", arguments: [.list(needles)])
    let strings = try PredicateFormat.parse("name IN %@", arguments: [.list((0..<40_000).map { Value("n\($0)") } + [Value("Ann")])])
    #expect(
      try query.bind(sample.people, in: sample.group).execute().map(\.rawValue)
        == sample.keys("age IN {0,3,6,9,12,15,18,21,24,27,30,33,36,39,42,45,48,51,54,57}"))
    #expect(try strings.bind(sample.people, in: sample.group).count() == sample.keys("name == 'Ann'").count)
  }

  @Test func `both bounds of BETWEEN are about the same element`() throws {
    #expect(try sample.format("ANY dogs.age BETWEEN {4, 6}") == sample.keys("SUBQUERY(dogs, $d, $d.age >= 4 && $d.age <= 6).@count > 0"))
  }

  @Test func `detached objects equal nothing`() throws {
    func count(_ format: String) throws -> Int {
      try PredicateFormat.parse(format, arguments: [.detachedObject]).bind(sample.people, in: sample.group).count()
    }
    #expect(try count("dog == %@") == 0)
    #expect(try count("dog != %@") == 300)
    #expect(try count("ANY dogs == %@") == 0)
  }

  @Test func `texts in Mixed properties match data too`() throws {
    #expect(try sample.format("extra == 'text'") == sample.keys("extra == 'text'"))
    #expect(try sample.format("extra != 'text'") == sample.keys("extra != 'text'"))
  }

  @Test(arguments: [
    ("age > 'x'", "Cannot compare value 'x' of type 'string' to property 'age' of type 'int'"),
    ("age > 1.5", "Cannot compare value '1.5' of type 'double' to property 'age' of type 'int'"),
    ("age == nil", "Cannot compare value '(null)' of type 'null' to property 'age' of type 'int'"),
    ("nope == 1", "Invalid keypath 'nope': Property 'nope' not found in object of type 'Person'"),
    ("age.x == 1", "Invalid keypath 'age.x': Property 'Person.age' is not a link or collection and can only appear at the end of a keypath."),
    ("dogs.age > 3", "Key paths that include a collection property must use aggregate operations"),
    ("ANY age > 3", "Aggregate operations can only be used on key paths that include an collection property"),
    ("ALL dogs.age > 3", "ALL modifier not supported"),
    ("1 == 1", "Predicate expressions must compare a keypath and another keypath or a constant value"),
    ("age + 1 > 2", "Predicate expressions must compare a keypath and another keypath or a constant value"),
    ("isGood > 1", "Operator '>' not supported for type 'bool'"), ("age CONTAINS 1", "Operator 'CONTAINS' not supported for type 'int'"),
    ("'a' CONTAINS name", "Operator 'CONTAINS' requires a keypath on the left side."),
    ("name <[c] 'a'", "Lexicographical comparisons must be case-sensitive"),
    ("name LIKE[d] 'a'", "Operator 'LIKE' not supported with diacritic-insensitive modifier."),
    ("age == height", "Property type mismatch between int and double"), ("age IN 3", "IN clause requires an array of items"),
    ("age BETWEEN {1}", "NSArray object must contain exactly two objects for BETWEEN operations"),
    ("age BETWEEN 3", "object must be of type NSArray for BETWEEN operations"),
    ("dogs.@foo == 1", "Invalid keypath 'dogs.@foo': Unsupported collection operation '@foo'"),
    ("dogs.@max == 1", "Invalid keypath 'dogs.@max': @max on a collection of objects cannot appear at the end of a keypath."),
    ("dogs.@max.name == 1", "Invalid keypath 'dogs.@max.name': @max must be followed by a numeric property."),
    ("dogs.@count == 'a'", "@count can only be compared with a numeric value."),
    ("age ==", "Unable to parse the format string \"age ==\""), ("age == %@", "Unable to parse the format string \"age == %@\""),
    ("(age == 1", "Unable to parse the format string \"(age == 1\""),
    (
      "size == 1", "Unable to parse the format string \"size == 1\": 'size' is a word of predicates; a property of that name is written #size"
    ),
    (
      "dogs.First == 1",
      "Unable to parse the format string \"dogs.First == 1\": 'First' is a word of predicates; a property of that name is written #First"
    ),
    ("any == 1", "Unable to parse the format string \"any == 1\": 'any' is a word of predicates; a property of that name is written #any"),
    ("none IN {1}", "Unable to parse the format string \"none IN {1}\": 'none' is a word of predicates; a property of that name is written #none"),
    ("some.x > 1", "Unable to parse the format string \"some.x > 1\": 'some' is a word of predicates; a property of that name is written #some"),
    ("not == 1", "Unable to parse the format string \"not == 1\": 'not' is a word of predicates; a property of that name is written #not"),
    (
      "age == 1 OR subquery == 1",
      "Unable to parse the format string \"age == 1 OR subquery == 1\": 'subquery' is a word of predicates; a property of that name is written #subquery"
    ),
  ])
  func `what is wrong with a format is told`(format: String, message: String) { #expect(refusal(format) == message) }

  @Test func `built trees mean the same as formats`() throws {
    let built = Query(
      .compare(.path("age"), .greater, .value(.int(3))) && !.compare(.path("name"), .contains, .value(Value("n")), options: .caseInsensitive),
      dialect: .format)
    #expect(try built.bind(sample.people, in: sample.group).execute().map(\.rawValue) == sample.format("age > 3 AND NOT name CONTAINS[c] 'n'"))
  }
}
