extension Database {
  /// Moves the contents together and gives the rest of the file back to the system, as far as that is possible while the file is in use.
  /// T10.
  ///
  /// Commits do this by themselves once much is free; here it is done at once and further, down to a sixteenth of free space, by commits that
  /// change nothing else. Places that an older version needs are given back when nobody reads it any more, so the caller should hold no snapshot.
  /// What others read, and the end of an encrypted file, is left to later commits and to the next session. Other writers get their turn in between.
  /// Blocks; costs about one copy of what lies in the wrong place.
  /// - Returns: by how much the file became shorter.
  /// - Throws: like `beginWrite` and `commit`. The caller must not be in a write transaction, it would wait for itself.
  @discardableResult package func releaseUnusedSpace() throws(StorageError) -> UInt64 {
    let before = try fileByteCount()
    // Where there was no room at first, there may be some when the contents are closer together, or when the places that were free only to the
    // last commits can be used. Each round but two gains a thirty-second at least.
    var stalls = 0
    while stalls < 2 {
      let total = try spaceUse().totalByteCount
      if try moveTogether() { break }
      if try spaceUse().totalByteCount <= total - total / 32 { continue }
      stalls += 1
      try beginWrite(staysOnThread: true).commit()
    }
    // A version as long as the file may have been in the list until now.
    let logical = try spaceUse().totalByteCount
    if !generation.storage.isEncrypted, try fileByteCount() > FreeSpace.wholePages(logical) { try beginWrite(staysOnThread: true).commit() }
    let after = try fileByteCount()
    return before > after ? before - after : 0
  }

  /// - Returns: whether there was room for the closest packing.
  private func moveTogether() throws(StorageError) -> Bool {
    let divisors: [UInt64] = [16, 8, 4, 2]
    for divisor in divisors where try moveTogether(slackDivisor: divisor) { return divisor == divisors[0] }
    return false
  }

  /// Bytes moved by one commit, which is what it needs in memory.
  private static let forcedBudget = 16 << 20

  /// - Parameter slackDivisor: this fraction of what is used stays free.
  /// - Returns: false if there was no room.
  private func moveTogether(slackDivisor: UInt64) throws(StorageError) -> Bool {
    let (total, used) = try spaceUse()
    let limit = FreeSpace.wholePages(used + used / slackDivisor + (16 << 10))
    guard limit + max(FreeSpace.pageByteCount, total / 32) <= total else { return true }
    var waits = 0
    // A bound for the case that others write much meanwhile.
    for _ in 0..<total >> 20 + 32 {
      let transaction = try beginWrite(staysOnThread: true)
      transaction.evacuationRequest = EvacuationRequest(limit: limit, budget: Self.forcedBudget)
      do throws(StorageError) { try transaction.commit() } catch {
        transaction.cancel()
        if transaction.evacuationOutcome == .blocked, case .outOfDiskSpace = error { return false }
        throw error
      }
      switch transaction.evacuationOutcome {
      case .none, .done: return true
      case .blocked: return false
      case .moving: continue
      case .waiting:
        // The places that the last commit freed can be used by the next one, unless somebody reads the version before.
        waits += 1
        if waits == 3 { return true }
      }
    }
    return true
  }
}
