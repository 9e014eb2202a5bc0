import Foundation
import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Random and mutilated texts: an answer or a thrown error, never a trap, and never long. `REGNUM_FULL=1` tries a million of each dialect.
@Suite struct ParserFuzzTests {
  private static let words = [
    "age", "name", "height", "dog", "dogs", "friend", "tags", "scores", "map", "extra", "born", "price", "data", "token", "code", "notes", "id",
    "speed",
    "isGood", "nope", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", "=", "<>", "=<", "&&", "||", "!",
    "AND", "OR", "NOT", "IN", "ANY", "ALL", "NONE", "SOME", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "TEXT", "BETWEEN", "GEOWITHIN", "MATCHES",
    "TRUEPREDICATE", "FALSEPREDICATE", "SORT", "DISTINCT", "LIMIT", "ASC", "DESC", "SUBQUERY", "$d", "$0", "$1", "$2", "$9", "$K3", "$x.", "@count",
    "@size", "@min", "@max", "@sum", "@avg", "@links", "@type", "@keys", "@values", "@allKeys", "@allValues", "[c]", "[cd]", "[FIRST]", "[*]", "[0]",
    "['k0']", "1", "2", "-3", "0x10", "010", "1.5", "1e400", ".5", "2f", "99999999999999999999", "inf", "-nan", "'a'", "\"b\"", "'\\'", "'*a?'", "''",
    "NULL", "nil", "true", "FALSE", "YES", "T1:0", "T-1:-5", "2020-1-1@0:0:0", "B64\"YQ==\"", "binary('a')", "uuid(", "oid(", "O5", "L3:5",
    "obj('Dog', 1)", "geoBox([0.0, 1.0], [2.0, 3.0])", "geoCircle([0.0, 0.0], 0.1)", "geoPolygon({[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]})",
    "%@", "%K", "%d", "%f", "%", "#", "ä", "é", "\u{0}", "\n", "\\", "with\\ space", "friend.friend.age", "dogs.age", "dog.name",
    "@links.Person.friend",
  ]
  private static let sentences = [
    "age > 3 && name BEGINSWITH[c] 'a'", "ANY dogs.age IN {1, 2, 3}", "SUBQUERY(dogs, $d, $d.age > 5 && $d.name == 'x').@count > 0",
    "TRUEPREDICATE SORT(age DESC, dog.name ASC) DISTINCT(name) LIMIT(3)", "age BETWEEN {1, $0} || map['k0'] == $1", "(age + 2) * 3 == height / 0",
    "NOT (notes TEXT 'hello -x*' || extra[0]['x'][*] != 1.5f)", "friend.friend.dogs.@max.age - 1 <= scores.@sum",
    "dog == obj('Dog', 3) || dog IN {NULL}",
    "@links.Person.friend.@count == 0 && born > 2020-01-01T00:00:00:5", "extra.@type IN {'int', 'string'}",
    "ALL tags LIKE '*?a' && NONE tags == NULL",
    "ANY dogs.name == %@ AND age IN %@", "SELF.age == %d OR map[%@] == 3 OR ANY map.@allKeys == 'k'", "%K BETWEEN {1, %f} AND friend.%K != nil",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let parts = (0..<Int.random(in: 1...14, using: &random)).map { _ in words.randomElement(using: &random)! }
      return parts.joined(separator: Bool.random(using: &random) ? " " : "")
    case 1: return sentence(depth: 3, &random)
    default: return mutilated(Bool.random(using: &random) ? sentence(depth: 2, &random) : sentences.randomElement(using: &random)!, &random)
    }
  }

  /// Mostly right, of both dialects.
  private static func sentence(depth: Int, _ random: inout SeededGenerator) -> String {
    func pick(_ texts: String) -> String { texts.split(separator: " ").map(String.init).randomElement(using: &random)! }
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 0:
      return "\(pick("age id dog.age friend.age friend.friend.id")) \(pick("== != < <= > >=")) \(pick("1 5 30 -3 2.5 1e3 $0 %@ %d age id NULL"))"
    case 1:
      return
        "\(pick("name dog.name friend.name")) \(pick("== != CONTAINS BEGINSWITH ENDSWITH LIKE ==[c] CONTAINS[c] LIKE[c]")) \(pick("'a' 'Ann' 'b*' '' $1 %@ name NULL"))"
    case 2:
      return
        "\(pick("ANY ALL NONE SOME")) \(pick("dogs.age scores tags dogs.name")) \(pick("== != > IN")) \(pick("3 'red' {1,3,5} {'red','x'} 'Rex' $2 %@"))"
    case 3:
      return "\(pick("dogs tags map scores")).@\(pick("count size max sum avg min max.age sum.age")) \(pick("== > <")) \(pick("0 2 10 NULL id"))"
    case 4: return "(\(sentence(depth: depth - 1, &random)) \(pick("AND OR && ||")) \(sentence(depth: depth - 1, &random)))"
    case 5: return "NOT \(sentence(depth: depth - 1, &random))"
    case 6:
      return "SUBQUERY(dogs, $d, $d.\(pick("age name")) \(pick("== > CONTAINS")) \(pick("3 'Rex' 10"))).@count \(pick("== > <")) \(pick("0 1 2"))"
    default:
      return
        "\(pick("height speed price born extra isGood data extra['x'] map['k0'] extra.@type")) \(pick("== != < >= IN")) \(pick("1.5 10 T5:0 true 'text' {1,2.5} NULL nan 'int' $4"))"
    }
  }

  private static func mutilated(_ text: String, _ random: inout SeededGenerator) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = UInt8.random(in: 0...127, using: &random)
      case 2: bytes.insert(contentsOf: Array(words.randomElement(using: &random)!.utf8), at: place)
      case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 20)], at: Int.random(in: 0...bytes.count, using: &random))
      default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...8, using: &random)))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let arguments: [QueryArgument] = [
    .value(.int(5)), .value(Value("red")), .list([.int(1), .null, Value("x")]), .value(Value("age")), .value(.double(.infinity)), .value(.null),
    .geo(.circle(center: GeoPoint(longitude: 0, latitude: 0), radius: 1)), .detachedObject, .value(.bool(true)),
  ]

  private enum Outcome {
    case refused, accepted, answered
    case contradiction(String)
  }

  private static func trial(_ text: String, _ arguments: [QueryArgument], _ isFormat: Bool, _ sample: QuerySample, answers: Bool) -> Outcome {
    do throws(QueryError) {
      let query: Query
      if isFormat { query = try PredicateFormat.parse(text, arguments: arguments) } else { query = try Query(text, arguments: arguments) }
      var plan = try query.bind(sample.people, in: sample.group)
      if !answers { return .accepted }
      let keys = try plan.execute()
      plan.options = .evaluatesEachObject
      return try plan.execute() == keys ? .answered : .contradiction("kernels and single objects disagree")
    } catch {
      switch error {
      case .storage(let error): return .contradiction("\(error)")
      case .invalid, .cancelled: return .refused
      }
    }
  }

  @Test(arguments: [true, false])
  func `any text is answered or refused`(isFormat: Bool) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let sample = try QuerySample()
    let start = ContinuousClock.now
    var (tried, accepted, answered) = (0, 0, 0)
    while tried < (isFullRun ? 1_000_000 : 20_000), isFullRun || ContinuousClock.now - start < .seconds(4) {
      tried += 1
      let text = Self.text(&random)
      let clock = ContinuousClock.now
      let arguments = Self.arguments.shuffled(using: &random)
      let outcome = Self.trial(text, arguments, isFormat, sample, answers: accepted % 10 == 0)
      switch outcome {
      case .refused: break
      case .accepted: accepted += 1
      case .answered:
        accepted += 1
        answered += 1
      case .contradiction(let problem): Issue.record("seed \(seed): \(text): \(problem)")
      }
      if ContinuousClock.now - clock > .seconds(5) { Issue.record("seed \(seed): \(text) took \(ContinuousClock.now - clock)") }
    }
    print("\(isFormat ? "formats" : "RQL"): \(tried) texts, \(accepted) accepted, \(answered) answered twice, seed \(seed)")
    #expect(accepted > 0)
  }
}
