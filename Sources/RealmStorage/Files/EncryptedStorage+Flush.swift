#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A page that was written to and is not in the file yet.
final class PendingPage: @unchecked Sendable {
  // SAFETY: used under the lock of the `PendingPages` that it belongs to.
  let plaintext: PageBuffers
  /// What differs from the contents written as `valid`.
  private(set) var changed: Range<Int>
  /// The slot that matches what the file holds, for slot 2.
  let valid: PageSlot
  /// The counter of the last write begun.
  let lastCounter: UInt32
  /// Nothing was ever completely written there: entry and data may reach the disk in any order.
  let isFresh: Bool
  /// The plaintext began as that of `valid`, which is what the file holds.
  private let isKnown: Bool

  /// - Parameter isKnown: the plaintext is that of `valid`.
  init(plaintext: PageBuffers, valid: PageSlot, lastCounter: UInt32, isFresh: Bool, isKnown: Bool) {
    self.plaintext = plaintext
    self.isKnown = isKnown
    self.valid = valid
    self.lastCounter = lastCounter
    self.isFresh = isFresh
    changed = isKnown ? 0..<0 : 0..<CipherLayout.pageByteCount
  }

  /// What a page of a free list holds is often what was there two versions ago. Such a page stays as it is in the file.
  func write(_ bytes: UnsafeRawPointer, _ range: Range<Int>) {
    if isKnown, unsafe memcmp(plaintext.address(0) + range.lowerBound, bytes, range.count) == 0 { return }
    unsafe (plaintext.address(0) + range.lowerBound).copyMemory(from: bytes, byteCount: range.count)
    changed = changed.isEmpty ? range : min(changed.lowerBound, range.lowerBound)..<max(changed.upperBound, range.upperBound)
  }
}

/// What has been written since the last barrier, page by page.
struct PendingPages: Sendable {
  fileprivate(set) var pages: [Int: PendingPage] = [:]
  fileprivate var lastTouched = -1
  /// Pages whose data no barrier has covered yet.
  fileprivate var unsettled: Set<Int> = []
  /// What to put into both slots once the data is safe.
  fileprivate var restated: [Int: PageSlot] = [:]
  /// By group: what its metadata page holds. Nobody else changes it while we may write.
  fileprivate var metadata: [Int: [PageEntry]] = [:]
  /// Memory of pages that were written out, for the next ones: fresh memory costs a page fault each.
  private var spare: [PageBuffers] = []
  private static let spareLimit = 2048

  func copy(_ page: Int, to target: UnsafeMutableRawPointer) -> Bool {
    guard let found = pages[page] else { return false }
    unsafe target.copyMemory(from: found.plaintext.address(0), byteCount: CipherLayout.pageByteCount)
    return true
  }

  mutating func removeAll() {
    let kept = spare
    self = PendingPages()
    spare = kept
  }

  /// Takes out all pages but some, by ascending number. Those that the file holds already are forgotten.
  fileprivate mutating func take(except kept: Set<Int> = []) -> [(key: Int, value: PendingPage)] {
    let kept = kept.compactMap { number in pages.removeValue(forKey: number).map { (number, $0) } }
    var taken: [(key: Int, value: PendingPage)] = []
    taken.reserveCapacity(pages.count)
    for (number, page) in pages {
      if page.changed.isEmpty { giveBack([page.plaintext]) } else { taken.append((number, page)) }
    }
    taken.sort { $0.key < $1.key }
    pages.removeAll(keepingCapacity: pages.count <= Self.spareLimit)
    for (number, page) in kept { pages[number] = page }
    return taken
  }

  fileprivate mutating func takeBuffer() -> PageBuffers { spare.popLast() ?? PageBuffers(count: 1) }
  fileprivate mutating func giveBack(_ buffers: [PageBuffers]) {
    spare.append(contentsOf: buffers.prefix(Self.spareLimit - min(spare.count, Self.spareLimit)))
  }
}

// MARK: - Collecting

extension EncryptedStorage {
  /// More pages are not collected but written, at the price of another barrier.
  static let pendingPageLimit = 8192

  package func write(_ buffers: [WriteBuffer], at offset: UInt64) throws(StorageError) {
    guard isWritable else { throw .readOnly(path: path) }
    let total = buffers.reduce(0) { $0 + $1.byteCount }
    guard offset <= UInt64(Int64.max) / 2 else { throw .invalidArgument(reason: "write at \(offset)") }
    let end = offset + UInt64(total)
    try pending.withLock { (pending) throws(StorageError) in
      var position = offset
      for buffer in buffers {
        var done = 0
        while done < buffer.byteCount {
          let page = Int(position / UInt64(CipherLayout.pageByteCount))
          let inPage = Int(position % UInt64(CipherLayout.pageByteCount))
          let count = min(buffer.byteCount - done, CipherLayout.pageByteCount - inPage)
          let start = UInt64(page * CipherLayout.pageByteCount)
          let isWhole = start >= offset && start + UInt64(CipherLayout.pageByteCount) <= end
          if unsafe try !isInFile(page, buffer.start + done, count, &pending) {
            let target = try open(page, isWhole: isWhole, &pending)
            unsafe target.write(buffer.start + done, inPage..<inPage + count)
          }
          done += count
          position += UInt64(count)
        }
      }
    }
  }

  /// Whether a whole page is known to be in the file as it is, so that nothing needs to be done.
  private func isInFile(_ page: Int, _ bytes: UnsafeRawPointer, _ count: Int, _ pending: inout PendingPages) throws(StorageError) -> Bool {
    guard count == CipherLayout.pageByteCount, pending.pages[page] == nil, let cache else { return false }
    return try unsafe cache.holds(page, writtenAs: entry(page, &pending).latest, bytes)
  }

  /// The metadata as the file has them.
  private func entry(_ page: Int, _ pending: inout PendingPages) throws(StorageError) -> PageEntry {
    let group = page / CipherLayout.pagesPerGroup
    if pending.metadata[group] == nil { pending.metadata[group] = try readMetadata(group) }
    return pending.metadata[group]![page % CipherLayout.pagesPerGroup]
  }

  /// The page as it is going to be written, with its present contents unless all of it is overwritten.
  private func open(_ page: Int, isWhole: Bool, _ pending: inout PendingPages) throws(StorageError) -> PendingPage {
    if let known = pending.pages[page] { return known }
    if pending.pages.count >= Self.pendingPageLimit {
      let sealed = SealedPages(pending.take(except: [0, pending.lastTouched]), cipher, &pending)
      if let failure = writeContents(sealed, &pending, isDurable: usesBarriers) { throw failure.error }
    }
    let buffers = pending.takeBuffer()
    let opened = try examineForWriting(page, entry(page, &pending), isWhole: isWhole, buffers)
    pending.pages[page] = opened
    pending.lastTouched = page
    return opened
  }

  /// Looks at what the file holds now, whatever a cache believes: another process may have written the page, or died while it did
  /// (E5 and E8.3).
  private func examineForWriting(
    _ page: Int, _ entry: PageEntry, isWhole: Bool, _ plaintext: PageBuffers
  ) throws(StorageError) -> PendingPage {
    let target = unsafe plaintext.address(0)
    if let cache, unsafe cache.copy(page, ifWrittenAs: entry.latest, to: target) {
      return PendingPage(plaintext: plaintext, valid: entry.latest, lastCounter: entry.latest.counter, isFresh: false, isKnown: true)
    }
    let ciphertext = PageBuffers(count: 1)
    let loaded = try unsafe load(page, entry: entry, to: isWhole ? nil : target, ciphertext: ciphertext.address(0), isWriter: true)
    let last = loaded.entry.latest.counter
    switch loaded.state {
    case .current, .previous, .zeroExtended:
      return PendingPage(plaintext: plaintext, valid: loaded.slot, lastCounter: last, isFresh: false, isKnown: false)
    case .unwritten, .interrupted, .pastEnd:
      unsafe target.initializeMemory(as: UInt8.self, repeating: 0, count: CipherLayout.pageByteCount)
      return PendingPage(plaintext: plaintext, valid: .none, lastCounter: last, isFresh: true, isKnown: false)
    case .bad:
      guard isWhole else { throw unreadable(page, PageState.bad.failure!) }
      return PendingPage(plaintext: plaintext, valid: loaded.slot, lastCounter: last, isFresh: false, isKnown: false)
    }
  }
}

// MARK: - Writing out

extension EncryptedStorage {
  /// Everything that was written is safe on disk afterwards: in two barriers if only new pages, or only the first page, were written, in
  /// three otherwise.
  package func sync() throws(StorageError) {
    if let failure = complete(isDurable: true) { throw failure.error }
  }

  /// Hands everything over to the system, without barriers.
  package func flush() throws(StorageError) {
    if let failure = complete(isDurable: false) { throw failure.error }
  }

  /// The header changes with its first page, whole or not at all, and after all other pages. E6.
  package func select(_ topRef: Ref, _ header: inout FileHeader, isDurable: Bool) -> SelectionFailure? {
    do throws(StorageError) {
      try header.writeUnselectedSlot(topRef: topRef, to: self)
      try header.flip(on: self)
    } catch {
      return SelectionFailure(error: error, isBarrier: false, reachedHeader: false)
    }
    return complete(isDurable: isDurable)
  }

  /// Forgets what was not written out.
  package func abandon() { pending.withLock { $0.removeAll() } }

  /// Brings all pages to disk so that each is readable at every point in time, and the first one after all others. E6.
  private func complete(isDurable: Bool) -> SelectionFailure? {
    let failure = pending.withLock { (pending) -> SelectionFailure? in
      var contents = SealedPages(pending.take(), cipher, &pending)
      let header = contents.takeFirst()
      if let failure = writeContents(contents, &pending, isDurable: isDurable) { return failure }
      guard let sealed = header else { return isDurable ? settle(&pending) : nil }
      if let failure = attempt({ () throws(StorageError) in try writeEntries(sealed, sealed.all, &pending) }) {
        return failed(sealed, failure)
      }
      if isDurable, let failure = settle(&pending) { return failed(sealed, failure) }
      if let failure = attempt({ () throws(StorageError) in try writeData(sealed, sealed.all) }) {
        return failed(sealed, failure, reachedHeader: true)
      }
      if isDurable {
        if !sealed.pages[0].isFresh { pending.restated[0] = sealed.slots[0] }
        if let failure = settle(&pending) { return failed(sealed, failure, reachedHeader: true) }
      }
      publish(sealed, &pending)
      return nil
    }
    if failure == nil && isDurable && !isAlone { restate() }
    abandon()
    return failure
  }

  /// Writes pages; the data of what existed before only after a barrier behind its metadata. No barrier at the end.
  private func writeContents(_ sealed: SealedPages, _ pending: inout PendingPages, isDurable: Bool) -> SelectionFailure? {
    if sealed.numbers.isEmpty { return nil }
    let existing = sealed.all.filter { !sealed.pages[$0].isFresh }
    let fresh = sealed.all.filter { sealed.pages[$0].isFresh }
    if let failure = attempt({ () throws(StorageError) in try makeRoom(page: sealed.numbers.last!) }) { return failed(sealed, failure) }
    // A second write to a page may not replace the metadata of one whose data is not safe yet.
    if isDurable, existing.contains(where: { pending.unsettled.contains(sealed.numbers[$0]) }), let failure = settle(&pending) {
      return failed(sealed, failure)
    }
    if let failure = attempt({ () throws(StorageError) in try writeEntries(sealed, existing, &pending) }) { return failed(sealed, failure) }
    if isDurable, !existing.isEmpty, let failure = settle(&pending) { return failed(sealed, failure) }
    let failure = attempt { () throws(StorageError) in
      try writeEntries(sealed, fresh, &pending)
      try writeData(sealed, sealed.all)
    }
    if let failure { return failed(sealed, failure) }
    if isDurable {
      pending.unsettled.formUnion(sealed.numbers)
      for index in existing { pending.restated[sealed.numbers[index]] = sealed.slots[index] }
    }
    publish(sealed, &pending)
    return nil
  }

  private func attempt(_ body: () throws(StorageError) -> Void) -> SelectionFailure? {
    do throws(StorageError) {
      try body()
      return nil
    } catch {
      return SelectionFailure(error: error, isBarrier: false, reachedHeader: false)
    }
  }

  private func settle(_ pending: inout PendingPages) -> SelectionFailure? {
    do throws(StorageError) { try physical.sync() } catch {
      noteFailedBarrier()
      return SelectionFailure(error: error, isBarrier: true, reachedHeader: false)
    }
    pending.unsettled = []
    return nil
  }

  private func failed(_ sealed: SealedPages, _ failure: SelectionFailure, reachedHeader: Bool = false) -> SelectionFailure {
    if let cache { for page in sealed.numbers { cache.forget(page) } }
    return SelectionFailure(error: failure.error, isBarrier: failure.isBarrier, reachedHeader: reachedHeader)
  }

  private func publish(_ sealed: SealedPages, _ pending: inout PendingPages) {
    if let cache {
      for (index, page) in sealed.pages.enumerated() {
        unsafe cache.store(
          sealed.numbers[index], writtenAs: sealed.slots[index], from: page.plaintext.address(0), changed: page.changed, since: page.valid)
      }
    }
    pending.giveBack(sealed.pages.map(\.plaintext) + sealed.ciphertexts)
  }

  /// Copies that are written front to back make the file longer as they go.
  private func makeRoom(page: Int) throws(StorageError) {
    let needed = CipherLayout.physicalByteCount(plaintext: UInt64((page + 1) * CipherLayout.pageByteCount))
    let present = try physical.byteCount()
    if present < needed { try physical.extend(from: present, to: needed) }
  }

  /// Whether nobody can have read pages in the middle of what was just written.
  private var isAlone: Bool { marks?.isAlone() ?? false }

  /// Writes the metadata once more, with both slots the same, now that the data is safe: readers in other processes that came between
  /// metadata and data, and took the contents before them for current, see a change. Without a barrier, and whether it works or not.
  private func restate() {
    pending.withLock { (pending) in
      let chosen = pending.restated.sorted { $0.key < $1.key }
      pending.restated = [:]
      if chosen.isEmpty { return }
      let entries = chosen.map { ($0.key, PageEntry(latest: $0.value, previous: $0.value)) }
      _ = attempt { () throws(StorageError) in try write(entries, &pending) }
    }
  }

  // MARK: Runs

  private func readMetadata(_ group: Int) throws(StorageError) -> [PageEntry] {
    var entries = [PageEntry](repeating: PageEntry(latest: .none, previous: .none), count: CipherLayout.pagesPerGroup)
    try unsafe entries.withUnsafeMutableBufferPointer { (entries) throws(StorageError) in
      let bytes = UnsafeMutableRawBufferPointer(entries)
      _ = try unsafe physical.read(into: bytes, at: CipherLayout.metadataOffset(group: group))
    }
    return entries
  }

  private func writeEntries(_ sealed: SealedPages, _ indices: [Int], _ pending: inout PendingPages) throws(StorageError) {
    try write(indices.map { (sealed.numbers[$0], sealed.entries[$0]) }, &pending)
  }

  /// One write for each group, with what lies between the entries as it is. By ascending page.
  private func write(_ entries: [(page: Int, entry: PageEntry)], _ pending: inout PendingPages) throws(StorageError) {
    var start = 0
    while start < entries.count {
      let first = entries[start].page
      let group = first / CipherLayout.pagesPerGroup
      var known: [PageEntry]
      if let present = pending.metadata[group] { known = present } else { known = try readMetadata(group) }
      pending.metadata[group] = nil
      var last = first
      while start < entries.count, entries[start].page / CipherLayout.pagesPerGroup == group {
        last = entries[start].page
        known[last % CipherLayout.pagesPerGroup] = entries[start].entry
        start += 1
      }
      let range = first % CipherLayout.pagesPerGroup..<last % CipherLayout.pagesPerGroup + 1
      try marked(first) { () throws(StorageError) in
        try unsafe known.withUnsafeBufferPointer { (known) throws(StorageError) in
          let start = unsafe known.baseAddress! + range.lowerBound
          let buffer = unsafe WriteBuffer(start, byteCount: range.count * CipherLayout.entryByteCount)
          try physical.write([buffer], at: CipherLayout.entryOffset(first))
        }
      }
      pending.metadata[group] = known
    }
  }

  /// Runs `body`, which writes from a page on, with the marks for other processes set.
  private func marked(_ page: Int, _ body: () throws(StorageError) -> Void) throws(StorageError) {
    if let marks { try marks.around(page: page, body) } else { try body() }
  }

  private func writeData(_ sealed: SealedPages, _ indices: [Int]) throws(StorageError) {
    try forEachRun(sealed.numbers, indices) { (run) throws(StorageError) in
      let buffers = run.map { unsafe WriteBuffer(sealed.ciphertexts[indices[$0]].address(0), byteCount: CipherLayout.pageByteCount) }
      try physical.write(buffers, at: CipherLayout.dataOffset(sealed.numbers[indices[run.lowerBound]]))
    }
  }

  /// Calls `body`, with marks, for each range of `indices` whose pages follow each other within a group.
  private func forEachRun(
    _ numbers: [Int], _ indices: [Int], _ body: (Range<Int>) throws(StorageError) -> Void
  ) throws(StorageError) {
    var start = 0
    while start < indices.count {
      let first = numbers[indices[start]]
      let groupEnd = (first / CipherLayout.pagesPerGroup + 1) * CipherLayout.pagesPerGroup
      var end = start + 1
      while end < indices.count, numbers[indices[end]] == first + end - start, numbers[indices[end]] < groupEnd { end += 1 }
      let run = start..<end
      try marked(first) { () throws(StorageError) in try body(run) }
      start = end
    }
  }
}

/// Encrypted pages on their way to the file, by ascending number.
private struct SealedPages {
  private(set) var numbers: [Int]
  private(set) var pages: [PendingPage]
  private(set) var ciphertexts: [PageBuffers]
  private(set) var slots: [PageSlot]
  private(set) var entries: [PageEntry]
  var all: [Int] { Array(numbers.indices) }

  init(_ pages: [(key: Int, value: PendingPage)], _ cipher: PageCipher, _ pending: inout PendingPages) {
    numbers = pages.map(\.key)
    self.pages = pages.map(\.value)
    let ciphertexts = pages.map { _ in pending.takeBuffer() }
    let requests = unsafe pages.enumerated().map { (index, page) in
      unsafe PageCipher.Request(
        plaintext: page.value.plaintext.address(0), ciphertext: ciphertexts[index].address(0), page: page.key, last: page.value.lastCounter,
        valid: page.value.valid)
    }
    slots = unsafe cipher.encrypt(requests)
    entries = zip(slots, pages).map { PageEntry(latest: $0, previous: $1.value.valid) }
    self.ciphertexts = ciphertexts
  }

  private init(of other: SealedPages, _ range: Range<Int>) {
    (numbers, pages, ciphertexts) = (Array(other.numbers[range]), Array(other.pages[range]), Array(other.ciphertexts[range]))
    (slots, entries) = (Array(other.slots[range]), Array(other.entries[range]))
  }

  /// Takes out the file's first page, if it is one of them. All are encrypted together, which costs less.
  mutating func takeFirst() -> SealedPages? {
    guard numbers.first == 0 else { return nil }
    let first = SealedPages(of: self, 0..<1)
    self = SealedPages(of: self, 1..<numbers.count)
    return first
  }
}
