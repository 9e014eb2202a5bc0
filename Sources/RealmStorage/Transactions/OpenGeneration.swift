import Synchronization

/// The generation that readers find without the lock of their database's state; none while all of them have to take it.
///
/// Readers that find it here count no reference to it, which would take a third of the time of a reader that reads nothing. Their number is kept instead, and
/// whoever puts another generation in its place, or none, leaves them a reference each.
///
/// Everything but `isPresent` is used under the version-list mutex only, or after the session was left.
@safe struct OpenGeneration: ~Copyable, Sendable {
  // SAFETY: whoever sets it holds the generation until another one or none is set; from then on it has a reference for each reader that is left.
  private let generation = unsafe Atomic<Unmanaged<Generation>?>(nil)
  private let usableByteCount = Atomic<UInt64>(0)
  /// Readers of this generation that hold no reference.
  private let readerCount = Atomic<Int>(0)
  /// Which generation it is, of those that were set. Never 0.
  private let turn = Atomic<UInt32>(1)

  /// A hint.
  @inline(__always) var isPresent: Bool { unsafe generation.load(ordering: .relaxed) != nil }

  /// Lets a reader in, which has to `leave`.
  /// - Returns: the generation, how many bytes of its file are known to be mapped, and what the reader leaves with.
  @inline(__always) func enter() -> (generation: Uncounted<Generation>, usableByteCount: UInt64, turn: UInt32)? {
    guard let found = unsafe generation.load(ordering: .relaxed) else { return nil }
    readerCount.store(readerCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    return unsafe (Uncounted(found.takeUnretainedValue()), usableByteCount.load(ordering: .relaxed), turn.load(ordering: .relaxed))
  }

  /// Lets a reader out.
  /// - Returns: whether the reader was left a reference, which it has to release when it no longer holds the mutex.
  @inline(__always) func leave(_ turn: UInt32) -> Bool {
    guard turn == self.turn.load(ordering: .relaxed) else { return true }
    readerCount.store(readerCount.load(ordering: .relaxed) &- 1, ordering: .relaxed)
    return false
  }

  func set(_ generation: Generation?, usableByteCount: UInt64 = 0) {
    let next = unsafe generation.map { unsafe Unmanaged.passUnretained($0) }
    if let last = unsafe self.generation.load(ordering: .relaxed), unsafe generation !== last.takeUnretainedValue() {
      for _ in 0..<readerCount.load(ordering: .relaxed) { _ = unsafe last.retain() }
      readerCount.store(0, ordering: .relaxed)
      turn.store(max(1, turn.load(ordering: .relaxed) &+ 1), ordering: .relaxed)
    }
    unsafe self.generation.store(next, ordering: .relaxed)
    self.usableByteCount.store(usableByteCount, ordering: .relaxed)
  }
}
