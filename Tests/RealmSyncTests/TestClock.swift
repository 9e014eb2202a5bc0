import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  private let time = Atomic<UInt64>(10)

  /// Milliseconds since 2015-01-01T00:00:00Z.
  var now: UInt64 {
    get { time.load(ordering: .relaxed) }
    set { time.store(newValue, ordering: .relaxed) }
  }
}
