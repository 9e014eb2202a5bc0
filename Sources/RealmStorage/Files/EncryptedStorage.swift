import Synchronization

/// An encrypted file that looks like a plain one: offsets and sizes are those of the plaintext. E1.
///
/// Writes are collected page by page; `sync` brings them to disk in an order that a crash at any point survives (`EncryptedStorage+Flush`).
/// Readers of nodes do not come here but to the mapping, whose gate calls `load`.
package final class EncryptedStorage: Storage {
  /// The file itself: ciphertext and metadata.
  package let physical: any Storage
  let cipher: PageCipher
  let key: EncryptionKey
  let usesBarriers: Bool
  /// Somebody may be writing a page that makes no sense; else one look at it is enough.
  let expectsWriters: Bool
  let pending = Locked(PendingPages())
  private let sharing = Locked(Sharing())
  private let barrierFailure = Atomic<Bool>(false)

  private struct Sharing {
    var marks: PageMarks?
    weak var cache: (any PlaintextPages)?
  }

  /// - Parameters:
  ///   - key: kept; wiped by ``wipeKey()``.
  ///   - usesBarriers: false for files that need not survive a power cut.
  ///   - expectsWriters: false for a file that nobody else has open: no page is read again in the hope that it becomes readable.
  package init(_ file: any Storage, key: EncryptionKey, usesBarriers: Bool = true, expectsWriters: Bool = true) {
    physical = file
    self.expectsWriters = expectsWriters
    self.key = key
    self.usesBarriers = usesBarriers
    cipher = PageCipher(key)
  }

  package func wipeKey() {
    key.wipe()
    cipher.wipe()
  }

  package var path: String { physical.path }
  package var descriptor: Int32 { physical.descriptor }
  package var isWritable: Bool { physical.isWritable }
  package var encryptionKey: EncryptionKey? { key }
  package var decryption: EncryptedStorage? { self }
  /// Whatever is written, whole pages are.
  package var prefersRuns: Bool { true }
  /// Left to the next session: metadata of pages that others believe in would go.
  package var canBeCutInUse: Bool { false }
  /// The footer is found at the end of the last whole page (E7).
  package var footerAlignment: UInt64 { UInt64(CipherLayout.pageByteCount) }

  package var hasFailedBarrier: Bool { barrierFailure.load(ordering: .relaxed) }
  func noteFailedBarrier() { barrierFailure.store(true, ordering: .relaxed) }

  var marks: PageMarks? { sharing.withLock { $0.marks } }
  var cache: (any PlaintextPages)? { sharing.withLock { $0.cache } }
  package func setMarks(_ marks: PageMarks?) { sharing.withLock { $0.marks = marks } }
  /// Where decrypted pages are kept; not retained.
  func setCache(_ cache: any PlaintextPages) { sharing.withLock { $0.cache = cache } }

  // MARK: Sizes

  /// - Throws: `.invalidDatabase` for a file that is too short for a page, so that nobody takes it for a new one.
  package func byteCount() throws(StorageError) -> UInt64 {
    let size = try physical.byteCount()
    guard size == 0 || size > UInt64(CipherLayout.pageByteCount) else {
      throw .invalidDatabase(path: path, reason: "Attempt to open unencrypted file with encryption key")
    }
    return CipherLayout.plaintextByteCount(physical: size)
  }

  package func extend(from start: UInt64, to end: UInt64) throws(StorageError) {
    guard end <= UInt64(Int64.max) / 2 else { throw .invalidArgument(reason: "file of \(end) bytes") }
    guard start < end else { return }
    let page = Int(start / UInt64(CipherLayout.pageByteCount))
    let first = page % CipherLayout.pagesPerGroup == 0 ? CipherLayout.entryOffset(page) : CipherLayout.dataOffset(page)
    try physical.extend(from: first, to: CipherLayout.physicalByteCount(plaintext: end))
  }

  package func truncate(to byteCount: UInt64) throws(StorageError) {
    pending.withLock { $0.removeAll() }
    guard byteCount <= UInt64(Int64.max) / 2 else { throw .invalidArgument(reason: "file of \(byteCount) bytes") }
    try physical.truncate(to: byteCount == 0 ? 0 : CipherLayout.physicalByteCount(plaintext: byteCount))
  }

  // MARK: Reading

  /// - Throws: `.decryptionFailed` for a page that cannot be read.
  package func read(_ byteCount: Int, at offset: UInt64) throws(StorageError) -> [UInt8] {
    let end = min(try self.byteCount(), offset.addingReportingOverflow(UInt64(max(byteCount, 0))).partialValue)
    guard byteCount > 0, offset < end else { return [] }
    let pageByteCount = UInt64(CipherLayout.pageByteCount)
    let buffers = PageBuffers(count: 2)
    var result: [UInt8] = []
    result.reserveCapacity(Int(end - offset))
    var position = offset
    while position < end {
      let page = Int(position / pageByteCount)
      let start = UInt64(page) * pageByteCount
      try readPage(page, buffers)
      let range = Int(position - start)..<Int(min(end - start, pageByteCount))
      unsafe result.append(contentsOf: UnsafeRawBufferPointer(start: buffers.address(0) + range.lowerBound, count: range.count))
      position = start + pageByteCount
    }
    return result
  }

  /// Puts the plaintext into the first buffer.
  private func readPage(_ page: Int, _ buffers: PageBuffers) throws(StorageError) {
    let isPending = pending.withLock { unsafe $0.copy(page, to: buffers.address(0)) }
    if isPending { return }
    let entry = try readEntry(page)
    if let cache, unsafe cache.copy(page, ifWrittenAs: entry.latest, to: buffers.address(0)) { return }
    let loaded = try unsafe load(page, entry: entry, to: buffers.address(0), ciphertext: buffers.address(1))
    if let failure = loaded.state.failure { throw unreadable(page, failure) }
  }

  /// What the metadata says now; zeros where the file ends.
  func readEntry(_ page: Int) throws(StorageError) -> PageEntry {
    var entry = PageEntry(latest: .none, previous: .none)
    try unsafe withUnsafeMutablePointer(to: &entry) { (entry) throws(StorageError) in
      let bytes = unsafe UnsafeMutableRawBufferPointer(start: entry, count: CipherLayout.entryByteCount)
      _ = try unsafe physical.read(into: bytes, at: CipherLayout.entryOffset(page))
    }
    return entry
  }

  struct LoadedPage {
    let state: PageState
    /// The slot that belongs to what was read.
    let slot: PageSlot
    let entry: PageEntry
  }

  /// Finds out what a page holds. Pages that cannot be read are no error here, and leave `plaintext` as it is.
  ///
  /// - Parameters:
  ///   - entry: the metadata, read after the snapshot in question was published; nil to read it.
  ///   - plaintext: where to decrypt to; nil if only the state matters.
  ///   - ciphertext: room for a page.
  ///   - isWriter: the caller holds the write mutex and has just read `entry`, so one look is enough.
  /// - Throws: `.io`.
  func load(
    _ page: Int, entry known: PageEntry?, to plaintext: UnsafeMutableRawPointer?, ciphertext: UnsafeMutableRawPointer,
    isWriter: Bool = false
  ) throws(StorageError) -> LoadedPage {
    var patience = PageReadPatience(marks)
    var entry = known
    while true {
      let isFresh = entry == nil
      let present: PageEntry
      if let entry { present = entry } else { present = try readEntry(page) }
      let (state, slot, mac) = try unsafe examine(page, present, ciphertext)
      switch state {
      case .current, .previous:
        if let plaintext = unsafe plaintext { unsafe cipher.decrypt(ciphertext, to: plaintext, page: page, counter: slot.counter) }
        return LoadedPage(state: state, slot: slot, entry: present)
      case .unwritten, .pastEnd, .zeroExtended, .interrupted, .bad:
        // A writer may have been between metadata and data, or have just written what the given metadata do not show yet.
        if !isWriter && (!isFresh || expectsWriters && patience.tryAgain(present, mac: mac)) {
          entry = nil
          continue
        }
        if state == .zeroExtended, let plaintext = unsafe plaintext {
          unsafe plaintext.initializeMemory(as: UInt8.self, repeating: 0, count: CipherLayout.pageByteCount)
        }
        return LoadedPage(state: state, slot: slot, entry: present)
      }
    }
  }

  /// One look at a page. The first condition that holds decides (E5).
  private func examine(
    _ page: Int, _ entry: PageEntry, _ ciphertext: UnsafeMutableRawPointer
  ) throws(StorageError) -> (PageState, PageSlot, mac: PageSlot) {
    if entry.latest.counter == 0 { return (.unwritten, .none, .none) }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: ciphertext, count: CipherLayout.pageByteCount)
    let count = try unsafe physical.read(into: buffer, at: CipherLayout.dataOffset(page))
    if count < CipherLayout.pageByteCount { return (.pastEnd, .none, .none) }
    let mac = unsafe cipher.mac(ciphertext)
    if mac.hasMAC(of: entry.latest) { return (.current, entry.latest, mac) }
    if entry.previous.counter == 0 { return (.interrupted, .none, mac) }
    if mac.hasMAC(of: entry.previous) { return (.previous, entry.previous, mac) }
    let isZero = unsafe buffer.bindMemory(to: UInt64.self).allSatisfy { $0 == 0 }
    return (isZero ? .zeroExtended : .bad, entry.latest, mac)
  }

  func unreadable(_ page: Int, _ failure: String) -> StorageError {
    let size = (try? physical.byteCount()) ?? 0
    return .decryptionFailed(path: path, reason: "Decryption failed: page \(page) in file of size \(size) \(failure)")
  }

  /// The file's creation was cut short: nothing of its first page was ever completely written. T6.1.
  package func isUnfinished() throws(StorageError) -> Bool {
    let size = CipherLayout.physicalByteCount(plaintext: FileHeader.initialByteCount)
    guard try physical.byteCount() <= size else { return false }
    let bytes = try physical.read(Int(size), at: 0)
    if bytes.allSatisfy({ $0 == 0 }) { return true }
    // The entry of the first page may be there, its data not: creation puts a barrier between them.
    guard bytes.count == Int(size), try readEntry(0).latest.counter == 1 else { return false }
    return bytes.dropFirst(CipherLayout.entryByteCount / 2).allSatisfy { $0 == 0 }
  }
}

/// Who keeps decrypted pages of the file: what is written has to arrive there too, and saves decrypting it again.
protocol PlaintextPages: AnyObject, Sendable {
  /// Copies the page if what is kept was decrypted from, or written as, the given slot.
  func copy(_ page: Int, ifWrittenAs slot: PageSlot, to target: UnsafeMutableRawPointer) -> Bool
  /// Whether the page was decrypted from, or written as, the given slot, with these contents.
  func holds(_ page: Int, writtenAs slot: PageSlot, _ contents: UnsafeRawPointer) -> Bool
  /// The page was written and has these contents now, which differ in the given bytes from those written as `base`.
  func store(_ page: Int, writtenAs slot: PageSlot, from plaintext: UnsafeRawPointer, changed: Range<Int>, since base: PageSlot)
  /// Writing the page failed: who knows what the file holds.
  func forget(_ page: Int)
}

/// Memory for whole pages, freed with the object.
@safe final class PageBuffers: @unchecked Sendable {
  // SAFETY: `start` points to `count` pages from `init` to `deinit`; one thread at a time uses an object.
  private let start: UnsafeMutableRawPointer
  let count: Int

  init(count: Int) {
    self.count = count
    unsafe start = .allocate(byteCount: max(count, 1) * CipherLayout.pageByteCount, alignment: 64)
  }
  deinit { unsafe start.deallocate() }

  func address(_ index: Int) -> UnsafeMutableRawPointer {
    precondition(index >= 0 && index < count)
    return unsafe start + index * CipherLayout.pageByteCount
  }
}
