/// Identities of nested collections: non-zero numbers, unique in their tree or leaf. Realm-core draws small random ones; so do we,
/// from a sequence that depends only on where the element stands and how many changes there were, so that the same writes give the same file, and
/// what takes the place of a collection has another identity.
struct MixedIdentity {
  private var state: UInt64
  private let shift: UInt64

  /// - Parameter count: of the elements that the identity must be unique among; few of them share small numbers.
  init(seed: Int64, count: Int) {
    state = UInt64(bitPattern: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03
    shift = count < 1 << 10 ? 49 : 33
  }

  mutating func next() -> Int64 {
    while true {
      state = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9 &+ 1
      let candidate = Int64(state >> shift) - (Int64(1) << Int64(63 - shift))
      if candidate != 0 { return candidate }
    }
  }
}
