/// The changes of something that is observed, one after the other: `for await change in results.changes`.
///
/// Each loop observes for itself, from its first turn on. It has to run where the realm is used: on the main actor, or on the realm's actor; what it
/// is handed belongs there. A loop that is slower than the commits is told of all of them at once. Until it comes back, the version that it was told
/// of last stays in the file.
///
/// Positions are those of what the realm shows when the loop is handed the change: they hold until the loop's body waits for something.
///
/// The loop ends when its task is cancelled, and when what it observes is gone.
public struct RealmChanges<Change>: AsyncSequence {
  /// What a loop is handed.
  public typealias Element = Change
  /// Loops over changes never throw.
  public typealias Failure = Never
  private let stream: () -> ChangeStream<Change>

  init(_ stream: @escaping () -> ChangeStream<Change>) { self.stream = stream }

  /// A loop of its own; it begins to observe with its first turn.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream()) }

  /// What a loop has of the sequence.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// What the loop is handed.
    public typealias Element = Change
    /// The loop does not fail.
    public typealias Failure = Never
    let stream: ChangeStream<Change>

    /// The next change; waits for it. Stops where the realm may not be used.
    /// - Returns: nil when there will be none any more, or the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Change? { await stream.next(isolation: actor) }
  }
}
