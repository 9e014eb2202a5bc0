import Foundation
import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

extension SeededGenerator {
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

/// A table with a column of every scalar type, filled at random; every run of 256 objects has values of another size, so that all widths
/// of leaves occur. Objects are removed here and there. `rows` is the same as plain values.
final class KernelTable {
  static let types: [(name: String, type: ColumnType, isNullable: Bool)] = [
    ("int", .int, false), ("optInt", .int, true), ("bool", .bool, false), ("optBool", .bool, true), ("double", .double, false),
    ("optDouble", .double, true), ("float", .float, false), ("optFloat", .float, true), ("timestamp", .timestamp, false),
    ("optTimestamp", .timestamp, true), ("decimal", .decimal, false), ("optDecimal", .decimal, true), ("objectID", .objectID, false),
    ("optObjectID", .objectID, true), ("uuid", .uuid, false), ("optUUID", .uuid, true), ("string", .string, false), ("optString", .string, true),
    ("binary", .binary, false), ("optBinary", .binary, true), ("link", .link, true), ("mixed", .mixed, true),
  ]

  let directory = TestDirectory()
  let database: Database
  let transaction: ReadTransaction
  let table: Table
  let targets: Table
  let keys: [ObjectKey]
  /// By column name, by position in key order.
  let values: [String: [Value]]

  init(rowCount: Int, random: inout SeededGenerator) throws {
    database = try Database.open(path: directory.file())
    let group = try database.beginWrite()
    let writing = try group.openGroup()
    let target = try writing.addTable("class_Target")
    let rank = try target.addColumn(ColumnDefinition("rank", .int, .nullable))
    let label = try target.addColumn(ColumnDefinition("label", .string))
    var targetKeys: [ObjectKey] = []
    for index in 0..<40 {
      let key = try target.createObject()
      try target.set(key, rank, random.chance(20) ? .null : .int(Int64(random.below(10))))
      try target.set(key, label, Value("label \(index % 7)"))
      targetKeys.append(key)
    }
    let made = try writing.addTable("class_Kernel")
    var columns: [ColumnKey] = []
    for (name, type, isNullable) in Self.types {
      columns.append(try made.addColumn(ColumnDefinition(name, type, isNullable ? .nullable : [], target: type == .link ? target.key : nil)))
    }
    for row in 0..<rowCount {
      let key = try made.createObject()
      for (index, (_, type, isNullable)) in Self.types.enumerated() {
        if isNullable && random.chance(15) { continue }
        let value = type == .link ? .link(targetKeys[random.below(targetKeys.count)]) : Self.value(type, block: row >> 8, &random)
        try made.set(key, columns[index], value)
      }
    }
    for key in try made.keys() where random.chance(4) { try made.remove(key) }
    for key in targetKeys.suffix(3) { try target.remove(key) }
    try group.commit(writing)
    transaction = try database.beginRead()
    let reading = try Group(reading: transaction.space, top: transaction.topRef)
    table = try #require(try reading.table(named: "class_Kernel"))
    targets = try #require(try reading.table(named: "class_Target"))
    let (keys, table) = (try table.keys(), table)
    self.keys = keys
    var values: [String: [Value]] = [:]
    for (name, _, _) in Self.types {
      let column = try table.column(named: name).key
      values[name] = try keys.map { try table.value($0, column) }
    }
    self.values = values
  }

  deinit {
    transaction.end()
    database.close()
  }

  func column(_ name: String) throws -> LeafColumn { LeafColumn(try table.column(named: name)) }

  /// A value that is not null; `block` decides its size.
  static func value(_ type: ColumnType, block: Int, _ random: inout SeededGenerator) -> Value {
    switch type {
    case .int: return .int(integer(block, &random))
    case .bool: return .bool(random.chance(50))
    case .double: return .double(double(&random))
    case .float:
      if random.chance(5) { return .float(Float(bitPattern: (random.chance(50) ? 0x7F80_0001 : 0xFF80_0001) + UInt32(random.below(3)))) }
      return .float(Float(double(&random)))
    case .timestamp:
      let seconds = random.chance(30) ? Int64(random.below(3)) - 1 : integer(block, &random)
      let nanoseconds = Int32(random.chance(50) ? random.below(3) : random.below(1_000_000_000))
      return .timestamp(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds))
    case .decimal:
      switch random.below(12) {
      case 0: return .decimal(.quietNaN)
      case 1: return .decimal(.infinity(isNegative: random.chance(50)))
      case 2:
        return .decimal(
          Decimal128(
            isNegative: random.chance(50), coefficient: UInt128(random.next()) << 40 | UInt128(random.next() >> 30), exponent: random.below(9) - 20))
      default: return .decimal(Decimal128(isNegative: random.chance(50), coefficient: UInt128(random.below(200)), exponent: random.below(3) - 1))
      }
    case .objectID: return .objectID(ObjectID(high: random.next() & 3, low: UInt32(random.below(4))))
    case .uuid: return .uuid(UUIDBytes(high: random.next() & 3, low: random.next() & 3))
    case .string: return .string(text(block, &random))
    case .binary: return .binary(text(block &+ 1, &random))
    case .mixed:
      // No decimals and no signalling NaNs: where several doubles are one decimal, or one float equals several, the order is none.
      let type = [ColumnType.int, .bool, .double, .float, .string, .timestamp, .uuid, .binary][random.below(8)]
      return type == .float ? .float(Float(double(&random))) : value(type, block: 4, &random)
    default: return .null
    }
  }

  static func integer(_ block: Int, _ random: inout SeededGenerator) -> Int64 {
    switch block % 9 {
    case 0: Int64(random.below(2))
    case 1: Int64(random.below(4))
    case 2: Int64(random.below(15))
    case 3: Int64(random.below(255)) - 128
    case 4: Int64(random.below(100))
    case 5: Int64(Int16(truncatingIfNeeded: random.next()))
    case 6: Int64(Int32(truncatingIfNeeded: random.next()))
    case 7: random.chance(10) ? (random.chance(50) ? .max : .min) : Int64(bitPattern: random.next())
    default: 0
    }
  }

  static func double(_ random: inout SeededGenerator) -> Double {
    switch random.below(14) {
    case 0: .nan
    case 1: Double(bitPattern: 0x7FF8_0000_0000_0000 | UInt64(random.below(4)))
    case 2: random.chance(50) ? .infinity : -.infinity
    case 3: random.chance(50) ? 0 : -0.0
    case 4: .leastNonzeroMagnitude
    case 5: -.nan
    default: Double(random.below(41) - 20) / 2
    }
  }

  static let fragments = ["a", "A", "b", "B", "ab", "Ab", "é", "É", "ß", "÷", "×", "ÿ", "Ÿ", "z", "日", "\0", "x", "user-", "0", "1", "f"]

  /// Short, middle or long text over few letters, so that matches are common.
  static func text(_ block: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let length = [2, 1, 4, 8, 14, 20, 60, 100][block % 8]
    var text: [UInt8] = []
    for _ in 0..<random.below(length) { text += Array(fragments[random.below(fragments.count)].utf8) }
    // The last block is the one with values too large for small blobs.
    if block % 8 == 7 && random.chance(20) { return text + [UInt8](repeating: 0x71, count: 300) + text }
    text = Array(text.prefix(length * 2))
    while !text.isEmpty, String(validating: text, as: UTF8.self) == nil { text.removeLast() }
    return text
  }
}

/// Compares what a condition selects with a plain loop.
func expect(
  _ kernels: KernelTable, _ condition: LeafCondition, _ what: String, _ seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
  _ accepts: (Int) throws -> Bool
) throws {
  var expected: [ObjectKey] = []
  for position in kernels.keys.indices where try accepts(position) { expected.append(kernels.keys[position]) }
  let scan = TableScan(kernels.table, condition)
  let found = try scan.keys().array()
  if found != expected {
    let wrong = Set(found).symmetricDifference(expected).sorted().prefix(5)
    Issue.record("\(what): \(found.count) rows instead of \(expected.count), differing at \(wrong) (seed \(seed))", sourceLocation: sourceLocation)
  }
  let count = try scan.count()
  #expect(count == expected.count, "\(what): count (seed \(seed))", sourceLocation: sourceLocation)
  let first = try scan.first()
  #expect(first == expected.first, "\(what): first (seed \(seed))", sourceLocation: sourceLocation)
}
