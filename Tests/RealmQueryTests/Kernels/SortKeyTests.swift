import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Values whose numbers to sort by are the same, or nearly so, although they differ.
@Suite(.mustEnd) struct SortKeyTests {
  /// Sorts and thins out one object for each value, and compares with the order of the values.
  private func expectOrder(_ type: ColumnType, _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Kept")
      let column = try table.addColumn(ColumnDefinition("value", type, .nullable))
      for value in values { try table.set(table.createObject(), column, value) }
    }
    let snapshot = try database.snapshot()
    let table = try #require(try snapshot.openGroup().table(named: "class_Kept"))
    let column = try table.column(named: "value")
    let keys = try table.keys()
    for isAscending in [true, false] {
      let expected = values.indices.sorted { a, b in
        let order = Value.compare(values[a], values[b])
        return order == 0 ? a < b : (order < 0) == isAscending
      }
      var order = try RowOrder(TableScan(table, .always))
      try order.sort(by: [OrderColumn(column, isAscending: isAscending)])
      #expect(try order.keys().array() == expected.map { keys[$0] }, sourceLocation: sourceLocation)
    }
    var distinct = try RowOrder(TableScan(table, .always))
    try distinct.keepDistinct(by: [OrderColumn(column)])
    let kept = values.indices.filter { index in !values[..<index].contains { Value.compare($0, values[index]) == 0 } }
    #expect(try distinct.keys().array() == kept.map { keys[$0] }, sourceLocation: sourceLocation)
  }

  /// Every two lengths around the eight bytes of a number, alone, since a third value may tell that values have to be compared.
  @Test(arguments: [ColumnType.string, .binary]) func zerosAtTheEndMakeAnotherValue(_ type: ColumnType) throws {
    for length in 0...9 {
      for zeroCount in 1...3 where (6...9).contains(length + zeroCount) {
        let short = [UInt8](repeating: 0x61, count: length)
        let long = short + [UInt8](repeating: 0, count: zeroCount)
        let texts: [[UInt8]] = [[0x62], long, short, long, short]
        try expectOrder(type, texts.map { type == .string ? .string($0) : .binary($0) })
      }
    }
  }

  /// Where nanoseconds since 1970 do not fit into 64 bits any more.
  @Test func momentsBesideTheLimitOfNanosecondsAreInOrder() throws {
    let limit: Int64 = 9_200_000_000
    var values: [Value] = []
    for seconds in [limit + 1, limit, limit - 1, .max, -limit, -limit - 1, -limit + 1, .min, 0] {
      for nanoseconds: Int32 in [999_999_999, 0, 1] {
        values.append(.timestamp(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds)))
      }
    }
    try expectOrder(.timestamp, values)
  }
}
