/// A floating-point type of the format: how it lies in a leaf, and which NaN stands for null. F3.4.
package protocol StoredFloatingPoint: BinaryFloatingPoint {
  associatedtype Bits: FixedWidthInteger & UnsignedInteger & BitwiseCopyable
  static var nullBits: Bits { get }
  /// The NaN that replaces a user's NaN which could be mistaken for null.
  static var plainNaN: Bits { get }
  /// Set in every quiet NaN.
  static var quietBit: Bits { get }
  static var widthIndex: UInt32 { get }
  init(storedBits: Bits)
  var storedBits: Bits { get }
  var asValue: Value { get }
  /// Nil if the value has another type.
  static func number(in value: Value) -> Self?
}

extension StoredFloatingPoint {
  /// The bits that are stored for a number. A signalling NaN becomes the null pattern when it passes through a register as a quiet one.
  @inline(__always) var bitsBesideNull: Bits { isNaN && storedBits | Self.quietBit == Self.nullBits ? Self.plainNaN : storedBits }
}

extension Double: StoredFloatingPoint {
  package static let nullBits: UInt64 = 0x7FF8_0000_0000_00AA
  package static let plainNaN: UInt64 = 0x7FF8_0000_0000_0000
  package static let quietBit: UInt64 = 0x8_0000_0000_0000
  package static let widthIndex: UInt32 = 4
  @inline(__always) package init(storedBits: UInt64) { self.init(bitPattern: storedBits) }
  @inline(__always) package var storedBits: UInt64 { bitPattern }
  package var asValue: Value { .double(self) }
  package static func number(in value: Value) -> Double? { if case .double(let number) = value { number } else { nil } }
}

extension Float: StoredFloatingPoint {
  package static let nullBits: UInt32 = 0x7FC0_00AA
  package static let plainNaN: UInt32 = 0x7FC0_0000
  package static let quietBit: UInt32 = 0x40_0000
  package static let widthIndex: UInt32 = 3
  @inline(__always) package init(storedBits: UInt32) { self.init(bitPattern: storedBits) }
  @inline(__always) package var storedBits: UInt32 { bitPattern }
  package var asValue: Value { .float(self) }
  package static func number(in value: Value) -> Float? { if case .float(let number) = value { number } else { nil } }
}
