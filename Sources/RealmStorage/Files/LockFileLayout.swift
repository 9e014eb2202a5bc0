#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where everything lies in a lock file whose mutexes live in the mapped file itself. T3.2.
///
/// The fixed part is the same on every platform; the rest follows from the sizes of the C library's mutex and condition variable.
/// A wrong number here means that two engines corrupt each other's locks.
struct LockFileLayout: Sendable {
  /// The `shared_info_version` of all realm-core 14 releases.
  static let sharedInfoVersion: UInt16 = 14
  /// The file format a session works in.
  static let targetFileFormat: UInt8 = 24
  /// Slots of a fresh version list, and how many are added at a time.
  static let slotsPerGrowth = 32
  static let slotByteCount = 40

  /// Offsets of the fixed part.
  enum Fixed {
    static let initComplete = 0
    static let mutexByteCount = 1
    static let conditionByteCount = 2
    static let commitInCriticalPhase = 3
    static let fileFormat = 4
    static let historyType = 5
    static let sharedInfoVersion = 6
    static let durability = 8
    static let participantCount = 12
    static let latestVersion = 16
    static let initiatorProcess = 24
    static let numberOfVersions = 32
    static let historySchema = 44
    static let byteCount = 48
  }

  let mutexByteCount: Int
  let conditionByteCount: Int
  let writeMutex: Int
  let controlMutex: Int
  let versionListMutex: Int
  let newCommitAvailable: Int
  let pickNextWriter: Int
  /// u32 entries, u32 allocating, u32 newest, 4 bytes of padding, then the slots.
  let versionList: Int
  let firstSlot: Int

  /// The five condition variables (three of them unused) follow the mutexes; two tickets, the page being written and the write
  /// counter (24 bytes) precede the version list.
  init(mutexByteCount: Int, conditionByteCount: Int) {
    self.mutexByteCount = mutexByteCount
    self.conditionByteCount = conditionByteCount
    writeMutex = Fixed.byteCount
    controlMutex = writeMutex + mutexByteCount
    versionListMutex = controlMutex + mutexByteCount
    let conditions = versionListMutex + mutexByteCount
    newCommitAvailable = conditions + 3 * conditionByteCount
    pickNextWriter = conditions + 4 * conditionByteCount
    versionList = conditions + 5 * conditionByteCount + 24
    firstSlot = versionList + 16
  }

  /// The length of the file with `entries` slots.
  func byteCount(entries: Int) -> Int { firstSlot + entries * Self.slotByteCount }
  /// The length of a fresh file.
  var byteCount: Int { byteCount(entries: Self.slotsPerGrowth) }

  static let glibcX86 = LockFileLayout(mutexByteCount: 40, conditionByteCount: 48)
  static let glibcARM = LockFileLayout(mutexByteCount: 48, conditionByteCount: 48)

  #if canImport(Glibc) && arch(x86_64)
    private static let platform: LockFileLayout? = glibcX86
  #elseif canImport(Glibc) && arch(arm64)
    private static let platform: LockFileLayout? = glibcARM
  #else
    // Platforms with emulated mutexes (Apple, Android: `flock` on files of the management directory, T5.2) and C libraries with another
    // mutex (musl: same size, other fields, T5.1) are refused.
    private static let platform: LockFileLayout? = nil
  #endif

  /// The layout of this process's C library; nil where the protocol is not implemented or the library is not the expected one.
  static let native: LockFileLayout? = {
    guard let layout = platform else { return nil }
    let (mutex, condition) = unsafe (MemoryLayout<pthread_mutex_t>.size, MemoryLayout<pthread_cond_t>.size)
    return mutex == layout.mutexByteCount && condition == layout.conditionByteCount ? layout : nil
  }()
}
