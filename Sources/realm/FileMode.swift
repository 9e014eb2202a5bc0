import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Who may read and write the files that a command makes.
enum FileMode {
  /// Nobody gets a right to the files that `body` makes that the same people do not have to `path`: copies of a file are as private as the file.
  /// The owner gets what the owner gets of any new file.
  static func asPrivate<Result>(as path: String, _ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return try body() }
    var missing: mode_t = 0
    for (read, write, all) in [(S_IRGRP, S_IWGRP, S_IRWXG), (S_IROTH, S_IWOTH, S_IRWXO)] as [(mode_t, mode_t, mode_t)] {
      // Directories that may not be read need not be searched.
      if status.st_mode & read == 0 { missing |= all } else if status.st_mode & write == 0 { missing |= write }
    }
    let previous = umask(0o777)
    _ = umask(previous | missing)
    defer { _ = umask(previous) }
    return try body()
  }
}
