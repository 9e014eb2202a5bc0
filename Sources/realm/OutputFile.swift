import ArgumentParser
import RealmInspection
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a command's results go: standard output, a device or pipe that is there already, or a file that appears under its name only when it is
/// complete.
final class OutputFile {
  let sink: any ByteSink
  /// Without symbolic links, which stay what they are; nil for what has its name already.
  private let path: String?
  private let partialPath: String
  private let descriptor: Int32
  private let isOwned: Bool
  private var isComplete = false

  /// - Parameters:
  ///   - path: nil or `-` for standard output.
  ///   - source: must not be overwritten.
  init(_ path: String?, source: String) throws(StorageError) {
    guard let name = path, name != "-" else {
      self.path = nil
      (descriptor, partialPath, isOwned) = (STDOUT_FILENO, "", false)
      sink = TerminalSink.standardOutput()
      return
    }
    // A file that is half written has another name, and is removed when the command is interrupted.
    Interruption.watch()
    if OutputFile.isSameFile(name, source) { throw .fileExists(path: name) }
    isOwned = true
    let known = OutputFile.status(name)
    if let known, known.st_mode & S_IFMT != S_IFREG {
      // Nothing replaces a device, a pipe or a socket.
      (self.path, partialPath) = (nil, "")
      descriptor = unsafe open(name, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw OutputFile.refusal(name, name) }
      sink = InterruptibleSink(DescriptorSink(descriptor: descriptor, path: name), name)
      return
    }
    try OutputFile.checkIsNoRealm(name)
    let target = FileCalls.realPath(name)
    self.path = target
    partialPath = target + ".\(getpid()).partial"
    descriptor = unsafe open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputFile.refusal(name, partialPath) }
    if let known {
      // Whoever could read the old contents can read the new ones, and nobody else. The owner first: a change of it takes rights away.
      _ = fchown(descriptor, known.st_uid, known.st_gid)
      _ = fchmod(descriptor, known.st_mode & 0o7777)
    }
    sink = InterruptibleSink(DescriptorSink(descriptor: descriptor, path: name), name)
  }

  /// Why a file cannot be opened.
  private static func refusal(_ name: String, _ opened: String) -> StorageError {
    switch errno {
    case ENOENT, ENOTDIR: .directoryNotFound(path: name)
    // What replaces a file has another name first, and is made in the directory.
    case EACCES, EROFS, EPERM: .permissionDenied(path: name == opened || status(name) == nil ? name : directory(of: opened), writing: true)
    case let code: .io(operation: "open", path: opened, code: code)
    }
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  /// An output that would replace a database was meant for another file.
  private static func checkIsNoRealm(_ path: String) throws(StorageError) {
    if [".realm.lock", ".realm.note"].contains(where: path.hasSuffix), FileCalls.exists(path) {
      throw .invalidArgument(reason: "\(path) belongs to a Realm file, and those who have it open need it; choose another name")
    }
    guard let known = status(path), known.st_size > 0 else { return }
    let isRealm: Bool =
      switch FileKind(path) {
      case .plain: true
      case .encrypted: path.hasSuffix(".realm") || FileCalls.exists(RealmPaths(FileCalls.realPath(path)).lock)
      case .other: path.hasSuffix(".realm")
      }
    guard isRealm else { return }
    throw .invalidArgument(reason: "\(path) is a Realm file, which the output would replace; choose another name, or remove the file first")
  }

  deinit {
    guard isOwned, descriptor >= 0 else { return }
    close(descriptor)
    if path != nil && !isComplete { unsafe unlink(partialPath) }
  }

  private static func isSameFile(_ a: String, _ b: String) -> Bool {
    guard let x = status(a), let y = status(b) else { return false }
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino
  }

  /// Refuses `-` where a realm file is made, which has to be named.
  /// - Parameter option: who needs the path, in the message.
  static func checkNamesRealm(_ path: String, as option: String) throws(ValidationError) {
    if path == "-" { throw ValidationError("\(option) needs the path of a .realm file: it cannot be written to standard output.") }
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Refuses a path whose directory does not exist, before work is done for nothing.
  static func checkDirectory(of name: String) throws(StorageError) {
    let path = FileCalls.realPath(name)
    let directory = directory(of: path)
    var status = stat()
    guard unsafe stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw .directoryNotFound(path: path) }
    let isThere = unsafe access(path, F_OK) == 0
    guard unsafe access(isThere ? path : directory, W_OK) == 0 else { throw .permissionDenied(path: path, writing: true) }
  }

  /// Gives the file its name, replacing what was there: not before the new contents are on the disk, or a power failure could leave neither.
  func complete() throws(StorageError) {
    guard let path else { return }
    guard fsync(descriptor) == 0 else { throw .io(operation: "fsync", path: path, code: errno) }
    guard unsafe rename(partialPath, path) == 0 else { throw .io(operation: "rename", path: path, code: errno) }
    isComplete = true
  }
}

/// Refuses to write on when the user interrupts.
private final class InterruptibleSink: ByteSink {
  private let sink: DescriptorSink
  private let path: String
  init(_ sink: DescriptorSink, _ path: String) { (self.sink, self.path) = (sink, path) }

  func write(_ bytes: [UInt8]) throws(StorageError) {
    try Interruption.check(path)
    try sink.write(bytes)
  }
}
