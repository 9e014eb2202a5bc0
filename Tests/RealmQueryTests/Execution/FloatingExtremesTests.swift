import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// The smallest and the largest of numbers, among which infinity is one, and NaN and null are none.
@Suite(.mustEnd) struct FloatingExtremesTests {
  private static func many(_ number: Double?, _ others: Double?...) -> [Double?] { [Double?](repeating: number, count: 300) + others }

  private static let few: [[Double?]] = [
    [], [nil], [.nan, nil], [.infinity], [-.infinity], [.infinity, -.infinity], [.infinity, 1], [-.infinity, 1], [nil, .nan, 0, -0.5],
  ]
  private static let all: [[Double?]] = [
    many(-.infinity), many(.infinity), many(nil), many(nil, .infinity), many(.nan, -.infinity), many(.infinity, 5), many(-.infinity, 5),
  ]
  private static func mixed(_ count: Int) -> [Double?] {
    (0..<count).map { (index: Int) -> Double? in
      if index % 7 == 3 { return nil }
      return index % 11 == 5 ? Double.nan : Double(index * 7919 % 1009 - 500)
    }
  }
  static let numbers: [[Double?]] = few + all + [mixed(8), mixed(9), mixed(1003)]

  @Test(arguments: numbers, [ColumnType.double, .float]) func extremesAreThoseOfALoop(_ numbers: [Double?], _ type: ColumnType) throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Number")
      let column = try table.addColumn(ColumnDefinition("number", type, .nullable))
      for number in numbers {
        let key = try table.createObject()
        guard let number else { continue }
        try table.set(key, column, type == .double ? .double(number) : .float(Float(number)))
      }
    }
    let values = numbers.compactMap { $0 }.filter { !$0.isNaN }
    func text(_ number: Double?) -> String {
      guard let number else { return Value.null.queryText }
      return (type == .double ? Value.double(number) : .float(Float(number))).queryText
    }
    var found: [(AggregateFunction, String, Int)] = []
    try database.read { (group) throws(StorageError) in
      guard let table = try group.table(named: "class_Number") else { throw .noSuchTable(name: "Number") }
      do {
        for function in [AggregateFunction.min, .max] {
          let result = try Query.all.bind(table, in: group).compute(function, PropertyAggregate(table, "number"))
          found.append((function, result.value.queryText, result.count))
        }
      } catch { Issue.record("\(error)") }
    }
    try #require(found.count == 2)
    #expect(found[0].1 == text(values.min()) && found[1].1 == text(values.max()))
    for (_, _, count) in found { #expect((count > 0) == !values.isEmpty) }
  }
}
