package import RealmStorage

/// Errors as one line: what, which file, what to do next.
package enum Diagnostics {
  /// How a command ends (cli.md).
  package enum Status {
    package static let negative: Int32 = 1
    package static let unreadable: Int32 = 3
    package static let failed: Int32 = 4
  }

  package static func message(_ error: StorageError, path: String) -> String {
    switch error {
    case .io(let operation, let path, let code):
      return "\(path): \(operation) failed (error \(code)); check that the path names a regular file on a working disk"
    case .fileNotFound(let path): return "\(path): no such file; check the path"
    case .directoryNotFound(let path): return "\(path): its directory does not exist; create it first"
    case .permissionDenied(let path, let writing):
      return "\(path): not permitted to \(writing ? "write" : "read") it; change its permissions or run as its owner"
    case .fileExists(let path): return "\(path): exists already; choose another name"
    case .outOfDiskSpace(let operation, let path): return "\(path): the disk is full (\(operation)); free some space and try again"
    case .addressSpaceExhausted(let byteCount):
      return "\(path): not enough address space to map \(byteCount) bytes; raise the limit (ulimit -v)"
    case .invalidDatabase(let path, let reason):
      return "\(path): \(reason); if the file is encrypted give its key with --key-file, else restore a backup"
    case .corruptNode(let ref, let reason): return "\(path): damaged at \(ref): \(reason); 'realm verify' lists everything that is wrong"
    case .unsupportedVersion(let path, let version):
      return "\(path): file format version \(version) cannot be read (readable are 10, 11 and 20 to 24); "
        + "open it with the Realm version that wrote it, or a newer one, first"
    case .noSuchTable(let name): return "\(path): there is no class '\(name)'; 'realm schema' lists those there are"
    case .fileInUse(let path): return "\(path): in use by another process; close it there and try again"
    default: return "\(path): \(error)"
    }
  }
}
