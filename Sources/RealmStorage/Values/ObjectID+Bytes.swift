extension ObjectID {
  /// As they are written: the most significant byte first.
  package var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) } + (0..<4).map { UInt8(truncatingIfNeeded: low >> (24 - 8 * $0)) }
  }
}
