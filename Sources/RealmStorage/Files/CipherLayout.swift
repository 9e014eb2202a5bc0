/// Where pages and their metadata lie in an encrypted file. E3.
///
/// Offsets into the plaintext are those of refs; everything else in this folder that speaks of a page means the 4096 bytes of the cipher,
/// whatever the system's pages are.
package enum CipherLayout {
  package static let pageByteCount = 4096
  static let pagesPerGroup = 64
  static let entryByteCount = 64
  /// A metadata page and the pages it describes.
  static let groupByteCount = UInt64((pagesPerGroup + 1) * pageByteCount)

  static func entryOffset(_ page: Int) -> UInt64 {
    metadataOffset(group: page / pagesPerGroup) + UInt64(page % pagesPerGroup * entryByteCount)
  }
  static func dataOffset(_ page: Int) -> UInt64 {
    metadataOffset(group: page / pagesPerGroup) + UInt64((page % pagesPerGroup + 1) * pageByteCount)
  }
  static func metadataOffset(group: Int) -> UInt64 { UInt64(group) * groupByteCount }

  /// The plaintext that a file of this size holds. The metadata page of a group without pages counts as none.
  package static func plaintextByteCount(physical: UInt64) -> UInt64 {
    let page = UInt64(pageByteCount)
    return physical == 0 ? 0 : physical - page * ((physical / page + 64) / 65)
  }

  /// The size of a file for so much plaintext: whole pages, and after each full group the metadata page of the next one.
  package static func physicalByteCount(plaintext: UInt64) -> UInt64 {
    let page = UInt64(pageByteCount)
    let rounded = (plaintext + page - 1) / page * page
    return rounded + page * (rounded / page / UInt64(pagesPerGroup) + 1)
  }
}

/// Counter and mac of one write of a page. E4.
struct PageSlot: Equatable, Sendable {
  /// The 32 bytes as they stand in the file: the counter in the low half of the first word, the mac in the rest.
  var words: SIMD4<UInt64>

  static let none = PageSlot(words: .zero)

  /// 0 in a page that was never written.
  var counter: UInt32 {
    get { UInt32(truncatingIfNeeded: UInt64(littleEndian: words[0])) }
    set { words[0] = (UInt64(littleEndian: words[0]) & ~0xFFFF_FFFF | UInt64(newValue)).littleEndian }
  }

  /// Takes the same time wherever the difference is.
  func hasMAC(of other: PageSlot) -> Bool {
    var difference = words ^ other.words
    difference[0] &= UInt64(0xFFFF_FFFF_0000_0000).littleEndian
    return difference[0] | difference[1] | difference[2] | difference[3] == 0
  }
}

/// What the metadata says of one page.
struct PageEntry: Equatable, Sendable {
  /// The last write begun.
  var latest: PageSlot
  /// The write before it.
  var previous: PageSlot
}

/// What a page turned out to be. E5.
enum PageState: Sendable {
  case current
  /// A write was begun and never finished; the contents before it are there.
  case previous
  /// Cut off and grown again: zeros.
  case zeroExtended
  case unwritten
  /// The page's first write was begun and never finished.
  case interrupted
  case pastEnd
  case bad

  /// The text of the error on reading such a page; nil for pages that can be read.
  var failure: String? {
    switch self {
    case .current, .previous, .zeroExtended: nil
    case .unwritten: "has never been written to"
    case .interrupted: "has never been successfully written to, but a write was begun"
    case .pastEnd: "is out of bounds"
    case .bad: "failed the HMAC check. Either the encryption key is incorrect or data is corrupted"
    }
  }
}
