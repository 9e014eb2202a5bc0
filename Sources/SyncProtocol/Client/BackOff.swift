/// How long to wait before the next attempt: longer and longer while the reason stays the same (P6.1).
struct BackOff<Reason: Equatable & Sendable>: Sendable {
  /// Milliseconds, and what each repetition multiplies them by.
  struct Pace: Sendable {
    var first: UInt64 = 1000
    var longest: UInt64 = 300_000
    var multiplier: UInt64 = 2

    init() {}

    /// What a server asks for.
    init(_ asked: ErrorBody.BackOff) {
      first = UInt64(max(asked.seconds, 0)) * 1000
      longest = max(UInt64(max(asked.longestSeconds, 0)) * 1000, first)
      multiplier = UInt64(max(asked.multiplier, 1))
    }
  }

  private var reason: Reason?
  private var pace = Pace()
  private var wait: UInt64 = 0

  /// Milliseconds, up to a quarter less than what the count of repetitions says, so that not everybody comes back at once.
  mutating func next(_ reason: Reason, _ asked: ErrorBody.BackOff? = nil, using random: inout some RandomNumberGenerator) -> UInt64 {
    if let asked {
      pace = Pace(asked)
      if self.reason != reason { wait = 0 }
    } else if self.reason != reason {
      (pace, wait) = (Pace(), 0)
    }
    self.reason = reason
    let (longer, isTooLong) = wait.multipliedReportingOverflow(by: pace.multiplier)
    wait = wait == 0 ? pace.first : isTooLong ? pace.longest : min(longer, pace.longest)
    return wait - UInt64.random(in: 0...wait / 4, using: &random)
  }

  /// Something went well.
  mutating func reset() { self = Self() }
}
