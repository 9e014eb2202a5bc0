/// Tells accessors that outlived what they stand for from others that have the same key.
struct ObjectEpoch {
  /// Counts `invalidate()`.
  var invalidation: UInt32 = 0
  /// The write transaction in which the accessor was made, or 0.
  var transaction: UInt32 = 0
  /// This very instance was passed to `Realm.delete`.
  var wasDeleted = false
}

/// What accessors of one realm that are made now remember. Lies in the realm's cell, where objects copy it from.
struct ObjectEpochs {
  private let cell: AccessCell
  private var transactionCount: UInt32 = 0

  init(_ cell: AccessCell) { self.cell = cell }

  /// - Returns: the number of the transaction that begins.
  mutating func beginTransaction() -> UInt32 {
    transactionCount &+= 1
    cell.epoch.transaction = transactionCount
    return transactionCount
  }

  func endTransaction() { cell.epoch.transaction = 0 }
  /// Whatever was made so far is invalid.
  func invalidate() { cell.epoch.invalidation &+= 1 }
}
