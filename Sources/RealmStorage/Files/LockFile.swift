import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a session agrees on. The formatter or initiator stores it; everybody else has to want the same. T3.3.
package struct SessionOptions: Hashable, Sendable {
  /// The numbers are those of the lock file.
  package enum Durability: UInt16, Sendable {
    case full = 0
    case memoryOnly = 1
    case unsafe = 2
  }
  /// The numbers are those of the lock file; 1 is obsolete.
  package enum HistoryType: UInt8, Sendable {
    case none = 0
    case inRealm = 2
    case syncClient = 3
    case syncServer = 4
  }

  package var durability: Durability
  package var historyType: HistoryType
  package var historySchema: UInt16
  /// The data file is encrypted. Not compared.
  package var hasKey: Bool
  /// Open the note FIFO and poke it after each commit. Not compared.
  package var announcesCommits: Bool

  package init(
    durability: Durability = .full, historyType: HistoryType = .inRealm, historySchema: UInt16 = 1, hasKey: Bool = false,
    announcesCommits: Bool = true
  ) {
    self.durability = durability
    self.historyType = historyType
    self.historySchema = historySchema
    self.hasKey = hasKey
    self.announcesCommits = announcesCommits
  }
}

/// An open and mapped lock file with a shared `flock` on it: what holds a session together. T3.
///
/// Mapped once and generously, so that growth of the version list never moves a mutex.
@safe final class LockFile: @unchecked Sendable {
  // SAFETY: set once in `init` from a successful `mmap` of `mappedByteCount` bytes, unmapped only in `deinit`; `leave` puts zeroes in the
  // same place. What lies in the mapping is read and written atomically, or through the C library's shared locks, or under one of them.
  private let base: UnsafeMutableRawPointer
  private let descriptor: Int32
  private let isBroadcasting = Atomic<Bool>(false)
  let paths: RealmPaths
  let layout: LockFileLayout
  let writeMutex: SharedMutex
  let controlMutex: SharedMutex
  let versionListMutex: SharedMutex

  static let mappedByteCount = 1 << 20

  private init(paths: RealmPaths, layout: LockFileLayout) throws(StorageError) {
    let opened = try Self.openFile(paths.lock)
    let mapped = unsafe mmap(nil, Self.mappedByteCount, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
      let code = errno
      close(opened)
      guard code != ENOMEM else { throw .addressSpaceExhausted(byteCount: UInt64(Self.mappedByteCount)) }
      throw .io(operation: "mmap", path: paths.lock, code: code)
    }
    unsafe base = mapped
    descriptor = opened
    self.paths = paths
    self.layout = layout
    func mutex(_ offset: Int) -> SharedMutex {
      unsafe SharedMutex(mapped.advanced(by: offset).bindMemory(to: pthread_mutex_t.self, capacity: 1))
    }
    writeMutex = mutex(layout.writeMutex)
    controlMutex = mutex(layout.controlMutex)
    versionListMutex = mutex(layout.versionListMutex)
  }

  deinit {
    // The mapping keeps the open file, and with it the `flock`, alive: unmap first. So does a child process that is being started at this
    // moment on another thread, until it gets to its `exec`: closing alone would not do.
    unsafe munmap(base, Self.mappedByteCount)
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Gives up the shared `flock` and replaces the mapping by private zeroes, so that what still holds this object can neither disturb the
  /// next session nor touch pages that its formatter cuts off.
  func leave() {
    // A broadcast under way gets a moment to finish; it may also hang for ever (T14.8).
    var milliseconds = 0
    while isBroadcasting.load(ordering: .acquiring), milliseconds < 100 {
      sleepMilliseconds(1)
      milliseconds += 1
    }
    let flags = MAP_PRIVATE | MAP_FIXED | MAP_ANON
    _ = unsafe mmap(base, Self.mappedByteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
    _ = flock(descriptor, LOCK_UN)
  }

  /// Says on the lock file which realm file it goes by; what was said of another one is taken back before.
  /// - Throws: `.incompatibleSession` if somebody uses it for another one.
  func claim(for file: UInt64) throws(StorageError) { try LockFileClaim.make(onLockFile: descriptor, for: file, paths) }
  func releaseClaim() { LockFileClaim.release(descriptor) }

  // MARK: Fields

  @inline(__always) func byte(_ offset: Int) -> UInt8 { unsafe address(offset, UInt8.self).pointee.load(ordering: .acquiring) }
  @inline(__always) func half(_ offset: Int) -> UInt16 { unsafe address(offset, UInt16.self).pointee.load(ordering: .relaxed) }
  @inline(__always) func word(_ offset: Int) -> UInt32 { unsafe address(offset, UInt32.self).pointee.load(ordering: .relaxed) }
  @inline(__always) func long(_ offset: Int) -> UInt64 { unsafe address(offset, UInt64.self).pointee.load(ordering: .relaxed) }
  /// Ordered against everything around it: the one-byte fields are flags.
  @inline(__always) func store(_ value: UInt8, at offset: Int) {
    unsafe address(offset, UInt8.self).pointee.store(value, ordering: .sequentiallyConsistent)
  }
  @inline(__always) func store(_ value: UInt16, at offset: Int) {
    unsafe address(offset, UInt16.self).pointee.store(value, ordering: .relaxed)
  }
  @inline(__always) func store(_ value: UInt32, at offset: Int) {
    unsafe address(offset, UInt32.self).pointee.store(value, ordering: .relaxed)
  }
  @inline(__always) func store(_ value: UInt64, at offset: Int) {
    unsafe address(offset, UInt64.self).pointee.store(value, ordering: .relaxed)
  }

  /// For the marks of pages being written, which have to be seen in the order of the writes around them.
  func loadOrdered(_ offset: Int) -> UInt64 { unsafe address(offset, UInt64.self).pointee.load(ordering: .sequentiallyConsistent) }
  func storeOrdered(_ value: UInt64, at offset: Int) {
    unsafe address(offset, UInt64.self).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  @inline(__always) private func address<T>(_ offset: Int, _: T.Type) -> UnsafeMutablePointer<Atomic<T>> {
    unsafe base.advanced(by: offset).bindMemory(to: Atomic<T>.self, capacity: 1)
  }

  /// For the version list, which lives as long as this object.
  @unsafe var versionListAddress: UnsafeMutableRawPointer { unsafe base.advanced(by: layout.versionList) }

  // MARK: Mutexes

  /// Locks the control or the version-list mutex. A dead owner's half-done work needs no repair here: each step leaves a usable state.
  @inline(__always) func lock(_ mutex: SharedMutex) throws(StorageError) {
    let outcome = mutex.lock()
    if outcome != .acquired { try accept(outcome) }
  }

  /// Apart from `lock`, which is a few instructions where a mutex is free.
  @inline(never) private func accept(_ outcome: SharedMutex.Outcome) throws(StorageError) {
    switch outcome {
    case .acquired, .acquiredFromDeadOwner: return
    case .busy: throw .io(operation: "pthread_mutex_lock", path: paths.lock, code: EBUSY)
    case .failed(let code): throw .io(operation: "pthread_mutex_lock", path: paths.lock, code: code)
    }
  }

  /// Whether other engines' threads wait for a commit. To be read under the control mutex.
  var hasForeignWaiters: Bool { newCommitAvailable.hasWaiters }

  /// Wakes other engines' threads that wait for a commit, from a thread of its own: a dead waiter makes this hang (T14.8). At most one at a
  /// time; once one hangs there are no more.
  func wakeForeignWaiters() {
    guard !isBroadcasting.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let thread = try? SystemThread {
      self.newCommitAvailable.broadcast()
      self.isBroadcasting.store(false, ordering: .releasing)
    }
    if let thread { thread.detach() } else { isBroadcasting.store(false, ordering: .releasing) }
  }

  private var newCommitAvailable: SharedCondition { condition(layout.newCommitAvailable) }
  private func condition(_ offset: Int) -> SharedCondition {
    unsafe SharedCondition(base.advanced(by: offset).bindMemory(to: pthread_cond_t.self, capacity: 1))
  }
}

// MARK: - Opening

extension LockFile {
  /// Opens the lock file, formats it if nobody else has it open, takes the shared lock and checks what is there. T3.1,
  /// checks 1 to 5 of T3.3.
  ///
  /// Takes up to half a second before it refuses.
  static func open(_ paths: RealmPaths, options: SessionOptions) throws(StorageError) -> LockFile {
    guard let layout = LockFileLayout.native else {
      throw .incompatibleLockFile(path: paths.database, reason: "Sharing files between processes is not supported on this platform.")
    }
    var mismatches = 0
    var unfinished = 0
    while true {
      switch try attempt(paths, layout, options) {
      case .usable(let file): return file
      case .unfinished:
        // Its formatter died, or formats it again between our two locks. Whoever is alone next formats it.
        unfinished += 1
        guard unfinished <= 200 else {
          throw .incompatibleLockFile(path: paths.database, reason: "The lock file is never completed.")
        }
        sleepMilliseconds(.random(in: 0..<10))
      case .mismatch(let reason):
        mismatches += 1
        guard mismatches <= 10 else { throw .incompatibleLockFile(path: paths.database, reason: reason) }
        sleepMilliseconds(.random(in: 0..<10 * mismatches))
      }
    }
  }

  private enum Attempt {
    case usable(LockFile)
    case unfinished
    case mismatch(String)
  }

  /// The file is closed again, unless it is usable.
  private static func attempt(_ paths: RealmPaths, _ layout: LockFileLayout, _ options: SessionOptions) throws(StorageError) -> Attempt {
    let file = try LockFile(paths: paths, layout: layout)
    try file.formatIfAlone(options)
    try lockFile(file.descriptor, LOCK_SH, paths.lock)
    if unsafe mkdir(paths.management, 0o755) != 0, errno != EEXIST { throw systemError("mkdir", path: paths.management, code: errno) }
    let result = try file.check()
    if case .usable = result { try file.probeControlMutex() }
    return result
  }

  /// Runs `body` while nobody has the database open; false, without running it, if somebody has. The lock file stays behind. T13.
  static func withExclusiveLock(_ paths: RealmPaths, _ body: () throws(StorageError) -> Void) throws(StorageError) -> Bool {
    let descriptor = try openFile(paths.lock)
    defer { close(descriptor) }
    guard try tryLockExclusively(descriptor, paths.lock) else { return false }
    defer { _ = flock(descriptor, LOCK_UN) }
    try body()
    return true
  }

  private func formatIfAlone(_ options: SessionOptions) throws(StorageError) {
    guard try Self.tryLockExclusively(descriptor, paths.lock) else { return }
    if try fileByteCount() == layout.byteCount {
      // As good as cutting it off and extending it again, which makes the file system give blocks back and take them again.
      store(UInt8(0), at: LockFileLayout.Fixed.initComplete)
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: layout.byteCount)
    } else {
      guard ftruncate(descriptor, 0) == 0 else { throw Self.systemError("ftruncate", path: paths.lock, code: errno) }
      try allocate(layout.byteCount)
    }
    store(UInt8(layout.mutexByteCount), at: LockFileLayout.Fixed.mutexByteCount)
    store(UInt8(layout.conditionByteCount), at: LockFileLayout.Fixed.conditionByteCount)
    store(LockFileLayout.sharedInfoVersion, at: LockFileLayout.Fixed.sharedInfoVersion)
    storeAgreement(options)
    for mutex in [writeMutex, controlMutex, versionListMutex] {
      let code = mutex.initialize()
      guard code == 0 else { throw .io(operation: "pthread_mutex_init", path: paths.lock, code: code) }
    }
    for offset in [layout.newCommitAvailable, layout.pickNextWriter] {
      let code = condition(offset).initialize()
      guard code == 0 else { throw .io(operation: "pthread_cond_init", path: paths.lock, code: code) }
    }
    store(UInt32(LockFileLayout.slotsPerGrowth), at: layout.versionList)
    store(VersionList.noSlot, at: layout.versionList + 8)
    store(UInt8(1), at: LockFileLayout.Fixed.initComplete)
    try Self.lockFile(descriptor, LOCK_UN, paths.lock)
  }

  /// The fields that checks 7 to 9 compare. For the formatter, and for an initiator that found the file of a session just ended.
  func storeAgreement(_ options: SessionOptions) {
    store(options.historyType.rawValue, at: LockFileLayout.Fixed.historyType)
    store(options.durability.rawValue, at: LockFileLayout.Fixed.durability)
    store(options.historySchema, at: LockFileLayout.Fixed.historySchema)
  }

  /// Checks 1 to 4. Nothing beyond the end of the file is touched.
  private func check() throws(StorageError) -> Attempt {
    let size = try fileByteCount()
    guard size > 0, byte(LockFileLayout.Fixed.initComplete) != 0 else { return .unfinished }
    guard size >= layout.byteCount else {
      return .mismatch("Architecture mismatch: SharedInfo size is \(size) but should be \(layout.byteCount).")
    }
    let version = half(LockFileLayout.Fixed.sharedInfoVersion)
    guard version == LockFileLayout.sharedInfoVersion else {
      return .mismatch("Version mismatch: SharedInfo version is \(version) but should be \(LockFileLayout.sharedInfoVersion).")
    }
    let mutex = Int(byte(LockFileLayout.Fixed.mutexByteCount))
    guard mutex == layout.mutexByteCount else {
      return .mismatch("Architecture mismatch: Mutex size is \(mutex) but should be \(layout.mutexByteCount).")
    }
    let condition = Int(byte(LockFileLayout.Fixed.conditionByteCount))
    guard condition == layout.conditionByteCount else {
      return .mismatch("Architecture mismatch: Condition variable size is \(condition) but should be \(layout.conditionByteCount).")
    }
    return .usable(self)
  }

  /// Check 5 of T3.3. A dead owner counts as success (T14.2).
  private func probeControlMutex() throws(StorageError) {
    switch controlMutex.tryLock() {
    case .acquired, .acquiredFromDeadOwner: controlMutex.unlock()
    case .busy: break
    case .failed(EINVAL):
      throw .incompatibleLockFile(
        path: paths.database, reason: "Control mutex is invalid. This suggests that incompatible pthread libraries are in use.")
    case .failed(let code): throw .io(operation: "pthread_mutex_trylock", path: paths.lock, code: code)
    }
  }
}

// MARK: - System calls

extension LockFile {
  /// The file's length now; another participant may have made it longer.
  func fileByteCount() throws(StorageError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .io(operation: "fstat", path: paths.lock, code: errno) }
    return Int(status.st_size)
  }

  /// Makes the file at least `byteCount` long, with real blocks: a hole would be a SIGBUS on a full disk.
  func allocate(_ byteCount: Int) throws(StorageError) {
    let start = try fileByteCount()
    guard byteCount > start else { return }
    #if canImport(Glibc) || canImport(Musl)
      var code = EINTR
      while code == EINTR { code = posix_fallocate(descriptor, off_t(start), off_t(byteCount - start)) }
    #else
      let code = ENOTSUP
    #endif
    guard code == 0 else { throw Self.systemError("posix_fallocate", path: paths.lock, code: code) }
  }

  /// Not behind a symbolic link: whoever leads a session overwrites the file, whatever it was, and a link in a directory that others may write to
  /// would choose which.
  private static func openFile(_ path: String) throws(StorageError) -> Int32 {
    let descriptor = FileCalls.openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else {
      if errno == ENOENT { throw .directoryNotFound(path: path) }
      throw systemError("open", path: path, code: errno)
    }
    return descriptor
  }

  private static func lockFile(_ descriptor: Int32, _ operation: Int32, _ path: String) throws(StorageError) {
    while flock(descriptor, operation) != 0 {
      guard errno == EINTR else { throw .io(operation: "flock", path: path, code: errno) }
    }
  }

  private static func tryLockExclusively(_ descriptor: Int32, _ path: String) throws(StorageError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .io(operation: "flock", path: path, code: errno) }
    }
    return true
  }

  private static func systemError(_ operation: String, path: String, code: Int32) -> StorageError {
    switch code {
    case ENOSPC, EDQUOT: .outOfDiskSpace(operation: operation, path: path)
    case EACCES, EPERM, EROFS: .permissionDenied(path: path, writing: true)
    default: .io(operation: operation, path: path, code: code)
    }
  }
}

/// Sleeps at least that long, unless a signal arrives.
func sleepMilliseconds(_ milliseconds: Int) {
  var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
  _ = unsafe nanosleep(&time, nil)
}
