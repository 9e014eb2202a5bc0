import RealmQuery
import RealmStorage

extension ResultsCore {
  nonisolated(nonsending) func load() async throws {
    for _ in 0..<3 {
      try Task.checkCancellation()
      guard let evaluation = try orThrow(core, { try evaluationElsewhere() }) else { break }
      let contents = try await evaluation.run()
      // Back in the confinement, where anything may have happened.
      let isPresent = try orThrow(core) { try isShowing(evaluation.pin.version) }
      if isPresent { return adopt(contents) }
    }
    _ = try orThrow(core) { try contents() }
  }

  /// What another thread has to know; nil if there is nothing to do for it.
  func evaluationElsewhere() throws -> DetachedEvaluation? {
    switch core.confinement {
    case .main, .actor: try core.verifyThread()
    case .none: break
    case .thread, .queue: throw RealmFailure.misuse("load() can only be called on main thread or actor-isolated Realms")
    }
    if isInvalidated { throw RealmFailure.misuse("Access to invalidated Results objects") }
    _ = try core.group()
    if presentContents != nil { return nil }
    guard let pin = try core.pinned(.frozen) else { return nil }
    return DetachedEvaluation(plan: ResultsPlan(self), file: core.file, configuration: core.configuration, pin: pin)
  }

  private func isShowing(_ version: UInt64) throws -> Bool {
    try core.verifyThread()
    if core.isInWriteTransaction || isInvalidated { return false }
    _ = try core.group()
    return core.version == version
  }
}
