import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file, a pipe or standard input, read from its beginning; gives up when the user interrupts.
final class InputDescriptor {
  private static let pieceByteCount = 1 << 18
  private let path: String
  private let descriptor: Int32
  private let isOwned: Bool
  /// Can be read again from the beginning under its name.
  let isRegular: Bool

  /// - Parameter path: `-` for standard input.
  init(_ path: String) throws(StorageError) {
    isOwned = path != "-"
    self.path = isOwned ? path : "standard input"
    if isOwned {
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        switch errno {
        case ENOENT, ENOTDIR: throw .fileNotFound(path: path)
        case EACCES, EPERM: throw .permissionDenied(path: path, writing: false)
        case let code: throw .io(operation: "open", path: path, code: code)
        }
      }
    } else {
      descriptor = STDIN_FILENO
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .io(operation: "fstat", path: path, code: errno) }
    isRegular = isOwned && status.st_mode & S_IFMT == S_IFREG
    if status.st_mode & S_IFMT == S_IFDIR {
      if isOwned { close(descriptor) }
      throw .io(operation: "open", path: path, code: EISDIR)
    }
  }

  deinit { if isOwned { close(descriptor) } }

  /// The next piece; empty at the end.
  func read() throws(StorageError) -> [UInt8] {
    // Whoever types the input, or a slow pipe, must not keep an interrupt from being obeyed.
    while true {
      try Interruption.check(path)
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let found = unsafe poll(&waiting, 1, 200)
      // A signal ends the waiting, too, with nothing to read.
      if found > 0 || found < 0 && errno != EINTR { break }
    }
    var buffer = [UInt8](repeating: 0, count: InputDescriptor.pieceByteCount)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe readBytes(descriptor, $0) }
      if count < 0 && errno == EINTR {
        try Interruption.check(path)
        continue
      }
      guard count >= 0 else { throw .io(operation: "read", path: path, code: errno) }
      buffer.removeSubrange(count...)
      return buffer
    }
  }
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
