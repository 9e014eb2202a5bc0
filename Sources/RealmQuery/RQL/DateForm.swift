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
    let bytes = Array(text)
    self.init(bytes.span, bytes.indices, slashes: slashes)
  }

  /// The same for text that lies among other bytes.
  package init?(_ bytes: Span<UInt8>, _ range: Range<Int>, slashes: SlashOrder? = nil) {
    var scanner = DateScanner(range)
    guard let day = scanner.day(bytes, slashes) else { return nil }
    if scanner.isAtEnd {
      self.init(day, seconds: 0, nanoseconds: 0, .day)
      return
    }
    guard scanner.take("T", bytes) || scanner.take(" ", bytes), let (seconds, nanoseconds) = scanner.time(bytes) else { return nil }
    if scanner.isAtEnd {
      self.init(day, seconds: seconds, nanoseconds: nanoseconds, .local)
      return
    }
    guard let shift = scanner.zone(bytes), scanner.isAtEnd else { return nil }
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
  /// - Returns: nil for everything else, numbers with different signs included, which no date has (F3.16).
  package static func counted(_ text: [UInt8]) -> Timestamp? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, let seconds = Int64(String(decoding: parts[0], as: UTF8.self)),
      let nanoseconds = Int32(String(decoding: parts[1], as: UTF8.self)), nanoseconds.magnitude < 1_000_000_000,
      seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0)
    else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }
}
