import Foundation
import Testing

@testable import RealmSwift

/// A text that shows the whole tree.
private func shown(_ predicate: NSPredicate) -> String { shown(PredicateTree(predicate)) }

private func shown(_ tree: PredicateTree) -> String {
  switch tree {
  case .format(let format, let arguments): "'\(format)' \(arguments.map { $0.map { "\($0)" } ?? "nil" })"
  case .constant(let value): "\(value)"
  case .and(let children): "and(\(children.map(shown).joined(separator: ", ")))"
  case .or(let children): "or(\(children.map(shown).joined(separator: ", ")))"
  case .not(let child): "not(\(shown(child)))"
  case .unsupported: "unsupported"
  case .tooDeep: "too deep"
  }
}

@Test func formatAndArgumentsAreRecovered() {
  let age: Int32 = 7, nothing: String? = nil
  #expect(shown(NSPredicate(format: "flag == TRUE")) == "'flag == TRUE' []")
  #expect(shown(NSPredicate(format: "age > %d", age)) == #"'age > %d' ["7"]"#)
  #expect(shown(NSPredicate(format: "a == %@ OR b == %@", nothing, "x")) == #"'a == %@ OR b == %@' ["nil", "x"]"#)
  #expect(shown(NSPredicate(format: "a IN %@", argumentArray: [[1, 2]])) == #"'a IN %@' ["[1, 2]"]"#)
  #expect(shown(NSPredicate(format: "a", argumentArray: nil)) == "'a' []")
}

@Test func compoundAndConstantPredicatesAreWalked() {
  let a = NSPredicate(format: "a"), b = NSPredicate(format: "b")
  let either = NSCompoundPredicate(orPredicateWithSubpredicates: [a, NSCompoundPredicate(notPredicateWithSubpredicate: b)])
  let all = NSCompoundPredicate(andPredicateWithSubpredicates: [either, NSPredicate(value: true), NSPredicate(value: false)])
  #expect(shown(all) == "and(or('a' [], not('b' [])), true, false)")
  #expect(shown(NSCompoundPredicate(andPredicateWithSubpredicates: [])) == "and()")
}

@Test func blocksOfOthersAreNeverCalled() {
  let predicate = NSPredicate { _, _ in
    Issue.record("called")
    return true
  }
  #expect(shown(predicate) == "unsupported")
  #expect(shown(NSCompoundPredicate(notPredicateWithSubpredicate: predicate)) == "not(unsupported)")
}

@Test func predicatesAreRecognisedAfterManyOthersHaveGone() {
  let kept = (0..<200).map { NSPredicate(format: "kept \($0)") }
  for index in 0..<10_000 { #expect(shown(NSPredicate(format: "gone \(index)")) == "'gone \(index)' []") }
  for (index, predicate) in kept.enumerated() { #expect(shown(predicate) == "'kept \(index)' []") }
  #expect(shown(NSPredicate { _, _ in true }) == "unsupported")
}

@Test func aFormatPredicateHoldsForNoObject() {
  #expect(!NSPredicate(format: "TRUEPREDICATE").evaluate(with: "x"))
}

private func listOfThree() -> List<Int> {
  let list = List<Int>()
  list.append(objectsIn: [1, 2, 3])
  return list
}
private func mixedList(_ number: Int) -> List<AnyRealmValue> {
  let list = List<AnyRealmValue>()
  list.append(.int(number))
  return list
}
private func mixedMap(_ number: Int) -> Map<String, AnyRealmValue> {
  let map = Map<String, AnyRealmValue>()
  map["a"] = .int(number)
  return map
}

@Test func predicatesOfTheSameFormatAndArgumentsAreEqual() {
  let predicate = NSPredicate(format: "a == %@ AND b IN %@ AND c > %d", "x", [1, 2], 3)
  let same = NSPredicate(format: "a == %@ AND b IN %@ AND c > %d", argumentArray: ["x", [1, 2], NSNumber(value: 3)])
  #expect(predicate == same && predicate.hash == same.hash)
  #expect(NSCompoundPredicate(notPredicateWithSubpredicate: predicate) == NSCompoundPredicate(notPredicateWithSubpredicate: same))
  #expect(predicate != NSPredicate(format: "a == %@ AND b IN %@ AND c > %d", "x", [1, 2], 4))
  #expect(predicate != NSPredicate(format: "a == %@ AND b IN %@ AND c > %d", "x", [1], 3))
  #expect(NSPredicate(format: "a == %@", String?.none) != NSPredicate(format: "a == %@", "x"))
  for null in [Int?.none as Any, NSNull()] {
    #expect(NSPredicate(format: "a == %@", String?.none) == NSPredicate(format: "a == %@", argumentArray: [null]))
  }
  for (wrapped, plain) in [(AnyRealmValue.int(3), 3 as Any), (.string("x"), "x"), (.none, NSNull())] {
    #expect(NSPredicate(format: "a == %@", wrapped) == NSPredicate(format: "a == %@", argumentArray: [plain]))
    #expect(NSPredicate(format: "a == %@", wrapped) != NSPredicate(format: "a == %@", argumentArray: ["y"]))
  }
  for (one, same, other) in [
    (listOfThree(), listOfThree(), List<Int>()), (AnyRealmValue.list(mixedList(1)), mixedList(1), mixedList(2)),
    (AnyRealmValue.dictionary(mixedMap(1)), mixedMap(1), mixedMap(2)), (mixedMap(1), AnyRealmValue.dictionary(mixedMap(1)), mixedList(1)),
  ] as [(Any, Any, Any)] {
    #expect(NSPredicate(format: "a == %@", one) == NSPredicate(format: "a == %@", same))
    #expect(NSPredicate(format: "a == %@", one) != NSPredicate(format: "a == %@", other))
  }
  let person = Object()
  #expect(NSPredicate(format: "a == %@", person) == NSPredicate(format: "a == %@", person))
  #expect(NSPredicate(format: "a == %@", person) != NSPredicate(format: "a == %@", Object()))
  for constant in [true, false].map(NSPredicate.init(value:)) { #expect(constant != predicate && predicate != constant) }
}

@Test func aCopyOfAFormatPredicateIsRecognised() {
  let copy = NSPredicate(format: "a == %@", "x").copy() as? NSPredicate
  #expect(copy.map(shown) == #"'a == %@' ["x"]"#)
}

@Test func aFormatPredicateShowsWhatItIs() {
  #expect("\(NSPredicate(format: "a > 1"))" == "a > 1")
  #expect("\(NSPredicate(format: "a == %@ OR b > %d", "x", 2))" == "a == %@ OR b > %d [x, 2]")
}
