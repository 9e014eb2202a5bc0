extension WriteTransaction {
  /// What a transaction has done until one moment. Of use as long as the transaction is open, and as nothing was rolled back to an earlier one.
  package struct Savepoint {
    fileprivate let scratch: Scratch.Savepoint
    fileprivate let topRef: Ref
    fileprivate let log: LogEncoder
    /// Bytes that the history entry had by then.
    package var logByteCount: Int { log.bytes.count }
  }

  /// Whether what is done from now on can be rolled back alone. What peers are told in a file that synchronises cannot.
  package var hasSavepoints: Bool { synchronisation == nil }

  /// Remembers what was done, so that what follows can be rolled back alone. Costs a copy of the transaction's memory.
  /// - Parameter group: the tables of this transaction.
  /// - Throws: what finishing the tables meets.
  package func savepoint(_ group: Group) throws(StorageError) -> Savepoint {
    // Finishing the tables writes to the memory that is kept.
    let top = try group.finishedTop()
    return Savepoint(scratch: scratch.savepoint(), topRef: top, log: group.log)
  }

  /// Forgets what was done since a savepoint.
  /// - Parameter group: the tables until now, which must not be used any more.
  /// - Returns: the tables from now on.
  /// - Throws: what opening them meets. Then nothing can be done with the transaction but cancel it.
  package func rollBack(_ group: Group, to savepoint: Savepoint) throws(StorageError) -> Group {
    scratch.rollBack(to: savepoint.scratch)
    return try Group(after: group, top: savepoint.topRef, log: savepoint.log)
  }
}
