import Foundation
import RealmQuery
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

private typealias Asking = (RealmSwift.Query<QueryPerson>) -> RealmSwift.Query<Bool>

private func condition(_ isIncluded: Asking) throws -> Condition {
  try QueryTree.query(isIncluded(RealmSwift.Query<QueryPerson>()).node, nil, className: "QueryPerson").condition
}

private func failure(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch { return (error as? RealmFailure)?.text }
}

/// A condition in a short form of our own, to compare trees.
private func text(_ isIncluded: Asking) throws -> String { text(try condition(isIncluded)) }

private func text(_ condition: Condition) -> String {
  switch condition {
  case .constant(let value): "\(value)"
  case .and(let parts): "and(" + parts.map(text).joined(separator: ", ") + ")"
  case .or(let parts): "or(" + parts.map(text).joined(separator: ", ") + ")"
  case .not(let part): "not(\(text(part)))"
  case .comparison(let comparison):
    "\(text(comparison.left)) \(comparison.relation)\(comparison.options.rawValue == 0 ? "" : "\(comparison.options.rawValue)") \(text(comparison.right))"
  case .between(let operand, let bounds): "\(text(operand)) between \(text(.list(bounds)))"
  case .geoWithin(let property, let region): "\(text(.property(property))) within \(region)"
  }
}

private func text(_ operand: Operand) -> String {
  switch operand {
  case .constant(.value(let value)): "\(DynamicInput.text(value))"
  case .constant(let constant): "\(constant)"
  case .list(let list): "{" + list.elements.map { text(.constant($0)) }.joined(separator: ", ") + "}"
  case .property(let property):
    (property.quantifier.map { "\($0) " } ?? "") + text(property.path) + (property.operation.map { ".@\($0)" } ?? "")
  case .aggregate(let aggregate): text(aggregate.path) + ".@\(aggregate.function)" + (aggregate.property.map { "." + $0 } ?? "")
  case .subquery(let subquery): "subquery(\(text(subquery.path)), \(subquery.variable), \(text(subquery.condition)))"
  case .arithmetic: "arithmetic"
  }
}

private func text(_ path: QueryPath) -> String {
  path.steps.map { step in
    switch step {
    case .name(let name): name
    case .keys: "@keys"
    case .values: "@values"
    case .element(.key(let key)): "[\(String(decoding: key, as: UTF8.self))]"
    case .element(.index(let index)): "[\(index)]"
    case .element(.all): "[*]"
    default: "?"
    }
  }.joined(separator: ".")
}

@Suite struct QueryTreeTests {
  @Test func comparisonsAndCompoundsKeepTheirShape() throws {
    #expect(try text { $0.a == 3 } == "a equal 3")
    #expect(try text { $0.optA == nil } == "optA equal (null)")
    #expect(try text { $0.a > 1 && $0.b < 2 && $0.d >= 3 } == "and(a greater 1, b less 2, d greaterOrEqual 3)")
    #expect(try text { $0.a > 1 || !($0.b < 2) } == "or(a greater 1, not(b less 2))")
    #expect(try text { !(!($0.a == 1)) } == "not(not(a equal 1))")
    #expect(try text { $0.flag } == "flag equal 1")
    #expect(try text { !$0.flag } == "not(flag equal 1)")
    #expect(try text { $0.friend.a == $0.b } == "friend.a equal b")
  }

  @Test func stringOptionsAreCarriedOver() throws {
    #expect(try text { $0.s.contains("x", options: .caseInsensitive) } == "s contains1 x")
    #expect(try text { $0.s.starts(with: "x", options: [.caseInsensitive, .diacriticInsensitive]) } == "s beginsWith3 x")
    #expect(try text { $0.s.like("x*", caseInsensitive: true) } == "s like1 x*")
    #expect(try text { $0.s.notEquals("x", options: .diacriticInsensitive) } == "s notEqual2 x")
    #expect(try text { $0.s.fullText("x") } == "s text x")
  }

  @Test func collectionsAreQuantified() throws {
    #expect(try text { $0.pets.age > 3 } == "any pets.age greater 3")
    #expect(try text { $0.ints.contains(3) } == "any ints equal 3")
    #expect(try text { $0.ints.containsAny(in: [1, 2]) } == "any ints in {1, 2}")
    #expect(try text { $0.a.in([1, 2]) } == "a in {1, 2}")
    #expect(try text { $0.a.contains(1...2) } == "a between {1, 2}")
    #expect(try text { $0.ints.contains(1..<2) } == "and(ints.@min greaterOrEqual 1, ints.@max less 2)")
    #expect(try text { $0.map.keys == "k" } == "any map.@keys equal k")
    #expect(try text { $0.map.values == 3 } == "any map.@values equal 3")
    #expect(try text { $0.map["k"] == 3 } == "map.[k] equal 3")
    #expect(try text { $0.mixed["k"][0].any == .int(3) } == "mixed.[k].[0].[*] equal 3")
  }

  @Test func aggregatesNameThePathToTheObjects() throws {
    #expect(try text { $0.ints.count > 3 } == "ints.@count greater 3")
    #expect(try text { $0.ints.avg > 3 } == "ints.@average greater 3")
    #expect(try text { $0.pets.age.max > 3 } == "pets.@max.age greater 3")
    #expect(try text { $0.friend.pets.age.max > 3 } == "friend.pets.@max.age greater 3")
    #expect(try text { $0.map.values.max > 3 } == "map.@values.@max greater 3")
  }

  @Test func subqueriesHaveTheirElementAsVariable() throws {
    #expect(
      try text { ($0.pets.age > 1 && $0.pets.isGood).count == 2 }
        == "subquery(pets, $col1, and($col1.age greater 1, $col1.isGood equal 1)) equal 2")
    #expect(try text { ($0.pets.scores.max > 1).count == 2 } == "subquery(pets, $col1, $col1.scores.@max greater 1) equal 2")
    #expect(try text { ($0.pets.scores == 1).count == 2 } == "subquery(pets, $col1, any $col1.scores equal 1) equal 2")
  }

  @Test func valuesAreStoredOnes() throws {
    #expect(try text { $0.level == .high } == "level equal 2")
    #expect(try text { $0.colour.in([.red, .green]) } == "colour in {red, green}")
    #expect(try text { $0.height > QueryMetres(1.5) } == "height greater 1.5")
    #expect(try text { $0.mixed == .string("x") } == "mixed equal x")
    #expect(try text { $0.optHeight == nil } == "optHeight equal (null)")
    #expect(try text { $0.friend == QueryPerson() } == "friend equal detachedObject")
  }

  @Test func embeddedCustomTypesAreComparedMemberByMember() throws {
    #expect(try text { $0.pair == QueryPair(left: 1, right: nil) } == "and(pair.left equal 1, pair.right equal (null))")
    #expect(try text { $0.pair != QueryPair(left: 1, right: "x") } == "not(and(pair.left equal 1, pair.right equal x))")
    #expect(
      try text { $0.pairs == QueryPair(left: 1, right: "x") }
        == "subquery(pairs, $col1, and($col1.left equal 1, $col1.right equal x)) greater 0")
    #expect(
      try text { $0.pairs != QueryPair(left: 1, right: "x") }
        == "and(pairs.@count greater 0, not(subquery(pairs, $col1, and($col1.left equal 1, $col1.right equal x)) greater 0))")
    #expect(try text { $0.pair.in([QueryPair(left: 1, right: nil)]) } == "or(and(pair.left equal 1, pair.right equal (null)))")
  }

  @Test func regionsBecomeShapesOfTheEngine() throws {
    let circle = GeoCircle(center: (1, 2), radiusInRadians: 0.5)!
    guard case .geoWithin(let property, .shape(.circle(let center, let radius))) = try condition({ $0.place.geoWithin(circle) }) else {
      Issue.record("no circle")
      return
    }
    #expect(property.path.steps == [.name("place")])
    #expect(center.latitude == 1 && center.longitude == 2 && radius == 0.5)
  }

  @Test func anAggregateOfAPropertyThatIsNoCollectionIsRefused() {
    #expect(
      failure { _ = try condition { $0.a.avg == 1 } }
        == "Invalid keypath 'a.@avg': Property 'QueryPerson.a' is not a link or collection and can only appear at the end of a keypath.")
    #expect(
      failure { _ = try condition { $0.friend.a.avg == 1 } }
        == "Invalid keypath 'friend.@avg.a': collection operation '@avg' must be applied to a collection")
  }

  @Test func objectsHaveToBeFromTheQueriedRealm() throws {
    let directory = TestDirectory()
    let realm = try Realm(configuration: directory.configuration(queryTypes))
    let friend = try realm.write { realm.create(QueryPerson.self, value: ["id": 1]) }
    let node = (RealmSwift.Query<QueryPerson>().friend == friend).node
    guard case .comparison(let comparison) = try QueryTree.query(node, realm.core, className: "").condition,
      case .constant(.value(.typedLink(let link))) = comparison.right
    else {
      Issue.record("no link")
      return
    }
    #expect(link.key == friend.key)
    let other = try Realm(configuration: Realm.Configuration(fileURL: directory.fileURL("other.realm"), objectTypes: queryTypes))
    #expect(failure { _ = try QueryTree.query(node, other.core, className: "") } == "Object must be from the Realm being queried")
    try realm.write { realm.delete(friend) }
    #expect(text(try QueryTree.query(node, realm.core, className: "").condition) == "friend equal detachedObject")
  }

  @Test func aLongChainOfConditionsIsFlat() throws {
    var query = RealmSwift.Query<QueryPerson>().a == 0
    for number in 1..<5000 { query = query || RealmSwift.Query<QueryPerson>().a == number }
    guard case .or(let parts) = try QueryTree.query(query.node, nil, className: "").condition else {
      Issue.record("not flat")
      return
    }
    #expect(parts.count == 5000)
    #expect(query._constructForTesting().1.count == 5000)
  }
}
