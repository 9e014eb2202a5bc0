/// The cryptography of pages, over prepared keys in memory that the caller owns.
///
/// One that calls a library with hardware instructions, one in plain Swift.
protocol PageCipherCore {
  /// What `prepare` fills.
  associatedtype State
  /// - Parameter key: 64 bytes.
  static func prepare(_ state: UnsafeMutablePointer<State>, key: UnsafeRawPointer)
  /// HMAC-SHA-224 of 4096 bytes, 28 bytes.
  static func authenticate(_ state: UnsafePointer<State>, _ data: UnsafeRawPointer, to mac: UnsafeMutableRawPointer)
  /// AES-256-CBC of 4096 bytes. `vector` is 16 bytes, which may be overwritten.
  static func encrypt(
    _ state: UnsafePointer<State>, _ plaintext: UnsafeRawPointer, to ciphertext: UnsafeMutableRawPointer, vector: UnsafeMutableRawPointer)
  /// The same for several pages at once.
  static func encrypt(_ state: UnsafePointer<State>, _ pages: UnsafeMutableBufferPointer<PageEncryption>)
  static func decrypt(
    _ state: UnsafePointer<State>, _ ciphertext: UnsafeRawPointer, to plaintext: UnsafeMutableRawPointer, vector: UnsafeMutableRawPointer)
}

/// One page that is to be encrypted together with others.
@unsafe struct PageEncryption {
  let plaintext: UnsafeRawPointer
  let ciphertext: UnsafeMutableRawPointer
  /// May be overwritten.
  var vector: SIMD2<UInt64>
}

extension PageCipherCore {
  /// One after the other.
  static func encrypt(_ state: UnsafePointer<State>, _ pages: UnsafeMutableBufferPointer<PageEncryption>) {
    for index in 0..<pages.count {
      let page = unsafe pages[index]
      unsafe withUnsafeMutableBytes(of: &pages[index].vector) {
        unsafe encrypt(state, page.plaintext, to: page.ciphertext, vector: $0.baseAddress!)
      }
    }
  }
}

/// Encrypts, decrypts and authenticates pages with one key. Any number of threads. E4.
@safe final class KeyedPageCipher<Core: PageCipherCore>: @unchecked Sendable {
  // SAFETY: one `State` from `init` to `deinit`, never changed but by `wipe`, after which it is another key.
  private let state: UnsafeMutablePointer<Core.State>

  init(_ key: EncryptionKey) {
    unsafe state = .allocate(capacity: 1)
    unsafe wipeMemory(state, MemoryLayout<Core.State>.size)
    unsafe key.withBytes { unsafe Core.prepare(state, key: $0.baseAddress!) }
  }

  deinit {
    unsafe wipeMemory(state, MemoryLayout<Core.State>.size)
    unsafe state.deallocate()
  }

  /// Overwrites what was derived from the key by what follows from a key of zeros, in one piece: somebody may still be reading.
  func wipe() {
    let zeros = [UInt8](repeating: 0, count: EncryptionKey.byteCount)
    let blank = UnsafeMutablePointer<Core.State>.allocate(capacity: 1)
    defer { unsafe blank.deallocate() }
    unsafe wipeMemory(blank, MemoryLayout<Core.State>.size)
    unsafe zeros.withUnsafeBytes { unsafe Core.prepare(blank, key: $0.baseAddress!) }
    unsafe UnsafeMutableRawPointer(state).copyMemory(from: blank, byteCount: MemoryLayout<Core.State>.size)
  }

  /// The mac of a page's ciphertext, with counter 0.
  func mac(_ ciphertext: UnsafeRawPointer) -> PageSlot {
    var slot = PageSlot.none
    unsafe withUnsafeMutableBytes(of: &slot) { unsafe Core.authenticate(state, ciphertext, to: $0.baseAddress! + 4) }
    return slot
  }

  func decrypt(_ ciphertext: UnsafeRawPointer, to plaintext: UnsafeMutableRawPointer, page: Int, counter: UInt32) {
    var vector = Self.vector(page, counter)
    unsafe withUnsafeMutableBytes(of: &vector) { unsafe Core.decrypt(state, ciphertext, to: plaintext, vector: $0.baseAddress!) }
  }

  /// - Returns: the slot of this write: the counter after that of `last`, or a later one if the mac would be that of `valid` again (E4.1).
  func encrypt(
    _ plaintext: UnsafeRawPointer, to ciphertext: UnsafeMutableRawPointer, page: Int, after last: UInt32, replacing valid: PageSlot
  ) -> PageSlot {
    var counter = last
    while true {
      counter = counter == .max ? 1 : counter + 1
      var vector = Self.vector(page, counter)
      unsafe withUnsafeMutableBytes(of: &vector) { unsafe Core.encrypt(state, plaintext, to: ciphertext, vector: $0.baseAddress!) }
      var slot = unsafe mac(ciphertext)
      slot.counter = counter
      if !slot.hasMAC(of: valid) { return slot }
    }
  }

  /// What `encrypt` is asked for one page of several.
  @unsafe struct Request {
    let plaintext: UnsafeRawPointer
    let ciphertext: UnsafeMutableRawPointer
    let page: Int
    /// The counter of the last write begun.
    let last: UInt32
    let valid: PageSlot
  }

  /// Pages that are encrypted at once, and authenticated while the processor still has them in its cache.
  private static var batchCount: Int { 16 }

  /// The same for several pages, in less than half of the time: the blocks of one page depend on each other, those of different pages do not.
  func encrypt(_ requests: [Request]) -> [PageSlot] {
    var slots: [PageSlot] = []
    unsafe slots.reserveCapacity(requests.count)
    for start in unsafe stride(from: 0, to: requests.count, by: Self.batchCount) {
      unsafe encrypt(requests[start..<min(start + Self.batchCount, requests.count)], into: &slots)
    }
    return slots
  }

  private func encrypt(_ requests: ArraySlice<Request>, into slots: inout [PageSlot]) {
    func next(_ counter: UInt32) -> UInt32 { counter == .max ? 1 : counter + 1 }
    var pages = unsafe requests.map {
      unsafe PageEncryption(plaintext: $0.plaintext, ciphertext: $0.ciphertext, vector: Self.vector($0.page, next($0.last)))
    }
    unsafe pages.withUnsafeMutableBufferPointer { unsafe Core.encrypt(state, $0) }
    for index in unsafe requests.indices {
      let request = unsafe requests[index]
      var slot = unsafe mac(request.ciphertext)
      slot.counter = unsafe next(request.last)
      if unsafe slot.hasMAC(of: request.valid) {
        slot = unsafe encrypt(
          request.plaintext, to: request.ciphertext, page: request.page, after: slot.counter, replacing: request.valid)
      }
      slots.append(slot)
    }
  }

  /// u32 counter, u64 offset of the page in the plaintext, 4 zero bytes.
  private static func vector(_ page: Int, _ counter: UInt32) -> SIMD2<UInt64> {
    let offset = UInt64(page) * UInt64(CipherLayout.pageByteCount)
    return SIMD2((UInt64(counter) | offset << 32).littleEndian, (offset >> 32).littleEndian)
  }
}

#if Encryption && canImport(CCryptoBoringSSL)
  typealias PageCipher = KeyedPageCipher<BoringCipherCore>
#else
  typealias PageCipher = KeyedPageCipher<PortableCipherCore>
#endif
