import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A real file. Closing happens when the last reference goes.
package final class FileStorage: Storage {
  package enum Mode: Sendable {
    case readOnly, readWrite
    /// Read and write; made if it does not exist.
    case createIfMissing
    /// Read and write; must not exist yet.
    case createNew
    /// The same for what nobody else is to read.
    case createPrivate
    /// As `createIfMissing`, for a file that nobody but the user may read.
    case createIfMissingPrivate
  }

  package let path: String
  package let descriptor: Int32
  package let isWritable: Bool
  /// How many barriers and how many write calls of the system this object has made; commits promise exact numbers.
  private let barriers = Atomic<Int>(0)
  private let writes = Atomic<Int>(0)
  private let allocations = Atomic<Int>(0)

  package var barrierCount: Int { barriers.load(ordering: .relaxed) }
  package var writeCount: Int { writes.load(ordering: .relaxed) }
  package var allocationCount: Int { allocations.load(ordering: .relaxed) }

  /// - Throws: `.fileNotFound`, `.directoryNotFound`, `.permissionDenied`, `.fileExists`; `.io` for anything else, a directory in
  ///   place of the file included (`EISDIR`). T6.2.
  package init(path: String, mode: Mode) throws(StorageError) {
    let flags =
      switch mode {
      case .readOnly: O_RDONLY
      case .readWrite: O_RDWR
      case .createIfMissing, .createIfMissingPrivate: O_RDWR | O_CREAT
      case .createNew, .createPrivate: O_RDWR | O_CREAT | O_EXCL
      }
    var opened: Int32
    var code: Int32 = 0
    repeat {
      opened = FileCalls.openFile(path, flags, mode == .createPrivate || mode == .createIfMissingPrivate ? 0o600 : 0o644)
      code = errno
    } while opened < 0 && code == EINTR
    guard opened >= 0 else { throw Self.openingError(code, path: path, mode: mode) }
    self.path = path
    descriptor = opened
    isWritable = mode != .readOnly

    var info = stat()
    guard unsafe fstat(opened, &info) == 0 else { throw .io(operation: "fstat", path: path, code: errno) }
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw .io(operation: "open", path: path, code: info.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
  }

  deinit { close(descriptor) }

  /// A new, empty file.
  package static func new(_ path: String) throws(StorageError) -> any Storage { try FileStorage(path: path, mode: .createNew) }

  private static func openingError(_ code: Int32, path: String, mode: Mode) -> StorageError {
    switch code {
    case ENOENT:
      let creates = mode != .readOnly && mode != .readWrite
      return creates ? .directoryNotFound(path: path) : .fileNotFound(path: path)
    case ENOTDIR: return .directoryNotFound(path: path)
    case EACCES, EPERM, EROFS, ETXTBSY: return .permissionDenied(path: path, writing: mode != .readOnly)
    case EEXIST: return .fileExists(path: path)
    case ENOSPC, EDQUOT: return .outOfDiskSpace(operation: "open", path: path)
    default: return .io(operation: "open", path: path, code: code)
    }
  }

  /// A full disk is recoverable while extending and writing, and only there (T8.9).
  private func failure(_ operation: String, _ code: Int32) -> StorageError {
    code == ENOSPC || code == EDQUOT
      ? .outOfDiskSpace(operation: operation, path: path) : .io(operation: operation, path: path, code: code)
  }

  private func requireWritable() throws(StorageError) {
    guard isWritable else { throw .readOnly(path: path) }
  }

  package func byteCount() throws(StorageError) -> UInt64 {
    var info = stat()
    guard unsafe fstat(descriptor, &info) == 0 else { throw .io(operation: "fstat", path: path, code: errno) }
    return UInt64(info.st_size)
  }
}

// MARK: - Growing and cutting

extension FileStorage {
  package func extend(from start: UInt64, to end: UInt64) throws(StorageError) {
    try requireWritable()
    guard end <= UInt64(Int64.max) else { throw .invalidArgument(reason: "file of \(end) bytes") }
    guard start < end else { return }
    allocations.add(1, ordering: .relaxed)
    let code = allocate(from: start, to: end)
    switch code {
    case 0: return
    case EINVAL, EPERM, EOPNOTSUPP, ENOSYS: try appendZeros(to: end)
    default: throw failure("posix_fallocate", code)
    }
  }

  #if canImport(Darwin)
    private func allocate(from start: UInt64, to end: UInt64) -> Int32 {
      var info = stat()
      guard unsafe fstat(descriptor, &info) == 0 else { return errno }
      let physical = UInt64(info.st_size)
      guard physical < end else { return 0 }
      var request = fstore_t()
      request.fst_flags = UInt32(F_ALLOCATEALL)
      request.fst_posmode = F_PEOFPOSMODE
      request.fst_length = off_t(end - physical)
      guard unsafe fcntl(descriptor, F_PREALLOCATE, &request) == 0 else { return errno == ENOTSUP ? EOPNOTSUPP : errno }
      return ftruncate(descriptor, off_t(end)) == 0 ? 0 : errno
    }
  #else
    private func allocate(from start: UInt64, to end: UInt64) -> Int32 {
      var code: Int32
      repeat { code = posix_fallocate(descriptor, off_t(start), off_t(end - start)) } while code == EINTR
      return code
    }
  #endif

  /// For file systems that cannot allocate. Only bytes past the physical end are written: others may have used the rest.
  func appendZeros(to end: UInt64) throws(StorageError) {
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var position = try byteCount()
    while position < end {
      let count = Int(min(UInt64(zeros.count), end - position))
      try unsafe write(zeros.span.bytes.extracting(0..<count), at: position)
      position += UInt64(count)
    }
  }

  package func truncate(to byteCount: UInt64) throws(StorageError) {
    try requireWritable()
    guard byteCount <= UInt64(Int64.max) else { throw .invalidArgument(reason: "file of \(byteCount) bytes") }
    var code: Int32 = 0
    repeat { code = ftruncate(descriptor, off_t(byteCount)) == 0 ? 0 : errno } while code == EINTR
    guard code == 0 else { throw failure("ftruncate", code) }
  }
}

// MARK: - Reading and writing

extension FileStorage {
  /// The kernel's limit of vectors per call (`IOV_MAX`).
  private static let maximumVectorCount = 1024

  package func write(_ buffers: [WriteBuffer], at offset: UInt64) throws(StorageError) {
    try requireWritable()
    var vectors: [iovec] = unsafe []
    unsafe vectors.reserveCapacity(buffers.count)
    for buffer in buffers where buffer.byteCount > 0 {
      unsafe vectors.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: buffer.start), iov_len: buffer.byteCount))
    }
    guard offset <= UInt64(Int64.max) else { throw .invalidArgument(reason: "write at \(offset)") }
    var position = off_t(offset)
    var first = 0
    let total = unsafe vectors.count
    while first < total {
      let count = min(Self.maximumVectorCount, total - first)
      var code: Int32 = 0
      var written = unsafe vectors.withUnsafeBufferPointer { all in
        let result = unsafe pwritev(descriptor, all.baseAddress! + first, Int32(count), position)
        code = errno
        return result
      }
      writes.add(1, ordering: .relaxed)
      if written < 0 && code == EINTR { continue }
      guard written > 0 else { throw failure("write()", written < 0 ? code : EIO) }
      position += off_t(written)
      while unsafe first < total && written >= vectors[first].iov_len {
        unsafe written -= vectors[first].iov_len
        first += 1
      }
      if written > 0 {
        unsafe vectors[first].iov_base += written
        unsafe vectors[first].iov_len -= written
      }
    }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(StorageError) -> Int {
    guard let start = buffer.baseAddress, offset <= UInt64(Int64.max) - UInt64(buffer.count) else { return 0 }
    var count = 0
    while count < buffer.count {
      let result = unsafe pread(descriptor, start + count, buffer.count - count, off_t(offset) + off_t(count))
      if result < 0 && errno == EINTR { continue }
      guard result >= 0 else { throw .io(operation: "read", path: path, code: errno) }
      if result == 0 { break }
      count += result
    }
    return count
  }

  package func read(_ byteCount: Int, at offset: UInt64) throws(StorageError) -> [UInt8] {
    guard byteCount > 0, offset <= UInt64(Int64.max) - UInt64(byteCount) else { return [] }
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      while count < buffer.count {
        let result = unsafe pread(descriptor, buffer.baseAddress! + count, buffer.count - count, off_t(offset) + off_t(count))
        if result < 0 && errno == EINTR { continue }
        if result < 0 { code = errno }
        if result <= 0 { return }
        count += result
      }
    }
    guard code == 0 else { throw .io(operation: "read", path: path, code: code) }
    return bytes
  }
}

// MARK: - Barriers

extension FileStorage {
  package func sync() throws(StorageError) {
    barriers.add(1, ordering: .relaxed)
    try Self.barrier(descriptor, path: path)
  }

  /// Makes a new or renamed file's name durable.
  package static func sync(directoryOf path: String) throws(StorageError) {
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let directory = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // One in which files may be made and not listed cannot be opened: nobody but the file system sees to the name then.
    guard descriptor >= 0 else {
      if errno == EACCES { return }
      throw .io(operation: "open", path: directory, code: errno)
    }
    defer { close(descriptor) }
    // Some file systems have no barrier for directories and need none.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .io(operation: "fsync", path: directory, code: errno) }
  }

  #if canImport(Darwin)
    /// `F_BARRIERFSYNC` orders, `F_FULLFSYNC` is for file systems without it (T8.4).
    private static func barrier(_ descriptor: Int32, path: String) throws(StorageError) {
      if fcntl(descriptor, F_BARRIERFSYNC) == 0 || fcntl(descriptor, F_FULLFSYNC) == 0 { return }
      guard fsync(descriptor) == 0 else { throw .io(operation: "fsync", path: path, code: errno) }
    }
  #else
    /// `fdatasync` covers the size and the allocation that reading the data back needs; only times are left out.
    private static func barrier(_ descriptor: Int32, path: String) throws(StorageError) {
      var code: Int32 = 0
      repeat { code = fdatasync(descriptor) == 0 ? 0 : errno } while code == EINTR
      guard code == 0 else { throw .io(operation: "fdatasync", path: path, code: code) }
    }
  #endif
}
