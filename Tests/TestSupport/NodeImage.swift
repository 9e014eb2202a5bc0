import RealmStorage

/// Nodes laid out as in a file, behind the 24 bytes of a file header.
package struct NodeImage {
  package var bytes = [UInt8](repeating: 0, count: 24)
  package var root = Ref.null

  package init() {}

  /// Appends one node, padded with zeros.
  package mutating func append(header: UInt32, _ payload: [UInt8]) -> Ref {
    let ref = Ref(UInt64(bytes.count))
    bytes += [0x41, 0x41, 0x41, 0x41]
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: header >> UInt32(shift))) }
    bytes += payload
    while bytes.count & 7 != 0 { bytes.append(0) }
    return ref
  }

  /// Appends one node given as in the examples of the specification: header from byte 4 on, then the payload, in hexadecimal.
  package mutating func append(_ hex: String) -> Ref {
    let digits = hex.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue!) }
    let numbers = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    let header = numbers[0..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return append(header: header, Array(numbers[4...]))
  }
}
