import RealmStorage

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
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// In columns; nil if it is none.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// One line on a terminal that tells how far long work has come; nothing during the first half second, nothing without a terminal.
final class Progress {
  private let label: String
  private let isEnabled: Bool
  private let start = Progress.now()
  private var lastPrinted = 0.0
  private var hasPrinted = false

  init(_ label: String, isQuiet: Bool) {
    self.label = label
    isEnabled = !isQuiet && isatty(STDERR_FILENO) == 1
  }

  private static func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func update(_ done: Int, of total: Int) {
    guard isEnabled, total > 0 else { return }
    let elapsed = Progress.now() - start
    guard elapsed > 0.5, elapsed - lastPrinted > 0.2, done > 0 else { return }
    lastPrinted = elapsed
    hasPrinted = true
    let rate = Double(done) / elapsed
    let left = Int(min(Double(max(total - done, 0)) / rate, 1e9)) + 1
    print("\r\(label): \(Int(min(100, Double(done) * 100 / Double(total)))) %, \(Int(rate)) a second, \(left) s left\u{1B}[K")
  }

  /// Removes the line.
  func finish() { if hasPrinted { print("\r\u{1B}[K") } }

  private func print(_ text: String) {
    var bytes = Array(text.utf8)
    _ = unsafe write(STDERR_FILENO, &bytes, bytes.count)
  }
}

/// Progress of work that counts its bytes in a storage.
final class SharedProgress: Sendable {
  private struct State {
    var progress: Progress
    var total = 0
  }
  private let state: Locked<State>

  init(_ label: String, isQuiet: Bool) { state = Locked(State(progress: Progress(label, isQuiet: isQuiet))) }

  func start(total: Int) { state.withLock { $0.total = total } }
  func update(_ done: Int) { state.withLock { $0.progress.update(done, of: $0.total) } }
  func finish() { state.withLock { $0.progress.finish() } }
}
