extension Int64 {
  /// The element of a ref array that stands for a number and not for a ref: the number's bits moved up by one, and the lowest bit set (F2.5).
  @inline(__always) package init(tagged value: UInt64) { self.init(bitPattern: value << 1 | 1) }
  /// The number of a tagged element.
  @inline(__always) package var untagged: UInt64 { UInt64(bitPattern: self) >> 1 }
  @inline(__always) package var isTagged: Bool { self & 1 == 1 }
}
