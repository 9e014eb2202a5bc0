/// The eight bytes before every node's payload. F2.1.
///
/// Bytes 0-3 are a placeholder in the file; in scratch memory they hold the node's capacity in units of 8 bytes, header included.
/// Byte 4 holds the flags, bytes 5-7 the number of elements, big-endian.
package struct NodeHeader: Equatable, Sendable {
  /// Flags in bits 24-31, element count in bits 0-23.
  package let bits: UInt32

  package static let byteCount = 8
  package static let largestCount = 0xFF_FFFF
  /// What stands in bytes 0-3 of every node that is written to a file.
  package static let placeholder: UInt32 = 0x4141_4141
  /// A node, header included, must stay below this size (F2.6).
  package static let nodeByteLimit = 1 << 26

  package struct Flags {
    package static let inner: UInt32 = 0x80
    package static let refs: UInt32 = 0x40
    package static let context: UInt32 = 0x20
  }

  @inline(__always) package init(bits: UInt32) { self.bits = bits }
  /// - Parameter word: the eight bytes of the header, read as one little-endian number.
  @inline(__always) package init(word: UInt64) { bits = UInt32(truncatingIfNeeded: word >> 32).byteSwapped }

  @inline(__always) package init(flags: UInt32, scheme: WidthScheme, widthIndex: UInt32, count: Int) {
    bits = (flags | scheme.rawValue << 3 | widthIndex) << 24 | UInt32(truncatingIfNeeded: count)
  }

  /// The header as it stands in memory, with `first` in bytes 0-3.
  @inline(__always) package func word(first: UInt32) -> UInt64 { UInt64(bits.byteSwapped) << 32 | UInt64(first) }

  @inline(__always) package var count: Int { Int(bits & 0xFF_FFFF) }
  @inline(__always) package var isInner: Bool { bits & (NodeHeader.Flags.inner << 24) != 0 }
  @inline(__always) package var hasRefs: Bool { bits & (NodeHeader.Flags.refs << 24) != 0 }
  /// The meaning depends on the node's role (F2.1, second table).
  @inline(__always) package var hasContext: Bool { bits & (NodeHeader.Flags.context << 24) != 0 }
  @inline(__always) package var schemeBits: UInt32 { bits >> 27 & 3 }
  @inline(__always) package var scheme: WidthScheme? { WidthScheme(rawValue: schemeBits) }
  /// 0...7 for widths 0, 1, 2, 4, 8, 16, 32, 64.
  @inline(__always) package var widthIndex: UInt32 { bits >> 24 & 7 }
  /// Bits per element in scheme `bits`, bytes in scheme `bytes`.
  @inline(__always) package var width: Int { (1 << Int(widthIndex)) >> 1 }
  /// The flags without scheme and width.
  @inline(__always) package var flags: UInt32 { bits >> 24 & 0xE0 }

  @inline(__always) package func with(count: Int) -> NodeHeader { NodeHeader(bits: bits & 0xFF00_0000 | UInt32(truncatingIfNeeded: count)) }
  package func with(widthIndex: UInt32) -> NodeHeader { NodeHeader(bits: bits & 0xF8FF_FFFF | widthIndex << 24) }
  package func with(context: Bool) -> NodeHeader {
    NodeHeader(bits: context ? bits | NodeHeader.Flags.context << 24 : bits & ~(NodeHeader.Flags.context << 24))
  }

  /// Bytes that the elements occupy, not rounded. Scheme 3 counts as nothing: it never passes the door.
  @inline(__always) package var payloadByteCount: Int {
    switch schemeBits {
    case 0: (count &* width &+ 7) >> 3
    case 1: count &* width
    default: count
    }
  }
  /// Bytes that the node occupies in a file, header and padding included.
  @inline(__always) package var nodeByteCount: Int { 8 &+ (payloadByteCount &+ 7) & ~7 }

  /// The same for a node of scheme `bits`.
  @inline(__always) package var bitsNodeByteCount: Int { 8 &+ ((count &* width &+ 63) >> 6) << 3 }

  /// The index of the smallest width that holds `value` in a signed array (F2.3).
  @inline(__always) package static func widthIndex(signed value: Int64) -> UInt32 {
    if value >= 0 && value < 16 { return value == 0 ? 0 : value == 1 ? 1 : value < 4 ? 2 : 3 }
    let magnitude = UInt64(bitPattern: value ^ (value >> 63))
    return magnitude < 0x80 ? 4 : magnitude < 0x8000 ? 5 : magnitude < 0x8000_0000 ? 6 : 7
  }
  /// The index of the smallest width that holds `value` in an unsigned array (F2.4); never below 8 bits.
  @inline(__always) package static func widthIndex(unsigned value: UInt64) -> UInt32 {
    value < 0x100 ? 4 : value < 0x1_0000 ? 5 : value < 0x1_0000_0000 ? 6 : 7
  }
}

/// How a node's width is to be read (F2.2). Scheme 3 does not occur in format 24.
package enum WidthScheme: UInt32, Sendable {
  /// Width in bits: integers and refs.
  case bits = 0
  /// Width in bytes: short strings, floating point, fixed bytes.
  case bytes = 1
  /// No width: the count is a byte count.
  case blob = 2
}
