import RealmInspection
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a command's results go: standard output, or a file that appears under its name only when it is complete.
final class OutputFile {
  let sink: any ByteSink
  private let path: String?
  private let partialPath: String
  private let descriptor: Int32
  private var isComplete = false

  /// - Parameters:
  ///   - path: nil or `-` for standard output.
  ///   - source: must not be overwritten.
  init(_ path: String?, source: String) throws(StorageError) {
    guard let path, path != "-" else {
      self.path = nil
      (descriptor, partialPath) = (STDOUT_FILENO, "")
      sink = DescriptorSink(descriptor: STDOUT_FILENO, path: "standard output")
      return
    }
    self.path = path
    // A file that is half written has another name, and is removed when the command is interrupted.
    Interruption.watch()
    if OutputFile.isSameFile(path, source) { throw .fileExists(path: path) }
    partialPath = path + ".\(getpid()).partial"
    descriptor = unsafe open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .directoryNotFound(path: path)
      case EACCES, EROFS, EPERM: throw .permissionDenied(path: path, writing: true)
      case let code: throw .io(operation: "open", path: partialPath, code: code)
      }
    }
    sink = InterruptibleSink(DescriptorSink(descriptor: descriptor, path: path), path)
  }

  deinit {
    guard path != nil, descriptor >= 0 else { return }
    close(descriptor)
    if !isComplete { unsafe unlink(partialPath) }
  }

  private static func isSameFile(_ a: String, _ b: String) -> Bool {
    var (x, y) = (stat(), stat())
    guard unsafe stat(a, &x) == 0, unsafe stat(b, &y) == 0 else { return false }
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino
  }

  /// Refuses a path whose directory does not exist, before work is done for nothing.
  static func checkDirectory(of path: String) throws(StorageError) {
    let directory = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    var status = stat()
    guard unsafe stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw .directoryNotFound(path: path) }
    let isThere = unsafe access(path, F_OK) == 0
    guard unsafe access(isThere ? path : directory, W_OK) == 0 else { throw .permissionDenied(path: path, writing: true) }
  }

  /// Gives the file its name, replacing what was there.
  func complete() throws(StorageError) {
    guard let path else { return }
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
