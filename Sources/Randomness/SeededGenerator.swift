/// Repeatable random numbers (SplitMix64) for tests, fuzzing and benchmarks. Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64
  /// The same seed gives the same numbers.
  @inlinable public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  @inlinable public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 up to, but not including, `limit`; 0 if that is 0 or less.
  @inlinable public mutating func below(_ limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(max(limit, 1))).high) }
}
