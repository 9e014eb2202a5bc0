import TestSupport
import Testing

/// Which runs are ended because nothing happens any more.
@Suite struct HangLimitTests {
  private let start = ContinuousClock.now
  private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func testsAmongWhichNoneBeginsOrEndsHang() {
    var tests = WatchedTests(limit: .seconds(600), now: start)
    _ = tests.begin("b", now: after(10))
    _ = tests.begin("a", now: after(20))
    #expect(tests.hanging(now: after(620)).isEmpty)
    #expect(tests.hanging(now: after(621)) == ["a", "b"])
  }

  @Test func aLongTestDoesNotHangWhileOthersBeginAndEnd() {
    var tests = WatchedTests(limit: .seconds(600), now: start)
    _ = tests.begin("long", now: start)
    for second in stride(from: 500, to: 5000, by: 500) {
      let number = tests.begin("short", now: after(second))
      #expect(tests.hanging(now: after(second + 100)).isEmpty)
      tests.end(number, now: after(second + 400))
    }
    #expect(tests.hanging(now: after(5400)).isEmpty)
    #expect(tests.hanging(now: after(5501)) == ["long"])
  }

  @Test func withoutATestNothingHangs() {
    var tests = WatchedTests(limit: .seconds(600), now: start)
    #expect(tests.hanging(now: after(10_000)).isEmpty)
    tests.end(tests.begin("only", now: after(10_000)), now: after(10_001))
    #expect(tests.hanging(now: after(20_000)).isEmpty)
  }
}
