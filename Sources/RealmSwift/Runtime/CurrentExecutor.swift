import Foundation

/// What runs the calling code, as far as the runtime of Swift's concurrency tells.
enum CurrentExecutor {
  /// Gives the first word of the executor's reference: the actor, or an object that runs tasks; 0 outside of them.
  private typealias Current = @convention(c) () -> UInt
  // SAFETY: exported by the runtime; two words are returned in registers, of which the first is read as a C function returns it.
  private static let current = unsafe SystemSymbol.function("swift_task_getCurrentExecutor", as: Current.self)

  /// Whether the calling code runs on an actor; nil if it cannot be told without stopping: for actors that bring their own executor, and where the
  /// runtime's function cannot be found.
  static func isCurrent(_ actor: any Actor) -> Bool? {
    guard let current, unsafe MemoryLayout<UnownedSerialExecutor>.size == 2 * MemoryLayout<UInt>.size else { return nil }
    // SAFETY: both words of the reference are integers to everybody but the runtime.
    let (identity, implementation) = unsafe unsafeBitCast(unsafe actor.unownedExecutor, to: (UInt, UInt).self)
    let isRunning = current() == identity
    return isRunning || implementation == 0 ? isRunning : nil
  }

  /// The type of the actor or executor; nil outside of both.
  static var name: String? {
    guard let current, let address = unsafe UnsafeRawPointer(bitPattern: current()) else { return nil }
    // SAFETY: executors are objects, and one that runs the calling code is there.
    let executor = unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    return executor is any Actor ? "actor \(type(of: executor))" : "executor \(type(of: executor))"
  }
}
