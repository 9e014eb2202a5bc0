public import Logging
public import RealmSwift

/// Hands what realms report about their work to swift-log.
public enum RealmLogging {
  /// From now on the lines of all realms of the process go to `logger`, instead of standard error.
  ///
  /// A line has the metadata `category`: `file`, `schema`, `realm` or `notifications`. Lines about a file also have `database`, a number of the open
  /// file, and `thread`.
  /// - Parameters:
  ///   - logger: used from any thread, and by several at once. Its own level decides nothing from now on, but for what `level` is if it is nil.
  ///   - level: which lines are handed on; nil for those that the logger lets through now. `RealmSwift.Logger.shared.level` changes it later.
  public static func start(_ logger: Logging.Logger = Logging.Logger(label: "realm"), level: LogLevel? = nil) {
    let level = level ?? threshold(logger.logLevel)
    var logger = logger
    // What is asked for here, or later of the realms' logger, is not to be held back by the level with which this one came.
    logger.logLevel = .trace
    RealmSwift.Logger.shared = RealmSwift.Logger(level: level) { [logger] level, category, message in
      var metadata: Logging.Logger.Metadata = ["category": .string(category.rawValue)]
      let text = withoutOrigin(message, &metadata)
      logger.log(level: Self.level(level), Logging.Logger.Message(stringLiteral: text), metadata: metadata, source: "RealmSwift")
    }
  }

  /// The words of swift-log for levels. It has none between information and debugging, nor above critical.
  static func level(_ level: LogLevel) -> Logging.Logger.Level {
    switch level {
    case .fatal: .critical
    case .error: .error
    case .warn: .warning
    case .info: .info
    case .detail, .debug: .debug
    case .off, .trace, .all: .trace
    }
  }

  /// The most talkative level of which a logger lets every line through.
  static func threshold(_ level: Logging.Logger.Level) -> LogLevel {
    switch level {
    case .trace: .all
    case .debug: .debug
    case .info: .info
    case .notice, .warning: .warn
    case .error: .error
    case .critical: .fatal
    }
  }

  /// `DB: 17 Thread 139…: what happened`, as the original prints it, without its beginning, which becomes metadata.
  static func withoutOrigin(_ message: String, _ metadata: inout Logging.Logger.Metadata) -> String {
    let words = message.split(separator: " ", maxSplits: 4)
    guard words.count == 5, words[0] == "DB:", words[2] == "Thread", words[3].hasSuffix(":") else { return message }
    metadata["database"] = .string(String(words[1]))
    metadata["thread"] = .string(String(words[3].dropLast()))
    return String(words[4])
  }
}
