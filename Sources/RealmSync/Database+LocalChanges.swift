package import Changesets
package import RealmStorage

extension Database {
  /// Does what the instructions of a changeset say as if it was done here: it is recorded, and uploaded.
  /// - Returns: the version that was made.
  /// - Throws: `.notApplicable`; the file is as it was then.
  @discardableResult package func perform(_ changeset: Changeset) throws(SyncError) -> UInt64 {
    try writing { (transaction, group) throws(SyncError) in
      let ident = try storing { () throws(StorageError) in try transaction.syncStatus().fileIdent }
      try ChangesetApplier(group: group, changeset: changeset, fileIdent: ident).apply(number: 0)
    }.version
  }
}
