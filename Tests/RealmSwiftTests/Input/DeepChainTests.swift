import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Objects that lead to each other in chains of any length.
@Suite struct DeepChainTests {
  let directory = TestDirectory()
  private static let length = 6_000

  private func realm(_ name: String = "test.realm") throws -> Realm {
    try Realm(configuration: Realm.Configuration(fileURL: directory.fileURL(name), objectTypes: [OKnot.self, OLoop.self]))
  }

  /// - Returns: all of them, as otherwise they would be released one inside of the other.
  private func chain(_ connect: (OKnot, OKnot) -> Void = { $0.next = $1 }) -> [OKnot] {
    let knots = (0..<Self.length).map { OKnot(value: ["name": "\($0)"]) }
    for (knot, next) in zip(knots, knots.dropFirst()) { connect(knot, next) }
    return knots
  }

  private func names(_ first: OKnot, _ next: (OKnot) -> OKnot? = \.next) -> [String] {
    var names: [String] = []
    var knot: OKnot? = first
    while let current = knot {
      names.append(current.name)
      knot = next(current)
    }
    return names
  }
  private var expected: [String] { (0..<Self.length).map { "\($0)" } }

  @Test func aLongChainOfLinksIsAdded() throws {
    let realm = try realm()
    let knots = chain()
    try realm.write { realm.add(knots[0]) }
    #expect(realm.objects(OKnot.self).count == Self.length)
    #expect(names(knots[0]) == expected)
    #expect(knots.allSatisfy { $0.realm == realm })
  }

  @Test func aLongChainThroughListsIsAdded() throws {
    let realm = try realm()
    let knots = chain { $0.others.append(objectsIn: [OKnot(value: ["name": "beside \($1.name)"]), $1]) }
    try realm.write { realm.add(knots[0]) }
    #expect(names(knots[0], \.others.last) == expected)
    #expect(knots.dropLast().map { $0.others[0].name } == expected.dropFirst().map { "beside \($0)" })
    #expect(realm.objects(OKnot.self).count == 2 * Self.length - 1)
  }

  @Test func aLongChainThroughMixedValuesIsAdded() throws {
    let realm = try realm()
    let knots = chain { $0.any = .object($1) }
    try realm.write { realm.add(knots[0]) }
    #expect(names(knots[0]) { $0.any.object(OKnot.self) } == expected)
  }

  @Test func aLongChainOfInstancesIsCopied() throws {
    let realm = try realm()
    let knots = chain()
    let copy = try realm.write { realm.create(OKnot.self, value: knots[0]) }
    for knot in knots { knot.next = nil }
    #expect(realm.objects(OKnot.self).count == Self.length)
    #expect(names(copy) == expected)
  }

  @Test func aLongRingOfAnotherRealmIsCopied() throws {
    let (first, second) = (try realm(), try realm("other.realm"))
    let knots = chain()
    try first.write {
      first.add(knots[0])
      knots[knots.count - 1].next = knots[0]
    }
    let copy = try second.write { second.create(OKnot.self, value: knots[0]) }
    #expect(second.objects(OKnot.self).count == Self.length)
    try second.write { second.objects(OKnot.self).where { $0.name == "\(Self.length - 1)" }.first?.next = nil }
    #expect(names(copy) == expected)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all]) func aLongChainIsUpdated(policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    for _ in 0..<2 {
      let loops = (0..<Self.length).map { OLoop(value: [$0]) }
      for (loop, next) in zip(loops, loops.dropFirst()) { loop.next = next }
      try realm.write { realm.add(loops[0], update: policy) }
      #expect(realm.objects(OLoop.self).count == Self.length)
      #expect(realm.objects(OLoop.self).where { $0.next == nil }.count == 1)
    }
  }

  @Test func deeplyNestedInputMakesAsManyObjects() throws {
    let realm = try realm()
    // Nested dictionaries are released one inside of the other, by the system.
    let depth = 5_000
    var input: [String: Any] = ["name": "\(depth - 1)"]
    for level in (0..<depth - 1).reversed() { input = ["name": "\(level)", "next": input] }
    let knot = try realm.write { realm.create(OKnot.self, value: input) }
    #expect(names(knot) == (0..<depth).map { "\($0)" })
  }
}
