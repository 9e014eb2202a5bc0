import Foundation
import Testing

/// A program that runs beside the test, spoken to in lines. Killed and reaped with its object, at the latest.
// SAFETY: used by one thread or task at a time.
package final class ChildProcess: @unchecked Sendable {
  package struct Failure: Error, CustomStringConvertible {
    let what: String
    package var description: String { what }
  }
  package enum Input { case pipe, nothing }
  package enum Output { case pipe, ours, nothing, file(String) }

  private let child: ReapedChild
  private var input: Int32
  private let output: Int32
  private var unread: [UInt8] = []

  /// Children are started one at a time: one that inherits another's pipe would keep it open.
  private static let spawning = NSLock()

  /// - Parameters:
  ///   - executable: a path, or a name to be looked for in `PATH`.
  ///   - environment: variables in addition to ours.
  package init(
    _ executable: String, _ arguments: [String], input: Input = .pipe, output: Output = .pipe, errors: Output = .ours,
    environment: [String: String] = [:]
  ) throws {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    Self.spawning.lock()
    defer { Self.spawning.unlock() }
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failure(what: "pipe: \(errno)") }
    for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch input {
    case .pipe: posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    for (descriptor, target) in [(1, output), (2, errors)] as [(Int32, Output)] {
      switch target {
      case .pipe: posix_spawn_file_actions_adddup2(&actions, fromChild[1], descriptor)
      case .ours: break
      case .nothing: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      case .file(let path): posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      }
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var strings = ([executable] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { (strings + settings).forEach { free($0) } }
    var child = pid_t()
    let code = Self.withDefaultSignals { posix_spawnp(&child, executable, &actions, $0, &strings, &settings) }
    close(toChild[0])
    close(fromChild[1])
    guard code == 0 else {
      close(toChild[1])
      close(fromChild[0])
      throw Failure(what: "cannot start \(executable): \(code)")
    }
    (self.child, self.input, self.output) = (ReapedChild(child), toChild[1], fromChild[0])
  }

  /// Attributes of a child that blocks and ignores no signal, whatever the calling thread does.
  private static func withDefaultSignals(_ body: (UnsafePointer<posix_spawnattr_t>) -> Int32) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return body(&attributes)
  }

  deinit {
    killNow()
    closeInput()
    close(output)
  }

  // MARK: Lines

  /// The next line of its output, without the newline; nil at the end.
  package func line(within seconds: Int = patience) throws -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      guard try readMore(within: seconds) else { return nil }
    }
  }

  /// For `poll`.
  package var outputDescriptor: Int32 { output }

  /// The lines that are there by now.
  package func linesAtHand() throws -> [String] {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    while poll(&descriptor, 1, 0) > 0, try readMore(within: 0) {}
    return takeLines()
  }

  /// Its remaining whole lines, for a process that is gone or about to end.
  package func lastLines() throws -> [String] {
    while try readMore(within: patience) {}
    return takeLines()
  }

  private func takeLines() -> [String] {
    guard let end = unread.lastIndex(of: 10) else { return [] }
    defer { unread.removeSubrange(...end) }
    return unread[..<end].split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
  }

  /// All the rest of its output.
  package func rest(within seconds: Int = patience) throws -> String {
    while try readMore(within: seconds) {}
    defer { unread = [] }
    return String(decoding: unread, as: UTF8.self)
  }

  private func readMore(within seconds: Int) throws -> Bool {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(seconds) * 1000) > 0 else { throw Failure(what: "no answer within \(seconds) s") }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &buffer, buffer.count)
    guard count > 0 else { return false }
    unread += buffer[..<count]
    return true
  }

  package func say(_ line: String = "") {
    _ = (line + "\n").withCString { write(input, $0, strlen($0)) }
  }

  private func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  // MARK: Its end

  /// Ends its input and waits until it is gone.
  /// - Returns: its remaining lines.
  @discardableResult package func end() throws -> [String] {
    closeInput()
    let lines = try lastLines()
    try waitForEnd()
    return lines
  }

  /// SIGKILL, and waits until the process is gone.
  package func killNow() { child.killNow() }

  /// Without effect once it has ended.
  package func send(_ signal: Int32) { child.send(signal) }

  package var identifier: pid_t { child.identifier }
  package var isGone: Bool { child.status != nil }

  /// Its exit code, or 128 + the signal that ended it. Killed, and an error, if it does not end in time.
  @discardableResult package func waitForEnd(within seconds: Int = 120) throws -> Int32 {
    waitUntil(within: .seconds(seconds)) { isGone }
    guard let status = child.status else {
      killNow()
      throw Failure(what: "process \(identifier) did not end within \(seconds) s")
    }
    return status
  }

  /// Time on the processor so far, in hundredths of a second.
  package func processorTicks() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    let fields = text[text.range(of: ") ", options: .backwards)!.upperBound...].split(separator: " ")
    return Int(fields[11])! + Int(fields[12])!
  }
}

extension ChildProcess {
  /// The helper executable of this package.
  package static func agent(_ arguments: String...) throws -> ChildProcess { try agent(arguments) }
  package static func agent(_ arguments: [String]) throws -> ChildProcess { try ChildProcess(agentPath, arguments) }
  package static let agentPath = PackageLocation.productDirectory + "/regnum-test-agent"
}
