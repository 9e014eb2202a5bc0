import Foundation
import RealmStorage

/// Where the lines of a shell come from: a line editor at a terminal, plain lines otherwise.
struct ShellInput: ~Copyable {
  private static let prompt = "realm> "
  private let isInteractive: Bool
  private let editor: LineEditor?
  private var history: ShellHistory

  /// - Parameter complete: nil if nobody types.
  init(_ complete: (@Sendable (String) -> ShellCompletion.Answer)?) {
    isInteractive = complete != nil
    if let complete { editor = LineEditor(complete: complete) } else { editor = nil }
    history = ShellHistory(path: isInteractive ? ShellInput.historyPath : nil)
    for line in history.lines { editor?.remember(line) }
  }

  /// `shell-history` where programs keep what should outlive them; nil if nobody knows where that is.
  private static var historyPath: String? {
    func variable(_ name: String) -> String? {
      guard let value = unsafe getenv(name) else { return nil }
      let text = unsafe String(cString: value)
      // The rules for these directories: what is no absolute path does not count.
      return text.hasPrefix("/") ? text : nil
    }
    let directory = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
    return directory.map { $0 + "/realm/shell-history" }
  }

  /// A line as it is. At the end of the input the standard library looks at the error of the last call that failed, and tries again for ever if
  /// that was interrupted, as the last command may have been.
  private func plainLine() -> String? {
    errno = 0
    return readLine()
  }

  /// The next line; nil at the end.
  mutating func next() -> String? {
    guard isInteractive else { return plainLine() }
    guard editor != nil else {
      Command.prompt(Self.prompt)
      return plainLine()
    }
    while true {
      // An interrupt drops the line. The library misses one that comes just when it draws the line, and hears the next.
      Interruption.watchTyping()
      defer { Interruption.forget() }
      if let line = editor?.line(Self.prompt) {
        if history.add(line) { editor?.remember(line) }
        return line
      }
      print()
      if !Interruption.isRequested { return nil }
    }
  }
}
