import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Removing many rows at once against removing one after the other.
@Suite struct LeafRowsTests {
  private static let kinds: [LeafKind] = [
    .int, .bool, .link, .nullableInt, .string, .binary, .mixed, .timestamp, .float, .double, .decimal, .objectID, .uuid,
  ]

  /// - Parameter bits: how large integers and how long strings may be.
  private static func value(_ kind: LeafKind, bits: Int, _ random: inout SeededGenerator) -> Value {
    let integer = Int64(bitPattern: random.next() & (bits == 64 ? .max : 1 << UInt64(bits) - 1))
    let bytes = (0..<Int.random(in: 0...max(bits - 1, 0), using: &random)).map { _ in UInt8(0x61 + random.below(26)) }
    switch kind {
    case .int, .mixed: return .int(integer)
    case .nullableInt: return random.below(5) == 0 ? .null : .int(integer)
    case .bool: return .bool(integer & 1 == 1)
    case .link: return .link(ObjectKey(integer & 0xFFFF))
    case .string: return random.below(10) == 0 ? .null : .string(bytes)
    case .binary: return .binary(bytes)
    case .timestamp: return .timestamp(Timestamp(seconds: integer & 0xFFFF_FFFF, nanoseconds: 5))
    case .float: return .float(Float(integer))
    case .double: return .double(Double(integer))
    case .decimal: return .decimal(Decimal128(integer))
    case .objectID: return .objectID(ObjectID(high: random.next(), low: UInt32(truncatingIfNeeded: integer)))
    case .uuid: return .uuid(UUIDBytes(high: random.next(), low: random.next()))
    default: return .null
    }
  }

  @Test(arguments: kinds, [0, 1, 2, 4, 7, 16, 31, 63]) func manyRowsGoAsOneAfterTheOther(_ kind: LeafKind, _ bits: Int) throws {
    let test = try TestScratch()
    var random = SeededGenerator(seed: testSeed &+ UInt64(bits))
    let slot = ColumnSlot(kind: kind, isNullable: kind == .string || kind == .nullableInt)
    for count in [1, 2, 63, 256] {
      for share in [1, 2, 10, 100] {
        var leaf = try Leaf.create(test.scratch, slot, count: 0)
        var values: [Value] = []
        for index in 0..<count {
          values.append(Self.value(kind, bits: bits, &random))
          try Leaf.insert(test.scratch, kind, &leaf, index, values[index])
        }
        let rows = values.indices.filter { _ in random.below(share) == 0 }
        try Leaf.remove(test.scratch, slot, &leaf, rows: rows)
        let left = values.indices.filter { !rows.contains($0) }.map { identity(values[$0]) }
        let stored = try (0..<Leaf.count(test.space, kind, leaf)).map { identity(try Leaf.value(test.space, kind, leaf, $0)) }
        #expect(stored == left, "\(kind), \(bits) bits, \(count) elements without \(rows), seed \(testSeed)")
      }
    }
  }

  @Test func rowsThatDoNotExistAreRefused() throws {
    let test = try TestScratch()
    for kind in [LeafKind.int, .double, .string] {
      let slot = ColumnSlot(kind: kind, isNullable: false)
      for rows in [[1, 3], [-1, 1]] {
        var leaf = try Leaf.create(test.scratch, slot, count: 3)
        #expect(throws: StorageError.self) { try Leaf.remove(test.scratch, slot, &leaf, rows: rows) }
        #expect(try Leaf.count(test.space, kind, leaf) == 3)
      }
    }
  }

  /// New arrays are as wide as their widest element needs.
  @Test func arraysOfManyElementsGetTheWidthThatAppendingGivesThem() throws {
    let test = try TestScratch()
    var random = SeededGenerator(seed: testSeed)
    for bits in 0..<64 {
      for isNegative in [false, true] {
        let numbers = (0..<20).map { _ in
          let number = Int64(random.next() & (1 << UInt64(bits) - 1))
          return isNegative && random.below(2) == 0 ? ~number : number
        }
        var appended = try test.scratch.createIntegers()
        for number in numbers { try test.scratch.append(&appended, number) }
        let made = try test.scratch.createIntegers(numbers)
        #expect(test.scratch.header(made) == test.scratch.header(appended), "\(numbers)")
        let node = try test.space.integers(at: made)
        #expect((0..<node.count).map { node.element(unchecked: $0) } == numbers)
        let unsigned = try test.scratch.createIntegers(numbers, .unsigned)
        let limit = numbers.map { UInt64(bitPattern: $0) }.max() ?? 0
        #expect(test.scratch.header(unsigned).widthIndex == NodeHeader.widthIndex(unsigned: limit), "\(numbers)")
      }
    }
  }
}
