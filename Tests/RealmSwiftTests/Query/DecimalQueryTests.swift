import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct DecimalQueryTests {
  /// Both have 34 digits, of which a double tells 15 apart.
  @Test func decimalsOfFoundationFindWhatWasSetToThem() throws {
    let realm = try TestDirectory().objectRealm()
    let long = try #require(Decimal(string: "12345678901234567890.12345"))
    let next = try #require(Decimal(string: "12345678901234567890.12346"))
    try realm.write { for value in [long, next, 0.5] { realm.create(OAll.self, value: ["decimal": value, "double": 0.5, "float": 0.5]) } }
    let all = realm.objects(OAll.self)
    let stored = Array(all.map(\.decimal))
    for (number, value) in [long, next, 0.5].enumerated() {
      for argument in [value, NSDecimalNumber(decimal: value)] as [Any] {
        for found in [
          all.filter("decimal == %@", argument), all.filter("decimal IN %@", [argument]), all.filter("decimal BETWEEN %@", [argument, argument]),
        ] {
          #expect(found.map { "\($0.decimal)" } == ["\(stored[number])"])
        }
        #expect(all.filter("decimal < %@", argument).count == [1, 2, 0][number])
        // Other numbers take them as before.
        #expect(all.filter("double == %@ AND float == %@", argument, argument).count == (number == 2 ? 3 : 0))
      }
    }
    #expect(all.filter("float < %@", long).count == 3 && all.filter("double < %@", long).count == 3)
  }
}
