extension Database {
  /// What `shouldCompactOnLaunch` is told. T9.3. Nothing is written for it: the numbers are about those that an empty commit would leave, which
  /// drops the changesets that nobody needs any more.
  ///
  /// - Returns: nil if somebody else is writing.
  package func launchSpaceUse() throws(StorageError) -> (totalByteCount: UInt64, usedByteCount: UInt64)? {
    guard let session, let transaction = try tryBeginWrite(staysOnThread: true) else { return nil }
    defer { transaction.cancel() }
    if transaction.base.topRef.isNull { return (FreeSpace.pageByteCount, Self.emptyByteCount) }
    let use = try spaceUse()
    let scratch = transaction.scratch
    var history = try TopArray(scratch.space, at: transaction.topRef).log(scratch.space) ?? HistoryTree(root: .null)
    let before = scratch.freedByteCount
    try history.append(scratch, [], version: transaction.version, oldestLive: try session.oldestHeldVersion())
    let dropped = min(scratch.freedByteCount - before, use.usedByteCount)
    return (use.totalByteCount, use.usedByteCount - dropped)
  }

  /// Header, top array, free lists and log of an empty commit to a new file.
  private static let emptyByteCount: UInt64 = 184

  /// Compacts the file without the changesets that nobody needs any more, if nobody else has it open.
  /// - Returns: whether that was done.
  package func compactAtLaunch() throws(StorageError) -> Bool {
    guard let transaction = try tryBeginWrite(staysOnThread: true) else { return false }
    do throws(StorageError) { try transaction.commit() } catch {
      transaction.cancel()
      throw error
    }
    return try compact()
  }
}
