import RealmStorage
import Testing

@testable import RealmQuery

/// How messages print values.
@Suite struct MessageTextTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  private func refusal(_ text: String, _ arguments: QueryArgument...) -> String { sample.group.refusal { _ = try sample.keys(text, arguments) } }

  private static let printed: [(Value, String)] = [
    (.double(1), "1"), (.double(0.1), "0.1"), (.double(1_234_567.5), "1.23457e+06"), (.double(1e20), "1e+20"), (.double(100_000), "100000"),
    (.double(0.00001), "1e-05"), (.double(-0.0), "-0"), (.double(.nan), "nan"), (.float(0.1), "0.1"), (.float(16_777_216), "1.67772e+07"),
    (.decimal(Decimal128(text: "1.50")!), "1.50"), (.decimal(Decimal128(text: "1E+20")!), "1E20"), (.int(-7), "-7"), (.bool(true), "true"),
    (.timestamp(Timestamp(seconds: -5, nanoseconds: -7)), "T-5:-7"), (.binary([0x61]), #"binary("a")"#),
    (.binary([0, 1, 2]), #"binary(B64"AAEC")"#), (.link(ObjectKey(5)), "O5"),
  ]

  @Test(arguments: printed)
  func `arguments of the wrong type are printed as streams print them`(value: Value, text: String) {
    #expect(refusal("name == $0", .value(value)) == "Cannot compare argument $0 with value '\(text)' to a string")
  }

  @Test func `texts that need care are printed in base64`() {
    #expect(refusal("age == $0", .value(Value("größe"))) == #"Cannot compare argument $0 with value '"größe"' to a int"#)
    #expect(refusal("age == $0", .value(Value("it's"))) == #"Cannot compare argument $0 with value 'B64"aXQncw=="' to a int"#)
  }

  @Test func `objects are printed by their primary keys`() {
    let person = Value.typedLink(ObjectLink(table: sample.people.key, key: ObjectKey(0)))
    let dog = Value.typedLink(ObjectLink(table: sample.dogs.key, key: ObjectKey(3)))
    #expect(refusal("age == $0", .value(person)) == "Cannot compare $0 which links to 'Person' with primary key '0' to a int")
    #expect(refusal("age == $0", .value(dog)) == "Cannot compare $0 which links to 'Dog' with primary key 'O3' to a int")
  }

  @Test func `constants are printed with all their digits`() {
    func noList(_ text: String) -> String { "The keypath following 'IN' must contain a list. Found '\(text)'" }
    #expect(refusal("height IN 0.1") == noList("0.10000000000000001"))
    #expect(refusal("height IN 1.0") == noList("1"))
    #expect(refusal("speed IN 0.1") == noList("0.100000001"))
    #expect(refusal("price IN 1.50") == noList("1.50"))
    #expect(refusal("extra IN 0.1 + 5") == noList("5.1"))
    #expect(refusal("dog IN O3") == noList("O3"))
    #expect(refusal("name + 0.1 == 5") == "Cannot perform '+' operation on 'name' and '0.10000000000000001'")
  }

  @Test func `formats print numbers as NSNumber does`() {
    func refusal(_ value: Value) -> String { sample.group.refusal { _ = try sample.format("name == %@", value) } }
    func misfit(_ text: String, _ type: String) -> String { "Cannot compare value '\(text)' of type '\(type)' to property 'name' of type 'string'" }
    #expect(refusal(.double(1)) == misfit("1", "double"))
    #expect(refusal(.double(0.1)) == misfit("0.1", "double"))
    #expect(refusal(.float(0.1)) == misfit("0.1", "float"))
    #expect(refusal(.bool(true)) == misfit("1", "bool"))
  }

  @Test func `a quantifier before a single value is refused before what follows the value`() {
    #expect(refusal("ANY name.length == 3") == "The keypath following 'ANY' must contain a list")
    #expect(refusal("name.length == 3") == "Property 'Person.name' has no property 'length'")
  }

  @Test func `subscripts from arguments are refused while the text is read`() {
    #expect(refusal("tags[$0] == 'a' &&", .value(.double(1.5))) == "Invalid index type")
    #expect(refusal("tags[$1] == 'a' &&", .value(.int(1))) == "Request for argument at index 1 but only 1 argument is provided")
    #expect(refusal("scores[$0] == 1", .value(.int(-1))) == "Property 'Person.scores' does not support index 'LAST'")
  }

  @Test func `minus one is the last position`() throws {
    #expect(try sample.keys("tags[$0] == 'blue'", [.value(.int(-1))]) == sample.keys("tags[LAST] == 'blue'"))
    #expect(try sample.keys("tags[$0] == 'blue'", [.value(.int(-2))]).isEmpty)
  }
}
