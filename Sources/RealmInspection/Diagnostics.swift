package import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Errors as one line: what, which file, what to do next.
package enum Diagnostics {
  /// How a command ends (Documentation/CommandLine.md).
  package enum Status {
    package static let negative: Int32 = 1
    package static let usage: Int32 = 2
    package static let unreadable: Int32 = 3
    package static let failed: Int32 = 4
  }

  /// What a storage throws when the user interrupts a command.
  package static func interruption(path: String) -> StorageError { .io(operation: "write()", path: path, code: EINTR) }

  package static func isInterruption(_ error: StorageError) -> Bool { if case .io(_, _, EINTR) = error { true } else { false } }

  /// With which status a command ends that met this error.
  package static func status(_ error: StorageError) -> Int32 {
    switch error {
    case .outOfDiskSpace, .writingDisabled: Status.failed
    case .io(let operation, _, _): writingOperations.contains(operation) ? Status.failed : Status.unreadable
    case .invalidArgument(let reason) where reason.hasPrefix(LogDecoder.problemPrefix): Status.unreadable
    case .fileExists, .noSuchTable, .noSuchColumn, .duplicateName, .duplicatePrimaryKey, .typeMismatch, .invalidArgument, .invalidEncryptionKey,
      .encryptionIsNotBuilt:
      Status.usage
    default: Status.unreadable
    }
  }
  private static let writingOperations: Set<String> = [
    "write()", "write", "fdatasync", "fsync", "posix_fallocate", "ftruncate", "rename", reporting,
  ]

  /// What a command did when it could not say so.
  private static let reporting = "reporting"

  /// A command did its work, and could not write what it has to say about it.
  package static func unreported(_ error: StorageError) -> StorageError {
    switch error {
    case .outOfDiskSpace(_, let path): .io(operation: reporting, path: path, code: ENOSPC)
    case .io(_, let path, let code) where code != EPIPE: .io(operation: reporting, path: path, code: code)
    default: error
    }
  }

  private static let isDamaged = "is damaged: "

  /// A command would throw away what a damaged file can be saved from.
  package static func damage(_ check: Verification, path: String) -> StorageError {
    let advice = "'realm salvage' saves what can be saved, which this would make less; 'realm copy' makes a compacted copy of it as it is"
    return .invalidDatabase(path: path, reason: "\(isDamaged)'realm verify' finds \(findings(check)); \(advice)")
  }

  /// How many violations, if any.
  package static func verdict(_ check: Verification) -> String {
    check.isClean ? "no violations" : NumberText.count(check.violationCount, "violation")
  }

  /// How many violations, and which is the first.
  package static func findings(_ check: Verification, in place: String = "") -> String {
    NumberText.count(check.violationCount, "violation") + place + (check.violations.first.map { ", the first: \($0)" } ?? "")
  }

  /// Where results go if they go to no file.
  package static let standardOutput = "standard output"

  /// - Parameter path: as the user wrote it, so that the file is called so.
  package static func message(_ error: StorageError, path: String) -> String {
    let text =
      outputMessage(error) ?? replacementMessage(error, path: path) ?? systemMessage(error) ?? fileMessage(error, path: path)
      ?? schemaMessage(error, path: path) ?? sessionMessage(error, path: path) ?? "\(path): \(error)"
    let real = FileCalls.realPath(path) + ": "
    return text.hasPrefix(real) ? "\(path): \(text.dropFirst(real.count))" : text
  }

  /// Results could not be written.
  private static func outputMessage(_ error: StorageError) -> String? {
    switch error {
    case .io(reporting, let path, let code): "\(path): the report cannot be written (\(systemText(code))); what the command had to do is done"
    case .outOfDiskSpace(_, standardOutput): "\(standardOutput): the disk is full; what was written to it is not complete"
    case .io("write", standardOutput, let code): "\(standardOutput): cannot be written (\(systemText(code)))"
    default: nil
    }
  }

  /// Another file has the name of one that others have open: what they say of theirs, in the lock file, makes it look damaged, if it is not refused before.
  private static func replacementMessage(_ error: StorageError, path: String) -> String? {
    let isPossible =
      switch error {
      case .incompatibleSession, .fileInUse: true
      default: error.isDamage
      }
    guard isPossible else { return nil }
    let holders = LockHolder.ofReplacedFile(at: path)
    guard !holders.isEmpty else { return nil }
    return "\(path): was replaced while \(words(holders)) had the file open that had its name before; close it there and try again"
  }

  /// Classes, properties and objects do not fit what is asked for.
  private static func schemaMessage(_ error: StorageError, path: String) -> String? {
    switch error {
    case .noSuchTable(let name): "\(path): there is no class '\(name)'; 'realm schema' lists those there are"
    case .noSuchColumn(let table, let name):
      "\(path): '\(SchemaText.className(Array(table.utf8)))' has no property '\(name)'; 'realm schema' lists those there are"
    case .duplicateName(let name): "\(path): '\(SchemaText.className(Array(name.utf8)))' exists already; choose another name"
    case .duplicatePrimaryKey(let table):
      "\(path): two objects of '\(SchemaText.className(Array(table.utf8)))' have the same primary key; change one of them, or choose another property"
    case .typeMismatch(let reason): "\(path): \(withoutStop(reason))"
    default: nil
    }
  }

  /// The outside failed.
  private static func systemMessage(_ error: StorageError) -> String? {
    switch error {
    case .io(_, let path, EINTR): "\(path): interrupted; nothing was changed"
    case .io("open", let path, EISDIR): "\(path): is a directory; name the file in it that is meant"
    case .io("open", let path, EINVAL): "\(path): is no regular file; check the path"
    case .io(let operation, let path, EFBIG) where writingOperations.contains(operation):
      "\(path): would become larger than files may be here, nothing was changed; raise the limit (ulimit -f), or choose another file system"
    case .io(let operation, let path, let code):
      "\(path): \(operation) failed (\(systemText(code))); check that the path names a regular file on a working disk"
    case .fileNotFound(let path): "\(path): no such file; check the path"
    case .directoryNotFound(let path): "\(path): its directory does not exist; create it first"
    case .permissionDenied(let path, writing: true) where isMissing(path):
      "\(path): cannot be made, because its directory may not be written to; change the directory's permissions, or choose another place"
    case .permissionDenied(let path, let writing):
      "\(path): not permitted to \(writing ? "write" : "read") it; change its permissions or run as its owner"
    case .fileExists(let path): "\(path): exists already; choose another name"
    case .outOfDiskSpace(let operation, let path): "\(path): the disk is full (\(operation)), nothing was changed; free some space and try again"
    case .writingDisabled(let path): "\(path): the disk failed while the file was written; check the disk, then open the file again"
    default: nil
    }
  }

  /// Whether there is no such file; not where nobody may look.
  private static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) != 0 && errno == ENOENT
  }

  private static func systemText(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  private static func withoutStop(_ text: String) -> Substring { text.hasSuffix(".") ? text.dropLast() : text[...] }

  /// The file is not what it should be.
  private static func fileMessage(_ error: StorageError, path: String) -> String? {
    switch error {
    case .addressSpaceExhausted(let byteCount):
      "\(path): not enough address space to map \(byteCount) bytes; raise the limit (ulimit -v)"
    case .invalidDatabase(let path, let reason) where reason.hasSuffix(StorageError.keyIsRight):
      "\(path): \(StorageError.damagedPageText(0)), though the key is right; 'realm salvage' saves what it does not touch, or restore a backup"
    case .invalidDatabase(let path, let reason) where reason.contains("no encryption key was supplied"):
      FileKind(path) == .encrypted
        ? "\(path): is encrypted; give its key with --key-file, --key or the variable REALM_KEY"
        : "\(path): is not a Realm file; check the path"
    case .invalidDatabase(let path, let reason) where concernsKey(reason), .decryptionFailed(let path, let reason) where concernsKey(reason):
      switch FileKind(path) {
      case .plain: "\(path): is not encrypted; leave its key out (--key, --key-file and the variable REALM_KEY)"
      case .encrypted:
        "\(path): wrong key: it is not the one that the file was encrypted with; give the right key, or if it is right restore a backup"
      case .other: "\(path): is not a Realm file; check the path"
      }
    case .invalidDatabase(let path, let reason) where reason.contains("Decryption failed"):
      "\(path): \(StorageError.damagedPageText(StorageError.damagedPage(reason) ?? 0)); 'realm salvage' saves what it does not touch, or restore a backup"
    case .invalidDatabase(let path, let reason) where reason.hasPrefix(isDamaged): "\(path): \(reason)"
    case .invalidDatabase(let path, let reason) where reason.contains("empty Realm file"):
      "\(path): is empty: there is nothing in it yet; remove it, and 'realm import' or 'realm create class --new' makes a realm of that name"
    case .invalidDatabase(let path, let reason):
      "\(path): no usable Realm file: \(withoutStop(reason)); if it is encrypted give its key; of a damaged one 'realm salvage' saves what can be read, or restore a backup"
    case .invalidArgument(let reason) where reason.hasPrefix(LogDecoder.problemPrefix):
      "\(path): is damaged: \(reason); its objects are not concerned: 'realm copy' writes them to a new file"
    case .invalidArgument(let reason): "\(path): \(reason)"
    case .decryptionFailed(let path, let reason):
      if let page = StorageError.damagedPage(reason) {
        "\(path): \(StorageError.damagedPageText(page)); 'realm salvage' saves what it does not touch, or restore a backup"
      } else {
        "\(path): \(withoutStop(reason)); give the right key, or restore a backup"
      }
    case .encryptionIsNotBuilt: "\(path): \(StorageError.encryptionIsNotBuiltText)"
    case .invalidEncryptionKey: "\(path): Encryption key must be 64 bytes; give them as 128 hexadecimal digits, or a file with either"
    case .corruptNode(let ref, let reason): "\(path): damaged at \(ref): \(reason); 'realm verify' lists everything that is wrong"
    case .unsupportedVersion(let path, let version):
      "\(path): file format version \(version) cannot be read (readable are 10, 11 and 20 to 24); "
        + "open it with the Realm version that wrote it, or a newer one, first"
    case .formatUpgradeRequired(let path, let version):
      "\(path): has the older file format \(version); run 'realm upgrade' on it, or on a copy, first"
    case .incompatibleHistory(let path, let reason): "\(path): \(reason) Use the application that owns the file."
    default: nil
    }
  }

  /// Already the first page cannot be read with the key.
  private static func concernsKey(_ reason: String) -> Bool {
    reason.contains(" page 0 ") || reason.contains(StorageError.plainFileWithKey) || reason.contains("does not appear to be Realm file")
  }

  /// Who has a file open, for the middle of a sentence.
  private static func holders(_ path: String) -> String {
    let holders = LockHolder.ofDatabase(at: path)
    return holders.isEmpty ? "another process" : words(holders)
  }

  private static func words(_ holders: [LockHolder]) -> String {
    "process " + holders.map { "\($0.process) (\($0.name))" }.joined(separator: ", ")
  }

  /// What a command waits for that wants to write.
  package static func waiting(path: String) -> String {
    "\(path): waiting for the end of a write transaction of \(holders(path))"
  }

  /// Others, or the state of the session, do not allow it.
  private static func sessionMessage(_ error: StorageError, path: String) -> String? {
    switch error {
    case .incompatibleLockFile(let path, let reason):
      "\(path): \(holders(path)) uses it through an incompatible lock file (\(reason)); close it there and try again"
    case .incompatibleSession(let path, let reason):
      "\(path): \(holders(path)) has it open with other settings (\(reason)); close it there and try again"
    case .sessionRestartRequired(let path):
      "\(path): a program died while it wrote; close the file in all programs and try again"
    case .versionNotAvailable(let version): "\(path): version \(version) is gone; try again"
    case .tooManyVersions(let count, let limit):
      "\(path): \(count) versions are in use, \(limit) are allowed; close old readers and try again"
    case .fileInUse(let path): "\(path): in use by \(holders(path)); close it there and try again"
    case .readOnly: "\(path): it can only be read here; change its permissions or run as its owner"
    default: nil
    }
  }
}
