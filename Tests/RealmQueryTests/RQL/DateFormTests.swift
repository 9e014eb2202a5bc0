import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Dates beside a regular expression and a count of days, year by year.
@Suite(.mustEnd) struct DateFormTests {
  private static let starts = [
    "2020-01-31", "1969/12/31", "20200229", "31.01.2020", "1.2.1970", "1/2/2020", "31/1/2020", "2021-02-29", "0000-01-01", "9999-12-31", "1900-02-29",
    "2020-1-1", "2020-13-01", "20200131",
  ]
  private static let times = [
    "", "T12:30", " 23:59:59", "T120000", "T1200", "T00:00:00.25", " 12:30,123456789", "T24:00", "T12:60", "T12:00:00.1234567890", "T",
  ]
  private static let zones = ["", "Z", "z", "+01:00", "-0530", " +02", "-23:59", "+24", "+01:", " "]

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    var text = Array((starts.randomElement(using: &random)! + times.randomElement(using: &random)! + zones.randomElement(using: &random)!).utf8)
    for _ in 0..<Int.random(in: 0...2, using: &random) where !text.isEmpty && Bool.random(using: &random) {
      let index = text.indices.randomElement(using: &random)!
      switch Int.random(in: 0..<4, using: &random) {
      case 0: text.remove(at: index)
      case 1: text.insert("0123456789-/.: TZ+".utf8.randomElement(using: &random)!, at: index)
      case 2: text[index] = "0123456789".utf8.randomElement(using: &random)!
      default: text[index] = "0123456789-/.: TZ+".utf8.randomElement(using: &random)!
      }
    }
    return text
  }

  /// Seconds, nanoseconds and precision, all as text; nil for what is no date.
  private static func slow(_ text: String, _ slashes: DateForm.SlashOrder?) -> String? {
    let day =
      #/(?<y1>[0-9]{4})(?<s>[-/])(?<m1>[0-9]{2})\k<s>(?<d1>[0-9]{2})|(?<y2>[0-9]{4})(?<m2>[0-9]{2})(?<d2>[0-9]{2})(?=T)|(?<d3>[0-9]{1,2})(?<t>[./])(?<m3>[0-9]{1,2})\k<t>(?<y3>[0-9]{4})/#
    let time = #/(?<h>[0-9]{2})(?::(?<m1>[0-9]{2})(?::(?<s1>[0-9]{2}))?|(?<m2>[0-9]{2})(?<s2>[0-9]{2})?)(?:[.,](?<f>[0-9]{1,9}))?/#
    let zone = #/[Zz]|\ ?(?<sign>[-+])(?<h>[0-9]{2})(?::?(?<m>[0-9]{2}))?/#
    guard let date = text.prefixMatch(of: day) else { return nil }
    let found = date.output
    var (year, month, number) = (0, 0, 0)
    if let (y, m, d) = found.y1.flatMap({ y in found.m1.flatMap { m in found.d1.map { (y, m, $0) } } }) {
      (year, month, number) = (Int(y)!, Int(m)!, Int(d)!)
    } else if let (y, m, d) = found.y2.flatMap({ y in found.m2.flatMap { m in found.d2.map { (y, m, $0) } } }) {
      (year, month, number) = (Int(y)!, Int(m)!, Int(d)!)
    } else if let y = found.y3, let m = found.m3, let d = found.d3, let separator = found.t {
      (year, month, number) = (Int(y)!, Int(m)!, Int(d)!)
      if separator == "/" {
        guard let slashes else { return nil }
        if slashes == .monthFirst { (month, number) = (number, month) }
      }
    }
    guard let days = days(year, month, number) else { return nil }
    var rest = text[date.range.upperBound...]
    if rest.isEmpty { return "\(days * 86_400) 0 day" }
    guard rest.removeFirst() == "T" || text[date.range.upperBound] == " ", let clock = rest.prefixMatch(of: time) else { return nil }
    let (hour, minute) = (Int(clock.output.h)!, Int(clock.output.m1 ?? clock.output.m2!)!)
    let second = Int(clock.output.s1 ?? clock.output.s2 ?? "0")!
    guard hour < 24, minute < 60, second < 60 else { return nil }
    let fraction = clock.output.f.map { String($0) } ?? ""
    var nanoseconds = Int(fraction + String(repeating: "0", count: 9 - fraction.count))!
    var seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    rest = rest[clock.range.upperBound...]
    var precision = "local"
    if !rest.isEmpty {
      guard let shift = rest.wholeMatch(of: zone) else { return nil }
      precision = "complete"
      let (hours, minutes) = (Int(shift.output.h ?? "0")!, Int((shift.output.m ?? nil) ?? "0")!)
      guard hours < 24, minutes < 60 else { return nil }
      seconds -= (hours * 3600 + minutes * 60) * (shift.output.sign == "-" ? -1 : 1)
    }
    if seconds < 0 && nanoseconds > 0 { (seconds, nanoseconds) = (seconds + 1, nanoseconds - 1_000_000_000) }
    return "\(seconds) \(nanoseconds) \(precision)"
  }

  /// Since 1970-01-01.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let isLeap = { (year: Int) in year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
    var days = lengths[..<(month - 1)].reduce(day - 1, +)
    for past in min(year, 1970)..<max(year, 1970) { days += (isLeap(past) ? 366 : 365) * (year < 1970 ? -1 : 1) }
    return days
  }

  @Test func datesAreWhatASlowReaderTakesThemFor() {
    var random = SeededGenerator(test: 4)
    var count = 0
    for round in 0..<5000 {
      let text = Self.text(&random)
      let slashes = [nil, DateForm.SlashOrder.dayFirst, .monthFirst].randomElement(using: &random)!
      // Among other digits, which are not part of it.
      let bytes = Array("77".utf8) + text + Array("77".utf8)
      let form = DateForm(bytes.span, 2..<bytes.count - 2, slashes: slashes)
      let found = form.map { "\($0.date.seconds) \($0.date.nanoseconds) \($0.precision)" }
      let shown = String(decoding: text, as: UTF8.self)
      let expected = Self.slow(shown, slashes)
      #expect(found == expected, "seed \(testSeed), round \(round): \(shown)")
      #expect(DateForm(text, slashes: slashes) == form)
      count += found == nil ? 0 : 1
    }
    #expect(count > 500)
  }
}
