import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a participant does with the snapshot it keeps alive. T4.1.
package enum PinKind: UInt8, Sendable {
  /// Keeps the nodes and the history from there on.
  case live = 0
  /// Keeps the nodes only: the snapshot cannot be advanced from.
  case frozen = 1
}

/// A claim on one snapshot of the version list. Trivial; given back exactly once, with `Session.unpin`.
package struct Pin: Hashable, Sendable {
  package let slot: UInt32
  package let kind: PinKind
  package let version: UInt64
  /// The logical size of the file in this snapshot.
  package let byteCount: UInt64
  package let topRef: Ref
}

/// One entry of the version list.
package struct ListedSnapshot: Hashable, Comparable, Sendable {
  package let version: UInt64
  package let byteCount: UInt64
  package let topRef: Ref
  package init(version: UInt64, byteCount: UInt64, topRef: Ref) {
    self.version = version
    self.byteCount = byteCount
    self.topRef = topRef
  }
  package static func < (a: ListedSnapshot, b: ListedSnapshot) -> Bool { a.version < b.version }
}

/// What a commit learns when it clears the version list. T4.3.
package struct PurgeResult: Equatable, Sendable {
  /// Space freed in this version or before may be reused.
  package let oldestReachable: UInt64
  /// History before this version may be dropped.
  package let oldestLive: UInt64
  /// What somebody may still read, by ascending version. Never empty.
  package let reachable: [ListedSnapshot]
  /// A version newer than the oldest reachable one went away, so space between them may have become free (T8.6, backdating).
  package let anyNewUnreachable: Bool
}

/// The table of snapshots in a mapped lock file, and this participant's own counts. T4.
///
/// The shared counts say how many participants hold a snapshot. Within the participant a count per slot and kind is kept in private memory;
/// only its changes from 0 and to 0 touch the shared table, and those are made under the version-list mutex, as is everything up to 2: so 0 and 1 change
/// under the mutex only, and who is alone there need not count atomically. From 2 on the own count changes without any lock.
@safe struct VersionList: ~Copyable, @unchecked Sendable {
  // SAFETY: `list` points into the mapping of `file`, which is retained; `ownCounts` is allocated in `init` and freed in `deinit`. A slot
  // is read or written under the version-list mutex, or while this participant holds a count on it, or atomically.
  private let file: LockFile
  private let list: UnsafeMutableRawPointer
  private let ownCounts: UnsafeMutablePointer<Atomic<UInt32>>
  /// Slots known to lie inside the file.
  private let verifiedEntries = Atomic<UInt32>(0)

  /// Value of `newest` before there is a version.
  static let noSlot: UInt32 = .max
  /// What fits in the mapping.
  let maximumEntries: UInt32

  init(_ file: LockFile) {
    self.file = file
    unsafe list = file.versionListAddress
    maximumEntries = UInt32((LockFile.mappedByteCount - file.layout.firstSlot) / LockFileLayout.slotByteCount)
    // Zeroed pages that are touched only as far as slots are used.
    guard let memory = unsafe calloc(2 * Int(maximumEntries), MemoryLayout<Atomic<UInt32>>.stride) else {
      preconditionFailure("out of memory")
    }
    unsafe ownCounts = memory.bindMemory(to: Atomic<UInt32>.self, capacity: 2 * Int(maximumEntries))
  }

  deinit { unsafe free(ownCounts) }

  // MARK: Reading

  /// The newest version. Takes no lock.
  func newestVersion() -> UInt64 {
    while true {
      let index = newest
      guard index < verifiedEntries.load(ordering: .relaxed) else { return lockedNewestVersion() }
      let version = unsafe slot(index).version
      // Still the newest: then the slot was not used for something else in between.
      if version != 0, newest == index { return version }
      if newest == index { return lockedNewestVersion() }
    }
  }

  private func lockedNewestVersion() -> UInt64 {
    guard (try? file.lock(file.versionListMutex)) != nil else { return 0 }
    defer { file.versionListMutex.unlock() }
    guard let entries = entriesUnderLock(), newest < entries else { return 0 }
    return unsafe slot(newest).version
  }

  /// Claims the newest snapshot.
  @inline(__always) func pinNewest(_ kind: PinKind) throws(StorageError) -> Pin {
    let index = newest
    if index < maximumEntries, let pin = pinAgain(index, kind) { return pin }
    return try pinUnderLock(kind, .newest)
  }

  /// Claims the newest snapshot if that takes the mutex and `body`, which runs under it, agrees by giving something.
  /// - Returns: nil, and nothing happened, if not, or the list is damaged, of which `pinNewest` says how.
  @inline(__always) func pinUnderMutex<Result>(_ kind: PinKind, _ body: () -> Result?) throws(StorageError) -> (Pin, Result)? {
    let index = newest
    guard index < maximumEntries, unsafe ownCount(index, kind).pointee.load(ordering: .relaxed) < 2 else { return nil }
    try file.lock(file.versionListMutex)
    defer { file.versionListMutex.unlock() }
    // Asked first: who is told to wait claims nothing, not even for a moment.
    guard let result = body(), case .pinned(let pin) = grab(kind, .newest) else { return nil }
    return (pin, result)
  }

  /// Runs `body` under the mutex. One that cannot be locked any more lets nobody else in either.
  func whileNobodyPins(_ body: () -> Void) {
    let isLocked = (try? file.lock(file.versionListMutex)) != nil
    body()
    if isLocked { file.versionListMutex.unlock() }
  }

  /// Claims a version; the newest, or one that somebody holds. A frozen claim of others does not allow a live one.
  func pin(_ kind: PinKind, version: UInt64) throws(StorageError) -> Pin {
    let index = newest
    if index < maximumEntries, let pin = pinAgain(index, kind) {
      if pin.version == version { return pin }
      unpin(pin)
    }
    return try pinUnderLock(kind, .version(version))
  }

  /// Claims the snapshot of an existing pin once more, maybe in another way.
  func pin(_ kind: PinKind, same pin: Pin) throws(StorageError) -> Pin {
    if let again = pinAgain(pin.slot, kind) {
      if again.version == pin.version { return again }
      // The claim was given up, and another version has taken the slot.
      unpin(again)
    }
    return try pinUnderLock(kind, .slot(pin.slot, version: pin.version))
  }

  @inline(__always) func unpin(_ pin: Pin) {
    let own = unsafe ownCount(pin.slot, pin.kind)
    var count = unsafe own.pointee.load(ordering: .relaxed)
    while count > 2 {
      let (exchanged, original) = unsafe own.pointee.weakCompareExchange(
        expected: count, desired: count - 1, successOrdering: .releasing, failureOrdering: .relaxed)
      if exchanged { return }
      count = original
    }
    unpin(pin) {}
  }

  /// Gives a claim back under the mutex, and runs `body` there. Frees no slot; the next commit does.
  @inline(__always) func unpin<Result>(_ pin: Pin, _ body: () -> Result) -> Result {
    let own = unsafe ownCount(pin.slot, pin.kind)
    // A mutex that cannot be locked any more means that nobody commits any more either: the claim stays.
    guard (try? file.lock(file.versionListMutex)) != nil else { return body() }
    defer { file.versionListMutex.unlock() }
    let count = unsafe own.pointee.load(ordering: .acquiring)
    precondition(count > 0, "a snapshot was unpinned twice")
    if count == 1 {
      unsafe own.pointee.store(0, ordering: .releasing)
      let slot = unsafe self.slot(pin.slot)
      unsafe slot.setCount(pin.kind, slot.count(pin.kind) &- 1)
    } else {
      unsafe own.pointee.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
    return body()
  }

  /// Bumps the own count if that takes no mutex. Whatever snapshot the slot holds cannot go away then.
  @inline(__always) private func pinAgain(_ index: UInt32, _ kind: PinKind) -> Pin? {
    let own = unsafe ownCount(index, kind)
    var count = unsafe own.pointee.load(ordering: .relaxed)
    while count > 1 {
      let (exchanged, original) = unsafe own.pointee.weakCompareExchange(
        expected: count, desired: count + 1, successOrdering: .acquiring, failureOrdering: .relaxed)
      if exchanged {
        let slot = unsafe self.slot(index)
        return unsafe Pin(slot: index, kind: kind, version: slot.version, byteCount: slot.byteCount, topRef: Ref(slot.topRef))
      }
      count = original
    }
    return nil
  }

  private enum Target {
    case newest
    case version(UInt64)
    case slot(UInt32, version: UInt64)
  }

  private enum Grab {
    case pinned(Pin)
    case notAvailable
    case damagedList
    case damagedSlot(ListedSnapshot)
  }

  private func pinUnderLock(_ kind: PinKind, _ target: Target) throws(StorageError) -> Pin {
    try file.lock(file.versionListMutex)
    let result = grab(kind, target)
    file.versionListMutex.unlock()
    switch result {
    case .pinned(let pin): return pin
    case .notAvailable:
      switch target {
      case .newest: throw .versionNotAvailable(version: 0)
      case .version(let version), .slot(_, let version): throw .versionNotAvailable(version: version)
      }
    case .damagedList: throw damage
    case .damagedSlot(let snapshot):
      throw .invalidDatabase(
        path: file.paths.database,
        reason: "Invalid ref or size in the version list: \(snapshot.topRef), \(snapshot.byteCount), version \(snapshot.version)")
    }
  }

  /// T4.2, with the mutex held.
  private func grab(_ kind: PinKind, _ target: Target) -> Grab {
    guard let entries = entriesUnderLock() else { return .damagedList }
    let newest = newest
    guard newest < entries else { return .damagedList }
    let index: UInt32
    switch target {
    case .newest: index = newest
    case .slot(let wanted, let version):
      guard wanted < entries, unsafe slot(wanted).version == version else { return .notAvailable }
      index = wanted
    case .version(let version):
      guard version != 0, let found = (0..<entries).first(where: { unsafe self.slot($0).version == version }) else { return .notAvailable }
      index = found
    }
    let slot = unsafe self.slot(index)
    if index != newest {
      let held = unsafe kind == .live ? slot.live > 0 : slot.live > 0 || slot.frozen > 0
      guard held else { return .notAvailable }
    }
    let snapshot = unsafe slot.snapshot
    guard snapshot.version != 0, snapshot.topRef.byteOffset.isMultiple(of: 8), snapshot.topRef.byteOffset < snapshot.byteCount else {
      return .damagedSlot(snapshot)
    }
    let own = unsafe ownCount(index, kind)
    // Up to 2 only under the mutex: 0 stays 0 here, and what is above 0 does not become 0.
    if unsafe own.pointee.load(ordering: .relaxed) == 0 {
      unsafe slot.setCount(kind, slot.count(kind) &+ 1)
      unsafe own.pointee.store(1, ordering: .releasing)
    } else {
      unsafe own.pointee.wrappingAdd(1, ordering: .releasing)
    }
    return .pinned(
      Pin(slot: index, kind: kind, version: snapshot.version, byteCount: snapshot.byteCount, topRef: snapshot.topRef))
  }

  /// Whether this participant holds any snapshot. A hint, unless nobody can claim one meanwhile.
  var holdsPins: Bool {
    for index in 0..<2 * Int(verifiedEntries.load(ordering: .relaxed)) where unsafe ownCounts[index].load(ordering: .relaxed) > 0 { return true }
    return false
  }

  /// The oldest version that this participant holds; nil if it holds none, 0 if the mutex does not work.
  func oldestOwn() -> UInt64? {
    // Counts come from 0 and go to 0 under the mutex only.
    guard (try? file.lock(file.versionListMutex)) != nil else { return 0 }
    defer { file.versionListMutex.unlock() }
    var oldest: UInt64?
    for index in 0..<verifiedEntries.load(ordering: .relaxed) {
      for kind in [PinKind.live, .frozen] where unsafe ownCount(index, kind).pointee.load(ordering: .acquiring) > 0 {
        oldest = unsafe min(oldest ?? .max, slot(index).version)
      }
    }
    return oldest
  }

  /// Gives back everything this participant holds, for one that leaves.
  func unpinAll() {
    guard (try? file.lock(file.versionListMutex)) != nil else { return }
    defer { file.versionListMutex.unlock() }
    for index in 0..<verifiedEntries.load(ordering: .relaxed) {
      for kind in [PinKind.live, .frozen] where unsafe ownCount(index, kind).pointee.exchange(0, ordering: .relaxed) > 0 {
        let slot = unsafe self.slot(index)
        unsafe slot.setCount(kind, slot.count(kind) &- 1)
      }
    }
  }

  // MARK: Writing (with the write mutex held)

  /// Frees the slots that nobody reads and makes sure that a free one is left for `publish`. T4.3. The newest is kept in any case.
  func purge() throws(StorageError) -> PurgeResult {
    var reachable: [ListedSnapshot] = []
    // Only a writer makes the list longer, so the room suffices.
    reachable.reserveCapacity(Int(min(entries, maximumEntries)))
    try file.lock(file.versionListMutex)
    let cleared = clearUnreachable(&reachable)
    file.versionListMutex.unlock()
    guard let cleared else { throw damage }
    if !cleared.hasFreeSlot { try grow() }
    reachable.sort()
    guard let oldest = reachable.first?.version else { throw damage }
    return PurgeResult(
      oldestReachable: oldest, oldestLive: cleared.oldestLive, reachable: reachable, anyNewUnreachable: cleared.anyNewUnreachable)
  }

  private struct Cleared {
    var oldestLive: UInt64
    var anyNewUnreachable = false
    var hasFreeSlot = false
  }

  private func clearUnreachable(_ reachable: inout [ListedSnapshot]) -> Cleared? {
    guard let entries = entriesUnderLock(), newest < entries else { return nil }
    let newest = newest
    if allocating != newest {
      // A writer died in `publish`; nobody could reach that slot.
      if allocating < entries { unsafe slot(allocating).clear() }
      allocating = newest
    }
    var oldestFull = UInt64.max
    var oldestLive = unsafe slot(newest).version
    for index in 0..<entries {
      let slot = unsafe self.slot(index)
      guard unsafe slot.version != 0 else { continue }
      if unsafe slot.full > 0 { oldestFull = unsafe min(oldestFull, slot.version) }
      if unsafe slot.live > 0 { oldestLive = unsafe min(oldestLive, slot.version) }
    }
    oldestLive = min(oldestLive, oldestFull)
    func isReachable(_ index: UInt32) -> Bool {
      let slot = unsafe self.slot(index)
      return unsafe index == newest || slot.live > 0 || slot.frozen > 0 || slot.version >= oldestFull
    }
    var oldest = UInt64.max
    for index in 0..<entries where unsafe slot(index).version != 0 && isReachable(index) {
      guard reachable.count < reachable.capacity else { return nil }
      let snapshot = unsafe slot(index).snapshot
      reachable.append(snapshot)
      oldest = min(oldest, snapshot.version)
    }
    var cleared = Cleared(oldestLive: oldestLive)
    for index in 0..<entries {
      let slot = unsafe self.slot(index)
      if unsafe slot.version != 0, !isReachable(index) {
        if unsafe slot.version > oldest { cleared.anyNewUnreachable = true }
        unsafe slot.release()
      }
      if unsafe slot.version == 0 { cleared.hasFreeSlot = true }
    }
    return cleared
  }

  /// Makes a version the newest. T4.4. Does not fail after a `purge` as long as the mutex works.
  func publish(_ snapshot: ListedSnapshot) throws(StorageError) {
    var outcome = try publishUnderLock(snapshot)
    if outcome == .full {
      try grow()
      outcome = try publishUnderLock(snapshot)
    }
    guard outcome == .done else { throw damage }
  }

  private enum Publication { case done, full, damaged }

  private func publishUnderLock(_ snapshot: ListedSnapshot) throws(StorageError) -> Publication {
    try file.lock(file.versionListMutex)
    defer { file.versionListMutex.unlock() }
    guard let entries = entriesUnderLock(), newest < entries else { return .damaged }
    var index = allocating
    if index == newest {
      guard let free = (0..<entries).first(where: { unsafe slot($0).version == 0 }) else { return .full }
      index = free
      allocating = free
    }
    guard index < entries else { return .damaged }
    unsafe slot(index).fill(snapshot)
    newest = index
    return .done
  }

  /// Adds 32 slots. T4.5. The file is extended without the mutex: only writers do that, and the caller is the only one.
  private func grow() throws(StorageError) {
    let current = entries
    let larger = current + UInt32(LockFileLayout.slotsPerGrowth)
    guard larger <= maximumEntries else { throw .tooManyVersions(count: UInt64(current), limit: UInt64(maximumEntries)) }
    try file.allocate(file.layout.byteCount(entries: Int(larger)))
    try file.lock(file.versionListMutex)
    defer { file.versionListMutex.unlock() }
    for index in current..<larger { unsafe slot(index).clear() }
    entries = larger
    verifiedEntries.store(larger, ordering: .relaxed)
  }

  /// Every used slot, by ascending version.
  func listed() throws(StorageError) -> [ListedSnapshot] {
    var found: [ListedSnapshot] = []
    var isComplete = false
    while !isComplete {
      found.removeAll()
      found.reserveCapacity(Int(min(entries, maximumEntries)))
      try file.lock(file.versionListMutex)
      let usable = entriesUnderLock()
      isComplete = true
      for index in 0..<(usable ?? 0) where unsafe slot(index).version != 0 {
        if found.count < found.capacity { unsafe found.append(slot(index).snapshot) } else { isComplete = false }
      }
      file.versionListMutex.unlock()
      guard usable != nil else { throw damage }
    }
    return found.sorted()
  }

  /// The oldest version that somebody reads; the newest if nobody reads an older one.
  func oldestHeld() throws(StorageError) -> UInt64 {
    try file.lock(file.versionListMutex)
    let entries = entriesUnderLock() ?? 0
    let newest = newest
    var oldest = newest < entries ? unsafe slot(newest).version : 0
    for index in 0..<entries {
      let slot = unsafe self.slot(index)
      let isHeld = unsafe slot.live > 0 || slot.frozen > 0 || slot.full > 0
      if unsafe slot.version != 0, isHeld { oldest = unsafe min(oldest, slot.version) }
    }
    file.versionListMutex.unlock()
    guard oldest > 0 else { throw damage }
    return oldest
  }

  /// Every slot that somebody holds, and the newest, by ascending version. T4.1.
  func claims() throws(StorageError) -> [VersionClaims] {
    var found: [VersionClaims] = []
    var isComplete = false
    while !isComplete {
      found.removeAll()
      found.reserveCapacity(Int(min(entries, maximumEntries)))
      try file.lock(file.versionListMutex)
      let usable = entriesUnderLock()
      isComplete = true
      let newest = newest
      for index in 0..<(usable ?? 0) where unsafe slot(index).version != 0 {
        guard found.count < found.capacity else {
          isComplete = false
          break
        }
        let slot = unsafe self.slot(index)
        let claims = unsafe VersionClaims(
          snapshot: slot.snapshot, isNewest: index == newest, live: slot.live, frozen: slot.frozen, full: slot.full,
          ownLive: ownCount(index, .live).pointee.load(ordering: .relaxed), ownFrozen: ownCount(index, .frozen).pointee.load(ordering: .relaxed))
        if claims.isHeld || claims.isNewest { found.append(claims) }
      }
      file.versionListMutex.unlock()
      guard usable != nil else { throw damage }
    }
    return found.sorted()
  }

  /// Starts over with one version, for the initiator and after compaction. This participant holds no pins; nobody else is there.
  func reset(_ snapshot: ListedSnapshot) throws(StorageError) {
    try file.lock(file.versionListMutex)
    defer { file.versionListMutex.unlock() }
    guard let entries = entriesUnderLock() else { throw damage }
    for index in 0..<entries {
      let isPinned = [PinKind.live, .frozen].contains { unsafe ownCount(index, $0).pointee.load(ordering: .relaxed) > 0 }
      precondition(!isPinned, "the version list was reset while a snapshot was pinned")
      unsafe slot(index).clear()
    }
    allocating = 0
    unsafe slot(0).fill(snapshot)
    newest = 0
  }

  // MARK: Fields

  private var damage: StorageError {
    .incompatibleLockFile(path: file.paths.database, reason: "The version list does not fit into the lock file.")
  }

  /// The number of slots, if they all lie inside the file and the mapping. With the mutex held.
  private func entriesUnderLock() -> UInt32? {
    let current = entries
    if current > verifiedEntries.load(ordering: .relaxed) {
      guard current <= maximumEntries, let size = try? file.fileByteCount(), file.layout.byteCount(entries: Int(current)) <= size else {
        return nil
      }
      verifiedEntries.store(current, ordering: .relaxed)
    }
    return current
  }

  private var entries: UInt32 {
    get { unsafe field(0).pointee.load(ordering: .acquiring) }
    nonmutating set { unsafe field(0).pointee.store(newValue, ordering: .releasing) }
  }
  private var allocating: UInt32 {
    get { unsafe field(4).pointee.load(ordering: .relaxed) }
    nonmutating set { unsafe field(4).pointee.store(newValue, ordering: .releasing) }
  }
  @inline(__always) private var newest: UInt32 {
    get { unsafe field(8).pointee.load(ordering: .acquiring) }
    nonmutating set { unsafe field(8).pointee.store(newValue, ordering: .releasing) }
  }
  @inline(__always) private func field(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    unsafe list.advanced(by: offset).bindMemory(to: Atomic<UInt32>.self, capacity: 1)
  }
  @inline(__always) private func slot(_ index: UInt32) -> VersionSlot {
    unsafe VersionSlot(address: list.advanced(by: 16 + Int(index) * LockFileLayout.slotByteCount))
  }
  @inline(__always) private func ownCount(_ index: UInt32, _ kind: PinKind) -> UnsafeMutablePointer<Atomic<UInt32>> {
    precondition(index < maximumEntries)
    return unsafe ownCounts + (2 * Int(index) + Int(kind.rawValue))
  }
}

/// A slot in the mapping: version (0 = free), size, top ref, then three counts. Every store is ordered after the ones before it, so that
/// a writer may die anywhere.
@unsafe private struct VersionSlot {
  let address: UnsafeMutableRawPointer

  @inline(__always) private func long(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    unsafe address.advanced(by: offset).bindMemory(to: Atomic<UInt64>.self, capacity: 1)
  }
  @inline(__always) private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    unsafe address.advanced(by: offset).bindMemory(to: Atomic<UInt32>.self, capacity: 1)
  }

  @inline(__always) var version: UInt64 { unsafe long(0).pointee.load(ordering: .acquiring) }
  @inline(__always) var byteCount: UInt64 { unsafe long(8).pointee.load(ordering: .relaxed) }
  @inline(__always) var topRef: UInt64 { unsafe long(16).pointee.load(ordering: .relaxed) }
  var live: UInt32 { unsafe word(24).pointee.load(ordering: .relaxed) }
  var frozen: UInt32 { unsafe word(28).pointee.load(ordering: .relaxed) }
  var full: UInt32 { unsafe word(32).pointee.load(ordering: .relaxed) }
  var snapshot: ListedSnapshot { unsafe ListedSnapshot(version: version, byteCount: byteCount, topRef: Ref(topRef)) }

  func count(_ kind: PinKind) -> UInt32 { unsafe kind == .live ? live : frozen }
  func setCount(_ kind: PinKind, _ count: UInt32) { unsafe word(24 + 4 * Int(kind.rawValue)).pointee.store(count, ordering: .releasing) }

  func fill(_ snapshot: ListedSnapshot) {
    unsafe long(16).pointee.store(snapshot.topRef.byteOffset, ordering: .relaxed)
    unsafe long(8).pointee.store(snapshot.byteCount, ordering: .relaxed)
    unsafe long(0).pointee.store(snapshot.version, ordering: .releasing)
  }

  /// Marks the slot as free, so that a use after that is noticed.
  func release() {
    unsafe long(16).pointee.store(.max, ordering: .relaxed)
    unsafe long(8).pointee.store(.max, ordering: .relaxed)
    unsafe long(0).pointee.store(0, ordering: .releasing)
  }

  /// Free and uncounted.
  func clear() {
    unsafe long(0).pointee.store(0, ordering: .releasing)
    for offset in [8, 16] { unsafe long(offset).pointee.store(0, ordering: .relaxed) }
    for offset in [24, 28, 32] { unsafe word(offset).pointee.store(0, ordering: .releasing) }
  }
}
