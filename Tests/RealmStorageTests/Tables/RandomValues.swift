import Randomness

@testable import RealmStorage

/// Values that meet: small domains, boundaries of the layouts, now and then something long.
struct RandomValues {
  var random: SeededGenerator

  mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  mutating func int() -> Int64 {
    switch below(6) {
    case 0: pick([0, 1, -1, 2, 3, 4, 15, 16, 127, 128, -128, -129, 32767, 32768, 2_147_483_647, -2_147_483_649, .max, .min])
    case 1: Int64(bitPattern: random.next())
    default: Int64(below(40)) - 5
    }
  }

  mutating func text() -> [UInt8] {
    switch below(8) {
    case 0: []
    case 1: Array(String(repeating: "ab", count: below(60)).utf8)
    case 2: Array(("common prefix that is long " + String(repeating: "x", count: below(4) * 90) + String(below(9))).utf8)
    case 3: Array("Àpple kit, Kitten books \(below(5))".utf8)
    case 4: (0..<below(12)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    default: Array(pick(["kit", "kitten", "kitty", "apple", "Foo", "bar", "book", "books", "a", "b", "é", "\u{0}x"]).utf8)
    }
  }

  mutating func key() -> [UInt8] { Array(pick(["a", "b", "c", "", "long key \(below(30))", "z\(below(50))", "käse"]).utf8) }

  mutating func value(_ type: ColumnType, nullable: Bool) -> Value {
    if nullable && chance(15) { return .null }
    switch type {
    case .int: return .int(int())
    case .bool: return .bool(chance(50))
    case .string: return .string(text())
    case .binary: return .binary(text())
    case .timestamp:
      let seconds = int()
      let nanoseconds = Int32(below(3) == 0 ? 0 : below(1_000_000_000))
      return .timestamp(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds))
    case .float: return .float(pick([0, -0.0, 1, 1.5, -3, .infinity, Float(below(100)) / 7]))
    case .double: return .double(pick([0, -0.0, 1, 1.5, 12.25, -.infinity, Double(below(1000)) / 7]))
    case .decimal: return .decimal(decimal())
    case .objectID: return .objectID(ObjectID(high: UInt64(below(9)) << 60 | UInt64(below(3)), low: UInt32(below(4))))
    case .uuid: return .uuid(UUIDBytes(high: UInt64(below(9)) << 60, low: UInt64(below(5))))
    default: return .null
    }
  }

  private mutating func decimal() -> Decimal128 {
    switch below(5) {
    case 0: Decimal128(int())
    case 1: Decimal128(Double(below(2000)) / 8)
    case 2: Decimal128(low: 0, high: 0x7800_0000_0000_0000)
    default: Decimal128(Int64(below(20)))
    }
  }

  /// For Mixed, without links and collections.
  mutating func mixed() -> Value {
    value(pick([.int, .int, .bool, .string, .string, .binary, .timestamp, .float, .double, .decimal, .objectID, .uuid]), nullable: true)
  }
}
