import Synchronization

/// The generation that readers find without the lock of their database's state; none while all of them have to take it.
///
/// Everything but `isPresent` is used under the version-list mutex only, so that whoever finds a generation can retain it.
@safe struct OpenGeneration: ~Copyable, Sendable {
  // SAFETY: whoever sets it holds the generation until another one or none is set.
  private let generation = unsafe Atomic<Unmanaged<Generation>?>(nil)
  private let usableByteCount = Atomic<UInt64>(0)

  /// A hint.
  @inline(__always) var isPresent: Bool { unsafe generation.load(ordering: .relaxed) != nil }

  /// The generation, and how many bytes of its file are known to be mapped.
  @inline(__always) func retained() -> (generation: Generation, usableByteCount: UInt64)? {
    guard let found = unsafe generation.load(ordering: .relaxed) else { return nil }
    return unsafe (found.retain().takeRetainedValue(), usableByteCount.load(ordering: .relaxed))
  }

  func set(_ generation: Generation?, usableByteCount: UInt64 = 0) {
    unsafe self.generation.store(generation.map { unsafe Unmanaged.passUnretained($0) }, ordering: .relaxed)
    self.usableByteCount.store(usableByteCount, ordering: .relaxed)
  }
}
