import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Every kernel beside a plain loop over values.
@Suite(.mustEnd) struct ConditionTests {
  static let comparisons: [ComparisonOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

  /// Of two values that are not null.
  static func holds(_ comparison: ComparisonOperator, _ order: Int) -> Bool {
    switch comparison {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
  static func holds<T: Comparable>(_ comparison: ComparisonOperator, _ a: T, _ b: T) -> Bool {
    switch comparison {
    case .equal: a == b
    case .notEqual: a != b
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    }
  }

  @Test func comparisonsOfIntsSelectTheRowsOfAPlainLoop() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 3000, random: &random)
    for name in ["int", "optInt"] {
      let (column, values) = (try kernels.column(name), kernels.values[name]!)
      var constants: [Int64] = [0, 1, -1, 3, 14, 15, 16, 127, -128, 128, .max, .min, 32767]
      for _ in 0..<8 { if case .int(let number) = values[random.below(values.count)] { constants.append(number) } }
      for constant in constants {
        for comparison in Self.comparisons {
          let test = IntegerTest(comparison, constant)
          try expect(kernels, .integer(column, test), "\(name) \(comparison) \(constant)", testSeed) {
            if case .int(let number) = values[$0] { Self.holds(comparison, number, constant) } else { comparison == .notEqual }
          }
          try expect(
            kernels, .integer(column, IntegerTest(comparison, floating: Double(constant) + 0.5)), "\(name) \(comparison) \(constant).5", testSeed
          ) {
            if case .int(let number) = values[$0] {
              Self.holds(comparison, compareNumbers(number, Double(constant) + 0.5))
            } else {
              comparison == .notEqual
            }
          }
        }
        let high = constants[random.below(constants.count)]
        var between = IntegerTest(constant, high)
        between.acceptsNull = random.chance(50)
        between.isNegated = random.chance(50)
        try expect(kernels, .integer(column, between), "\(name) \(between)", testSeed) {
          if case .int(let number) = values[$0] {
            (number >= constant && number <= high) != between.isNegated
          } else {
            between.acceptsNull != between.isNegated
          }
        }
      }
    }
    try expect(kernels, .integer(kernels.column("optInt"), .null), "optInt null", testSeed) { kernels.values["optInt"]![$0].isNull }
    try expect(kernels, .integer(kernels.column("optInt"), .notNull), "optInt not null", testSeed) { !kernels.values["optInt"]![$0].isNull }
  }

  @Test func boolsAndLinksAreTestedAsIntegers() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 1500, random: &random)
    for name in ["bool", "optBool"] {
      let values = kernels.values[name]!
      for constant in [false, true] {
        for comparison in Self.comparisons {
          try expect(
            kernels, .integer(kernels.column(name), IntegerTest(comparison, constant ? 1 : 0)), "\(name) \(comparison) \(constant)", testSeed
          ) {
            if case .bool(let flag) = values[$0] { Self.holds(comparison, flag ? 1 : 0, constant ? 1 : 0) } else { comparison == .notEqual }
          }
        }
      }
      try expect(kernels, .integer(kernels.column(name), .null), "\(name) null", testSeed) { values[$0].isNull }
    }
    let links = kernels.values["link"]!
    try expect(kernels, .link(kernels.column("link"), equals: nil), "link null", testSeed) { links[$0].isNull }
    let wanted = try kernels.targets.keys().prefix(9)
    try expect(kernels, .link(kernels.column("link"), equals: wanted[3]), "link equals", testSeed) { links[$0].isLink(to: wanted[3]) }
    try expect(kernels, .link(kernels.column("link"), among: Array(wanted), orNull: true), "link among", testSeed) { position in
      links[position].isNull || wanted.contains { links[position].isLink(to: $0) }
    }
  }

  @Test func manyNumbersAreFoundHoweverTheyLie() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 2600, random: &random)
    for name in ["int", "optInt"] {
      let values = kernels.values[name]!
      for count in [0, 1, 2, 4, 5, 40, 3000] {
        for isDense in [false, true] {
          var needles = (0..<count).map { _ in isDense ? Int64(random.below(300)) : KernelTable.integer(random.below(9), &random) }
          for _ in 0..<count / 2 { if case .int(let number) = values[random.below(values.count)] { needles.append(number) } }
          let (acceptsNull, isNegated) = (random.chance(50), random.chance(50))
          let set = try IntegerSet(needles, acceptsNull: acceptsNull, isNegated: isNegated)
          let plain = Set(needles)
          try expect(kernels, .integers(kernels.column(name), set), "\(name) IN \(count)", testSeed) {
            if case .int(let number) = values[$0] { plain.contains(number) != isNegated } else { acceptsNull != isNegated }
          }
        }
      }
    }
  }

  @Test func floatingPointComparisonsFollowBothRules() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 1500, random: &random)
    let constants: [Double] = [0, -0.0, 1.5, -7, 9.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude]
    for constant in constants {
      for comparison in Self.comparisons {
        for name in ["double", "optDouble"] {
          let values = kernels.values[name]!
          try expect(
            kernels, .double(kernels.column(name), FloatingTest(direct: comparison, constant)), "\(name) \(comparison) \(constant)", testSeed
          ) {
            if case .double(let number) = values[$0] { Self.holds(comparison, number, constant) } else { comparison == .notEqual }
          }
          guard let total = FloatingTest<Double>(total: comparison, constant) else { continue }
          try expect(kernels, .double(kernels.column(name), total), "\(name) total \(comparison) \(constant)", testSeed) {
            if case .double(let number) = values[$0] { Self.holds(comparison, compareNumbers(number, constant)) } else { comparison == .notEqual }
          }
        }
        for name in ["float", "optFloat"] {
          let values = kernels.values[name]!
          try expect(
            kernels, .float(kernels.column(name), FloatingTest(direct: comparison, Float(constant))), "\(name) \(comparison) \(constant)", testSeed
          ) {
            if case .float(let number) = values[$0] { Self.holds(comparison, number, Float(constant)) } else { comparison == .notEqual }
          }
        }
      }
    }
    for integer in [0, 3, -10, Int64.max, .min, 1 << 53 + 1] {
      for comparison in Self.comparisons {
        let values = kernels.values["optDouble"]!
        try expect(
          kernels, .double(kernels.column("optDouble"), FloatingTest(total: comparison, integer: integer)), "\(comparison) \(integer)", testSeed
        ) {
          if case .double(let number) = values[$0] { Self.holds(comparison, -compareNumbers(integer, number)) } else { comparison == .notEqual }
        }
      }
    }
    try expect(kernels, .double(kernels.column("optDouble"), .null), "null", testSeed) { kernels.values["optDouble"]![$0].isNull }
    try expect(kernels, .float(kernels.column("optFloat"), .notNull), "not null", testSeed) { !kernels.values["optFloat"]![$0].isNull }
  }

  @Test func timestampsDecimalsAndIdentifiersCompareByValue() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 2400, random: &random)
    for name in ["timestamp", "optTimestamp", "decimal", "optDecimal", "objectID", "optObjectID", "uuid", "optUUID"] {
      let (column, values) = (try kernels.column(name), kernels.values[name]!)
      for _ in 0..<6 {
        let constant = values[random.below(values.count)]
        if constant.isNull { continue }
        for comparison in Self.comparisons {
          let condition: LeafCondition
          switch constant {
          case .timestamp(let value): condition = .timestamp(column, TimestampTest(comparison, value))
          case .decimal(let value): condition = .decimal(column, BoundsTest(comparison, value))
          case .objectID(let value): condition = .objectID(column, BoundsTest(comparison, value))
          case .uuid(let value): condition = .uuid(column, BoundsTest(comparison, value))
          default: continue
          }
          try expect(kernels, condition, "\(name) \(comparison) \(constant)", testSeed) {
            values[$0].isNull ? comparison == .notEqual : Self.holds(comparison, Value.compare(values[$0], constant))
          }
        }
      }
    }
    let decimals: [Decimal128] = (0..<20).map { Decimal128(isNegative: false, coefficient: UInt128($0), exponent: 0) }
    try expect(kernels, .decimal(kernels.column("optDecimal"), BoundsTest(among: decimals, acceptsNull: true)), "decimal IN", testSeed) { position in
      let value = kernels.values["optDecimal"]![position]
      return value.isNull || decimals.contains { Value.compare(.decimal($0), value) == 0 }
    }
    let moments = kernels.values["optTimestamp"]!
    let (low, high) = (Timestamp(seconds: 0, nanoseconds: 1), Timestamp(seconds: 40, nanoseconds: 500_000_000))
    try expect(kernels, .timestamp(kernels.column("optTimestamp"), TimestampTest(low, high)), "timestamp between", testSeed) {
      if case .timestamp(let moment) = moments[$0] { moment >= low && moment <= high } else { false }
    }
  }

  @Test func conjunctionsDisjunctionsAndNegationsCombine() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 1500, random: &random)
    let ints = kernels.values["optInt"]!
    let strings = kernels.values["string"]!
    let a = LeafCondition.integer(try kernels.column("optInt"), IntegerTest(.greater, 5))
    let b = LeafCondition.text(try kernels.column("string"), TextTest(.contains, Array("a".utf8)))
    let c = LeafCondition.rows(cost: 50) { (cluster, mask, _) throws(StorageError) in mask.filter { cluster.key($0).rawValue % 3 == 0 } }
    func holdsA(_ position: Int) -> Bool { if case .int(let number) = ints[position] { number > 5 } else { false } }
    func holdsB(_ position: Int) -> Bool { if case .string(let text) = strings[position] { text.contains(0x61) } else { false } }
    func holdsC(_ position: Int) -> Bool { kernels.keys[position].rawValue % 3 == 0 }
    try expect(kernels, .all([c, b, a]), "a && b && c", testSeed) { holdsA($0) && holdsB($0) && holdsC($0) }
    try expect(kernels, .any([c, b, a]), "a || b || c", testSeed) { holdsA($0) || holdsB($0) || holdsC($0) }
    try expect(kernels, .not(.any([a, .all([b, .not(c)])])), "!(a || b && !c)", testSeed) { !(holdsA($0) || holdsB($0) && !holdsC($0)) }
    try expect(kernels, .all([]), "empty all", testSeed) { _ in true }
    try expect(kernels, .any([]), "empty any", testSeed) { _ in false }
    for (position, key) in kernels.keys.enumerated().prefix(300) {
      let place = try #require(try kernels.table.cluster(of: key))
      let accepts = try LeafCondition.all([a, b]).accepts(kernels.transaction.space, place.cluster, place.row, nil)
      #expect(accepts == (holdsA(position) && holdsB(position)))
    }
  }

  @Test func aConditionBehindALinkLooksAtTheTarget() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 1500, random: &random)
    let rank = LeafColumn(try kernels.targets.column(named: "rank"))
    let rankKey = try kernels.targets.column(named: "rank").key
    let links = kernels.values["link"]!
    for (comparison, acceptsNull) in [(ComparisonOperator.less, false), (.notEqual, true), (.equal, false)] {
      let inner = LeafCondition.integer(rank, IntegerTest(comparison, 5))
      let condition = LinkedCondition(try kernels.column("link"), target: kernels.targets, inner, acceptsNull: acceptsNull)
      try expect(kernels, .linked(condition), "link.rank \(comparison) 5", testSeed) {
        guard case .link(let target) = links[$0] else { return acceptsNull }
        if case .int(let number) = try kernels.targets.value(target, rankKey) { return Self.holds(comparison, number, 5) }
        return comparison == .notEqual
      }
    }
  }

  @Test func aCancelledScanEndsWithAnError() throws {
    var random = SeededGenerator(seed: testSeed)
    let kernels = try KernelTable(rowCount: 300, random: &random)
    let scan = TableScan(kernels.table, .integer(try kernels.column("int"), IntegerTest(.greater, 0)), Cancellation { true })
    #expect(throws: StorageError.interrupted) { try scan.count() }
    #expect(throws: StorageError.interrupted) { try scan.keys() }
  }
}

extension Value {
  var isNull: Bool { if case .null = self { true } else { false } }
  func isLink(to key: ObjectKey) -> Bool { if case .link(let own) = self { own == key } else { false } }
}
