import Foundation

/// A lock that its holder may take again.
final class RecursiveLock: Sendable {
  private let base = NSRecursiveLock()
  func lock() { base.lock() }
  func unlock() { base.unlock() }
}
