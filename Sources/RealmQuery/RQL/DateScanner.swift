/// Reads the parts of a date one after the other. The bytes are passed each time: what keeps a span cannot be made without an experimental feature.
struct DateScanner {
  private var position: Int
  private let end: Int

  init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  var isAtEnd: Bool { position == end }

  @inline(__always) mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// A number of so many digits, whatever follows it.
  @inline(__always) private mutating func number(_ bytes: Span<UInt8>, _ counts: ClosedRange<Int>) -> Int64? {
    var last = position
    var value: Int64 = 0
    let limit = min(end, position + counts.upperBound)
    while last < limit, case let digit = bytes[last] &- 0x30, digit <= 9 {
      value = value &* 10 &+ Int64(digit)
      last += 1
    }
    guard last - position >= counts.lowerBound else { return nil }
    position = last
    return value
  }

  /// Days since 1970-01-01.
  mutating func day(_ bytes: Span<UInt8>, _ slashes: DateForm.SlashOrder?) -> Int64? {
    let start = position
    if let year = number(bytes, 4...4) {
      if take("-", bytes) { return day(bytes, ofYear: year, "-") }
      if take("/", bytes) { return day(bytes, ofYear: year, "/") }
      // Without separators a time has to follow, or any number of eight digits were a date.
      guard let month = number(bytes, 2...2), let day = number(bytes, 2...2), position < end, bytes[position] == UInt8(ascii: "T") else { return nil }
      return DateScanner.days(year, month, day)
    }
    position = start
    guard let first = number(bytes, 1...2) else { return nil }
    if take(".", bytes) {
      guard let month = number(bytes, 1...2), take(".", bytes), let year = number(bytes, 4...4) else { return nil }
      return DateScanner.days(year, month, first)
    }
    guard let slashes, take("/", bytes), let second = number(bytes, 1...2), take("/", bytes), let year = number(bytes, 4...4) else { return nil }
    return slashes == .dayFirst ? DateScanner.days(year, second, first) : DateScanner.days(year, first, second)
  }

  private mutating func day(_ bytes: Span<UInt8>, ofYear year: Int64, _ separator: Unicode.Scalar) -> Int64? {
    guard let month = number(bytes, 2...2), take(separator, bytes), let day = number(bytes, 2...2) else { return nil }
    return DateScanner.days(year, month, day)
  }

  mutating func time(_ bytes: Span<UInt8>) -> (seconds: Int64, nanoseconds: Int64)? {
    guard let hour = number(bytes, 2...2), hour < 24 else { return nil }
    let isSeparated = take(":", bytes)
    guard let minute = number(bytes, 2...2), minute < 60 else { return nil }
    var second: Int64 = 0
    if isSeparated ? take(":", bytes) : position < end && bytes[position] >= 0x30 && bytes[position] <= 0x39 {
      guard let found = number(bytes, 2...2), found < 60 else { return nil }
      second = found
    }
    var nanoseconds: Int64 = 0
    if take(".", bytes) || take(",", bytes) {
      let start = position
      guard let fraction = number(bytes, 1...9) else { return nil }
      nanoseconds = fraction
      for _ in position - start..<9 { nanoseconds *= 10 }
    }
    return (hour * 3600 + minute * 60 + second, nanoseconds)
  }

  /// Seconds east of Greenwich.
  mutating func zone(_ bytes: Span<UInt8>) -> Int64? {
    if take("Z", bytes) || take("z", bytes) { return 0 }
    _ = take(" ", bytes)
    let isWest = take("-", bytes)
    guard isWest || take("+", bytes), let hours = number(bytes, 2...2), hours < 24 else { return nil }
    var minutes: Int64 = 0
    if take(":", bytes) || !isAtEnd {
      guard let found = number(bytes, 2...2), found < 60 else { return nil }
      minutes = found
    }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  /// Since 1970-01-01, in the proleptic Gregorian calendar; years begin in March here, so that the leap day is the last one.
  /// - Returns: nil for a day that does not exist.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard month >= 1, month <= 12, day >= 1, day <= dayCount(year, month) else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Of a month.
  private static func dayCount(_ year: Int64, _ month: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
