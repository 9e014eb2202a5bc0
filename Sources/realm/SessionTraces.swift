import RealmStorage

/// The files that a session leaves beside its database, for commands that are to leave none that were not there.
struct SessionTraces {
  private let paths: RealmPaths
  private let hadLock: Bool
  private let hadNote: Bool
  private let hadManagement: Bool

  /// Call before the session begins.
  init(_ path: String) {
    paths = RealmPaths(FileCalls.realPath(path))
    (hadLock, hadNote, hadManagement) = (FileCalls.exists(paths.lock), FileCalls.exists(paths.note), FileCalls.exists(paths.management))
  }

  /// Call when the session is over. Nothing is removed while somebody else is in it.
  func remove() {
    guard !hadLock, let lock = ExclusiveLock.forRemoval(of: paths) else { return }
    if !hadNote { _ = FileCalls.remove(paths.note) }
    if !hadManagement { FileCalls.removeDirectory(paths.management) }
    // Last, and before the lock is given back.
    _ = FileCalls.remove(paths.lock)
    withExtendedLifetime(lock) {}
  }
}
