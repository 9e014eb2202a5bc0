import RealmStorage
import Testing

@testable import RealmQuery

/// What may be compared, what is refused, and which refusal comes first.
@Suite struct ComparisonCheckTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  private func refusal(_ text: String) -> String { sample.group.refusal { _ = try sample.keys(text) } }
  private func notText(_ keyword: String, _ type: String) -> String {
    "Unsupported comparison operator '\(keyword)' against type '\(type)', right side must be a string or binary type"
  }

  @Test func `folding case needs a text on the right, except for a property and a constant of its type`() throws {
    #expect(refusal("friend.age ==[c] 18") == notText("=[c]", "int"))
    #expect(refusal("age !=[c] friend.age") == notText("!=[c]", "int"))
    #expect(refusal("dog IN[c] {O3}") == notText("in[c]", "link"))
    #expect(refusal("extra ==[c] friend.born") == notText("=[c]", "timestamp"))
    #expect(try sample.keys("age ==[c] 18") == sample.keys("age == 18"))
    #expect(try sample.keys("dog ==[c] O3") == sample.keys("dog == O3"))
    #expect(try !sample.keys("age ==[c] 18").isEmpty && !sample.keys("dog ==[c] O3").isEmpty)
  }

  @Test func `null is a text only to texts`() throws {
    #expect(refusal("born CONTAINS NULL") == notText("contains", "null"))
    #expect(refusal("extra BEGINSWITH NULL") == notText("beginswith", "null"))
    #expect(try sample.keys("name LIKE NULL") == sample.keys("name == NULL"))
  }

  @Test func `a quantifier needs a collection before a value, not before a link or a count`() throws {
    #expect(refusal("ANY dog.name == 'Rex'") == "The keypath following 'ANY' must contain a list")
    #expect(refusal("NONE name.@size == 3") == "The keypath following 'NONE' must contain a list")
    #expect(refusal("ALL age.@type == 'int'") == "The keypath following 'ALL' must contain a list")
    #expect(try sample.keys("ANY friend == NULL") == sample.keys("friend == NULL"))
    #expect(try sample.keys("NONE dogs.@count > 1") == sample.keys("dogs.@count > 1"))
    #expect(try !sample.keys("dogs.@count > 1").isEmpty)
  }

  @Test func `a quantifier before a single link counts against several constants only`() throws {
    #expect(try sample.keys("NONE dog == ALL {O3, O3}") == sample.keys("dog != O3"))
    #expect(try sample.keys("NONE dog == dog") == sample.keys("TRUEPREDICATE"))
  }

  @Test func `links are compared with links`() throws {
    #expect(refusal("dogs IN {'Berlin', NULL}") == "Unsupported comparison between 'dogs' and type 'string'")
    #expect(refusal("NONE dogs == 5") == "Unsupported comparison between 'dogs' and type 'int'")
    #expect(refusal("dogs < {NULL}") == "Cannot compare linklist ('dogs') with NULL")
    #expect(refusal("O3 >= dogs").hasPrefix("Unsupported operator >= in query."))
    #expect(refusal("5 < dog") == "Unsupported comparison between type 'int' and type 'link'")
    #expect(try sample.keys("NULL >= dog") == sample.keys("dog == NULL"))
  }

  @Test func `types are checked before the list behind IN and after the operator of links`() {
    #expect(refusal("1 IN friend.name") == "Unsupported comparison between type 'int' and type 'string'")
    #expect(refusal("'a' IN name") == "The keypath following 'IN' must contain a list. Found 'name'")
    #expect(refusal("'a' IN extra['k']") == "The keypath following 'IN' must contain a list. Found 'extra['k']'")
    #expect(refusal("'a' IN friend.map.@keys") == "The keypath following 'IN' must contain a list. Found 'friend.map.@keys'")
    #expect(refusal("dog > 'x'").hasPrefix("Unsupported operator > in query."))
    #expect(refusal("nope1 == nope2") == "'Person' has no property 'nope2'")
    #expect(refusal("(nope1 + nope2) > 3") == "'Person' has no property 'nope2'")
  }

  @Test func `stored collections are not compared with each other, wherever they are`() {
    let text = "Ordered comparison between two primitive lists is not implemented yet"
    #expect(refusal("ANY friend.tags == tags") == "\(text) ('tags' and 'ANY friend.tags')")
    #expect(refusal("tags[*] ENDSWITH friend.tags[0]") == "\(text) ('friend.tags[FIRST]' and 'tags')")
  }

  @Test func `types of values are compared with names of types`() {
    #expect(refusal("age.@type == 'int'") == "Comparison between two constants is not supported ('\"int\"' and '\"int\"')")
    #expect(
      refusal("born.@type != {'list', 'numeric'}") == "Comparison between two constants is not supported ('\"date\"' and '{\"array\", \"numeric\"}')")
    #expect(refusal("extra == age.@type") == "Unsupported comparison between @type and raw value: 'mixed' and '@type'")
    #expect(refusal("name ENDSWITH age.@type") == notText("endswith", "@type"))
  }

  @Test func `of several faults the outermost and last operator's comes first`() {
    func property(_ name: String) -> String { "'Person' has no property '\(name)'" }
    #expect(refusal("a == 1 && b == 1 && c == 1") == property("c"))
    #expect(refusal("a == 1 && b == 1 && c == 1 && d == 1") == property("d"))
    #expect(refusal("age == 1 && b == 1 && age == 2 && age == 3") == property("b"))
    #expect(refusal("a == 1 && (b == 1 && c == 1)") == property("a"))
    #expect(refusal("(a == 1 || b == 1) && c == 1") == property("a"))
    #expect(refusal("NOT (a == 1 && b == 1 && c == 1)") == property("a"))
    #expect(refusal("tags + scores > 3 || nope == 1") == "Cannot perform '+' operation on 'tags' and 'scores'")
    #expect(refusal("scores[0] + scores > 3 && nope == 1") == "Property 'Person.scores' does not support index 'FIRST'")
    #expect(refusal("scores + map > 3 || nope == 1") == property("nope"))
    #expect(refusal("scores + map > 3 SORT(tags ASC)") == "Operations involving two lists are not supported")
    #expect(refusal("scores + map > 3") == "Operations involving two lists are not supported")
  }

  @Test func `timestamps that contradict themselves are refused where they are used`() {
    #expect(refusal("born == T1:-1") == "Invalid timestamp format")
    #expect(refusal("nope == T1:-1") == "'Person' has no property 'nope'")
  }

  @Test func `messages name what was written`() {
    #expect(refusal("age[SIZE] == 1") == "Operation 'SIZE' is not supported on property of type 'int'")
    #expect(refusal("age + binary('a') > 1") == "Cannot perform '+' operation on 'age' and 'binary(\"a\")'")
    #expect(refusal("dog - 3.0 > 1") == "Cannot perform '-' operation on 'dog' and '3'")
    #expect(refusal("(age.@type / true) == 1") == "Cannot perform '/' operation on '\"int\"' and 'true'")
    #expect(refusal("5 IN map.@max") == "The keypath following 'IN' must contain a list. Found 'map.@max'")
    #expect(refusal("5 IN (age + 1.5f)") == "The keypath following 'IN' must contain a list. Found '(age + 1.5)'")
    #expect(refusal("tags.length.@size == 1") == "Property 'Person.tags' has no property 'length'")
    #expect(refusal("dog == obj('Person', NULL)").contains("syntax error"))
  }

  @Test func `sort paths lead over links, unknown names come first`() {
    func missing(_ name: String, _ clause: String) -> String { "No property '\(name)' found on object type 'Person' specified in '\(clause)' clause" }
    #expect(refusal("TRUEPREDICATE SORT(tags.x ASC)") == missing("x", "sort"))
    #expect(refusal("TRUEPREDICATE SORT(tags.age ASC)") == "All but last property must be a link")
    #expect(refusal("TRUEPREDICATE SORT(tags ASC) DISTINCT(nope)") == missing("nope", "distinct"))
    #expect(refusal("TRUEPREDICATE SORT(dogs.x ASC)") == "No property 'x' found on object type 'Dog' specified in 'sort' clause")
  }
}

/// Comparisons in which both sides may be several values.
@Suite struct CollectionComparisonTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  static let equivalents = [
    // Behind several objects each object's collection is compared by itself.
    ("@links.Person.friend.tags == {'red', 'green'}", "SUBQUERY(@links.Person.friend, $p, $p.tags == {'red', 'green'}).@count > 0"),
    ("{'red', 'green'} == @links.Person.friend.tags", "SUBQUERY(@links.Person.friend, $p, $p.tags == {'red', 'green'}).@count > 0"),
    (
      "'red' == NONE @links.Person.friend.tags",
      "@links.Person.friend.@count == 0 || SUBQUERY(@links.Person.friend, $p, NONE $p.tags == 'red').@count > 0"
    ),
    // The value under a key is a single one.
    ("map['k0'] == {1, 2, 5, 42}", "map['k0'] == ANY {1, 2, 5, 42}"), ("map['k1'] < {30, 40}", "map['k1'] < ANY {30, 40}"),
    // Of a collection the size is asked, whatever element is named.
    ("tags[0].@size == 2", "tags.@count == 2"), ("map['k0'][SIZE] == 3", "map.@count == 3"),
    ("map['k0'] + 1 == {1, 2, 6, 43}", "map['k0'] == ANY {0, 1, 5, 42}"),
    // A value of another shape has no elements, and all of them satisfy everything.
    ("ALL extra[0] > 5", "TRUEPREDICATE"), ("extra[0] IN {}", "TRUEPREDICATE"),
    // Behind a link there is one count or none.
    ("friend.dogs.@count != {0, 1}", "TRUEPREDICATE"),
    // Lists of constants follow the generic rules, but for equality.
    ("name >= {NULL}", "name == NULL"), ("height IN {nan, 10}", "height == 10"), ("price CONTAINS {NULL, 'x'}", "price != NULL"),
  ]

  @Test(arguments: equivalents)
  func `both ways of asking have the same answer`(query: String, other: String) throws {
    let keys = try sample.keys(query)
    #expect(keys == (try sample.keys(other)))
    #expect(!keys.isEmpty)
    var plan = try Query(query).bind(sample.people, in: sample.group)
    plan.options = .evaluatesEachObject
    #expect(try plan.execute().map(\.rawValue) == keys)
  }
}
