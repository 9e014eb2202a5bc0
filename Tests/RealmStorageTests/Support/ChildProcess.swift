import Glibc
import Testing

/// A child process whose input and output are pipes. Killed and reaped with its object, at the latest.
final class ChildProcess {
  struct Failure: Error { let what: String }

  let identifier: pid_t
  private let input: Int32
  private let output: Int32
  private var unread: [UInt8] = []
  private var status: Int32?

  /// Children are started one at a time: one that inherits another's pipe would keep it open.
  // SAFETY: set once, never freed, and only handed to pthread functions.
  nonisolated(unsafe) private static let spawning: UnsafeMutablePointer<pthread_mutex_t> = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return mutex
  }()

  init(_ executable: String, _ arguments: [String]) throws {
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    pthread_mutex_lock(Self.spawning)
    defer { pthread_mutex_unlock(Self.spawning) }
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failure(what: "pipe: \(errno)") }
    for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    var strings = ([executable] + arguments).map { strdup($0) } + [nil]
    defer { strings.forEach { free($0) } }
    var child = pid_t()
    let code = posix_spawnp(&child, executable, &actions, nil, &strings, environ)
    close(toChild[0])
    close(fromChild[1])
    (identifier, input, output) = (child, toChild[1], fromChild[0])
    guard code == 0 else {
      status = 0
      throw Failure(what: "cannot start \(executable): \(code)")
    }
  }

  deinit {
    if status == nil {
      kill(identifier, SIGKILL)
      waitForEnd()
    }
    close(input)
    close(output)
  }

  /// The next line of its output, without the newline; nil at the end. Waits at most `seconds`.
  func line(within seconds: Int = 30) throws -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      guard try readMore(within: seconds) else { return nil }
    }
  }

  /// For `poll`.
  var outputDescriptor: Int32 { output }

  /// The lines that are there by now.
  func linesAtHand() throws -> [String] {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    while poll(&descriptor, 1, 0) > 0, try readMore(within: 0) {}
    return takeLines()
  }

  /// Its remaining whole lines, for a process that is gone.
  func lastLines() throws -> [String] {
    while try readMore(within: 30) {}
    return takeLines()
  }

  private func takeLines() -> [String] {
    guard let end = unread.lastIndex(of: 10) else { return [] }
    defer { unread.removeSubrange(...end) }
    return unread[..<end].split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
  }

  /// All the rest of its output.
  func rest(within seconds: Int = 30) throws -> String {
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

  func say(_ line: String = "") {
    _ = (line + "\n").withCString { write(input, $0, strlen($0)) }
  }

  /// SIGKILL, and waits until the process is gone.
  func killNow() {
    kill(identifier, SIGKILL)
    waitForEnd()
  }

  /// Whether its end was waited for.
  var isGone: Bool { status != nil }

  /// Its exit code, or 128 + the signal that ended it.
  @discardableResult func waitForEnd() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
    let code = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
    status = code
    return code
  }
}

extension ChildProcess {
  /// The helper executable of this package, which lies beside the test bundle.
  static func agent(_ arguments: String...) throws -> ChildProcess { try agent(arguments) }

  static func agent(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(agentPath, arguments)
  }

  static var agentPath: String { productDirectory + "/regnum-test-agent" }

  /// Where the executables of this package lie.
  static var productDirectory: String {
    let executable = CommandLine.arguments[0]
    if let real = realpath("/proc/self/exe", nil) {
      defer { free(real) }
      let path = String(cString: real)
      if path.hasSuffix(".xctest") { return parent(path) }
    }
    return parent(executable)
  }

  private static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
