import Foundation
package import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// From the engine's errors to the codes and texts that are documented.
extension Realm.Error {
  /// - Parameter path: the file that was worked with, for errors that do not know it themselves.
  package convenience init(_ error: StorageError, path: String) {
    self.init(failure: Self.failure(error, path: path))
  }

  convenience init(failure: RealmFailure) {
    self.init(failure.code, description: failure.text, path: failure.path, name: failure.name, systemCode: failure.systemCode)
  }

  static func failure(_ error: StorageError, path: String) -> RealmFailure {
    let parts = outside(error) ?? file(error, path) ?? session(error) ?? request(error)
    let blamed = parts.path.flatMap { $0.isEmpty ? nil : $0 } ?? path
    return RealmFailure(parts.code, parts.text, path: blamed, name: parts.name, systemCode: parts.systemCode)
  }

  private struct Parts {
    var code: Code
    var text: String
    var name: String
    var path: String?
    var systemCode: Int32?

    init(_ code: Code, _ name: String, _ text: String, path: String? = nil, systemCode: Int32? = nil) {
      (self.code, self.name, self.text, self.path, self.systemCode) = (code, name, text, path, systemCode)
    }
  }

  /// The operating system refused something.
  private static func outside(_ error: StorageError) -> Parts? {
    switch error {
    case .io(let operation, let path, let code):
      let reason = systemText(code)
      let text = operation == "open" ? opening(path, reason) : "\(call(operation)) failed: \(reason)"
      return Parts(.fileOperationFailed, "FileOperationFailed", text, path: path, systemCode: code)
    case .fileNotFound(let path):
      return Parts(.fileNotFound, "FileNotFound", opening(path, "No such file or directory"), path: path)
    case .directoryNotFound(let path): return missingDirectory(path)
    case .permissionDenied(let path, let writing):
      let wanted = writing ? "read-write" : "read"
      return Parts(
        .filePermissionDenied, "PermissionDenied",
        opening(path, "Permission denied. Please use a path where your app has \(wanted) permissions."), path: path)
    case .fileExists(let path):
      return Parts(.fileExists, "FileAlreadyExists", "Failed to open file at path '\(path)': File exists", path: path)
    case .outOfDiskSpace(let operation, let path):
      let text = "\(call(operation)) failed: \(systemText(ENOSPC))"
      return Parts(.outOfDiskSpace, "OutOfDiskSpace", text, path: path.isEmpty ? nil : path)
    case .addressSpaceExhausted(let byteCount):
      return Parts(.addressSpaceExhausted, "AddressSpaceExhausted", "mmap() failed: \(systemText(ENOMEM)) size: \(byteCount)")
    case .writingDisabled(let path):
      let text = "Writing to the Realm file at path '\(path)' failed earlier, so what it holds is unknown; close it and open it again."
      return Parts(.fileOperationFailed, "FileOperationFailed", text, path: path)
    default: return nil
    }
  }

  /// The file is not what it should be.
  /// - Parameter opened: the file that was worked with, for what was found where nobody knows its path.
  private static func file(_ error: StorageError, _ opened: String) -> Parts? {
    switch error {
    case .invalidDatabase(let path, let reason):
      Parts(.invalidDatabase, "InvalidDatabase", opening(path.isEmpty ? opened : path, reason), path: path)
    case .corruptNode(let ref, let reason):
      Parts(.invalidDatabase, "InvalidDatabase", "The Realm file is damaged at \(ref): \(reason)")
    case .unsupportedVersion(let path, let version):
      Parts(
        .unsupportedFileFormatVersion, "UnsupportedFileFormatVersion",
        "Database has an unsupported version (\(version)) and cannot be upgraded", path: path)
    case .formatUpgradeRequired(let path, _):
      Parts(.fileFormatUpgradeRequired, "FileFormatUpgradeRequired", "Database upgrade required but prohibited.", path: path)
    case .incompatibleHistory(let path, let reason): Parts(.incompatibleHistories, "IncompatibleHistories", reason, path: path)
    default: nil
    }
  }

  /// Others have the file open, or the state of the transaction does not allow it.
  private static func session(_ error: StorageError) -> Parts? {
    switch error {
    case .incompatibleLockFile(let path, let reason):
      Parts(
        .incompatibleLockFile, "IncompatibleLockFile",
        "Realm file '\(path)' is currently open in another process which cannot share access with this process. This could either be "
          + "due to the existing process being a different architecture or due to the existing process using an incompatible version "
          + "of Realm. If the other process is Realm Studio, you may need to update it (or update Realm if your Studio version is too "
          + "new), and if using an iOS simulator, make sure that you are using a 64-bit simulator. Underlying problem: \(reason)",
        path: path)
    case .incompatibleSession(let path, let reason): Parts(.incompatibleSession, "IncompatibleSession", reason, path: path)
    case .sessionRestartRequired(let path):
      Parts(
        .incompatibleSession, "IncompatibleSession",
        "A process died while it committed to the Realm file at path '\(path)'; close the file in all processes, then open it again.",
        path: path)
    case .tooManyVersions(let count, let limit):
      Parts(.fail, "WrongTransactionState", "Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
    case .fileInUse(let path): Parts(.alreadyOpen, "FileInUse", "The Realm file at path '\(path)' is still in use.", path: path)
    case .readOnly(let path): Parts(.fail, "WrongTransactionState", "Can't perform transactions on read-only Realms.", path: path)
    default: nil
    }
  }

  /// What only a mistake of this library's own layers brings up to here.
  private static func request(_ error: StorageError) -> Parts {
    switch error {
    case .invalidArgument(let reason), .typeMismatch(let reason): Parts(.fail, "InvalidArgument", reason)
    case .duplicatePrimaryKey(let table):
      Parts(.fail, "ObjectAlreadyExists", "Attempting to create an object in '\(SchemaStore.shownName(table))' with an existing primary key value")
    default: Parts(.fail, "LogicError", "\(error)")
    }
  }

  private static func missingDirectory(_ path: String) -> Parts {
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    // Something that is no directory counts as a failed operation.
    if FileManager.default.fileExists(atPath: parent) {
      return Parts(
        .fileOperationFailed, "FileOperationFailed", "Failed to open file at path '\(path)': parent path is not a directory", path: path)
    }
    return Parts(.fileNotFound, "FileNotFound", "Failed to open file at path '\(path)': parent directory does not exist", path: path)
  }

  private static func opening(_ path: String, _ reason: String) -> String { "Failed to open Realm file at path '\(path)': \(reason)" }

  /// Some operations are named with parentheses by the engine, others without; descriptions with blanks are no calls.
  private static func call(_ operation: String) -> String {
    operation.hasSuffix("()") || operation.contains(" ") ? operation : operation + "()"
  }

  private static func systemText(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
