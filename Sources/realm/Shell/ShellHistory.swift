import Foundation

/// The lines of earlier shells and of this one, in a file with a line each.
struct ShellHistory {
  /// How many lines are kept; the file has up to twice as many before it is shortened.
  static let limit = 1000
  /// The oldest first.
  private(set) var lines: [String]
  /// Nil: nothing is stored.
  private let path: String?

  /// - Parameter path: made when the first line is added, with its directory, for nobody else to read; what cannot be read or written is left out.
  init(path: String?) {
    self.path = path
    let text = path.flatMap { FileManager.default.contents(atPath: $0) }.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let stored = text.split(separator: "\n").map(String.init)
    lines = stored.suffix(Self.limit)
    if let path, stored.count > 2 * Self.limit {
      let data = Data((lines.joined(separator: "\n") + "\n").utf8)
      try? data.write(to: URL(fileURLWithPath: path), options: .atomic)
      try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
  }

  /// - Returns: whether the line is worth to be remembered: not if it is empty, repeats the last one or holds a key.
  mutating func add(_ line: String) -> Bool {
    let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
    if line.isEmpty || line == lines.last || Self.hasKey(line) { return false }
    lines = (lines + [line]).suffix(Self.limit)
    if let path { append(line, to: path) }
    return true
  }

  /// Whether a line holds a key of an encrypted file, or what looks like one.
  static func hasKey(_ line: String) -> Bool {
    let words = ShellLine(line).words
    let options = ["--key", "--new-key", "--after-key"]
    if words.contains(where: { word in options.contains { word == $0 || word.hasPrefix($0 + "=") } }) { return true }
    return words.contains { word in
      var run = 0
      return word.contains { character in
        run = character.isHexDigit ? run + 1 : 0
        return run >= 128
      }
    }
  }

  /// Several shells may add lines at once: each line is one write.
  private func append(_ line: String, to path: String) {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data((line + "\n").utf8))
  }
}
