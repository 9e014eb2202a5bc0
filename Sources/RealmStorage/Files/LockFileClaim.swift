#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps a realm file from being used under two names with a lock file each, whose users would overwrite each other: by hard links,
/// by mounts of the file itself, or after somebody deleted a lock file that is in use.
///
/// Whoever has the file open says on the file which lock file it goes by: a shared lock of the open file on one byte far behind every
/// file's end, chosen by the lock file's number. A lock on any other of these bytes is of a user with another lock file. Other engines
/// take no such locks, and are not seen.
enum LockFileClaim {
  private static let firstByte = Int64(1) << 62
  private static let byteCount = Int64(1) << 61
  /// How often another lock is looked at, 20 ms apart, until it counts as one that stays.
  private static let patience = 15

  /// - Throws: `.incompatibleSession` if somebody has the file open with another lock file than the one of `paths`.
  static func make(on storage: any Storage, _ paths: RealmPaths) throws(StorageError) {
    #if canImport(Glibc) || canImport(Musl)
      var status = stat()
      guard unsafe stat(paths.lock, &status) == 0 else { return }
      let own = firstByte + Int64(UInt64(status.st_ino) % UInt64(byteCount))
      // Of <fcntl.h>, where Swift's module of the C library does not see them.
      let (getLock, setLock): (Int32, Int32) = (36, 37)
      // File systems that know no such locks are used as before.
      let descriptor = storage.physical.descriptor
      guard call(setLock, descriptor, F_RDLCK, own, 1) != nil else { return }
      let others = [(firstByte, own - firstByte), (own + 1, firstByte + byteCount - own - 1)]
      func isClaimedOtherwise() -> Bool {
        others.contains { start, count in
          guard count > 0, let found = call(getLock, descriptor, F_WRLCK, start, count) else { return false }
          return found.l_type != F_UNLCK
        }
      }
      // A process that is just being started has the locks of the one that starts it until it runs its own program.
      for _ in 0..<patience {
        if !isClaimedOtherwise() { return }
        usleep(20_000)
      }
      throw .incompatibleSession(
        path: paths.database,
        reason: "The file is open under another name, by a hard link or a mount, or its lock file was deleted while it was in use; "
          + "close it there, and open it by one name everywhere.")
    #endif
  }

  #if canImport(Glibc) || canImport(Musl)
    private static func call(_ command: Int32, _ descriptor: Int32, _ type: Int32, _ start: Int64, _ count: Int64) -> flock? {
      var lock = flock()
      lock.l_type = Int16(type)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = off_t(start)
      lock.l_len = off_t(count)
      return unsafe fcntl(descriptor, command, &lock) == 0 ? lock : nil
    }
  #endif
}
