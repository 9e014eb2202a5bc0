import RealmStorage

/// A sound file in memory, and where its nodes are.
struct FileImage {
  let name: String
  let bytes: [UInt8]
  /// Reachable nodes, parents before children.
  private(set) var nodes: [Site] = []
  private(set) var top: Int?

  struct Site {
    let offset: Int
    let header: NodeHeader
    /// Index of the node that refers to this one; -1 for the top array.
    let parent: Int
  }

  init(name: String, bytes: [UInt8]) {
    (self.name, self.bytes) = (name, bytes)
    let start = Array(bytes.prefix(FileHeader.byteCount))
    let end = bytes.count < 40 ? [] : Array(bytes.suffix(FileHeader.footerByteCount))
    guard let header = try? FileHeader(start: start, end: end, fileByteCount: UInt64(bytes.count), path: name, hasKey: false),
      !header.selectedTopRef.isNull
    else { return }
    var seen: Set<Int> = []
    var pending = [(Int(header.selectedTopRef.byteOffset), -1)]
    var next = 0
    while next < pending.count && nodes.count < 50_000 {
      let (offset, parent) = pending[next]
      next += 1
      guard offset >= 24, offset % 8 == 0, offset + 8 <= bytes.count, seen.insert(offset).inserted else { continue }
      let site = Site(offset: offset, header: Self.header(bytes, offset), parent: parent)
      guard offset + site.header.nodeByteCount <= bytes.count else { continue }
      nodes.append(site)
      guard site.header.hasRefs, site.header.schemeBits == 0 else { continue }
      for index in 0..<site.header.count {
        let value = Self.element(bytes, site, index)
        if value != 0, value & 1 == 0, value > 0, value < bytes.count { pending.append((Int(value), nodes.count - 1)) }
      }
    }
    top = nodes.isEmpty ? nil : 0
  }

  static func header(_ bytes: [UInt8], _ offset: Int) -> NodeHeader {
    NodeHeader(bits: (4..<8).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[offset + $1]) })
  }

  /// Element `index` of a node of numbers or refs.
  static func element(_ bytes: [UInt8], _ site: Site, _ index: Int) -> Int64 {
    let width = site.header.width
    let start = site.offset + 8
    guard width >= 8 else {
      if width == 0 { return 0 }
      let bit = index * width
      return Int64(bytes[start + bit / 8] >> UInt8(bit % 8)) & Int64((1 << width) - 1)
    }
    let size = width / 8
    var value: UInt64 = 0
    for position in 0..<size { value |= UInt64(bytes[start + index * size + position]) << UInt64(8 * position) }
    let shift = UInt64(64 - width)
    return Int64(bitPattern: value << shift) >> Int64(shift)
  }

  /// Stores as many low bits of `value` as an element has.
  static func setElement(_ bytes: inout [UInt8], _ site: Site, _ index: Int, _ value: Int64) {
    let width = site.header.width
    let start = site.offset + 8
    guard width >= 8 else {
      if width == 0 { return }
      let bit = index * width
      let mask = UInt8((1 << width) - 1) << UInt8(bit % 8)
      bytes[start + bit / 8] = bytes[start + bit / 8] & ~mask | UInt8(truncatingIfNeeded: value) << UInt8(bit % 8) & mask
      return
    }
    let size = width / 8
    for position in 0..<size { bytes[start + index * size + position] = UInt8(truncatingIfNeeded: value >> Int64(8 * position)) }
  }
}
