import Foundation
import RealmStorage
import Synchronization

/// How much a logger lets through, from nothing to everything.
public enum LogLevel: UInt, Sendable {
  /// `off` lets nothing through, `all` everything; the ones between let through their own kind and what is graver.
  case off, fatal, error, warn, info, detail, debug, trace, all

  /// The first word of a line that the default logger prints.
  fileprivate var prefix: String {
    switch self {
    case .off: ""
    case .fatal: "Fatal"
    case .error: "Error"
    case .warn: "Warning"
    case .info: "Info"
    case .detail: "Detail"
    case .debug: "Debug"
    case .trace, .all: "Trace"
    }
  }
}

/// What a message is about.
package enum LogCategory: String, Sendable {
  /// A file: opened, compacted.
  case file
  /// Classes and migrations.
  case schema
  /// A realm and its transactions.
  case realm
  /// What is observed.
  case notifications
}

/// Receives what databases report about their work.
public final class Logger: Sendable {
  private let threshold: Atomic<UInt>
  private let receive: @Sendable (LogLevel, LogCategory, String) -> Void

  /// Makes a logger; it is used once it is ``shared``.
  /// - Parameters:
  ///   - level: messages of a level above this one are dropped.
  ///   - logFunction: called from any thread, and by several at once.
  public convenience init(level: LogLevel, logFunction: @Sendable @escaping (LogLevel, String) -> Void) {
    self.init(level: level) { level, _, message in logFunction(level, message) }
  }

  /// The same, told also what the message is about.
  package init(level: LogLevel, receive: @Sendable @escaping (LogLevel, LogCategory, String) -> Void) {
    threshold = Atomic(level.rawValue)
    self.receive = receive
  }

  /// A message passes if its level is not above this one. Takes effect at once, also for open databases.
  public var level: LogLevel {
    get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .off }
    set { threshold.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// The logger of the process. The one at the start has level `info` and prints to standard error.
  public static var shared: Logger {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  private static let current = Locked(
    Logger(level: .info) { level, message in try? FileHandle.standardError.write(contentsOf: Data("\(level.prefix): \(message)\n".utf8)) })

  /// One atomic load; ask before building an expensive message.
  package func isEnabled(_ level: LogLevel) -> Bool {
    level != .off && level.rawValue <= threshold.load(ordering: .relaxed)
  }

  /// `message` is built only if it passes.
  package func log(_ level: LogLevel, _ category: LogCategory, _ message: @autoclosure () -> String) {
    if isEnabled(level) { receive(level, category, message()) }
  }
}
