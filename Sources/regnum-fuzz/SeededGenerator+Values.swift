import Randomness
import RealmStorage

extension SeededGenerator {
  mutating func int() -> Int64 {
    switch below(4) {
    case 0: Int64(below(10))
    case 1: Int64(below(1 << 20)) - 1 << 19
    case 2: pick([0, 1, -1, .max, .min, 127, 128, -128, -129, 1 << 31, 1 << 62])
    default: Int64(bitPattern: next())
    }
  }

  mutating func bytes() -> [UInt8] {
    let count = pick([0, 1, 3, 7, 8, 15, 16, 31, 32, 63, 64, 65, 200, once(in: 8) ? 5000 : 9])
    let base = UInt8(97 + below(20))
    return (0..<count).map { base &+ UInt8($0 % 5) }
  }

  mutating func value(_ type: ColumnType, targets: [ObjectLink]) -> Value {
    switch type {
    case .int: return .int(int())
    case .bool: return .bool(once(in: 2))
    case .string: return .string(once(in: 4) ? Array("words here and there \(below(9))".utf8) : bytes())
    case .binary: return .binary(bytes())
    case .timestamp: return .timestamp(Timestamp(seconds: int() >> 8, nanoseconds: 0))
    case .float: return .float(Float(int()))
    case .double: return .double(Double(int()) / 3)
    case .decimal: return .decimal(Decimal128(low: UInt64(below(1000)), high: 0x3040_0000_0000_0000))
    case .objectID: return .objectID(ObjectID(high: next(), low: 7))
    case .uuid: return .uuid(UUIDBytes(high: next(), low: next()))
    case .link, .legacyLinkList: return targets.isEmpty || once(in: 8) ? .null : .link(pick(targets).key)
    case .mixed:
      switch below(8) {
      case 0: return .null
      case 1: return .list(.null)
      case 2: return .dictionary(.null)
      case 3: return targets.isEmpty ? .null : .typedLink(pick(targets))
      default: return value(pick([.int, .bool, .string, .binary, .timestamp, .float, .double, .decimal, .objectID, .uuid]), targets: [])
      }
    default: return .null
    }
  }
}
