/// For tools that look at the pages of an encrypted file, without any cache.
extension EncryptedStorage {
  package struct PageReport: Sendable {
    /// `current`, `previous`, `zero-extended`, `unwritten`, `interrupted`, `past-end` or `bad`.
    package let state: String
    /// Of the write that can be read, or else of the last one begun.
    package let counter: UInt32
    /// Nil for a page that cannot be read.
    package let plaintext: [UInt8]?
  }

  package func report(page: Int) throws(StorageError) -> PageReport {
    let buffers = PageBuffers(count: 2)
    let loaded = try unsafe load(page, entry: nil, to: buffers.address(0), ciphertext: buffers.address(1))
    var plaintext: [UInt8]?
    if loaded.state.failure == nil {
      plaintext = unsafe [UInt8](UnsafeRawBufferPointer(start: buffers.address(0), count: CipherLayout.pageByteCount))
    }
    let counter = loaded.state == .previous ? loaded.slot.counter : loaded.entry.latest.counter
    return PageReport(state: Self.name(loaded.state), counter: counter, plaintext: plaintext)
  }

  private static func name(_ state: PageState) -> String {
    switch state {
    case .current: "current"
    case .previous: "previous"
    case .zeroExtended: "zero-extended"
    case .unwritten: "unwritten"
    case .interrupted: "interrupted"
    case .pastEnd: "past-end"
    case .bad: "bad"
    }
  }
}
