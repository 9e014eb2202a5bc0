import Changesets

/// What a partition is named by, in a BIND as MongoDB extended JSON (P5.1).
///
/// SDKs do not agree on the width of numbers, so that there is one integer here: the same partition for both.
package enum PartitionValue: Hashable, Sendable {
  case null
  case string(String)
  case integer(Int64)
  /// The 12 bytes as a number, the first one being the most significant.
  case objectID(UInt128)
  /// The 16 bytes as a number, the first one being the most significant.
  case uuid(UInt128)

  /// Names are the same only if their bytes are.
  package static func == (one: Self, other: Self) -> Bool { one.key == other.key }
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// What a realm is found by.
  package var key: [UInt8] { Array(text().utf8) }

  /// The body of a BIND.
  /// - Parameter isNarrow: integers have 32 bits, as some SDKs write those that fit.
  package func text(isNarrow: Bool = false) -> String {
    switch self {
    case .null: return JSONValue.null.text
    case .string(let text): return JSONValue.string(text).text
    case .integer(let value):
      let isInt32 = isNarrow && Int32(exactly: value) != nil
      return JSONValue.object([JSONValue.Member(isInt32 ? "$numberInt" : "$numberLong", .string(String(value)))]).text
    case .objectID(let bits): return JSONValue.object([JSONValue.Member("$oid", .string(Self.digits(bits, byteCount: 12)))]).text
    case .uuid(let bits):
      let binary = [JSONValue.Member("base64", .string(Base64.text(Self.bytes(bits, byteCount: 16)))), JSONValue.Member("subType", .string("04"))]
      return JSONValue.object([JSONValue.Member("$binary", .object(binary))]).text
    }
  }

  /// Nil for what names no partition: the client has to be told so (`illegalRealmPath`).
  package init?(parsing text: String) {
    guard let json = try? JSONReader.value(text) else { return nil }
    switch json {
    case .null: self = .null
    case .string(let text): self = .string(text)
    case .integer(let value):
      guard let value = Int64(exactly: value) else { return nil }
      self = .integer(value)
    case .object(let members):
      guard members.count == 1, let value = Self.tagged(members[0]) else { return nil }
      self = value
    default: return nil
    }
  }

  private static func tagged(_ member: JSONValue.Member) -> Self? {
    switch member.name {
    case "$numberInt": return member.value.string.flatMap(decimal).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
    case "$numberLong": return member.value.string.flatMap(decimal).map { .integer($0) }
    case "$oid":
      guard let text = member.value.string, let bits = number(text, digitCount: 24) else { return nil }
      return .objectID(bits)
    case "$uuid":
      guard let text = member.value.string, text.utf8.count == 36 else { return nil }
      return number(text.filter { $0 != "-" }, digitCount: 32).map { .uuid($0) }
    case "$binary":
      guard member.value["subType"]?.string == "04", let bytes = member.value["base64"]?.string.flatMap(Base64.bytes), bytes.count == 16 else {
        return nil
      }
      return .uuid(bytes.reduce(0) { $0 << 8 | UInt128($1) })
    default: return nil
    }
  }

  /// As numbers are written: no plus sign.
  private static func decimal(_ text: String) -> Int64? { text.utf8.first == UInt8(ascii: "+") ? nil : Int64(text) }

  private static func number(_ text: String, digitCount: Int) -> UInt128? {
    guard text.utf8.count == digitCount, text.utf8.first != UInt8(ascii: "+") else { return nil }
    return UInt128(text, radix: 16)
  }

  private static func bytes(_ bits: UInt128, byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt128($0 * 8)) }
  }

  private static func digits(_ bits: UInt128, byteCount: Int) -> String {
    let digits = String(bits & (1 << UInt128(byteCount * 8) - 1), radix: 16)
    return String(repeating: "0", count: byteCount * 2 - digits.count) + digits
  }
}
