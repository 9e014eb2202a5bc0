import Foundation
import RealmStorage

extension Timestamp {
  /// `Date` counts seconds as a Double since 2001, the file seconds and nanoseconds since 1970.
  static let secondsFrom1970To2001: Int64 = 978_307_200

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
      var seconds = Int64(whole) + Self.secondsFrom1970To2001
      if nanoseconds < 0 && seconds > 0 {
        nanoseconds += 1_000_000_000
        seconds -= 1
      }
      self.init(seconds: seconds, nanoseconds: nanoseconds)
    }
  }
}
