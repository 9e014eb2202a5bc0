/// Reads the fields of a head, or of what stands in front of a changeset, and never past the end.
struct FieldReader {
  /// What stands behind a field.
  enum Separator: UInt8 {
    case space = 0x20
    case endOfLine = 0x0a
  }

  let bytes: [UInt8]
  private(set) var offset: Int
  /// The first word, for errors.
  var message = "message"
  /// A head does not go on from here, whatever the message says.
  private var end: Int
  /// Fields in front of a changeset have an error of their own.
  private let isInBody: Bool

  /// At the first byte of a message.
  init(_ bytes: [UInt8], limits: MessageLimits) {
    (self.bytes, offset, isInBody) = (bytes, 0, false)
    end = min(bytes.count, limits.headByteCount)
  }

  /// At the first byte of a body that follows the head of `message`.
  init(body: [UInt8], message: String) {
    (bytes, offset, self.message, end, isInBody) = (body, 0, message, body.count, true)
  }

  var isAtEnd: Bool { offset == bytes.count }
  var remainingByteCount: Int { bytes.count - offset }

  func error(_ field: String, _ reason: ProtocolError.Reason) -> ProtocolError {
    ProtocolError(message: message, field: field, offset: offset, reason: reason)
  }

  private func broken(_ field: String, _ reason: ProtocolError.Reason) -> ProtocolError {
    if isInBody { return error(field, .badEntryHead) }
    if offset == end { return error(field, end < bytes.count ? .headTooLong : .truncated) }
    return error(field, reason)
  }

  /// The first word of a message and the space behind it.
  mutating func word() throws(ProtocolError) -> String {
    while offset < end, bytes[offset] != Separator.space.rawValue { offset += 1 }
    guard offset < end else { throw error("type", end < bytes.count ? .headTooLong : .truncated) }
    defer { offset += 1 }
    // What is not UTF-8 becomes a word that no message begins with.
    return String(decoding: bytes[..<offset], as: UTF8.self)
  }

  /// Decimal digits; zeros in front count, a sign does not (P3).
  mutating func number(
    _ field: String, _ separator: Separator = .space, in range: ClosedRange<UInt64> = 0...UInt64.max
  ) throws(ProtocolError) -> UInt64 {
    let value = try digits(field)
    guard range.contains(value) else { throw error(field, .outOfRange) }
    try skip(separator, behind: field)
    return value
  }

  /// Decimal digits, with a minus in front of negative numbers.
  mutating func signed(_ field: String, _ separator: Separator = .space) throws(ProtocolError) -> Int64 {
    let isNegative = offset < end && bytes[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let magnitude = try digits(field)
    guard magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0) else { throw broken(field, .numberTooLarge) }
    try skip(separator, behind: field)
    return isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
  }

  /// 0 or 1.
  mutating func flag(_ field: String, _ separator: Separator = .space) throws(ProtocolError) -> Bool {
    try number(field, separator, in: 0...1) == 1
  }

  /// At least 1: 0 is the connection.
  mutating func session(_ separator: Separator = .space) throws(ProtocolError) -> UInt64 {
    try number("session", separator, in: 1...UInt64.max)
  }

  /// A number of bytes that is at most `limit`.
  mutating func byteCount(_ field: String, _ separator: Separator = .space, limit: Int) throws(ProtocolError) -> Int {
    let value = try digits(field)
    guard value <= UInt64(max(limit, 0)) else { throw error(field, isInBody ? .badEntrySize : .bodyTooLarge) }
    try skip(separator, behind: field)
    return Int(value)
  }

  /// What stands before the next separator, for fields that are neither number nor word.
  mutating func token(_ field: String, _ separator: Separator = .space) throws(ProtocolError) -> ArraySlice<UInt8> {
    let start = offset
    while offset < end, bytes[offset] != separator.rawValue { offset += 1 }
    guard offset < end else { throw broken(field, .truncated) }
    defer { offset += 1 }
    return bytes[start..<offset]
  }

  /// Bytes of the body, which are there or not.
  mutating func raw(_ field: String, byteCount: Int) throws(ProtocolError) -> [UInt8] {
    guard byteCount <= remainingByteCount else { throw error(field, isInBody ? .badEntrySize : .truncated) }
    defer { offset += byteCount }
    return Array(bytes[offset..<offset + byteCount])
  }

  mutating func text(_ field: String, byteCount: Int) throws(ProtocolError) -> String {
    guard byteCount <= remainingByteCount else { throw error(field, .truncated) }
    guard let text = String(validating: bytes[offset..<offset + byteCount], as: UTF8.self) else { throw error(field, .notText) }
    offset += byteCount
    return text
  }

  /// Nothing follows (P3).
  func finish() throws(ProtocolError) {
    if !isAtEnd { throw error("end", .trailingBytes) }
  }

  private mutating func digits(_ field: String) throws(ProtocolError) -> UInt64 {
    var value: UInt64 = 0
    let start = offset
    while offset < end, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(digit))
      guard !overflows, !overflowsToo else { throw broken(field, .numberTooLarge) }
      value = sum
      offset += 1
    }
    guard offset > start else { throw broken(field, .notANumber) }
    return value
  }

  private mutating func skip(_ separator: Separator, behind field: String) throws(ProtocolError) {
    guard offset < end, bytes[offset] == separator.rawValue else { throw broken(field, .badSeparator) }
    offset += 1
  }
}
