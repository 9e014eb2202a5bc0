import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One line on a terminal that tells how far long work has come; nothing during the first half second, nothing without a terminal.
final class Progress {
  private let label: String
  private let total: Int
  private let isEnabled: Bool
  private let start = Progress.now()
  private var lastPrinted = 0.0
  private var hasPrinted = false

  init(_ label: String, total: Int, isQuiet: Bool) {
    self.label = label
    self.total = total
    isEnabled = !isQuiet && total > 0 && isatty(STDERR_FILENO) == 1
  }

  private static func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func update(_ done: Int) {
    guard isEnabled else { return }
    let elapsed = Progress.now() - start
    guard elapsed > 0.5, elapsed - lastPrinted > 0.2, done > 0 else { return }
    lastPrinted = elapsed
    hasPrinted = true
    let rate = Double(done) / elapsed
    let left = Int(Double(max(total - done, 0)) / rate) + 1
    print("\r\(label): \(min(100, done * 100 / total)) %, \(Int(rate)) a second, \(left) s left\u{1B}[K")
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
  private let label: String
  private let isQuiet: Bool
  private let progress = Mutex<Progress?>(nil)

  init(_ label: String, isQuiet: Bool) { (self.label, self.isQuiet) = (label, isQuiet) }

  func start(total: Int) { progress.withLock { $0 = Progress(label, total: total, isQuiet: isQuiet) } }
  func update(_ done: Int) { progress.withLock { $0?.update(done) } }
  func finish() { progress.withLock { $0?.finish() } }
}
