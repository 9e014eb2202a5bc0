import Randomness
import RealmStorage

/// Spoils a copy of a sound file in ways that a disk, a bug or an attacker would.
struct Damager {
  private let image: FileImage
  private(set) var bytes: [UInt8]
  /// What was done, for reports.
  private(set) var notes: [String] = []

  init(_ image: FileImage) {
    self.image = image
    bytes = image.bytes
  }

  /// Numbers that break sums, products, shifts, signs and limits.
  private static let extremes: [Int64] = [
    0, 1, 2, 3, 7, 8, 24, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0xFF_FFFE, 0xFF_FFFF, 0x100_0000, 0x7FFF_FFFF, 0x8000_0000,
    0xFFFF_FFFF, 1 << 32, 1 << 33, 1 << 34, 1 << 40, 1 << 62, .max - 7, .max - 1, .max, .min, .min + 1, -1, -2, -3, -8, -256, -65536,
  ]

  mutating func apply(_ random: inout SeededGenerator) {
    let rounds = random.once(in: 6) ? 2 + random.below(4) : 1
    for _ in 0..<rounds { applyOne(&random) }
  }

  private mutating func applyOne(_ random: inout SeededGenerator) {
    switch random.below(16) {
    case 0: flipBits(&random)
    case 1: overwriteRun(&random)
    case 2: truncate(&random)
    case 3: extend(&random)
    case 4, 5, 6: forgeRef(&random)
    case 7, 8: changeNodeHeader(&random)
    case 9: changeFileHeader(&random)
    case 10: changeFreeList(&random)
    case 11: exchangeNodes(&random)
    case 12, 13: changeNumber(&random)
    case 14: changeTagged(&random)
    default: changePayloadByte(&random)
    }
  }

  private mutating func note(_ text: String) { notes.append(text) }
  private func hex(_ value: Int) -> String { "0x" + String(value, radix: 16) }

  // MARK: Bytes

  private mutating func flipBits(_ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    for _ in 0..<(random.once(in: 2) ? 1 : 1 + random.below(8)) {
      let place = random.below(bytes.count)
      let bit = random.below(8)
      bytes[place] ^= 1 << UInt8(bit)
      note("flip bit \(bit) at \(hex(place))")
    }
  }

  private mutating func overwriteRun(_ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let start = random.below(bytes.count)
    let count = min(1 + random.below(random.once(in: 4) ? 512 : 32), bytes.count - start)
    let fill: UInt8? = random.once(in: 2) ? nil : random.pick([0, 0xFF, 0x80, 0x7F, 0x41, 1])
    for place in start..<start + count { bytes[place] = fill ?? UInt8(truncatingIfNeeded: random.next()) }
    note("overwrite \(count) bytes at \(hex(start))")
  }

  private mutating func truncate(_ random: inout SeededGenerator) {
    var count = random.below(bytes.count + 1)
    if !random.once(in: 3) { count &= random.once(in: 2) ? ~7 : ~4095 }
    bytes.removeSubrange(count...)
    note("truncate to \(count) bytes")
  }

  private mutating func extend(_ random: inout SeededGenerator) {
    let count = random.pick([1, 8, 16, 4096, 4096 - bytes.count % 4096, 8 * random.below(1000)])
    let isZero = random.once(in: 2)
    for _ in 0..<count { bytes.append(isZero ? 0 : UInt8(truncatingIfNeeded: random.next())) }
    note("extend by \(count) bytes")
  }

  // MARK: Nodes

  /// A node that still lies inside the file.
  private func anyNode(_ random: inout SeededGenerator, where isWanted: (FileImage.Site) -> Bool) -> FileImage.Site? {
    guard !image.nodes.isEmpty else { return nil }
    for _ in 0..<40 {
      let site = image.nodes[random.below(image.nodes.count)]
      if isWanted(site), site.offset + site.header.nodeByteCount <= bytes.count { return site }
    }
    return nil
  }

  private mutating func forgeRef(_ random: inout SeededGenerator) {
    guard var site = anyNode(&random, where: { $0.header.hasRefs && $0.header.count > 0 && $0.header.schemeBits == 0 }) else { return }
    // A wide element can name scratch memory and everything else; what lies behind the node suffers.
    if random.once(in: 4), site.offset + 8 + site.header.count * 8 <= bytes.count { site = widened(site) }
    if site.header.width == 0 { return }
    let index = random.below(site.header.count)
    let target = forgedTarget(site, &random)
    FileImage.setElement(&bytes, site, index, target)
    note("slot \(index) of \(hex(site.offset)) refers to 0x\(String(target, radix: 16))")
  }

  private func forgedTarget(_ site: FileImage.Site, _ random: inout SeededGenerator) -> Int64 {
    switch random.below(12) {
    case 0, 1, 2, 3: return Int64(image.nodes[random.below(image.nodes.count)].offset)
    case 4, 5:
      var node = site
      for _ in 0..<random.below(6) where node.parent >= 0 { node = image.nodes[node.parent] }
      return Int64(node.offset)
    case 6: return Int64(random.below(max(bytes.count, 8)) & ~7)
    case 7: return Int64(random.below(max(bytes.count, 8)))
    case 8: return (8 << 30) + Int64(random.below(1 << 16) & ~7)
    case 9: return random.pick([16 << 30, 32 << 30, 24 << 30]) - Int64(8 * (1 + random.below(4)))
    case 10: return Int64(bytes.count & ~7) + random.pick([-16, -8, 0, 8, 4096])
    default: return random.pick(Self.extremes)
    }
  }

  /// The node with 64-bit elements, in its place.
  private mutating func widened(_ site: FileImage.Site) -> FileImage.Site {
    let values = (0..<site.header.count).map { FileImage.element(bytes, site, $0) }
    let wide = FileImage.Site(offset: site.offset, header: site.header.with(widthIndex: 7), parent: site.parent)
    setHeader(wide.offset, wide.header)
    for (index, value) in values.enumerated() { FileImage.setElement(&bytes, wide, index, value) }
    note("widen \(hex(site.offset))")
    return wide
  }

  private mutating func setHeader(_ offset: Int, _ header: NodeHeader) {
    for position in 0..<4 { bytes[offset + 4 + position] = UInt8(truncatingIfNeeded: header.bits >> UInt32(24 - 8 * position)) }
  }

  private mutating func changeNodeHeader(_ random: inout SeededGenerator) {
    guard let site = anyNode(&random, where: { _ in true }) else { return }
    let header = site.header
    let changed: NodeHeader
    switch random.below(6) {
    case 0:
      changed = header.with(count: random.pick([0, 1, header.count + 1, header.count - 1, header.count * 2, 0xFF_FFFF, 0x80_0000, 1000]) & 0xFF_FFFF)
    case 1: changed = header.with(widthIndex: UInt32(random.below(8)))
    // Width 0 with millions of elements costs no bytes.
    case 2: changed = header.with(widthIndex: 0).with(count: random.pick([0xFF_FFFF, 0x10_0000, 0x1_0000, 256]))
    case 3: changed = NodeHeader(bits: header.bits ^ (1 << UInt32(27 + random.below(5))))
    case 4: changed = NodeHeader(bits: header.bits ^ (1 << UInt32(random.below(32))))
    default: changed = NodeHeader(bits: UInt32(truncatingIfNeeded: random.next()))
    }
    setHeader(site.offset, changed)
    note("header of \(hex(site.offset)) becomes 0x\(String(changed.bits, radix: 16))")
  }

  private mutating func changeFileHeader(_ random: inout SeededGenerator) {
    guard bytes.count >= 40 else { return }
    let value: UInt64
    let place: Int
    switch random.below(6) {
    case 0, 1:
      place = random.pick([0, 8, bytes.count - 16])
      value =
        random.once(in: 2) && !image.nodes.isEmpty
        ? UInt64(image.nodes[random.below(image.nodes.count)].offset) : UInt64(bitPattern: random.pick(Self.extremes))
    case 2:
      bytes[20 + random.below(2)] = UInt8(random.pick([0, 2, 9, 10, 11, 12, 19, 20, 21, 22, 23, 24, 25, 255]))
      return note("change a format")
    case 3:
      bytes[23] ^= 1 << UInt8(random.below(3))
      return note("change the flags")
    case 4:
      bytes[16 + random.below(8)] ^= UInt8(1 + random.below(255))
      return note("change header bytes")
    default:
      (place, value) = (bytes.count - 8, random.next())
    }
    for position in 0..<8 { bytes[place + position] = UInt8(truncatingIfNeeded: value >> UInt64(8 * position)) }
    note("put 0x\(String(value, radix: 16)) at \(hex(place))")
  }

  private mutating func changeFreeList(_ random: inout SeededGenerator) {
    guard let top = image.nodes.first, top.header.count >= 6, top.offset + top.header.nodeByteCount <= bytes.count else {
      return changeNumber(&random)
    }
    let offset = Int(FileImage.element(bytes, top, 3 + random.below(3)))
    guard let list = image.nodes.first(where: { $0.offset == offset }), list.header.count > 0, list.header.width > 0,
      list.offset + list.header.nodeByteCount <= bytes.count
    else { return changeNumber(&random) }
    let index = random.below(list.header.count)
    let old = FileImage.element(bytes, list, index)
    let new = random.pick([old &+ 8, old &- 8, old &* 2, old &+ 4, 24, Int64(offset), Int64(bytes.count), random.pick(Self.extremes)])
    FileImage.setElement(&bytes, list, index, new)
    note("entry \(index) of the free list at \(hex(offset)) becomes \(new)")
  }

  private mutating func exchangeNodes(_ random: inout SeededGenerator) {
    func slot(_ random: inout SeededGenerator) -> (FileImage.Site, Int)? {
      guard let site = anyNode(&random, where: { $0.header.hasRefs && $0.header.count > 0 && $0.header.width > 0 && $0.header.schemeBits == 0 })
      else { return nil }
      return (site, random.below(site.header.count))
    }
    guard let (first, i) = slot(&random), let (second, j) = slot(&random) else { return }
    let (a, b) = (FileImage.element(bytes, first, i), FileImage.element(bytes, second, j))
    FileImage.setElement(&bytes, first, i, b)
    if !random.once(in: 3) { FileImage.setElement(&bytes, second, j, a) }
    note("exchange slot \(i) of \(hex(first.offset)) with slot \(j) of \(hex(second.offset))")
  }

  private mutating func changeNumber(_ random: inout SeededGenerator) {
    guard let site = anyNode(&random, where: { !$0.header.hasRefs && $0.header.count > 0 && $0.header.width > 0 && $0.header.schemeBits == 0 })
    else { return }
    let index = random.below(site.header.count)
    let old = FileImage.element(bytes, site, index)
    let new = random.pick([
      old &+ 1, old &- 1, old &* 2, ~old, old ^ 1 << Int64(random.below(63)), random.pick(Self.extremes), random.pick(Self.extremes),
    ])
    FileImage.setElement(&bytes, site, index, new)
    note("number \(index) of \(hex(site.offset)) becomes \(new)")
  }

  private mutating func changeTagged(_ random: inout SeededGenerator) {
    guard let site = anyNode(&random, where: { $0.header.hasRefs && $0.header.count > 0 && $0.header.width > 0 && $0.header.schemeBits == 0 })
    else { return }
    for _ in 0..<8 {
      let index = random.below(site.header.count)
      let old = FileImage.element(bytes, site, index)
      guard old & 1 == 1 else { continue }
      let new = random.pick([old &+ 2, old &- 2, random.pick(Self.extremes) << 1 | 1, random.pick(Self.extremes), random.pick(Self.extremes) << 1])
      FileImage.setElement(&bytes, site, index, new)
      return note("tagged slot \(index) of \(hex(site.offset)) becomes \(new)")
    }
  }

  private mutating func changePayloadByte(_ random: inout SeededGenerator) {
    guard let site = anyNode(&random, where: { $0.header.nodeByteCount > 8 }) else { return }
    let place = site.offset + 8 + random.below(site.header.nodeByteCount - 8)
    bytes[place] =
      random.once(in: 2) ? UInt8(truncatingIfNeeded: random.next()) : random.pick([0, 1, 7, 8, 0x20, 0x3F, 0x40, 0x7F, 0x80, 0xC0, 0xFF])
    note("byte \(hex(place)) becomes \(bytes[place])")
  }
}
