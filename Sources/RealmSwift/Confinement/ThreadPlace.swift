import Foundation

/// The thread that a realm is confined to. Its number may be another thread's once it has ended.
struct ThreadPlace: Sendable {
  let identity: UInt
  /// As the system's tools show it.
  let number: Int

  static var current: ThreadPlace { ThreadPlace(identity: currentThread(), number: systemThreadNumber()) }

  /// The number and, while the thread runs, its name.
  var name: String {
    guard let text = try? String(contentsOfFile: "/proc/self/task/\(number)/comm", encoding: .utf8) else { return "thread \(number)" }
    return "thread \(number) '\(text.trimmingCharacters(in: .newlines))'"
  }
}
