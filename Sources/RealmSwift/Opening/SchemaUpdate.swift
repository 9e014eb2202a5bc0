import RealmStorage

/// Brings a file to a schema and a version, inside a write transaction.
enum SchemaUpdate {
  /// - Parameters:
  ///   - decision: made in this very transaction: others may have changed the file since it was last read.
  ///   - block: the user's migration; only called when the file had a lower version.
  /// - Throws: the transaction is to be cancelled then.
  static func run(
    _ decision: SchemaDecision, _ schema: Schema, version: UInt64, in group: Group,
    block: ((MigrationSteps) throws -> Void)? = nil
  ) throws {
    switch decision {
    case .unchanged: return
    case .additions(let changes):
      try SchemaStore.applyHarmless(changes, to: group)
    case .update(_, _, let runsBlock):
      let steps = try MigrationSteps(to: schema, in: group)
      let block = runsBlock ? block : nil
      try steps.prepare(runsBlock: block != nil)
      if let block { try block(steps) }
      try steps.finish(version: version)
    }
  }
}
