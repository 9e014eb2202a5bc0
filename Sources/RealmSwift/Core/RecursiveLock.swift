import Foundation

/// A lock that its holder may take again.
final class RecursiveLock: Sendable {
  // SAFETY: `NSRecursiveLock` is thread-safe; Foundation on Linux does not say so.
  nonisolated(unsafe) private let base = NSRecursiveLock()
  func lock() { base.lock() }
  func unlock() { base.unlock() }
}
