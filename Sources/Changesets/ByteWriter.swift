/// Writes the primitive encodings of changesets.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

  mutating func integer(_ value: Int64) {
    var rest = UInt64(value < 0 ? -1 - value : value)
    while rest >> 6 != 0 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest) | (value < 0 ? 0x40 : 0))
  }

  mutating func wideInteger(_ value: UInt128) {
    var rest = value
    while rest >> 6 != 0 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }

  mutating func raw(_ slice: ArraySlice<UInt8>) {
    integer(Int64(slice.count))
    bytes.append(contentsOf: slice)
  }

  mutating func bigEndian(_ value: UInt128, byteCount: Int) {
    for place in (0..<byteCount).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> UInt128(place * 8))) }
  }

  mutating func type(_ type: ValueType) { integer(Int64(type.rawValue)) }
}
