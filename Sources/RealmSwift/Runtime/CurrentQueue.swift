import Dispatch

/// The dispatch queue that runs the calling code.
enum CurrentQueue {
  private typealias Label = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?

  /// Its label; nil on a thread that belongs to no queue that somebody has made.
  static var label: String? {
    // SAFETY: a C function of libdispatch, which answers for the current queue if it is given none.
    guard let find = unsafe SystemSymbol.function("dispatch_queue_get_label", as: Label.self), let text = unsafe find(nil) else { return nil }
    let label = unsafe String(cString: text)
    // What the system runs its own work and plain threads in.
    let isOfTheSystem = label.hasPrefix("com.apple.root.") || label == "com.apple.main-thread" || label == "Swift global concurrent queue"
    return isOfTheSystem ? nil : label
  }
}
