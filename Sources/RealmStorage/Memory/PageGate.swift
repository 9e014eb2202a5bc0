import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Fills the place of an encrypted file's mapping with decrypted pages, each when it is first used, and keeps them fresh.
///
/// A page is good if its stamp is the present *epoch*. When a version is read that this process has not seen and did not write itself, the
/// epoch advances, and each page is compared with the file's metadata when it is next used: only what somebody has written since is decrypted
/// again, and only words that differ are replaced, because snapshots are being read at the same time whose nodes never change
/// (E8.3). Any number of threads.
@safe final class PageGate: @unchecked Sendable {
  // SAFETY: `base` points to `pageCount` pages (and one before them) that the owner, a `Mapping`, keeps longer than this object; the tables
  // are one reservation of this object's own, for the same number of pages, unmapped in `deinit`. All calls check page numbers against
  // `pageCount`. Stamps and epoch are atomic; everything else in the tables, and the writing of pages, belongs to the holder of the lock of
  // the page's stripe. Bytes that change in a page that others read lie in no node of any live snapshot.
  private let base: UnsafeMutableRawPointer
  private let pageCount: Int
  private let storage: EncryptedStorage
  private let tables: UnsafeMutableRawPointer
  private let tableByteCount: Int
  private let stamps: UnsafeMutablePointer<Atomic<UInt32>>
  /// By page: the slot that its plaintext was decrypted from, or none if that is to be found out anew.
  private let slots: UnsafeMutablePointer<PageSlot>
  /// By group: the epoch that the copy of its metadata page was read in.
  private let metadataEpochs: UnsafeMutablePointer<UInt32>
  private let metadata: UnsafeMutablePointer<PageEntry>
  private let epoch: UnsafeMutablePointer<Atomic<UInt32>>
  private let stripes: [Stripe]
  /// Pages of the present epoch are good for this version and all older ones.
  private let coveredVersion = Locked<UInt64>(0)
  /// Pages whose stamp is not 0.
  private let keptCount = Atomic<Int>(0)
  /// More pages than this make the gate crowded.
  private let keptLimit: Int
  private let reclamation = Locked(Reclamation())

  /// What lies before the pages, for `NodeSpace`, which knows only where they begin.
  static let leadByteCount = 4096
  private static let gateOffset = -64
  private static let stampsOffset = -56
  private static let epochOffset = -48

  /// Stamps: 0 was never decrypted, 1 is to be looked at again in any case.
  private static let doubtful: UInt32 = 1
  private static let firstEpoch: UInt32 = 2
  private static let stripeCount = 16

  private final class Stripe: Sendable {
    let lock = Locked(())
    /// One page of ciphertext, one of plaintext; used under the lock.
    let buffers = PageBuffers(count: 2)
  }

  /// - Parameter keptByteCount: more decrypted pages than this are given back when it can be done.
  /// - Returns: nil when the system refuses address space.
  init?(_ storage: EncryptedStorage, base: UnsafeMutableRawPointer, span: UInt64, keptByteCount: UInt64) {
    keptLimit = Int(min(keptByteCount, span)) / CipherLayout.pageByteCount
    let pages = Int(span) / CipherLayout.pageByteCount
    let groups = (pages + CipherLayout.pagesPerGroup - 1) / CipherLayout.pagesPerGroup
    let (stampBytes, slotBytes, epochBytes) = (pages * 4, pages * MemoryLayout<PageSlot>.stride, groups * 4)
    let total = stampBytes + slotBytes + groups * CipherLayout.pageByteCount + epochBytes
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let start = unsafe mmap(nil, total, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe start != MAP_FAILED else { return nil }
    unsafe tables = start
    tableByteCount = total
    unsafe stamps = start.bindMemory(to: Atomic<UInt32>.self, capacity: pages)
    unsafe slots = (start + stampBytes).bindMemory(to: PageSlot.self, capacity: pages)
    unsafe metadata = (start + stampBytes + slotBytes).bindMemory(to: PageEntry.self, capacity: groups * CipherLayout.pagesPerGroup)
    unsafe metadataEpochs = (start + total - epochBytes).bindMemory(to: UInt32.self, capacity: groups)
    unsafe epoch = (base + Self.epochOffset).bindMemory(to: Atomic<UInt32>.self, capacity: 1)
    unsafe self.base = base
    pageCount = pages
    self.storage = storage
    stripes = (0..<Self.stripeCount).map { _ in Stripe() }
    unsafe epoch.pointee.store(Self.firstEpoch, ordering: .releasing)
    unsafe (base + Self.stampsOffset).storeBytes(of: stamps, as: UnsafeMutablePointer<Atomic<UInt32>>.self)
    // Not retained: the owner of the pages owns this object too.
    unsafe (base + Self.gateOffset).storeBytes(of: Unmanaged.passUnretained(self).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  deinit { unsafe munmap(tables, tableByteCount) }

  // MARK: The door

  /// Whether the pages of a range of the file are good to be read.
  @inline(__always) static func isOpen(_ base: UnsafeRawPointer, first: Int, last: Int) -> Bool {
    let stamps = unsafe (base + stampsOffset).load(as: UnsafePointer<Atomic<UInt32>>.self)
    let epoch = unsafe (base + epochOffset).assumingMemoryBound(to: Atomic<UInt32>.self).pointee.load(ordering: .relaxed)
    var page = first
    repeat {
      if unsafe stamps[page].load(ordering: .acquiring) != epoch { return false }
      page += 1
    } while page <= last
    return true
  }

  /// Makes pages good to be read.
  @inline(never) static func admit(_ base: UnsafeRawPointer, first: Int, last: Int) throws(StorageError) {
    let gate = unsafe Unmanaged<PageGate>.fromOpaque((base + gateOffset).load(as: UnsafeRawPointer.self)).takeUnretainedValue()
    for page in first...last { try gate.admit(page) }
  }

  private func admit(_ page: Int) throws(StorageError) {
    guard page < pageCount else { throw storage.unreadable(page, PageState.pastEnd.failure!) }
    let stripe = stripe(page)
    try stripe.lock.withLock { (_) throws(StorageError) in
      let now = unsafe epoch.pointee.load(ordering: .acquiring)
      let stamp = unsafe stamps[page].load(ordering: .relaxed)
      if stamp == now { return }
      let entry = try entry(page, now)
      if stamp != 0, unsafe slots[page] == entry.latest, entry.latest.counter != 0 {
        unsafe stamps[page].store(now, ordering: .releasing)
        return
      }
      // Nobody reads a page that was never admitted.
      let place = unsafe place(page)
      let target = unsafe stamp == 0 ? place : stripe.buffers.address(1)
      let loaded = try unsafe storage.load(page, entry: entry, to: target, ciphertext: stripe.buffers.address(0))
      if let failure = loaded.state.failure { throw storage.unreadable(page, failure) }
      if stamp == 0 { keptCount.add(1, ordering: .relaxed) }
      if stamp != 0 { unsafe Self.replaceWords(of: place, by: target) }
      // What was read while a write was under way always counts as different the next time.
      unsafe slots[page] = loaded.state == .current ? loaded.slot : .none
      unsafe stamps[page].store(now, ordering: .releasing)
    }
  }

  /// The metadata, read no earlier than the present epoch began.
  private func entry(_ page: Int, _ now: UInt32) throws(StorageError) -> PageEntry {
    let group = page / CipherLayout.pagesPerGroup
    let entries = unsafe metadata + group * CipherLayout.pagesPerGroup
    if unsafe metadataEpochs[group] != now {
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: entries, count: CipherLayout.pageByteCount)
      let count = try unsafe storage.physical.read(into: buffer, at: CipherLayout.metadataOffset(group: group))
      for index in count..<CipherLayout.pageByteCount { unsafe buffer[index] = 0 }
      unsafe metadataEpochs[group] = now
    }
    return unsafe entries[page % CipherLayout.pagesPerGroup]
  }

  private func stripe(_ page: Int) -> Stripe { stripes[page / CipherLayout.pagesPerGroup % Self.stripeCount] }
  private func place(_ page: Int) -> UnsafeMutableRawPointer { unsafe base + page * CipherLayout.pageByteCount }

  /// - Parameter range: of bytes; nothing else differs.
  private static func replaceWords(
    of place: UnsafeMutableRawPointer, by source: UnsafeRawPointer, _ range: Range<Int> = 0..<CipherLayout.pageByteCount
  ) {
    let old = unsafe place.assumingMemoryBound(to: UInt64.self)
    let new = unsafe source.assumingMemoryBound(to: UInt64.self)
    for index in range.lowerBound / 8..<(range.upperBound + 7) / 8 {
      let word = unsafe new[index]
      if unsafe old[index] != word { unsafe old[index] = word }
    }
  }

  // MARK: Versions

  func willRead(_ version: UInt64) {
    coveredVersion.withLock {
      guard version > $0 else { return }
      $0 = version
      advance()
    }
  }

  func didPublish(_ version: UInt64) { coveredVersion.withLock { if $0 == version - 1 { $0 = version } } }

  private func advance() {
    let now = unsafe epoch.pointee.load(ordering: .relaxed)
    unsafe epoch.pointee.store(now == .max ? Self.firstEpoch : now + 1, ordering: .releasing)
  }

  // MARK: Giving memory back

  /// An epoch that was begun in order to find out which pages are still needed.
  private struct Reclamation {
    /// Readers who began before it hold no version above this one.
    var version: UInt64 = 0
    /// 0 is none.
    var epoch: UInt32 = 0
    var lastTriedVersion: UInt64 = 0
    var tryCount = 0
    /// What was used too recently to be given back the last time, and when that was, in milliseconds.
    var neededCount = 0
    var lastMilliseconds: UInt64 = 0

    /// A new epoch makes readers look at the metadata of every page that they use, so there is not one after the other, unless much was
    /// added.
    func isDue(_ keptCount: Int) -> Bool { keptCount > 2 * neededCount || Self.milliseconds > lastMilliseconds + 1000 }
    static var milliseconds: UInt64 {
      var time = timespec()
      #if canImport(Glibc) || canImport(Musl)
        _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
      #else
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      #endif
      return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
  }

  /// More is decrypted than should be kept.
  @inline(__always) var isCrowded: Bool { keptCount.load(ordering: .relaxed) > keptLimit }
  var keptByteCount: UInt64 { UInt64(keptCount.load(ordering: .relaxed)) * UInt64(CipherLayout.pageByteCount) }

  /// Gives pages back that no reader can hold a pointer into, now or at a later call.
  ///
  /// A reader gets pointers only into pages that it finds with the stamp of the present epoch, and may keep them until it gives up its version. So
  /// a new epoch is begun; as soon as all versions that were held then have been given up, pages with older stamps are nobody's. Nobody may begin
  /// to read during the call.
  /// - Parameters:
  ///   - newestVersion: may be called once the new epoch has begun.
  ///   - oldestHeldVersion: the oldest that this process holds; nil if none.
  ///   - isUrgent: even if little is kept.
  func giveBack(newestVersion: () -> UInt64, oldestHeldVersion: () -> UInt64?, isUrgent: Bool) {
    reclamation.withLock { state in
      if state.epoch == 0 {
        guard isUrgent || isCrowded && state.isDue(keptCount.load(ordering: .relaxed)) else { return }
        state.epoch = coveredVersion.withLock { _ in
          advance()
          return unsafe epoch.pointee.load(ordering: .relaxed)
        }
        state.version = newestVersion()
      }
      // Somebody may hold an old version for long, and asking takes a lock that other processes share.
      let newest = newestVersion()
      state.tryCount &+= 1
      guard isUrgent || newest != state.lastTriedVersion || state.tryCount % 64 == 0 else { return }
      state.lastTriedVersion = newest
      if let oldest = oldestHeldVersion(), oldest <= state.version { return }
      sweep(before: state.epoch)
      state.epoch = 0
      state.neededCount = keptCount.load(ordering: .relaxed)
      state.lastMilliseconds = Reclamation.milliseconds
    }
  }

  private func sweep(before first: UInt32) {
    // Epochs began anew at the smallest number.
    guard unsafe first <= epoch.pointee.load(ordering: .relaxed) else { return }
    var remaining = keptCount.load(ordering: .relaxed)
    var start = 0
    while start < pageCount, remaining > 0 {
      let end = min(start + CipherLayout.pagesPerGroup, pageCount)
      stripe(start).lock.withLock { _ in
        var run = start..<start
        for page in start..<end {
          let stamp = unsafe stamps[page].load(ordering: .relaxed)
          if stamp != 0 { remaining -= 1 }
          // A doubtful page may have been read in the present epoch.
          guard stamp > Self.doubtful, stamp < first else { continue }
          unsafe stamps[page].store(0, ordering: .releasing)
          unsafe slots[page] = .none
          keptCount.subtract(1, ordering: .relaxed)
          if run.upperBound != page {
            discard(run)
            run = page..<page
          }
          run = run.lowerBound..<page + 1
        }
        discard(run)
      }
      start = end
    }
  }

  /// Returns the memory of pages to the system, as far as its own pages lie within.
  private func discard(_ pages: Range<Int>) {
    let systemPage = Int(sysconf(Int32(_SC_PAGESIZE)))
    let start = (pages.lowerBound * CipherLayout.pageByteCount + systemPage - 1) / systemPage * systemPage
    let end = pages.upperBound * CipherLayout.pageByteCount / systemPage * systemPage
    if start < end { _ = unsafe madvise(base + start, end - start, MADV_DONTNEED) }
  }

  // MARK: For the writer

  func copy(_ page: Int, ifWrittenAs slot: PageSlot, to target: UnsafeMutableRawPointer) -> Bool {
    guard page < pageCount, slot.counter != 0 else { return false }
    return stripe(page).lock.withLock { _ in
      guard unsafe stamps[page].load(ordering: .relaxed) != 0, unsafe slots[page] == slot else { return false }
      unsafe target.copyMemory(from: place(page), byteCount: CipherLayout.pageByteCount)
      return true
    }
  }

  func holds(_ page: Int, writtenAs slot: PageSlot, _ contents: UnsafeRawPointer) -> Bool {
    guard page < pageCount, slot.counter != 0 else { return false }
    return stripe(page).lock.withLock { _ in
      guard unsafe stamps[page].load(ordering: .relaxed) != 0, unsafe slots[page] == slot else { return false }
      return unsafe memcmp(contents, place(page), CipherLayout.pageByteCount) == 0
    }
  }

  /// - Parameter changed: what differs from the contents written as `base`.
  func store(_ page: Int, writtenAs slot: PageSlot, from plaintext: UnsafeRawPointer, changed: Range<Int>, since base: PageSlot) {
    guard page < pageCount else { return }
    stripe(page).lock.withLock { _ in
      if unsafe stamps[page].load(ordering: .relaxed) == 0 {
        keptCount.add(1, ordering: .relaxed)
        unsafe place(page).copyMemory(from: plaintext, byteCount: CipherLayout.pageByteCount)
      } else {
        let isBase = unsafe slots[page] == base && base.counter != 0
        unsafe Self.replaceWords(of: place(page), by: plaintext, isBase ? changed : 0..<CipherLayout.pageByteCount)
      }
      unsafe slots[page] = slot
      unsafe stamps[page].store(epoch.pointee.load(ordering: .relaxed), ordering: .releasing)
    }
  }

  func forget(_ page: Int) {
    guard page < pageCount else { return }
    stripe(page).lock.withLock { _ in
      unsafe slots[page] = .none
      // The copy of the metadata may be out of date, too.
      unsafe metadataEpochs[page / CipherLayout.pagesPerGroup] = 0
      if unsafe stamps[page].load(ordering: .relaxed) != 0 { unsafe stamps[page].store(Self.doubtful, ordering: .releasing) }
    }
  }
}
