import Foundation
import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Text conditions beside a plain implementation over arrays.
@Suite(.mustEnd) struct TextConditionTests {
  static let operations: [TextTest.Operation] = [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains, .like]

  /// Folding by code points, written differently from the kernels.
  static func fold(_ text: [UInt8]) -> [UInt8] {
    guard String(validating: text, as: UTF8.self) != nil else { return CaseFolding.folded(text) }
    var result: [UInt8] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      var value = scalar.value
      if (0x41...0x5A).contains(value) || (0xC0...0xDE).contains(value) && value != 0xD7 { value += 0x20 }
      result += Array(String(Unicode.Scalar(value)!).utf8)
    }
    return result
  }

  /// What a text has to be for a test; operands are folded once for all rows.
  static func accepts(_ operation: TextTest.Operation, _ operands: [[UInt8]], _ ignoresCase: Bool) -> ([UInt8]) -> Bool {
    let others = ignoresCase ? operands.map(fold) : operands
    return { accepts(operation, ignoresCase ? fold($0) : $0, others) }
  }

  private static func accepts(_ operation: TextTest.Operation, _ own: [UInt8], _ others: [[UInt8]]) -> Bool {
    let other = others.first ?? []
    return switch operation {
    case .equal: own == other
    case .less: compareBytes(own, others[0]) < 0
    case .lessOrEqual: compareBytes(own, others[0]) <= 0
    case .greater: compareBytes(own, others[0]) > 0
    case .greaterOrEqual: compareBytes(own, others[0]) >= 0
    case .beginsWith: own.starts(with: other)
    case .endsWith: own.reversed().starts(with: other.reversed())
    case .contains: other.isEmpty || own.indices.contains { own[$0...].starts(with: other) }
    case .like: like(own[...], other[...])
    case .among: others.contains(own)
    case .nothing: false
    }
  }

  static func like(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    // By columns of a table: reachable[i] says that the pattern so far can end before byte i.
    var reachable = [Bool](repeating: false, count: text.count + 1)
    let text = Array(text)
    reachable[0] = true
    for symbol in pattern {
      var next = [Bool](repeating: false, count: text.count + 1)
      for index in 0...text.count {
        switch symbol {
        case 0x2A: next[index] = reachable[index] || reachable[..<index].contains(true) && (index == text.count || text[index] & 0xC0 != 0x80)
        case 0x3F:
          guard reachable[index], index < text.count else { continue }
          var end = index + 1
          while text[index] >= 0xC0 && end < text.count && text[end] & 0xC0 == 0x80 { end += 1 }
          next[end] = true
        default: if reachable[index], index < text.count, text[index] == symbol { next[index + 1] = true }
        }
      }
      reachable = next
    }
    return reachable[text.count]
  }

  /// A piece of a value, or something of our own.
  static func operand(_ operation: TextTest.Operation, _ values: [Value], _ random: inout SeededGenerator) -> [UInt8] {
    var text: [UInt8] = []
    switch values[random.below(values.count)] {
    case .string(let found), .binary(let found): text = found
    default: break
    }
    if random.chance(20) { text = KernelTable.text(random.below(8), &random) }
    switch operation {
    case .beginsWith: text = Array(text.prefix(random.below(6)))
    case .endsWith: text = Array(text.suffix(random.below(6)))
    case .contains:
      let begin = random.below(text.count + 1)
      text = Array(text[begin...].prefix(random.below(6)))
    case .like:
      text = Array(text.prefix(10))
      for _ in 0..<random.below(4) { text.insert(random.chance(50) ? 0x2A : 0x3F, at: random.below(text.count + 1)) }
    default: break
    }
    // Folding half a code point means nothing.
    while let first = text.first, first & 0xC0 == 0x80 { text.removeFirst() }
    while !text.isEmpty, String(validating: text, as: UTF8.self) == nil { text.removeLast() }
    if random.chance(25) { for index in text.indices where text[index] >= 0x61 && text[index] <= 0x7A && random.chance(50) { text[index] &= 0xDF } }
    return text
  }

  @Test(arguments: ["string", "optString", "binary", "optBinary"]) func textSelectsTheRowsOfAPlainLoop(_ name: String) throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 2400, random: &random)
    let (column, values) = (try kernels.column(name), kernels.values[name]!)
    for operation in Self.operations {
      for _ in 0..<trials(full: 50, tenth: 5) {
        let operand = Self.operand(operation, values, &random)
        let isOrder = [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(operation)
        let test = TextTest(
          operation, operand, ignoresCase: !isOrder && random.chance(50), acceptsNull: random.chance(50), isNegated: random.chance(30))
        try check(kernels, column, values, test)
      }
    }
    for count in [0, 1, 3, 200] {
      let operands = (0..<count).map { _ in Self.operand(.equal, values, &random) }
      try check(
        kernels, column, values,
        TextTest(.among, operands, ignoresCase: random.chance(50), acceptsNull: random.chance(50), isNegated: random.chance(30)))
    }
    try check(kernels, column, values, .null)
    try check(kernels, column, values, .notNull)
  }

  private func check(_ kernels: KernelTable, _ column: LeafColumn, _ values: [Value], _ test: TextTest) throws {
    let accepts = Self.accepts(test.operation, test.operands, test.ignoresCase)
    try expect(kernels, .text(column, test), "\(test)", testSeed) {
      switch values[$0] {
      case .string(let text), .binary(let text): accepts(text) != test.isNegated
      default: test.acceptsNull != test.isNegated
      }
    }
  }

  /// Of every width of short strings, with bytes at both ends and zeros behind.
  @Test(arguments: [0, 1, 3, 7, 15]) func shortTextsAreInOrder(longest: Int) throws {
    let directory = TestDirectory()
    var random = SeededGenerator(seed: testSeed)
    func text(_ limit: Int) -> [UInt8] { (0..<random.below(limit + 1)).map { _ in [0, 1, 0x61, 0xFE, 0xFF][random.below(5)] } }
    let values: [Value] = (0..<200).map { row in
      if row == 0 { return .string([UInt8](repeating: 0xFF, count: longest)) }
      return random.chance(10) ? .null : .string(random.chance(20) ? [UInt8](repeating: 0, count: random.below(longest + 1)) : text(longest))
    }
    let database = try Database.open(path: directory.file("order.realm"))
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Text")
      let column = try table.addColumn(ColumnDefinition("text", .string, .nullable))
      for value in values { try table.set(table.createObject(), column, value) }
    }
    let snapshot = try database.snapshot()
    let table = try #require(try snapshot.openGroup().table(named: "class_Text"))
    let column = try table.column(named: "text")
    let keys = try table.keys()
    for operation in [.less, .lessOrEqual, .greater, .greaterOrEqual] as [TextTest.Operation] {
      for _ in 0..<60 {
        let operand = random.chance(30) ? [UInt8](repeating: 0xFF, count: random.below(18)) : text(17)
        let accepts = Self.accepts(operation, [operand], false)
        let expected = keys.indices.filter {
          if case .string(let text) = values[$0] { accepts(text) } else { false }
        }
        let found = try TableScan(table, .text(LeafColumn(column), TextTest(operation, operand))).keys().array()
        #expect(found == expected.map { keys[$0] }, "\(operation) \(operand) (seed \(testSeed))")
      }
    }
    withExtendedLifetime(snapshot) {}
  }

  @Test func foldingMatchesTheListOfCodePoints() {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = Array(String(scalar).utf8)
      #expect(CaseFolding.folded(text) == Self.fold(text), "U+\(String(value, radix: 16))")
    }
  }

  @Test func enumeratedStringsAnswerLikePlainOnes() throws {
    let database = try Database.openForInspection(path: Fixture.path("realm-core/enumerated.realm"))
    var random = SeededGenerator(seed: testSeed)
    let snapshot = try database.snapshot()
    let group = try snapshot.openGroup()
    var columnCount = 0
    for key in try group.tableKeys() {
      let table = try group.table(key)
      let keys = try table.keys()
      for column in table.publicColumns where column.leafKind == .string {
        columnCount += column.enumKeysRef.isNull ? 0 : 1
        let values = try keys.map { try table.value($0, column.key) }
        if values.isEmpty { continue }
        for operation in Self.operations {
          for _ in 0..<5 {
            let isOrder = [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(operation)
            let test = TextTest(
              operation, Self.operand(operation, values, &random), ignoresCase: !isOrder && random.chance(50), acceptsNull: random.chance(50),
              isNegated: random.chance(30))
            let accepts = Self.accepts(operation, test.operands, test.ignoresCase)
            let expected = keys.indices.filter {
              if case .string(let text) = values[$0] { accepts(text) != test.isNegated } else { test.acceptsNull != test.isNegated }
            }
            let found = try TableScan(table, .text(LeafColumn(column), test)).keys().array()
            #expect(found == expected.map { keys[$0] }, "\(test) (seed \(testSeed))")
          }
        }
      }
    }
    #expect(columnCount > 0)
    _ = snapshot
  }
}
