/// Finds the delimiters and line ends of CSV, eight bytes at a time.
struct FieldEndScanner {
  private static let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  let delimiter: UInt8
  private let delimiters: UInt64
  /// Where the eight bytes lie that are looked at, and what they are, the first one lowest.
  private var base: Int
  private var word: UInt64 = 0
  /// The high bits of those bytes that are wanted and were not passed yet.
  private var found: UInt64 = 0
  /// All bytes since `begin`, or'ed, and perhaps neighbours of theirs.
  private var all: UInt64 = 0

  init(_ delimiter: UInt8, at start: Int) {
    self.delimiter = delimiter
    delimiters = FieldEndScanner.repeated(delimiter)
    base = start - 8
  }

  private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// A record begins. Some of its bytes may have been looked at already.
  @inline(__always) mutating func begin() { all = word }
  /// False if all bytes since `begin` are ASCII.
  @inline(__always) var hasMetOthers: Bool { all & FieldEndScanner.highBits != 0 }
  /// A byte that is passed by `skip`.
  @inline(__always) mutating func look(at byte: UInt8) { all |= UInt64(byte) }

  /// The bytes in front of `position`, which only ascends, are not wanted.
  @inline(__always) mutating func skip(to position: Int) {
    let offset = position - base
    if offset < 8 {
      found &= UInt64.max << UInt64(offset * 8)
    } else {
      (base, word, found) = (position - 8, 0, 0)
    }
  }

  /// The next delimiter, CR or LF, which is passed; the end if there is none.
  @inline(__always) mutating func next(_ bytes: Span<UInt8>) -> Int {
    while found == 0 {
      base += 8
      guard base < bytes.count else {
        // Nothing was looked at, and nothing will be.
        (base, word) = (bytes.count - 8, 0)
        return bytes.count
      }
      load(bytes)
    }
    let position = base + found.trailingZeroBitCount / 8
    found &= found - 1
    return position
  }

  @inline(__always) private mutating func load(_ bytes: Span<UInt8>) {
    if base + 8 <= bytes.count {
      // SAFETY: any bits are an integer, and the load is checked to be inside.
      word = UInt64(littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: base, as: UInt64.self))
      found = FieldEndScanner.highBits & ~others
    } else {
      word = 0
      for index in stride(from: bytes.count - 1, through: base, by: -1) { word = word << 8 | UInt64(bytes[index]) }
      found = FieldEndScanner.highBits & ~others & (1 << UInt64((bytes.count - base) * 8) - 1)
    }
    all |= word
  }

  /// The high bit of each byte that is not wanted: adding 0x7F carries into it unless the seven bits below are zero.
  @inline(__always) private var others: UInt64 {
    let low = FieldEndScanner.lowBits
    let delimiter = word ^ delimiters
    let lineFeed = word ^ FieldEndScanner.repeated(0x0A)
    let carriageReturn = word ^ FieldEndScanner.repeated(0x0D)
    return (delimiter & low &+ low | delimiter) & (lineFeed & low &+ low | lineFeed) & (carriageReturn & low &+ low | carriageReturn)
  }
}
