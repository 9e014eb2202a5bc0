import Foundation

/// What the system says about this process.
public enum OwnProcess {
  /// A file below `/proc/self`, whole. `String(contentsOfFile:)` and its like take a read that returns less than was asked for as the last one, and give
  /// the first four kilobytes.
  public static func text(_ name: String) throws -> String {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/" + name))
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
  }
}
