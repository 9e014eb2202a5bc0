import Synchronization

/// Lets an evaluation be given up while it is under way: whoever reads asks at every leaf, and at least for every few thousand numbers that it
/// moves, whether it shall go on. Passed down as an optional: nil is work that nobody can cancel, and costs nothing to ask.
///
/// The answer stays yes once it was yes. Safe to use from any thread.
package final class Cancellation: Sendable {
  private let isRequestedAlready = Atomic(false)
  /// Asked each time; nil for a mere flag.
  private let question: (@Sendable () -> Bool)?

  /// Numbers that are moved, or keys that are looked at, from one question to the next where there are no leaves.
  package static var blockSize: Int { 4096 }

  /// A flag that `request` sets: asking costs about a nanosecond, which is little even for a leaf of integers.
  package init() { question = nil }
  /// - Parameter question: says whether to stop; asked in the thread of the evaluation.
  package init(asking question: @escaping @Sendable () -> Bool) { self.question = question }

  /// That of the task that the caller runs in, asked each time, which costs about twenty nanoseconds; nil outside of tasks.
  package static var ofCurrentTask: Cancellation? {
    // Nothing of the task is kept: the question finds it again.
    unsafe withUnsafeCurrentTask { unsafe $0 == nil } ? nil : Cancellation { Task.isCancelled }
  }

  package func request() { isRequestedAlready.store(true, ordering: .relaxed) }

  @inline(__always) package var isRequested: Bool {
    if isRequestedAlready.load(ordering: .relaxed) { return true }
    return question == nil ? false : ask()
  }

  @inline(never) private func ask() -> Bool {
    guard let question, question() else { return false }
    request()
    return true
  }

  /// - Throws: `.interrupted` if it was requested.
  @inline(__always) package func check() throws(StorageError) {
    if isRequested { throw .interrupted }
  }
}

extension Cancellation? {
  /// The part of a range that is to be gone through next. A loop over a stride of blocks keeps what it does in sight of the optimiser, which a
  /// closure would not.
  /// - Throws: `.interrupted`.
  package func block(_ begin: Int, _ end: Int) throws(StorageError) -> Range<Int> {
    try self?.check()
    return begin..<Swift.min(begin + Cancellation.blockSize, end)
  }
}
