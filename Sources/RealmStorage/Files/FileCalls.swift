#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Operations on whole files, for opening, compaction, copies and backups.
package enum FileCalls {
  /// As the system's `open`, but never with the number of a standard stream that the process was started without: what a program prints
  /// would be written into a database, or into a lock file, after which nobody can use it. Nor does it wait for somebody at the other end of
  /// a pipe that has the name of a file; it does for whoever holds a lease of the file (`EWOULDBLOCK`).
  static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    var opened = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, mode)
    if opened < 0 && errno == EWOULDBLOCK { opened = unsafe open(path, flags | O_CLOEXEC, mode) }
    guard (0...STDERR_FILENO).contains(opened) else { return opened }
    let moved = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let code = errno
    close(opened)
    errno = code
    return moved
  }

  /// - Returns: whether there was such a file and it is gone now.
  package static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }

  /// The path without symbolic links, of a file that need not exist: its other files stand beside what it names in the end.
  package static func realPath(_ path: String) -> String {
    var path = path
    // As many as the system follows.
    for _ in 0..<40 {
      if let real = resolved(path) { return real }
      // There is no such file: a link leads to where it will be made.
      guard let target = linkTarget(path) else { break }
      path = target.hasPrefix("/") ? target : directory(of: path) + "/" + target
    }
    guard let directory = resolved(directory(of: path)) else { return path }
    return (directory == "/" ? "" : directory) + "/" + (path.split(separator: "/").last ?? "")
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func linkTarget(_ path: String) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = unsafe readlink(path, base, buffer.count)
      return count > 0 ? unsafe String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self) : nil
    }
  }

  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether `path` names the file that is open under `descriptor`.
  static func names(_ path: String, fileOf descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    guard unsafe stat(path, &named) == 0, unsafe fstat(descriptor, &opened) == 0 else { return false }
    return named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
  }

  /// Renames a file over another one, and makes the name durable if asked to.
  package static func rename(_ path: String, to target: String, isDurable: Bool = false) throws(StorageError) {
    guard unsafe Self.system_rename(path, target) == 0 else { throw .io(operation: "rename", path: target, code: errno) }
    if isDurable { try FileStorage.sync(directoryOf: target) }
  }
  private static func system_rename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.rename(from, to)
    #elseif canImport(Musl)
      unsafe Musl.rename(from, to)
    #else
      unsafe Darwin.rename(from, to)
    #endif
  }

  /// Removes a directory and what it holds, as far as that succeeds. Links are removed, not followed.
  package static func removeDirectory(_ path: String, depth: Int = 0) {
    guard depth < 8, let directory = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      let inside = path + "/" + name
      if unsafe unlink(inside) != 0 { removeDirectory(inside, depth: depth + 1) }
    }
    unsafe closedir(directory)
    _ = unsafe rmdir(path)
  }

  /// Gives a file the owner and the rights of another one, as far as the process may: whoever could read that one can read it, and nobody else.
  package static func giveRights(of path: String, to target: String) {
    var known = stat()
    guard unsafe stat(path, &known) == 0 else { return }
    // The owner first: a change of it takes rights away.
    _ = unsafe chown(target, known.st_uid, known.st_gid)
    _ = unsafe chmod(target, known.st_mode & 0o7777)
  }

  /// Copies the bytes of a file into a new one that nobody else can read, with a barrier.
  /// - Throws: `.fileExists` when the target exists. An unfinished target is removed.
  package static func copy(_ source: any Storage, to target: String) throws(StorageError) {
    let copy = try FileStorage(path: target, mode: .createPrivate)
    do {
      var position: UInt64 = 0
      while true {
        let bytes = try source.read(1 << 20, at: position)
        if bytes.isEmpty { break }
        try copy.write(bytes, at: position)
        position += UInt64(bytes.count)
      }
      try copy.sync()
    } catch {
      _ = remove(target)
      throw error
    }
  }

  /// Seconds since the file was last changed; nil if there is none.
  package static func age(_ path: String) -> Int? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    #if canImport(Glibc) || canImport(Musl)
      let modified = status.st_mtim.tv_sec
    #else
      let modified = status.st_mtimespec.tv_sec
    #endif
    return time(nil) - modified
  }

  /// Bytes that an ordinary user may still write to the file system that holds `path`; nil if unknown.
  package static func freeByteCount(at path: String) -> UInt64? {
    var info = statvfs()
    guard unsafe statvfs(path, &info) == 0 else { return nil }
    return UInt64(info.f_bavail) * UInt64(info.f_frsize)
  }

  /// Adds a line to a text file, made if missing. Failures are ignored.
  package static func append(line: String, to path: String) {
    let descriptor = openFile(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    guard descriptor >= 0 else { return }
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  /// The time of day as changesets have it.
  package static var millisecondsSince2015: UInt64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(max(0, (now.tv_sec - 1_420_070_400) * 1000 + now.tv_nsec / 1_000_000))
  }

  /// Date and time in UTC as the C locale prints them: `Sat Nov 21 02:14:21 2026`.
  package static var timestamp: String {
    var now = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&now, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func padded(_ value: Int32, _ character: String) -> String { (value < 10 ? character : "") + String(value) }
    let (hour, minute, second) = (padded(unsafe parts.tm_hour, "0"), padded(unsafe parts.tm_min, "0"), padded(unsafe parts.tm_sec, "0"))
    let (day, month) = unsafe (days[Int(parts.tm_wday)], months[Int(parts.tm_mon)])
    return unsafe "\(day) \(month) \(padded(parts.tm_mday, " ")) \(hour):\(minute):\(second) \(parts.tm_year + 1900)"
  }
}

/// Keeps everybody else out of a database for as long as it lives: the exclusive lock of the lock file. T13.
package final class ExclusiveLock: Sendable {
  private let descriptor: Int32

  /// - Returns: nil if somebody has the database open.
  /// - Throws: `.permissionDenied` or `.directoryNotFound` where no lock file can be made.
  package init?(_ paths: RealmPaths, mayCreate: Bool = true) throws(StorageError) {
    let opened = FileCalls.openFile(paths.lock, O_RDWR | O_NOFOLLOW | (mayCreate ? O_CREAT : 0), 0o644)
    guard opened >= 0 else {
      switch errno {
      case EACCES, EPERM, EROFS: throw .permissionDenied(path: paths.lock, writing: true)
      case ENOENT, ENOTDIR: throw .directoryNotFound(path: paths.lock)
      case let code: throw .io(operation: "open", path: paths.lock, code: code)
      }
    }
    while flock(opened, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let code = errno
      close(opened)
      if code == EWOULDBLOCK { return nil }
      throw .io(operation: "flock", path: paths.lock, code: code)
    }
    descriptor = opened
  }

  deinit {
    // A child process that is being started has the descriptor, too.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
