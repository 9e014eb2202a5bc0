import Foundation
import Testing

/// A program at a terminal of its own: what a person would see and type. Killed and reaped with its object, at the latest.
// SAFETY: used by one thread or task at a time.
package final class TerminalProcess: @unchecked Sendable {
  private let child: ReapedChild
  private let terminal: Int32
  /// Everything that it has printed so far, as the terminal got it.
  package private(set) var screen = ""

  /// - Parameters:
  ///   - tool: an executable of this package.
  ///   - input: where standard input comes from, if not from the terminal.
  ///   - output: where standard output goes, if not to the terminal.
  ///   - environment: variables in addition to ours.
  package init(
    _ tool: String, _ arguments: [String], input: String? = nil, output: String? = nil, environment: [String: String] = [:]
  ) throws {
    var size = winsize(ws_row: 24, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
    var (master, slave): (Int32, Int32) = (-1, -1)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw ChildProcess.Failure(what: "no terminal is to be had: \(errno)") }
    defer { close(slave) }
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let name = String(cString: ttyname(slave))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a new session opens is its own, from which interrupts come.
    posix_spawn_file_actions_addopen(&actions, 2, name, O_RDWR, 0)
    if let input { posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0) } else { posix_spawn_file_actions_adddup2(&actions, 2, 0) }
    if let output {
      posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 2, 1)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let newSession: Int32 = 0x80
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))
    let variables = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
    let path = PackageLocation.productDirectory + "/" + tool
    var strings = ([path] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { (strings + settings).forEach { free($0) } }
    var child = pid_t()
    let code = posix_spawn(&child, path, &actions, &attributes, &strings, &settings)
    guard code == 0 else {
      close(master)
      throw ChildProcess.Failure(what: "cannot start \(tool): \(code)")
    }
    (self.child, terminal) = (ReapedChild(child), master)
  }

  deinit {
    child.killNow()
    close(terminal)
  }

  /// Types a text; `\t` and `\n` are keys as well, `\u{3}` interrupts.
  package func type(_ text: String) { _ = text.withCString { write(terminal, $0, strlen($0)) } }

  /// Waits until the terminal has shown a text since the last one that was waited for, and forgets what came before the end of that.
  /// - Returns: whether it came in time.
  package func shows(_ text: String, within seconds: Double = Double(patience)) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      if let place = screen.range(of: text) {
        screen.removeSubrange(..<place.upperBound)
        return true
      }
      if ContinuousClock.now >= end || !readMore(milliseconds: 20) && isGone && !readMore(milliseconds: 0) { return screen.contains(text) }
    }
  }

  /// Waits for its end: its exit code, or 128 + the signal that ended it; nil if it does not end in time.
  package func end(within seconds: Double = Double(patience)) -> Int32? {
    let end = ContinuousClock.now + .seconds(seconds)
    while !isGone {
      if ContinuousClock.now >= end { return nil }
      _ = readMore(milliseconds: 5)
    }
    while readMore(milliseconds: 0) {}
    return child.status
  }

  package var isGone: Bool { child.status != nil }

  /// - Returns: whether something came.
  private func readMore(milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal, &buffer, buffer.count)
    // The other side is closed, but the child may not be gone yet.
    guard count > 0 else {
      usleep(1000)
      return false
    }
    screen += String(decoding: buffer[..<count], as: UTF8.self)
    return true
  }
}
