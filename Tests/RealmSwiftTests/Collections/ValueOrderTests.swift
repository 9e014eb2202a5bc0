import TestSupport
import Testing

@testable import RealmSwift

class NumberHolder: Unlisted {
  @Persisted var decimals: List<RealmSwift.Decimal128?>
  @Persisted var decimalSet: MutableSet<RealmSwift.Decimal128?>
  @Persisted var decimalMap: Map<String, RealmSwift.Decimal128?>
  @Persisted var doubleSet: MutableSet<Double?>
  @Persisted var doubles: List<Double?>
}

/// The order of null and NaN among the values of collections, which depends on where they are.
@Suite struct ValueOrderTests {
  let directory = TestDirectory()

  private func holder(_ realm: Realm) throws -> NumberHolder {
    let nan = try RealmSwift.Decimal128(string: "NaN")
    return try realm.write {
      let holder = realm.create(NumberHolder.self)
      for value in [5, nil, nan, -1, nil, nan] as [RealmSwift.Decimal128?] {
        holder.decimals.append(value)
        holder.decimalSet.insert(value)
        holder.decimalMap["\(holder.decimalMap.count)"] = value
        let double = value.map { $0.isNaN ? Double.nan : $0 > 0 ? 5 : -1 }
        holder.doubles.append(double)
        holder.doubleSet.insert(double)
      }
      return holder
    }
  }

  private func text(_ values: some Sequence<RealmSwift.Decimal128?>) -> [String] { values.map { $0?.description ?? "nil" } }
  private func text(_ values: some Sequence<Double?>) -> [String] { values.map { $0?.description ?? "nil" } }

  @Test func nullIsANotANumberAmongDecimalsOfListsAndSets() throws {
    let realm = try Realm(configuration: directory.configuration([NumberHolder.self]))
    let holder = try holder(realm)
    #expect(text(holder.decimalSet) == ["NaN", "nil", "-1", "5"])
    #expect(text(holder.decimalSet.sorted(ascending: true)) == ["NaN", "nil", "-1", "5"])
    #expect(text(holder.decimalSet.sorted(ascending: false)) == ["5", "-1", "nil", "NaN"])
    #expect(text(holder.decimals.sorted(ascending: true)) == ["NaN", "NaN", "nil", "nil", "-1", "5"])
    #expect(text(holder.decimals.sorted(ascending: false)) == ["5", "-1", "nil", "nil", "NaN", "NaN"])
    #expect(text(holder.decimals.distinct(by: ["self"])) == ["5", "nil", "NaN", "-1"])
  }

  @Test func nullIsFirstAmongTheValuesOfMaps() throws {
    let realm = try Realm(configuration: directory.configuration([NumberHolder.self]))
    let holder = try holder(realm)
    #expect(text(holder.decimalMap.sorted(ascending: true)) == ["nil", "nil", "NaN", "NaN", "-1", "5"])
  }

  @Test func notANumberIsTheLastDoubleOfASetAndTheFirstOfASortedList() throws {
    let realm = try Realm(configuration: directory.configuration([NumberHolder.self]))
    let holder = try holder(realm)
    #expect(text(holder.doubleSet) == ["nil", "-1.0", "5.0", "nan"])
    #expect(text(holder.doubleSet.sorted(ascending: false)) == ["nan", "5.0", "-1.0", "nil"])
    #expect(text(holder.doubles.sorted(ascending: true)) == ["nil", "nil", "nan", "nan", "-1.0", "5.0"])
    #expect(text(holder.doubles.distinct(by: ["self"])) == ["5.0", "nil", "nan", "-1.0"])
  }
}
