import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// How imports find the properties that an object names.
@Suite(.mustEnd) struct ColumnFinderTests {
  private let names = (0..<40).map { "property\($0)" }

  @Test(arguments: [0, 1, 7, 8, 9, 40]) func propertiesAreFoundInAnyOrder(_ count: Int) throws {
    let known = Array(names.prefix(count))
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      try group.addTable("class_A").addColumns(known.map { ColumnDefinition($0, .int) })
    }
    let orders = self.orders(known, SeededGenerator(test: UInt64(count)))
    try database.read { (group) throws(StorageError) in
      guard let table = try group.table(named: "class_A") else { throw .noSuchTable(name: "A") }
      for order in orders {
        var finder = ColumnFinder(table)
        for name in order {
          // One that is no property changes nothing for those behind it.
          #expect(finder.column("none") == nil)
          #expect(finder.column(name)?.name == Array(name.utf8))
        }
      }
    }
  }

  private func orders(_ known: [String], _ random: consuming SeededGenerator) -> [[String]] {
    [known, known.reversed(), known.shuffled(using: &random), known.filter { _ in Bool.random(using: &random) }, known + known]
  }
}
