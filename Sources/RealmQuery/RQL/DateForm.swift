package import RealmStorage

/// Dates as people and programs write them.
package struct DateForm: Equatable, Sendable {
  /// What the writing leaves open.
  package enum Precision: Sendable {
    /// Date, time and zone.
    case complete
    /// Without a zone; taken for UTC.
    case local
    /// Without a time; taken for midnight in UTC.
    case day
  }
  /// Which number of `1/2/2020` is the day.
  package enum SlashOrder: String, Sendable, CaseIterable {
    case dayFirst = "dmy"
    case monthFirst = "mdy"
  }

  package let date: Timestamp
  package let precision: Precision

  /// The forms that are understood, for messages.
  package static let examples = "2020-01-31, 2020-01-31 12:00, 2020-01-31T12:00:00.5Z or 2020-01-31T12:00:00+01:00"

  /// ISO 8601 with `T` or a blank between date and time, `2020/01/31`, `20200131T120000Z`, `31.01.2020`, and with an order `1/31/2020`.
  /// - Returns: nil for everything else, days and times that do not exist included.
  package init?(_ text: some Sequence<UInt8>, slashes: SlashOrder? = nil) {
    var scanner = Scanner(Array(text))
    guard let day = scanner.day(slashes) else { return nil }
    if scanner.isAtEnd {
      self.init(day, seconds: 0, nanoseconds: 0, .day)
      return
    }
    guard scanner.take("T") || scanner.take(" "), let (seconds, nanoseconds) = scanner.time() else { return nil }
    if scanner.isAtEnd {
      self.init(day, seconds: seconds, nanoseconds: nanoseconds, .local)
      return
    }
    guard let shift = scanner.zone(), scanner.isAtEnd else { return nil }
    self.init(day, seconds: seconds - shift, nanoseconds: nanoseconds, .complete)
  }

  private init(_ day: Int64, seconds: Int64, nanoseconds: Int64, _ precision: Precision) {
    var seconds = day * 86_400 + seconds
    var nanoseconds = nanoseconds
    if seconds < 0 && nanoseconds > 0 { (seconds, nanoseconds) = (seconds + 1, nanoseconds - 1_000_000_000) }
    date = Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    self.precision = precision
  }

  /// `seconds:nanoseconds`, which exports write for years that ISO 8601 has not.
  package static func counted(_ text: [UInt8]) -> Timestamp? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, let seconds = Int64(String(decoding: parts[0], as: UTF8.self)),
      let nanoseconds = Int32(String(decoding: parts[1], as: UTF8.self)), abs(nanoseconds) < 1_000_000_000
    else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    /// A number of so many digits, and no digit behind it.
    mutating func number(_ counts: ClosedRange<Int>) -> Int64? {
      var end = position
      var value: Int64 = 0
      while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39, end - position < counts.upperBound {
        value = value * 10 + Int64(bytes[end] - 0x30)
        end += 1
      }
      guard counts.contains(end - position) else { return nil }
      position = end
      return value
    }

    mutating func day(_ slashes: SlashOrder?) -> Int64? {
      let start = position
      if let year = number(4...4) {
        for separator: Unicode.Scalar in ["-", "/"] where take(separator) {
          guard let month = number(2...2), take(separator), let day = number(2...2) else { return nil }
          return DateForm.days(year, month, day)
        }
        // Without separators a time has to follow, or any number of eight digits were a date.
        guard let month = number(2...2), let day = number(2...2), position < bytes.count, bytes[position] == UInt8(ascii: "T") else { return nil }
        return DateForm.days(year, month, day)
      }
      position = start
      guard let first = number(1...2) else { return nil }
      if take(".") {
        guard let month = number(1...2), take("."), let year = number(4...4) else { return nil }
        return DateForm.days(year, month, first)
      }
      guard let slashes, take("/"), let second = number(1...2), take("/"), let year = number(4...4) else { return nil }
      return slashes == .dayFirst ? DateForm.days(year, second, first) : DateForm.days(year, first, second)
    }

    mutating func time() -> (seconds: Int64, nanoseconds: Int64)? {
      guard let hour = number(2...2), hour < 24 else { return nil }
      let isSeparated = take(":")
      guard let minute = number(2...2), minute < 60 else { return nil }
      var second: Int64 = 0
      if isSeparated ? take(":") : position < bytes.count && bytes[position] >= 0x30 && bytes[position] <= 0x39 {
        guard let found = number(2...2), found < 60 else { return nil }
        second = found
      }
      var nanoseconds: Int64 = 0
      if take(".") || take(",") {
        let start = position
        guard let fraction = number(1...9) else { return nil }
        nanoseconds = fraction
        for _ in position - start..<9 { nanoseconds *= 10 }
      }
      return (hour * 3600 + minute * 60 + second, nanoseconds)
    }

    /// Seconds east of Greenwich.
    mutating func zone() -> Int64? {
      if take("Z") || take("z") { return 0 }
      _ = take(" ")
      let isWest = take("-")
      guard isWest || take("+"), let hours = number(2...2), hours < 24 else { return nil }
      var minutes: Int64 = 0
      if take(":") || !isAtEnd {
        guard let found = number(2...2), found < 60 else { return nil }
        minutes = found
      }
      return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
  }

  /// Since 1970-01-01, in the proleptic Gregorian calendar; years begin in March here, so that the leap day is the last one.
  /// - Returns: nil for a day that does not exist.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day) else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
