import Foundation
import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Scans of damaged files end, with an answer or with an error.
@Suite(.mustEnd) struct DamagedScanTests {
  private func conditions(_ column: ColumnDescription) throws -> [LeafCondition] {
    let leaf = LeafColumn(column)
    switch column.leafKind {
    case .int, .nullableInt, .bool, .link:
      return [
        .integer(leaf, IntegerTest(.greater, 3)), .integers(leaf, try IntegerSet([1, 5, 90_000, -1 << 40, .max, .min])), .integer(leaf, .null),
      ]
    case .double: return [.double(leaf, FloatingTest(direct: .less, 1)), .double(leaf, .null)]
    case .float: return [.float(leaf, FloatingTest(direct: .less, 1))]
    case .timestamp: return [.timestamp(leaf, TimestampTest(.less, Timestamp(seconds: 5, nanoseconds: 3)))]
    case .decimal: return [.decimal(leaf, BoundsTest(.less, Decimal128(5 as Int64)))]
    case .objectID: return [.objectID(leaf, BoundsTest(.less, ObjectID(high: 1, low: 1)))]
    case .uuid: return [.uuid(leaf, BoundsTest(.less, UUIDBytes(high: 1, low: 1)))]
    case .string, .binary:
      let operations: [TextTest.Operation] = [.equal, .less, .beginsWith, .endsWith, .contains, .like]
      return operations.map { .text(leaf, TextTest($0, Array($0 == .like ? "*a?".utf8 : "a".utf8), ignoresCase: $0 == .contains, acceptsNull: true)) }
    default: return []
    }
  }

  @Test func damageNeverEndsTheProcess() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 2100, random: &random)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: kernels.directory.file())))
    var (answers, errors) = (0, 0)
    for trial in 0..<max(4, trials(full: 120, tenth: 12)) {
      var bytes = sound
      for _ in 0..<1 + random.below(40) {
        let place = 32 + random.below(bytes.count - 32)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] ^= 1 << UInt8(random.below(8))
        // The first bytes of a header or of an element.
        default: bytes[(place & ~7) + 4 + random.below(4)] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      let path = kernels.directory.file("damaged-\(trial).realm")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      do {
        let database = try Database.openForInspection(path: path)
        let snapshot = try database.snapshot()
        let group = try snapshot.openGroup()
        for key in try group.tableKeys() {
          let table = try group.table(key)
          for column in table.publicColumns {
            for condition in try conditions(column) {
              do {
                _ = try TableScan(table, condition).keys().count
                answers += 1
              } catch { errors += 1 }
            }
            do {
              var rows = try RowOrder(TableScan(table, .always))
              try rows.sort(by: [OrderColumn(column)])
              try rows.keepDistinct(by: [OrderColumn(column)])
              _ = try TableScan(table, .always).firstRows(10, sortedBy: [OrderColumn(column, isAscending: false)])
              if column.leafKind == .int || column.leafKind == .nullableInt { _ = try TableScan(table, .always).integerTotals(LeafColumn(column)) }
              if column.leafKind == .double { _ = try TableScan(table, .always).floatingTotals(LeafColumn(column)) }
              answers += 1
            } catch { errors += 1 }
          }
        }
        _ = snapshot
      } catch { errors += 1 }
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(answers > 0 && errors > 0, "seed \(testSeed)")
  }
}
