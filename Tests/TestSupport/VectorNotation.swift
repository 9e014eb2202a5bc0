import RealmStorage

extension Value {
  /// One letter for the type, then the value: `i` decimal, `f` `d` `D` bits, `s` `x` `o` `u` hex bytes, `t` `L` two numbers.
  package init(vector: some StringProtocol) {
    let rest = vector.dropFirst()
    let numbers = { rest.split(separator: ":").map { Int64($0)! } }
    switch vector.first! {
    case "n": self = .null
    case "i": self = .int(Int64(rest)!)
    case "b": self = .bool(rest == "1")
    case "f": self = .float(Float(bitPattern: UInt32(rest, radix: 16)!))
    case "d": self = .double(Double(bitPattern: UInt64(rest, radix: 16)!))
    case "D": self = .decimal(Decimal128(vector: rest))
    case "s": self = .string(bytes(hex: rest))
    case "x": self = .binary(bytes(hex: rest))
    case "t": self = .timestamp(Timestamp(seconds: numbers()[0], nanoseconds: Int32(numbers()[1])))
    case "o": self = .objectID(ObjectID(high: UInt64(rest.prefix(16), radix: 16)!, low: UInt32(rest.dropFirst(16), radix: 16)!))
    case "u": self = .uuid(UUIDBytes(high: UInt64(rest.prefix(16), radix: 16)!, low: UInt64(rest.dropFirst(16), radix: 16)!))
    case "L": self = .typedLink(ObjectLink(table: TableKey(rawValue: UInt32(numbers()[0])), key: ObjectKey(numbers()[1])))
    case "l": self = .list(.null)
    case "y": self = .dictionary(.null)
    default: fatalError("unknown vector \(vector)")
    }
  }
}

extension Decimal128 {
  /// High and low word in hex.
  package init(vector: some StringProtocol) {
    let words = vector.split(separator: ":").map { UInt64($0, radix: 16)! }
    self.init(low: words[1], high: words[0])
  }
}

package func bytes(hex: some StringProtocol) -> [UInt8] {
  let digits = hex.utf8.filter { $0 != UInt8(ascii: " ") }.map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The lines of a vector text, split at spaces.
package func rows(_ text: String) -> [[Substring]] { text.split(separator: "\n").map { $0.split(separator: " ") } }
