import Foundation
import RealmStorage

extension Date {
  init(_ timestamp: Timestamp) {
    let (seconds, overflow) = timestamp.seconds.subtractingReportingOverflow(Timestamp.secondsFrom1970To2001)
    let whole = overflow ? Double(timestamp.seconds) - Double(Timestamp.secondsFrom1970To2001) : Double(seconds)
    self.init(timeIntervalSinceReferenceDate: whole + Double(timestamp.nanoseconds) / 1e9)
  }
}
