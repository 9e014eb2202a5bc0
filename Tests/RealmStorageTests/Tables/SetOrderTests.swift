import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Where null, NaN and the two zeros lie in sets. The orders are those of the original.
@Suite(.mustEnd) struct SetOrderTests {
  private let file: TestScratch
  private let group: Group
  private let table: Table
  private let object: ObjectKey

  init() throws {
    file = try TestScratch()
    group = try Group(writing: file.scratch, top: .null)
    table = try group.addTable("sets")
    object = try table.createObject()
  }

  private func set(_ type: ColumnType, _ attributes: ColumnAttributes = .nullable) throws -> ObjectCollection {
    try table.collection(object, table.addColumn(ColumnDefinition("set", type, attributes.union(.set))))
  }

  private func decimal(_ number: Int64) -> Value { .decimal(Decimal128(number)) }
  private func nan(low: UInt64, high: UInt64 = 0x7C00_0000_0000_0000) -> Value { .decimal(Decimal128(low: low, high: high)) }

  /// Fills sets in several orders, each time from the beginning.
  private func expect(_ set: ObjectCollection, _ expected: [Value], sourceLocation: SourceLocation = #_sourceLocation) throws {
    var random = SeededGenerator(seed: testSeed)
    for _ in 0..<20 {
      try set.removeAll()
      for value in expected.shuffled(using: &random) {
        let isNew = try set.insert(value).isNew
        let again = try set.insert(value).isNew
        #expect(isNew && !again, "\(value), seed \(testSeed)", sourceLocation: sourceLocation)
      }
      #expect(try set.all().map(identity) == expected.map(identity), "seed \(testSeed)", sourceLocation: sourceLocation)
      for value in expected { #expect(try set.contains(value), "\(value)", sourceLocation: sourceLocation) }
      try group.check()
    }
    for (count, value) in expected.shuffled(using: &random).enumerated() {
      let removed = try set.remove(value)
      #expect(try removed && set.count() == expected.count - count - 1, "\(value)", sourceLocation: sourceLocation)
    }
  }

  @Test func nullIsOneOfTheNotANumbersInSetsOfDecimals() throws {
    try expect(
      set(.decimal),
      [
        .decimal(.quietNaN), nan(low: 1), .null, nan(low: 0xAB), nan(low: 0, high: 0x7C00_0000_0000_0001), nan(low: 0, high: 0x7E00_0000_0000_0000),
        nan(low: 0, high: 0xFC00_0000_0000_0000), .decimal(.infinity(isNegative: true)), decimal(-1), decimal(0), decimal(5),
        .decimal(.infinity(isNegative: false)),
      ])
  }

  @Test func nullComesFirstInSetsOfMixedAndNotANumbersAreToldApart() throws {
    try expect(
      set(.mixed),
      [
        .null, .bool(true), .double(.signalingNaN), .double(.nan), .float(Float(nan: 5, signaling: false)),
        .double(Double(nan: 1 << 40, signaling: false)),
        .double(-.infinity), .int(-1), .float(0.5), .string([]),
      ])
  }

  @Test func aNotANumberThatStandsForNullIsAValueInSets() throws {
    let mixed = try set(.mixed)
    for value in [Value.null, .double(Double(bitPattern: Double.nullBits)), .float(Float(bitPattern: Float.nullBits)), .decimal(.null)] {
      _ = try mixed.insert(value)
      #expect(try mixed.contains(value))
    }
    // The three plain ones are equal.
    #expect(try mixed.all().map(identity) == [Value.null, .double(.nan)].map(identity))
    let decimals = try table.collection(object, table.addColumn(ColumnDefinition("decimals", .decimal, .set)))
    #expect(try decimals.insert(.decimal(.null)).isNew && !decimals.insert(.decimal(.quietNaN)).isNew)
    #expect(try decimals.all().map(identity) == [identity(.decimal(.quietNaN))])
    try group.check()
  }

  @Test(arguments: [ColumnType.float, .double]) func notANumberIsTheLastElementOfSetsOfFloatingPointNumbers(_ type: ColumnType) throws {
    func value(_ number: Double) -> Value { type == .float ? .float(Float(number)) : .double(number) }
    let numbers = [-Double.infinity, -2, 0, 0.5, 7, .infinity].map(value)
    let set = try set(type)
    try expect(set, [.null] + numbers + [value(.nan)])
    for number in [-Double.nan, .signalingNaN, 3, .nan] { _ = try set.insert(value(number)) }
    #expect(try set.all().map(identity) == [value(3), value(.nan)].map(identity), "one NaN, the plain one")
  }

  @Test func theTwoZerosAreOneElement() throws {
    for (type, zero, negative) in [
      (ColumnType.float, Value.float(0), Value.float(-0.0)), (.double, .double(0), .double(-0.0)),
      (.decimal, decimal(0), .decimal(Decimal128(isNegative: true, coefficient: 0, exponent: 2))), (.mixed, .int(0), .float(-0.0)),
    ] {
      let set = try table.collection(object, table.addColumn(ColumnDefinition("\(type)", type, type == .mixed ? [.nullable, .set] : .set)))
      #expect(try set.insert(zero).isNew && !set.insert(negative).isNew && set.contains(negative))
      #expect(try set.all().map(identity) == [identity(zero)])
    }
  }

  /// The original looks for the first element that is not less, and takes it if it is equal.
  private func originalFinds(_ number: Double, in elements: [Value]) -> Bool {
    let numbers = elements.map { if case .double(let number) = $0 { number } else { -Double.infinity } }
    var (low, count) = (0, numbers.count)
    while count > 0 {
      let half = count / 2
      if numbers[low + half] < number { (low, count) = (low + half + 1, count - half - 1) } else { count = half }
    }
    return low < numbers.count && numbers[low] == number
  }

  @Test func theOriginalFindsEveryNumberOfOurSets() throws {
    let set = try set(.double)
    for count in 1...40 {
      try set.removeAll()
      for number in 0..<count { _ = try set.insert(.double(Double(number))) }
      _ = try set.insert(.double(.nan))
      _ = try set.insert(.null)
      let elements = try set.all()
      for number in 0..<count { #expect(originalFinds(Double(number), in: elements)) }
    }
  }

  /// It puts NaN where its search happens to end, and does not find it again.
  @Test func setsWithNotANumbersAnywhereAreSearched() throws {
    var random = SeededGenerator(seed: testSeed)
    let set = try set(.double)
    for _ in 0..<200 {
      try set.removeAll()
      let numbers = (0..<random.below(12)).map { Double($0 * 2) }
      for number in numbers { _ = try set.insert(.double(number)) }
      for _ in 0..<1 + random.below(4) { try set.rawInsert(at: random.below(set.count() + 1), .double(.nan)) }
      try group.check()
      for number in numbers { #expect(try set.contains(.double(number)), "seed \(testSeed)") }
      #expect(try set.contains(.double(.nan)) && !set.contains(.double(3)) && !set.contains(.null))
      _ = try set.insert(.double(3))
      try group.check()
      #expect(try set.contains(.double(3)) && !set.insert(.double(.nan)).isNew)
    }
  }

  @Test func nullBeforeAPlainNotANumberIsNamed() throws {
    let set = try set(.decimal)
    try set.rawInsert(at: 0, .null)
    try set.rawInsert(at: 1, decimal(5))
    try group.check()
    try set.rawInsert(at: 1, .decimal(.quietNaN))
    #expect(throws: StorageError.self) { try group.check() }
  }

  @Test(.enabled(if: IndependentTools.areThere)) func anIndependentProgramAcceptsOurOrders() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Sets")
      let object = try table.createObject()
      for type in [ColumnType.float, .double, .decimal, .mixed] {
        let set = try table.collection(object, table.addColumn(ColumnDefinition("\(type)", type, [.nullable, .set])))
        let floats = [Value.float(3), .float(.nan), .float(-.infinity), .null]
        let doubles = [Value.double(.nan), .double(3), .null, .double(.signalingNaN), .double(-1)]
        let decimals = [Value.decimal(.quietNaN), .null, decimal(5), nan(low: 1), nan(low: 0xAB), nan(low: 0, high: 0xFC00_0000_0000_0000)]
        for value in type == .float ? floats : type == .double ? doubles : type == .decimal ? decimals : floats + doubles + decimals {
          _ = try set.insert(value)
        }
      }
    }
    database.close()
    #expect(try IndependentTools.violation(directory.file()) == nil)
    #expect(try FileContents.violations(directory.file()) == [])
  }
}
