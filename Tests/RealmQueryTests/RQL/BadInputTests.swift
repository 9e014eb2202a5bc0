import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Bytes of a long query: a megabyte, or a fifth of it.
let longText = isFullRun ? 1_000_000 : 200_000

/// Each kind of bad input that both languages have to refuse: with an error, in time, and where there is one with its place.
@Suite struct BadQueryTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  private func refusal(_ text: String, _ arguments: [QueryArgument], isFormat: Bool) -> (message: String, offset: Int?)? {
    do throws(QueryError) {
      let query = isFormat ? try PredicateFormat.parse(text, arguments: arguments, allowsSurplus: false) : try Query(text, arguments: arguments)
      _ = try query.bind(sample.people, in: sample.group)
      return nil
    } catch {
      guard case .invalid(_, let message, let offset) = error else { return nil }
      return (message, offset)
    }
  }

  @Test(
    arguments: [
      // Unknown properties.
      ("nope == 1", false, 0, "'Person' has no property 'nope'"), ("age == 1 && dog.nope == 2", false, 12, "'Dog' has no property 'nope'"),
      ("age == 1 AND nope == 1", true, 13, "Property 'nope' not found in object of type 'Person'"),
      // Wrong types.
      ("age == 1 && age == 'x'", false, 12, "Unsupported comparison between type 'int' and type 'string'"),
      ("age == 1 AND age == 'x'", true, 13, "Cannot compare value 'x' of type 'string' to property 'age' of type 'int'"),
      // Missing arguments.
      ("age == 1 && age == $1", false, nil, "Request for argument at index 1 but only 1 argument is provided"),
      ("age == %@ AND age == %@", true, 21, "Unable to parse the format string"),
      // Malformed texts.
      ("age == 1 && && age == 2", false, 12, "syntax error"), ("age == 'x", false, 7, "invalid character"), ("age == 1)", false, 8, "syntax error"),
      ("age == 1 AND AND age == 2", true, 13, "Unable to parse the format string"), ("age == 'x", true, 7, "Unable to parse the format string"),
    ] as [(String, Bool, Int?, String)])
  func `mistakes are refused and point at the place`(text: String, isFormat: Bool, offset: Int?, message: String) throws {
    let arguments: [QueryArgument] = text.contains("%") || text.contains("$") ? [.value(.int(1))] : []
    let refusal = try #require(self.refusal(text, arguments, isFormat: isFormat), "\(text) is accepted")
    #expect(refusal.message.contains(message))
    #expect(refusal.offset == offset)
  }

  @Test func `an argument that nothing takes is refused`() throws {
    let refusal = try #require(self.refusal("age == %@", [.value(.int(1)), .value(.int(2))], isFormat: true))
    #expect(refusal.message == "The format string \"age == %@\" takes 1 argument, but 2 were given")
    #expect(self.refusal("age == %@", [.value(.int(1))], isFormat: true) == nil)
  }

  @Test(arguments: [true, false])
  func `nesting a thousand deep is refused`(isFormat: Bool) throws {
    for text in [
      String(repeating: "(", count: 1000) + "age == 1" + String(repeating: ")", count: 1000), String(repeating: "NOT ", count: 1000) + "age == 1",
      String(repeating: "SUBQUERY(dogs, $d, ", count: 1000), "age IN " + String(repeating: "{", count: 1000),
      String(repeating: "friend.", count: 1000) + "age == 1",
    ] {
      #expect(refusal(text, [], isFormat: isFormat) != nil, "\(text.prefix(30)) is accepted")
    }
  }

  @Test(arguments: [true, false])
  func `a long text takes time in proportion, right or wrong`(isFormat: Bool) throws {
    let (or, and) = isFormat ? (" OR ", " AND ") : (" || ", " && ")
    let clock = ContinuousClock.now
    let many = Array(repeating: "age == 1000", count: longText * 6 / 100)
    #expect(refusal(many.joined(separator: or), [], isFormat: isFormat) == nil)
    #expect(refusal(many.joined(separator: and), [], isFormat: isFormat) == nil)
    for text in [
      many.joined(separator: or) + or, many.joined(separator: " "), String(repeating: "(", count: longText),
      String(repeating: "age", count: longText * 2 / 5),
      "name == '" + String(repeating: "x", count: longText), "age == 1" + String(repeating: " + 1", count: longText / 4),
      "age IN {" + String(repeating: "1, ", count: longText * 35 / 100), String(repeating: "!", count: longText),
      String(repeating: "a.", count: longText / 2) + "b == 1",
    ] {
      let refusal = try #require(self.refusal(text, [], isFormat: isFormat), "\(text.prefix(30)) is accepted")
      #expect(refusal.message.utf8.count < 10_000)
    }
    #expect(ContinuousClock.now - clock < .microseconds(120 * longText))
  }
}
