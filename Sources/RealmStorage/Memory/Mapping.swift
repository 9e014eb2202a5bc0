#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One reservation of address space: first the file, mapped shared and read-only past its end, behind it private scratch memory.
///
/// Growth of the file by anyone needs no call. When the file outgrows the reservation, the database maps a new generation; the old
/// one lives until its last snapshot ends.
@safe package final class Mapping: @unchecked Sendable {
  // SAFETY: set once in `init` from one successful `mmap` of `fileSpan + scratchSpan` bytes, unmapped once in `deinit`. The file part
  // is read-only; the scratch part is written only by the one write transaction of the database (through `Scratch`).
  private let base: UnsafeMutableRawPointer
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
  package init(descriptor: Int32, byteCount: UInt64, usualSpan: UInt64 = Mapping.usualSpan) throws(StorageError) {
    let unit = min(Mapping.smallestSpan, usualSpan)
    let least = (max(byteCount, unit) + unit - 1) & ~(unit - 1)
    var span = max(usualSpan, least * 4)
    while true {
      if let address = unsafe Mapping.reserve(descriptor: descriptor, fileSpan: span, scratchSpan: span) {
        unsafe base = address
        (fileSpan, scratchSpan) = (span, span)
        return
      }
      if span == least { throw .addressSpaceExhausted(byteCount: least) }
      span = max(least, span / 2 & ~(unit - 1))
    }
  }

  /// Scratch pages below this stay resident between transactions, for the many small ones.
  package static let residentByteCount: UInt64 = 1 << 20
  /// Behind this, scratch memory is asked for in huge pages, which would be too coarse for transactions of a few megabytes.
  private static let smallPageByteCount: UInt64 = 32 << 20

  private static func reserve(descriptor: Int32, fileSpan: UInt64, scratchSpan: UInt64) -> UnsafeMutableRawPointer? {
    let (file, scratch) = (Int(fileSpan), Int(scratchSpan))
    guard
      let address = unsafe mmap(nil, file + scratch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      unsafe address != MAP_FAILED
    else { return nil }
    let mapped = unsafe mmap(address, file, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0)
    guard unsafe mapped != MAP_FAILED else {
      unsafe munmap(address, file + scratch)
      return nil
    }
    #if canImport(Glibc)
      let small = Int(smallPageByteCount)
      if scratch > small { _ = unsafe madvise(address + file + small, scratch - small, MADV_HUGEPAGE) }
    #endif
    return unsafe address
  }

  deinit { unsafe munmap(base, Int(fileSpan + scratchSpan)) }

  /// The view of a reader whose snapshot has the given logical size, which must not exceed the file's physical size.
  package func readerSpace(logicalByteCount: UInt64) -> NodeSpace {
    unsafe NodeSpace(base: UnsafeRawPointer(base), fileLimit: logicalByteCount, scratchStart: 0, scratchEnd: 0)
  }
  /// The view of the one writer.
  package func writerSpace(logicalByteCount: UInt64) -> NodeSpace {
    unsafe NodeSpace(
      base: UnsafeRawPointer(base), fileLimit: logicalByteCount, scratchStart: fileSpan, scratchEnd: fileSpan + scratchSpan)
  }

  var mutableBase: UnsafeMutableRawPointer { unsafe base }

  /// Gives scratch pages beyond the first `keeping` bytes back to the system; their contents become zero.
  package func discardScratch(usedByteCount: UInt64, keeping: UInt64) {
    guard usedByteCount > keeping else { return }
    unsafe madvise(base + Int(fileSpan + keeping), Int(usedByteCount - keeping), MADV_DONTNEED)
  }
}
