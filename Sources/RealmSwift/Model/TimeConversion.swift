import Foundation
import RealmStorage

// `Date` counts seconds as a Double since 2001, the file seconds and nanoseconds since 1970 (S6).

private let secondsFrom1970To2001: Int64 = 978_307_200

extension Timestamp {
  /// Truncates to nanoseconds, as other SDKs do; clamps what is out of range.
  init(_ date: Date) {
    let time = date.timeIntervalSinceReferenceDate
    if time.isNaN {
      self.init(seconds: 0, nanoseconds: 0)
      return
    }
    // Beyond this the sum below would overflow.
    let limit = 9.2233720358715e18
    if time >= limit {
      self.init(seconds: .max, nanoseconds: 999_999_999)
    } else if time <= -limit {
      self.init(seconds: .min, nanoseconds: -999_999_999)
    } else {
      let whole = time.rounded(.towardZero)
      var nanoseconds = Int32((time - whole) * 1e9)
      var seconds = Int64(whole) + secondsFrom1970To2001
      if nanoseconds < 0 && seconds > 0 {
        nanoseconds += 1_000_000_000
        seconds -= 1
      }
      self.init(seconds: seconds, nanoseconds: nanoseconds)
    }
  }
}

extension Date {
  init(_ timestamp: Timestamp) {
    let (seconds, overflow) = timestamp.seconds.subtractingReportingOverflow(secondsFrom1970To2001)
    let whole = overflow ? Double(timestamp.seconds) - Double(secondsFrom1970To2001) : Double(seconds)
    self.init(timeIntervalSinceReferenceDate: whole + Double(timestamp.nanoseconds) / 1e9)
  }
}

extension UUID {
  init(_ bytes: UUIDBytes) {
    func byte(_ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: (index < 8 ? bytes.high : bytes.low) >> UInt64(56 - 8 * (index & 7)))
    }
    self.init(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10), byte(11), byte(12), byte(13),
        byte(14), byte(15)
      ))
  }
}

extension UUIDBytes {
  init(_ uuid: UUID) {
    let u = uuid.uuid
    func word(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word(u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7), low: word(u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15))
  }
}
