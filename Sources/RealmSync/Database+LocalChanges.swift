package import Changesets
package import RealmStorage

extension Database {
  /// Does what the instructions of a changeset say as if it was done here: it is recorded, and uploaded.
  /// - Returns: the version that was made.
  /// - Throws: `.notApplicable`; the file is as it was then.
  @discardableResult package func perform(_ changeset: Changeset) throws(SyncError) -> UInt64 {
    let transaction = try storing { () throws(StorageError) in try beginWrite() }
    do throws(SyncError) {
      let status = try storing { () throws(StorageError) in try transaction.syncStatus() }
      let group = try storing { () throws(StorageError) in try transaction.openGroup() }
      try ChangesetApplier(group: group, changeset: changeset, fileIdent: status.fileIdent).apply(number: 0)
      return try storing { () throws(StorageError) in try transaction.commit(group) }
    } catch {
      transaction.cancel()
      throw error
    }
  }
}
