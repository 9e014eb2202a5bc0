import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmSwift

enum SaleKind: String, PersistableEnum, CaseIterable { case shop, web, fair }

class Sale: Unlisted {
  @Persisted var year: Int
  @Persisted var city: String?
  @Persisted var kind: SaleKind
  @Persisted var price: Double
  @Persisted var pieces: Int?
  @Persisted var day: Date
}

/// Aggregates by group against a loop.
@Suite(.mustEnd) struct GroupedResultsTests {
  let directory = TestDirectory()

  private func realm(_ seed: UInt64) throws -> Realm {
    var random = SeededGenerator(test: seed)
    let realm = try Realm(configuration: directory.configuration([Sale.self]))
    try realm.write {
      for _ in 0..<2000 {
        let sale = Sale()
        sale.year = 2000 + random.below(20)
        sale.city = random.below(5) == 0 ? nil : ["Oslo", "Lima", "Rome"][random.below(3)]
        sale.kind = SaleKind.allCases[random.below(3)]
        sale.price = Double(random.below(1000)) / 8
        sale.pieces = random.below(3) == 0 ? nil : random.below(50)
        sale.day = Date(timeIntervalSince1970: Double(random.below(100_000)))
        realm.add(sale)
      }
    }
    return realm
  }

  @Test(arguments: [1, 2] as [UInt64])
  func aggregatesOfGroupsAreThoseOfALoop(_ seed: UInt64) throws {
    let realm = try realm(testSeed &+ seed)
    for sales in [realm.objects(Sale.self), realm.objects(Sale.self).where { $0.price > 60 }, realm.objects(Sale.self).sorted(by: \.price).freeze()] {
      let byYear = Dictionary(grouping: sales) { $0.year }
      let counts = sales.grouped(by: \.year).counts()
      #expect(counts.map(\.key) == byYear.keys.sorted(), "seed \(testSeed)")
      #expect(counts.map(\.value) == byYear.keys.sorted().map { byYear[$0]?.count })
      for (year, sum) in sales.grouped(by: \.year).sum(of: \.price) {
        #expect(abs(sum - (byYear[year] ?? []).reduce(0) { $0 + $1.price }) < 1e-6)
      }
      for (year, sum) in sales.grouped(by: \.year).sum(of: \.pieces) { #expect(sum == (byYear[year] ?? []).reduce(0) { $0 + ($1.pieces ?? 0) }) }
      let byCity = Dictionary(grouping: sales) { $0.city }
      let latest = sales.grouped(by: \.city).max(of: \.day)
      #expect(latest.map(\.key) == [nil, "Lima", "Oslo", "Rome"])
      for (city, day) in latest { #expect(day == byCity[city]?.map(\.day).max()) }
      let byKind = Dictionary(grouping: sales) { $0.kind }
      for (kind, mean) in sales.grouped(by: \.kind).average(of: \.pieces) {
        let pieces = (byKind[kind] ?? []).compactMap(\.pieces)
        #expect(abs((mean ?? 0) - Double(pieces.reduce(0, +)) / Double(pieces.count)) < 1e-9)
      }
      for (kind, least) in sales.grouped(by: \.kind).min(of: \.price) { #expect(least == byKind[kind]?.map(\.price).min()) }
    }
  }

  @Test func groupsFollowTheRealm() throws {
    let realm = try realm(3)
    let groups = realm.objects(Sale.self).where { $0.year == 1990 }.grouped(by: \.kind)
    #expect(groups.counts().isEmpty)
    try realm.write {
      let sale = Sale()
      (sale.year, sale.kind) = (1990, .web)
      realm.add(sale)
      #expect(groups.counts().map(\.key) == [.web])
    }
    #expect(groups.counts().map(\.value) == [1])
    #expect(groups.max(of: \.pieces).map(\.value) == [nil])
  }

  /// Two sales in Oslo, one in Rome.
  private func largeSales(pieces: [Int?]) throws -> Realm {
    let realm = try Realm(configuration: directory.configuration([Sale.self]))
    try realm.write {
      for (pieces, city) in zip(pieces, ["Oslo", "Oslo", "Rome"]) {
        let sale = Sale()
        (sale.pieces, sale.city, sale.price) = (pieces, city, 0.25)
        realm.add(sale)
      }
    }
    return realm
  }

  @Test func whatIsTooLargeForIntegersIsAddedExactly() throws {
    let sales = try largeSales(pieces: [.max, .max, -3]).objects(Sale.self)
    for groups in [sales.grouped(by: \.city), sales.where { $0.price < 1 }.sorted(by: \.price).distinct(by: [\.pieces, \.city]).grouped(by: \.city)] {
      #expect(groups.sum(of: \.price, as: Decimal128.self).last?.value == 0.25)
      #expect(groups.average(of: \.pieces).last?.value == -3)
    }
    let exact = sales.grouped(by: \.city).sum(of: \.pieces, as: Decimal128.self)
    #expect(exact.map(\.key) == ["Oslo", "Rome"])
    #expect(try exact.map(\.value) == [Decimal128(string: "18446744073709551614"), -3])
    #expect(sales.grouped(by: \.city).average(of: \.pieces).first?.value == 9_223_372_036_854_775_808)
    // As the original adds up.
    #expect(sales.sum(of: \.pieces) == -5)
  }

  @Test func aSumThatFitsInTheEndIsTheRightOne() throws {
    let sales = try largeSales(pieces: [.max, 1, 5]).objects(Sale.self)
    let all = sales.grouped(by: \.kind)
    #expect(try all.sum(of: \.pieces, as: Decimal128.self).map(\.value) == [Decimal128(string: "9223372036854775813")])
    try sales.realm?.write { sales.first { $0.city == "Rome" }?.pieces = -1 }
    #expect(all.sum(of: \.pieces).map(\.value) == [.max])
  }

  @Test(.endsProcesses) func aSumThatItsTypeDoesNotHoldStopsWithAdvice() async throws {
    _ = try largeSales(pieces: [.max, 1, nil])
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path, [Sale.self]))
      _ = realm.objects(Sale.self).grouped(by: \.city).sum(of: \.pieces)
    }
    let sum = "The sum of 'Sale.pieces' where 'city' is Oslo is 9223372036854775808, which 'Optional<Int>' does not hold"
    #expect(result?.stopped(with: sum + "; ask for sum(of:as: Decimal128.self)") == true)
  }
}
