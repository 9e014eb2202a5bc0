import Dispatch
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// When the process ends in the ordinary way, what asynchronous commits have left to the disk goes there first.
enum ExitWrites {
  private struct Weak: Sendable { weak let writer: WriterQueue? }
  private static let writers = Locked<[ObjectIdentifier: Weak]>([:])
  /// A disk that does not answer does not keep the process for ever.
  private static let patience = DispatchTimeInterval.seconds(5)

  /// The threads that write are those of this process. A copy of it that was made by `fork` has none, and nothing to write either.
  private static let process = getpid()
  private static let hook: Void = {
    _ = process
    _ = atexit { if getpid() == process { ExitWrites.finish() } }
  }()

  /// From now on the commits of a file are looked after.
  static func add(_ writer: WriterQueue) {
    _ = hook
    writers.withLock { $0[ObjectIdentifier(writer)] = Weak(writer: writer) }
  }

  static func remove(_ writer: WriterQueue) { writers.withLock { $0[ObjectIdentifier(writer)] = nil } }

  private static func finish() {
    // Released outside of the lock, which they take when they go.
    let left = writers.withLock { $0.values.compactMap(\.writer) }
    let limit = DispatchTime.now() + patience
    for writer in left { writer.finish(before: limit) }
  }
}
