import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmSwift

/// `index(matching:)` of unmanaged lists of values, which `SELF` stands for.
@Suite struct UnmanagedValueSearchTests {
  private func list<Element>(_ elements: Element...) -> List<Element> {
    let list = List<Element>()
    list.append(objectsIn: elements)
    return list
  }

  @Test func formatsAndPredicatesFindValues() throws {
    let numbers = list(5, 7, 9, 7)
    for (format, expected) in [
      ("SELF == 7", 1), ("self > 7", 2), ("7 < SELF", 2), ("SELF IN {9, 5}", 0), ("SELF BETWEEN {6, 8}", 1), ("NOT SELF == 5", 1),
      ("SELF == 8", nil), ("SELF != 5 AND SELF != 7", 2), ("SELF == 1 OR SELF == 9", 2), ("TRUEPREDICATE", 0), ("FALSEPREDICATE", nil),
    ] {
      #expect(numbers.index(matching: format) == expected, "\(format)")
      #expect(numbers.index(matching: NSPredicate(format: format)) == expected, "\(format)")
      #expect(AnyRealmCollection(numbers).index(matching: format) == expected, "\(format)")
      #expect(try numbers.throwing.index(matching: format) == expected, "\(format)")
    }
    #expect(numbers.index(matching: "SELF == %@", 9) == 2)
    #expect(numbers.index(matching: "SELF == %d", 7) == 1)
    #expect(numbers.index(matching: NSPredicate(format: "SELF IN %@", [7, 9])) == 1)
    #expect(List<Int>().index(matching: "SELF == 7") == nil)
  }

  @Test func valuesOfEveryTypeAreFound() throws {
    #expect(list("a", "Bc", "d").index(matching: "SELF CONTAINS[c] 'b'") == 1)
    #expect(list("a", nil, "d").index(matching: "SELF == nil") == 1)
    #expect(list(1.5, 2.5).index(matching: "SELF > 2") == 1)
    #expect(list(Float(1.5), 2.5).index(matching: "SELF == 2.5") == 1)
    #expect(list(true, false).index(matching: "SELF == NO") == 1)
    let date = Date(timeIntervalSince1970: 1000)
    #expect(list(Date(timeIntervalSince1970: 0), date).index(matching: "SELF >= %@", date) == 1)
    #expect(list(Data([1]), Data([2])).index(matching: "SELF == %@", Data([2])) == 1)
    let id = ObjectId.generate()
    #expect(list(ObjectId.generate(), id).index(matching: "SELF == %@", id) == 1)
    let uuid = UUID()
    #expect(list(UUID(), uuid).index(matching: "SELF == %@", uuid) == 1)
    #expect(list(Decimal128(1), Decimal128(number: 3)).index(matching: "SELF == 3") == 1)
    #expect(list(OWord.a, .c).index(matching: "SELF == 'c'") == 1)
    #expect(list(ONumber?.none, .some(.two)).index(matching: "SELF == 2") == 1)
    #expect(list(OCents(0.05), OCents(0.07)).index(matching: "SELF > 6") == 1)
  }

  @Test func mixedValuesAreFoundByWhatTheyHold() throws {
    let tag = OTag(value: [1, "a"] as [Any])
    let mixed = List<AnyRealmValue>()
    mixed.append(objectsIn: [.none, .int(7), .string("a"), .object(tag), .double(2.5)])
    #expect(mixed.index(matching: "SELF == 7") == 1)
    #expect(mixed.index(matching: "SELF == 'a'") == 2)
    #expect(mixed.index(matching: "SELF == 2.5") == 4)
    #expect(mixed.index(matching: "SELF == nil") == 0)
    #expect(mixed.index(matching: { $0 == .string("a") }) == 2)
    // The one that is searched is a copy.
    #expect(mixed.index(matching: "SELF == %@", tag) == nil)
  }

  @Test func closuresFindValues() throws {
    #expect(list(5, 7, 9).index(matching: { $0 > 5 }) == 1)
    #expect(list(5, 7, 9).index(matching: { $0 == 9 || $0 == 8 }) == 2)
    #expect(list("a", "bc").index(matching: { $0.contains("c") }) == 1)
    #expect(list("a", nil).index(matching: { $0 == nil }) == 1)
    #expect(list(OWord.a, .c).index(matching: { $0 == .c }) == 1)
    #expect(list(5, 7, 9).index(matching: { $0.in([9, 7]) }) == 1)
  }

  @Test(arguments: UInt64(0)..<4) func searchesFindWhatALoopFinds(round: UInt64) throws {
    var random = SeededGenerator(test: round)
    let values = (0..<random.below(40)).map { _ in random.below(6) == 0 ? nil : random.below(10) }
    let searched = List<Int?>()
    searched.append(objectsIn: values)
    let relations: [(String, (Int, Int) -> Bool)] = [("==", ==), ("!=", !=), ("<", <), ("<=", <=), (">", >), (">=", >=)]
    for limit in 0..<10 {
      for (symbol, holds) in relations {
        // Nothing but `!=` holds for nil.
        let expected = values.firstIndex { $0.map { holds($0, limit) } ?? (symbol == "!=") }
        #expect(searched.index(matching: "SELF \(symbol) %@", limit) == expected, "\(symbol) \(limit) in \(values), seed \(testSeed)")
      }
    }
  }

  @Test func whatCannotBeAskedOfValuesIsRefused() throws {
    func failure<Element: RealmCollectionValue>(_ list: List<Element>, _ format: String) -> String? {
      failureText { _ = try list.position { try PredicateInput.query(format, [], about: $0) } }
    }
    #expect(failure(list(1), "age == 1") == "Invalid keypath 'age': Property 'age' not found in object of type 'collection element'")
    #expect(failure(list(1), "SELF == 'x'") == "Cannot compare value 'x' of type 'string' to property 'self' of type 'int'")
    #expect(failure(list(1), "SELF.length == 1") != nil)
    #expect(failure(list(OPoint(1, 2)), "SELF == 1") == "Querying is currently only implemented for arrays of Realm Objects")
    // Managed collections go on as before.
    let directory = TestDirectory()
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "ints": [1, 2]] as [String: Any]) }
    #expect(failure(holder.ints, "SELF == 1") == "Querying is currently only implemented for arrays of Realm Objects")
  }
}
