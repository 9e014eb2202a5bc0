import Foundation
import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Sorting, distinct, the first rows of an order, and aggregates, beside plain loops.
@Suite(.mustEnd) struct OrderTests {
  static let sortable = KernelTable.types.filter { $0.name != "link" }.map(\.name)

  /// The positions of the rows in the order of some columns: nulls first, stable.
  static func sorted(_ kernels: KernelTable, _ columns: [(name: String, isAscending: Bool)], _ positions: [Int]) -> [Int] {
    let places = Dictionary(uniqueKeysWithValues: positions.enumerated().map { ($0.element, $0.offset) })
    return positions.sorted { a, b in
      for (name, isAscending) in columns {
        let values = kernels.values[name]!
        let order = Value.compare(values[a], values[b])
        if order != 0 { return (order < 0) == isAscending }
      }
      return places[a]! < places[b]!
    }
  }

  private func columns(_ kernels: KernelTable, _ columns: [(name: String, isAscending: Bool)]) throws -> [OrderColumn] {
    try columns.map { OrderColumn(try kernels.table.column(named: $0.name), isAscending: $0.isAscending) }
  }

  @Test func everyTypeSortsLikeItsValues() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 2700, random: &random)
    for name in Self.sortable {
      for isAscending in [true, false] {
        var order = try RowOrder(TableScan(kernels.table, .always))
        try order.sort(by: columns(kernels, [(name, isAscending)]))
        let expected = Self.sorted(kernels, [(name, isAscending)], Array(kernels.keys.indices)).map { kernels.keys[$0] }
        #expect(try order.keys().array() == expected, "\(name) \(isAscending) (seed \(testSeed))")
      }
    }
  }

  @Test func furtherColumnsBreakTiesAndEarlierOrdersAreKept() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 1200, random: &random)
    for _ in 0..<25 {
      let chosen = (0..<2 + random.below(2)).map { _ in (Self.sortable[random.below(Self.sortable.count)], random.chance(50)) }
      // Some rows in any order, some of them twice.
      let positions = (0..<600).map { _ in random.below(kernels.keys.count) }
      var order = try RowOrder(kernels.table, positions.map { kernels.keys[$0] })
      #expect(try order.keys().array() == positions.map { kernels.keys[$0] })
      try order.sort(by: columns(kernels, chosen))
      let indexed = positions.enumerated().sorted { a, b in
        for (name, isAscending) in chosen {
          let result = Value.compare(kernels.values[name]![a.element], kernels.values[name]![b.element])
          if result != 0 { return (result < 0) == isAscending }
        }
        return a.offset < b.offset
      }
      #expect(try order.keys().array() == indexed.map { kernels.keys[$0.element] }, "\(chosen) (seed \(testSeed))")
    }
  }

  @Test func theFirstRowsAreThoseOfTheWholeOrder() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 12_000, random: &random)
    for name in sample(Self.sortable) {
      for second in [nil, "int"] {
        let chosen = [(name, random.chance(50))] + (second.map { [($0, random.chance(50))] } ?? [])
        let condition = LeafCondition.integer(try kernels.column("bool"), IntegerTest(.equal, 1))
        let scan = TableScan(kernels.table, condition)
        var whole = try RowOrder(scan)
        try whole.sort(by: columns(kernels, chosen))
        let expected = try whole.keys().array()
        // One has a way of its own.
        for limit in [1, 1 + random.below(300)] {
          let found = try scan.firstRows(limit, sortedBy: columns(kernels, chosen)).keys().array()
          #expect(found == Array(expected.prefix(limit)), "\(chosen) limit \(limit) (seed \(testSeed))")
        }
      }
    }
  }

  @Test func distinctKeepsTheFirstOfEachCombination() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 1500, random: &random)
    for _ in 0..<25 {
      let names = (0..<1 + random.below(3)).map { _ in Self.sortable[random.below(Self.sortable.count)] }
      var order = try RowOrder(TableScan(kernels.table, .always))
      if random.chance(50) { try order.sort(by: columns(kernels, [("int", false)])) }
      let before = try order.keys().array()
      try order.keepDistinct(by: columns(kernels, names.map { ($0, true) }))
      let position = Dictionary(uniqueKeysWithValues: kernels.keys.enumerated().map { ($0.element, $0.offset) })
      // The first position of each combination, found through an order of the rows.
      let sorted = Self.sorted(kernels, names.map { ($0, true) }, before.map { position[$0]! })
      var first: Set<ObjectKey> = []
      for (index, row) in sorted.enumerated() {
        let isNew = index == 0 || names.contains { Value.compare(kernels.values[$0]![row], kernels.values[$0]![sorted[index - 1]]) != 0 }
        if isNew { first.insert(kernels.keys[row]) }
      }
      #expect(try order.keys().array() == before.filter { first.contains($0) }, "\(names) (seed \(testSeed))")
    }
  }

  @Test func aPathOverALinkPutsNullLinksAtTheOtherEnd() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 900, random: &random)
    let rank = try kernels.targets.column(named: "rank")
    let source = OrderColumn.Source.linked([(try kernels.column("link"), kernels.targets)], LeafColumn(rank))
    let links = kernels.values["link"]!
    func value(_ position: Int) throws -> Value? {
      if case .link(let target) = links[position] { try kernels.targets.value(target, rank.key) } else { nil }
    }
    for isAscending in [true, false] {
      let ranked = try kernels.keys.indices.map { (position: $0, value: try value($0)) }
      let expected = ranked.sorted { a, b in
        let order: Int
        switch (a.value, b.value) {
        case (nil, nil): order = 0
        case (nil, _): order = 1
        case (_, nil): order = -1
        case (let x?, let y?): order = Value.compare(x, y)
        }
        return order == 0 ? a.position < b.position : (order < 0) == isAscending
      }
      for column in [
        OrderColumn(source, isAscending: isAscending),
        OrderColumn(
          .computed({ (key, _) throws(StorageError) in
            guard case .link(let target) = try kernels.table.value(key, kernels.table.column(named: "link").key) else { return nil }
            return try kernels.targets.value(target, rank.key)
          }), isAscending: isAscending),
      ] {
        var order = try RowOrder(TableScan(kernels.table, .always))
        try order.sort(by: [column])
        #expect(try order.keys().array() == expected.map { kernels.keys[$0.position] }, "seed \(testSeed)")
        var distinct = try RowOrder(TableScan(kernels.table, .always))
        try distinct.keepDistinct(by: [column])
        var seen: [Value] = []
        let kept = ranked.filter { row in
          guard let value = row.value, !seen.contains(where: { Value.compare($0, value) == 0 }) else { return false }
          seen.append(value)
          return true
        }
        #expect(try distinct.keys().array() == kept.map { kernels.keys[$0.position] }, "seed \(testSeed)")
      }
    }
  }

  @Test func aggregatesAddUpThePlainValues() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 7000, random: &random)
    for condition in [LeafCondition.always, .integer(try kernels.column("bool"), IntegerTest(.equal, 1)), .never] {
      let scan = TableScan(kernels.table, condition)
      let matches = Set(try scan.keys().array())
      let positions = kernels.keys.indices.filter { matches.contains(kernels.keys[$0]) }
      for name in ["int", "optInt"] {
        var numbers: [Int64] = []
        for position in positions { if case .int(let number) = kernels.values[name]![position] { numbers.append(number) } }
        let totals = try scan.integerTotals(kernels.column(name))
        #expect(totals.sum == numbers.reduce(0, &+) && totals.count == numbers.count, "\(name) (seed \(testSeed))")
        #expect(totals.low == numbers.min() ?? .max && totals.high == numbers.max() ?? .min, "\(name) (seed \(testSeed))")
      }
      for name in ["double", "optDouble", "float", "optFloat"] {
        var numbers: [Double] = []
        for position in positions {
          switch kernels.values[name]![position] {
          case .double(let number) where !number.isNaN: numbers.append(number)
          case .float(let number) where !number.isNaN: numbers.append(Double(number))
          default: break
          }
        }
        let totals = try scan.floatingTotals(kernels.column(name))
        let sum = numbers.reduce(0, +)
        #expect((totals.sum == sum || totals.sum.isNaN && sum.isNaN) && totals.count == numbers.count, "\(name) (seed \(testSeed))")
        #expect(totals.low == numbers.min() ?? .infinity && totals.high == numbers.max() ?? -.infinity, "\(name) (seed \(testSeed))")
      }
    }
  }

  /// Many texts that agree in all but their ends, and many that are equal.
  @Test func longTextsWithCommonBeginningsSortByTheirEnds() throws {
    var random = SeededGenerator(seed: testSeed)
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Text")
      let column = try table.addColumn(ColumnDefinition("text", .string, .nullable))
      for _ in 0..<4000 {
        let key = try table.createObject()
        if random.chance(3) { continue }
        var text = "https://example.com/"
        for _ in 0..<random.below(5) { text += ["section-number-one/", "section-number-two/", "section/"][random.below(3)] }
        if random.chance(2) { text = "other" }
        try table.set(key, column, Value(text))
      }
    }
    try database.read { (group) throws(StorageError) in
      guard let table = try group.table(named: "class_Text") else { throw .noSuchTable(name: "Text") }
      let column = try table.column(named: "text")
      let keys = try table.keys()
      var values: [Value] = []
      for key in keys { values.append(try table.value(key, column.key)) }
      for isAscending in [true, false] {
        let expected = keys.indices.sorted { a, b in
          let order = Value.compare(values[a], values[b])
          return order == 0 ? a < b : (order < 0) == isAscending
        }
        do {
          var order = try RowOrder(TableScan(table, .always))
          try order.sort(by: [OrderColumn(column, isAscending: isAscending)])
          #expect(try order.keys().array() == expected.map { keys[$0] }, "seed \(testSeed)")
        } catch {
          Issue.record("\(error)")
        }
      }
    }
  }

  @Test func aKeySequenceFindsPositionsAndRanks() {
    let keys = (0..<10_000).map { ObjectKey(Int64($0 * 3)) }
    let sequence = KeySequence(keys, isInKeyOrder: true)
    #expect(sequence.count == keys.count && sequence.array() == keys)
    for position in [0, 1, 4095, 4096, 4097, 9999] {
      #expect(sequence[position] == keys[position])
      #expect(sequence.position(of: keys[position]) == position)
      #expect(sequence.rank(of: ObjectKey(keys[position].rawValue + 1)) == position + 1)
      #expect(sequence.position(of: ObjectKey(keys[position].rawValue + 1)) == nil)
    }
    let unordered = KeySequence(keys.reversed(), isInKeyOrder: false)
    #expect(unordered.position(of: keys[0]) == 9999)
    #expect(unordered.position(of: keys[0], in: 0..<9999) == nil && unordered.position(of: keys[0], in: 9999..<10_000) == 9999)
    // Over the ends of chunks.
    #expect(unordered.position(of: keys[10_000 - 1 - 4096], in: 4000..<8500) == 4096 && unordered.position(of: keys[9999], in: 1..<10_000) == nil)
    #expect(unordered.position(of: keys[0], in: 5..<5) == nil)
  }
}
