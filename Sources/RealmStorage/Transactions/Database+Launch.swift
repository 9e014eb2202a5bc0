extension Database {
  /// What `shouldCompactOnLaunch` is told: taken right after an empty commit, so that some space is always free. T9.3.
  ///
  /// - Returns: nil if somebody else is writing, or if nothing is free.
  package func launchSpaceUse() throws(StorageError) -> (totalByteCount: UInt64, usedByteCount: UInt64)? {
    guard let transaction = try tryBeginWrite(staysOnThread: true) else { return nil }
    do throws(StorageError) { try transaction.commit() } catch {
      transaction.cancel()
      throw error
    }
    let use = try spaceUse()
    return use.usedByteCount < use.totalByteCount ? use : nil
  }
}
