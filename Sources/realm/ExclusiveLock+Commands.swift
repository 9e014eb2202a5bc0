import RealmStorage

extension ExclusiveLock {
  /// Keeps everybody out of a database whose files are to be removed.
  /// - Returns: nil if somebody has the database open, or if it has no lock file.
  static func forRemoval(of paths: RealmPaths) -> ExclusiveLock? {
    do throws(StorageError) { return try ExclusiveLock(paths, mayCreate: false) } catch { return nil }
  }
}
