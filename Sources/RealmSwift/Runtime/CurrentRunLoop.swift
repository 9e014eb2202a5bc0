import Foundation

/// What Foundation knows of the calling thread, without changing it.
enum CurrentRunLoop {
  private typealias Find = @convention(c) (pthread_t) -> UnsafeRawPointer?
  // SAFETY: `_CFRunLoopGet0b` of CoreFoundation takes a thread and returns its run loop, uncounted, or null; only whether it is null is looked at.
  private static let find = unsafe SystemSymbol.function("_CFRunLoopGet0b", as: Find.self)

  /// Whether the thread has a run loop. True, too, where that cannot be found out.
  ///
  /// Asking for the run loop would make one, which takes three descriptors: threads that only use a realm need none, and where the system has no
  /// descriptors left Foundation ends the process.
  static var exists: Bool {
    guard let find = unsafe find else { return true }
    return unsafe find(pthread_self()) != nil
  }
}
