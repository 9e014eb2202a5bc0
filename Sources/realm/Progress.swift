import Foundation
import RealmStorage
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal that standard output is.
enum Terminal {
  /// Somebody types the input and sees the output.
  static var isInteractive: Bool { isTyped && showsResults }

  static var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

  /// Results go to the terminal, among which a line that changes has no place.
  static var showsResults: Bool { isatty(STDOUT_FILENO) == 1 }

  /// In columns; nil if it is none.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// One line on a terminal that tells how far long work has come; nothing during the first half second, nothing without a terminal.
///
/// The line is printed by a thread of its own, so that it comes whatever the work is busy with.
final class Progress: Sendable {
  /// What the line says.
  struct State {
    fileprivate(set) var label: String
    /// What is counted: objects, unless it says bytes.
    var countsBytes = false
    fileprivate(set) var done = 0
    /// 0 if nobody knows.
    fileprivate(set) var total = 0

    init(label: String, done: Int = 0, total: Int = 0, countsBytes: Bool = false) {
      (self.label, self.done, self.total, self.countsBytes) = (label, done, total, countsBytes)
    }

    /// - Parameter elapsed: seconds since the beginning.
    func text(_ elapsed: Double) -> String {
      guard done > 0, elapsed > 0 else { return "\(label): \(Int(elapsed)) s" }
      let rate = Double(done) / elapsed
      guard total > 0 else { return "\(label): \(amount(Double(done))), \(amount(rate)) a second" }
      let left = Int(min(Double(max(total - done, 0)) / rate, 1e9)) + 1
      return "\(label): \(Int(min(100, Double(done) * 100 / Double(total)))) %, \(amount(rate)) a second, \(left) s left"
    }

    private func amount(_ count: Double) -> String {
      guard countsBytes else { return "\(Int(count))" }
      return count < 1e6 ? "\(Int(count / 1e3)) kB" : "\(Double(Int(count / 1e5)) / 10) MB"
    }
  }

  private let state: Locked<State>
  private let isFinished = Atomic<Bool>(false)
  /// Whether a line is on the terminal; there is one for all.
  private static let isShown = Locked(false)

  /// - Parameter countsBytes: amounts are bytes.
  init(_ label: String, isQuiet: Bool, countsBytes: Bool = false) {
    state = Locked(State(label: label, countsBytes: countsBytes))
    guard !isQuiet && isatty(STDERR_FILENO) == 1 else { return }
    let start = ContinuousClock.now
    Thread.detachNewThread { [self] in
      Thread.sleep(forTimeInterval: 0.5)
      while !isFinished.load(ordering: .relaxed) {
        show((ContinuousClock.now - start) / .seconds(1))
        Thread.sleep(forTimeInterval: 0.25)
      }
    }
  }

  private func show(_ elapsed: Double) {
    let text = state.withLock { $0.text(elapsed) }
    Progress.isShown.withLock { isShown in
      if isFinished.load(ordering: .relaxed) { return }
      Command.prompt("\r\(text)\u{1B}[K")
      isShown = true
    }
  }

  /// Prints a text where the line is, which comes again below it if the work goes on.
  static func say(_ text: String) {
    isShown.withLock { isShown in
      Command.prompt((isShown ? "\r\u{1B}[K" : "") + text)
      isShown = false
    }
  }

  func update(_ done: Int, of total: Int) { state.withLock { ($0.done, $0.total) = (done, total) } }

  /// For work whose total is known before, or not at all.
  func start(total: Int) { state.withLock { $0.total = total } }
  /// Does not go back: what is written anew is counted from its beginning.
  func update(_ done: Int) { state.withLock { $0.done = max($0.done, done) } }

  /// Removes the line.
  func finish() {
    if isFinished.exchange(true, ordering: .relaxed) { return }
    Progress.say("")
  }
}
