#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One reservation of address space: first the file, mapped shared and read-only past its end, behind it private scratch memory.
///
/// Growth of the file by anyone needs no call. When the file outgrows the reservation, the database maps a new generation; the old
/// one lives until its last snapshot ends.
@safe package final class Mapping: @unchecked Sendable {
  // SAFETY: set once in `init` from one successful `mmap` of `fileSpan + scratchSpan` bytes, unmapped once in `deinit`. The file part
  // is read-only; the scratch part is written only by the one write transaction of the database (through `Scratch`). Of an encrypted file
  // nothing is mapped: in that place is private memory, filled by the gate, and before it one more page, which tells readers about it.
  private let base: UnsafeMutableRawPointer
  /// Nil for a plain file.
  private let gate: PageGate?
  /// Bytes of the reservation that belong to the file; also the first ref of scratch memory.
  package let fileSpan: UInt64
  package let scratchSpan: UInt64

  private static let smallestSpan: UInt64 = 1 << 26
  /// What is reserved for a file that is not larger than a quarter of this.
  package static let usualSpan: UInt64 = 8 << 30

  /// - Parameters:
  ///   - descriptor: an open file; may be closed afterwards.
  ///   - byteCount: the file's present size; the reservation is several times that, at least 8 GiB, less if the system refuses.
  ///   - usualSpan: a power of two; less than the default in tests of outgrown mappings.
  /// - Throws: `.addressSpaceExhausted` when not even the file itself plus a little can be mapped.
  package convenience init(descriptor: Int32, byteCount: UInt64, usualSpan: UInt64 = Mapping.usualSpan) throws(StorageError) {
    try self.init(file: .plain(descriptor), byteCount: byteCount, usualSpan: usualSpan)
  }

  /// Decrypted pages that are kept although nobody may need them.
  package static let usualKeptByteCount: UInt64 = 64 << 20

  /// The same for a file behind its storage, encrypted or not.
  package convenience init(
    _ storage: any Storage, byteCount: UInt64, usualSpan: UInt64 = Mapping.usualSpan, keptByteCount: UInt64 = Mapping.usualKeptByteCount
  ) throws(StorageError) {
    if let encrypted = storage.decryption {
      try self.init(file: .encrypted(encrypted), byteCount: byteCount, usualSpan: usualSpan, keptByteCount: keptByteCount)
      encrypted.setCache(self)
    } else {
      try self.init(file: .plain(storage.descriptor), byteCount: byteCount, usualSpan: usualSpan)
    }
  }

  private enum MappedFile {
    case plain(Int32)
    case encrypted(EncryptedStorage)
  }

  private init(file: MappedFile, byteCount: UInt64, usualSpan: UInt64, keptByteCount: UInt64 = 0) throws(StorageError) {
    let unit = min(Mapping.smallestSpan, usualSpan)
    let least = (max(byteCount, unit) + unit - 1) & ~(unit - 1)
    var span = max(usualSpan, least * 4)
    while true {
      switch file {
      case .plain(let descriptor):
        if let address = unsafe Mapping.reserve(descriptor: descriptor, fileSpan: span, scratchSpan: span) {
          (unsafe base, gate) = unsafe (address, nil)
          (fileSpan, scratchSpan) = (span, span)
          return
        }
      case .encrypted(let storage):
        if let address = unsafe Mapping.reserve(descriptor: nil, fileSpan: span, scratchSpan: span) {
          guard let gate = unsafe PageGate(storage, base: address, span: span, keptByteCount: keptByteCount) else {
            unsafe munmap(address - PageGate.leadByteCount, PageGate.leadByteCount + Int(span) * 2)
            break
          }
          (unsafe base, self.gate) = unsafe (address, gate)
          (fileSpan, scratchSpan) = (span, span)
          return
        }
      }
      if span == least { throw .addressSpaceExhausted(byteCount: least) }
      span = max(least, span / 2 & ~(unit - 1))
    }
  }

  /// Scratch pages below this stay resident between transactions, for the many small ones.
  package static let residentByteCount: UInt64 = 1 << 20
  /// Behind this, scratch memory is asked for in huge pages: a fault for each small one is a tenth of what deleting at random costs. Smaller transactions
  /// would need too much more memory, and clearing two megabytes at once takes what the processor is working with out of its caches.
  private static let smallPageByteCount: UInt64 = 12 << 20

  /// - Parameter descriptor: nil for private memory with the gate's page before it.
  private static func reserve(descriptor: Int32?, fileSpan: UInt64, scratchSpan: UInt64) -> UnsafeMutableRawPointer? {
    let (file, scratch, lead) = (Int(fileSpan), Int(scratchSpan), descriptor == nil ? PageGate.leadByteCount : 0)
    guard
      let start = unsafe mmap(nil, lead + file + scratch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    let address = unsafe start + lead
    if let descriptor {
      let mapped = unsafe mmap(address, file, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0)
      guard unsafe mapped != MAP_FAILED else {
        unsafe munmap(address, file + scratch)
        return nil
      }
    } else {
      #if canImport(Glibc) || canImport(Musl)
        // Decrypted pages belong in no core dump.
        unsafe madvise(address, file + scratch, MADV_DONTDUMP)
      #endif
    }
    #if canImport(Glibc) || canImport(Musl)
      let small = Int(smallPageByteCount)
      if scratch > small { _ = unsafe madvise(address + file + small, scratch - small, MADV_HUGEPAGE) }
    #endif
    return unsafe address
  }

  deinit {
    let lead = gate == nil ? 0 : PageGate.leadByteCount
    unsafe munmap(base - lead, lead + Int(fileSpan + scratchSpan))
  }

  /// The view of a reader whose snapshot has the given logical size, which must not exceed the file's physical size.
  package func readerSpace(logicalByteCount: UInt64) -> NodeSpace {
    unsafe NodeSpace(base: UnsafeRawPointer(base), fileLimit: logicalByteCount, scratchStart: 0, scratchEnd: 0, isGated: isGated)
  }
  /// The view of the one writer.
  package func writerSpace(logicalByteCount: UInt64) -> NodeSpace {
    unsafe NodeSpace(
      base: UnsafeRawPointer(base), fileLimit: logicalByteCount, scratchStart: fileSpan, scratchEnd: fileSpan + scratchSpan,
      isGated: isGated)
  }

  var mutableBase: UnsafeMutableRawPointer { unsafe base }

  /// Gives scratch pages beyond the first `keeping` bytes back to the system; their contents become zero.
  package func discardScratch(usedByteCount: UInt64, keeping: UInt64) {
    guard usedByteCount > keeping else { return }
    unsafe madvise(base + Int(fileSpan + keeping), Int(usedByteCount - keeping), MADV_DONTNEED)
  }
}

// MARK: - Encrypted files

extension Mapping: PlaintextPages {
  /// To be called for each version before it is read: pages decrypted before it was published are looked at again. E8.3.
  @inline(__always) package func willRead(version: UInt64) { gate?.willRead(version) }

  /// This process has made a new version of the newest one, under the write mutex: what is decrypted stays good.
  func didPublish(version: UInt64) { gate?.didPublish(version) }

  /// The file is encrypted.
  var isGated: Bool { gate != nil }
  /// More pages are decrypted than should be kept.
  @inline(__always) var isCrowded: Bool { gate?.isCrowded ?? false }
  /// Memory of decrypted pages; 0 for a plain file.
  var keptByteCount: UInt64 { gate?.keptByteCount ?? 0 }

  /// Gives decrypted pages back that nobody needs. Nobody may begin to read meanwhile.
  @inline(never) func giveBack(_ session: Session, isUrgent: Bool) {
    gate?.giveBack(
      newestVersion: { session.newestVersion }, oldestHeldVersion: { session.oldestOwnVersion }, isUrgent: isUrgent)
  }

  func copy(_ page: Int, ifWrittenAs slot: PageSlot, to target: UnsafeMutableRawPointer) -> Bool {
    unsafe gate?.copy(page, ifWrittenAs: slot, to: target) ?? false
  }
  func holds(_ page: Int, writtenAs slot: PageSlot, _ contents: UnsafeRawPointer) -> Bool {
    unsafe gate?.holds(page, writtenAs: slot, contents) ?? false
  }
  func store(_ page: Int, writtenAs slot: PageSlot, from plaintext: UnsafeRawPointer, changed: Range<Int>, since base: PageSlot) {
    unsafe gate?.store(page, writtenAs: slot, from: plaintext, changed: changed, since: base)
  }
  func forget(_ page: Int) { gate?.forget(page) }
}
