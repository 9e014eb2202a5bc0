import Randomness

/// Ways to spoil a file, drawn from a seeded generator.
struct Damage {
  /// A spoiled copy: flipped bits, overwritten bytes, a truncated end, refs that point at another node, changed headers, exchanged words.
  static func apply(to original: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    guard bytes.count > 64 else { return bytes }
    func position() -> Int { Int.random(in: 24..<bytes.count, using: &random) }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: flip(&bytes, position(), &random)
    case 1: for _ in 0..<Int.random(in: 2..<12, using: &random) { flip(&bytes, position(), &random) }
    case 2: bytes[position()] = [0, 1, 0x41, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
    case 3: bytes.removeSubrange((Bool.random(using: &random) ? position() & ~7 : position())...)
    case 4:
      let nodes = starts(bytes)
      guard let node = nodes.randomElement(using: &random), let target = nodes.randomElement(using: &random) else { break }
      let width = [2, 4, 8].randomElement(using: &random)!
      let place = node + 8 + width * Int.random(in: 0..<4, using: &random)
      if place + width <= bytes.count {
        for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: target >> (8 * index)) }
      }
    case 5:
      guard let node = starts(bytes).randomElement(using: &random) else { break }
      bytes[node + 4 + Int.random(in: 0..<4, using: &random)] = UInt8.random(in: 0...255, using: &random)
    default:
      let (a, b) = (position() & ~7, position() & ~7)
      for index in 0..<8 where max(a, b) + index < bytes.count { bytes.swapAt(a + index, b + index) }
    }
    return bytes
  }

  private static func flip(_ bytes: inout [UInt8], _ place: Int, _ random: inout SeededGenerator) {
    bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  }
  /// Where nodes begin, as far as their placeholder tells.
  private static func starts(_ bytes: [UInt8]) -> [Int] {
    stride(from: 24, to: bytes.count - 16, by: 8).filter { bytes[$0..<$0 + 4].allSatisfy { $0 == 0x41 } }
  }
}
