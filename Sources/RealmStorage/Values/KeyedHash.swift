/// A finaliser with full avalanche (the one of splitmix64).
@inline(__always) func mixed(_ value: UInt64) -> UInt64 {
  var x = value
  x = (x ^ x >> 30) &* 0xBF58_476D_1CE4_E5B9
  x = (x ^ x >> 27) &* 0x94D0_49BB_1331_11EB
  return x ^ x >> 31
}
