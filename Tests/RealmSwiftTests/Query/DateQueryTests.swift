import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private class DateOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var list: List<Date>
  @Persisted var set: MutableSet<Date>
  @Persisted var map: Map<String, Date>
  @Persisted var optList: List<Date?>
  @Persisted var optSet: MutableSet<Date?>
  @Persisted var optMap: Map<String, Date?>
  @Persisted var owners: List<DateOwner>
  @Persisted var date: Date
}

/// Collections of dates have a least and a greatest element, and ranges.
@Suite struct DateQueryTests {
  private let directory = TestDirectory()
  private static let names = ["list", "set", "map", "optList", "optSet", "optMap"]

  private static func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

  /// The owner `id` has the days id, id + 1, id + 2; owner 9 has nothing, owner 8 nulls where they can be.
  private func owners() throws -> Results<DateOwner> {
    let realm = try Realm(configuration: directory.configuration([DateOwner.self]))
    try realm.write {
      var previous: DateOwner?
      for id in 0..<10 {
        let owner = realm.create(DateOwner.self, value: ["id": id, "date": Self.day(id)] as [String: Any])
        if let previous { owner.owners.append(previous) }
        previous = owner
        if id == 9 { continue }
        let days = (id..<id + 3).map(Self.day)
        for (place, day) in days.enumerated() {
          if id == 8 {
            owner.optList.append(nil)
            owner.optSet.insert(nil)
            owner.optMap["\(place)"] = .some(nil)
            continue
          }
          owner.list.append(day)
          owner.set.insert(day)
          owner.map["\(place)"] = day
          owner.optList.append(day)
          owner.optSet.insert(day)
          owner.optMap["\(place)"] = day
        }
      }
    }
    return realm.objects(DateOwner.self).sorted(byKeyPath: "id")
  }

  @Test(arguments: names) func `formats compare the least and the greatest date`(name: String) throws {
    let owners = try owners()
    func ids(_ format: String, _ arguments: Any...) -> [Int] { owners.filter(NSPredicate(format: format, argumentArray: arguments)).map(\.id) }
    #expect(ids("\(name).@min > %@", Self.day(4)) == [5, 6, 7])
    #expect(ids("\(name).@max <= %@", Self.day(4)) == [0, 1, 2])
    #expect(ids("\(name).@min == date") == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(ids("\(name).@max == nil") == [8, 9])
    #expect(ids("%@ < \(name).@min", Self.day(6)) == [7])
    #expect(ids("ANY \(name) BETWEEN {%@, %@}", Self.day(8), Self.day(9)) == [6, 7])
    #expect(ids("ANY \(name) IN %@", [Self.day(0), Self.day(9)]) == [0, 7])
    #expect(ids("\(name).@count == 0") == (name.hasPrefix("opt") ? [9] : [8, 9]))
  }

  @Test func `typed queries compare the least and the greatest date`() throws {
    let owners = try owners()
    func ids(_ isIncluded: (Query<DateOwner>) -> Query<Bool>) -> [Int] { owners.where(isIncluded).map(\.id) }
    let (low, high) = (Self.day(2), Self.day(6))
    for found in [
      ids { $0.list.contains(low...high) }, ids { $0.set.contains(low...high) }, ids { $0.map.contains(low...high) },
      ids { $0.optList.contains(low...high) }, ids { $0.optSet.contains(low...high) }, ids { $0.optMap.contains(low...high) },
    ] {
      #expect(found == [2, 3, 4])
    }
    #expect(ids { $0.list.contains(low..<high) } == [2, 3])
    #expect(ids { $0.map.contains(low..<high) } == [2, 3])
    #expect(ids { $0.list.min == low } == [2])
    #expect(ids { $0.set.max >= high && $0.optMap.min < high } == [4, 5])
    #expect(ids { $0.owners.date.min == low } == [3])
    #expect(ids { $0.owners.date.contains(low...high) } == [3, 4, 5, 6, 7])
  }

  @Test(.endsProcesses) func `dates have no sum`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "dates", objectTypes: [DateOwner.self]))
      _ = realm.objects(DateOwner.self).filter("list.@sum > %@", Date())
    }
    #expect(result?.stopped(with: "Cannot sum or average date properties") == true)
  }
}
