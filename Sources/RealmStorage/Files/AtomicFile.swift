import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that have their name only once they are complete: a process that ends before leaves none that could be taken for one.
enum AtomicFile {
  /// Copies that one process makes at the same time are not in each other's way.
  private static let count = Atomic<Int>(0)

  /// Makes a file, and its name durable.
  ///
  /// - Parameters:
  ///   - path: must not exist, neither now nor when the file is complete.
  ///   - write: makes the file under the name that it is given, in the same directory, and closes it or makes its contents durable.
  /// - Throws: `.fileExists`; what `write` throws, as if it had written to `path`, and then there is no file.
  static func make(_ path: String, _ write: (_ unfinishedPath: String) throws(StorageError) -> Void) throws(StorageError) {
    guard !FileCalls.exists(path) else { throw .fileExists(path: path) }
    let number = count.add(1, ordering: .relaxed).newValue
    let unfinished = path + ".\(getpid())-\(number).partial"
    do throws(StorageError) {
      try write(unfinished)
      try name(unfinished, path)
    } catch {
      _ = FileCalls.remove(unfinished)
      throw error.naming(path, insteadOf: unfinished)
    }
    do throws(StorageError) { try FileStorage.sync(directoryOf: path) } catch {
      _ = FileCalls.remove(path)
      throw error
    }
  }

  /// Unlike a rename, a link never replaces what somebody else has put there meanwhile.
  private static func name(_ unfinished: String, _ path: String) throws(StorageError) {
    if unsafe link(unfinished, path) == 0 {
      _ = FileCalls.remove(unfinished)
      return
    }
    // There are file systems without links, and systems that keep programs from making them.
    guard errno != EEXIST, !FileCalls.exists(path) else { throw .fileExists(path: path) }
    try FileCalls.rename(unfinished, to: path)
  }
}

extension StorageError {
  /// The same error of a file that has another name for its reader.
  fileprivate func naming(_ path: String, insteadOf known: String) -> StorageError {
    switch self {
    case .io(let operation, known, let code): .io(operation: operation, path: path, code: code)
    case .outOfDiskSpace(let operation, known): .outOfDiskSpace(operation: operation, path: path)
    case .directoryNotFound(known): .directoryNotFound(path: path)
    case .permissionDenied(known, let writing): .permissionDenied(path: path, writing: writing)
    default: self
    }
  }
}
