#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps a realm file from being used under two names with a lock file each, whose users would overwrite each other: by hard links,
/// by mounts of the file itself, or after somebody deleted a lock file that is in use. And keeps one lock file from being used for two realm files,
/// after somebody put another one in the place of one that is open: what the lock file says of the one would be believed of the other.
///
/// Whoever has a file open says on it which lock file it goes by, and on the lock file which file that is: a shared lock of the open file on one byte
/// far behind every file's end, chosen by the other one's number. A lock on any other of these bytes is of a user with another file. Other engines
/// take no such locks, and are not seen.
enum LockFileClaim {
  private static let firstByte = Int64(1) << 62
  private static let byteCount = Int64(1) << 61
  /// How often another lock is looked at, 20 ms apart, until it counts as one that stays.
  private static let patience = 15

  /// - Throws: `.incompatibleSession` if somebody has the file open with another lock file than the one of `paths`.
  static func make(on storage: any Storage, _ paths: RealmPaths) throws(StorageError) {
    var status = stat()
    guard unsafe stat(paths.lock, &status) == 0 else { return }
    guard claim(UInt64(status.st_ino), on: storage.physical.descriptor) else {
      throw .incompatibleSession(
        path: paths.database,
        reason: "The file is open under another name, by a hard link or a mount, or its lock file was deleted while it was in use; "
          + "close it there, and open it by one name everywhere.")
    }
  }

  /// - Parameters:
  ///   - lockFile: the open lock file, which goes by no other realm file any more.
  ///   - file: the number of the realm file.
  /// - Throws: `.incompatibleSession` if somebody uses the lock file for another realm file.
  static func make(onLockFile lockFile: Int32, for file: UInt64, _ paths: RealmPaths) throws(StorageError) {
    guard claim(file, on: lockFile) else {
      throw .incompatibleSession(
        path: paths.database,
        reason: "The file was put in the place of another one that somebody still has open; close that one in all programs, then open this one again."
      )
    }
  }

  /// What the file system calls a file, whatever its name is.
  static func number(of storage: any Storage) -> UInt64? {
    var status = stat()
    return unsafe fstat(storage.physical.descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// A child process that is being started keeps what is only closed.
  static func release(_ descriptor: Int32) {
    #if canImport(Glibc) || canImport(Musl)
      _ = call(setLock, descriptor, F_UNLCK, firstByte, byteCount)
    #endif
  }

  /// - Returns: false if somebody claims another number, and goes on to.
  private static func claim(_ number: UInt64, on descriptor: Int32) -> Bool {
    #if canImport(Glibc) || canImport(Musl)
      let own = firstByte + Int64(number % UInt64(byteCount))
      // File systems that know no such locks are used as before.
      guard call(setLock, descriptor, F_RDLCK, own, 1) != nil else { return true }
      let others = [(firstByte, own - firstByte), (own + 1, firstByte + byteCount - own - 1)]
      func isClaimedOtherwise() -> Bool {
        others.contains { start, count in
          guard count > 0, let found = call(getLock, descriptor, F_WRLCK, start, count) else { return false }
          return found.l_type != F_UNLCK
        }
      }
      // A process that is just being started has the locks of the one that starts it until it runs its own program.
      for _ in 0..<patience {
        if !isClaimedOtherwise() { return true }
        usleep(20_000)
      }
      return false
    #else
      return true
    #endif
  }

  #if canImport(Glibc) || canImport(Musl)
    // Of <fcntl.h>, where Swift's module of the C library does not see them.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)

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
