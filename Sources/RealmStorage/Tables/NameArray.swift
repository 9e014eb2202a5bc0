/// The names of tables or columns: short strings (F3.5) of up to 63 bytes, never null.
package struct NameArray {
  private let node: Node
  @inline(__always) package var count: Int { node.count }

  package init(space: NodeSpace, ref: Ref) throws(StorageError) {
    node = try space.node(at: ref)
    guard node.header.schemeBits == WidthScheme.bytes.rawValue, !node.header.hasRefs else { throw node.broken("is no array of names") }
  }

  /// The caller guarantees that the node holds short strings.
  init(node: Node) { self.node = node }

  /// The UTF-8 bytes of name `index`, not validated as text.
  /// - Throws: `.corruptNode` if there is no such name or its padding breaks F3.5.
  package func name(_ index: Int) throws(StorageError) -> [UInt8] {
    guard index >= 0 && index < count else { throw node.missing(index) }
    let width = node.header.width
    if width == 0 { return [] }
    let start = index * width
    let padding = Int(node.byte(unchecked: start + width - 1))
    if padding == width { return [] }
    guard padding < width else { throw node.broken("name \(index) has the pad byte \(padding), its width is \(width)") }
    let length = width - 1 - padding
    for place in length..<width - 1 where node.byte(unchecked: start + place) != 0 {
      throw node.broken("name \(index) is not padded with zeros")
    }
    return node.bytes(unchecked: start..<start + length)
  }
}

extension NameArray {
  /// A new array of names (F3.5): width is the smallest power of two above the longest name, 0 if all are empty.
  static func create(_ scratch: Scratch, _ names: [[UInt8]]) throws(StorageError) -> Ref {
    let longest = names.map(\.count).max() ?? 0
    var widthIndex: UInt32 = 0
    if longest > 0 {
      widthIndex = 1
      while 1 << (widthIndex - 1) <= longest { widthIndex += 1 }
    }
    let width = widthIndex == 0 ? 0 : 1 << (Int(widthIndex) - 1)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * names.count)
    if width > 0 {
      for name in names {
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: [UInt8](repeating: 0, count: width - 1 - name.count))
        bytes.append(UInt8(width - 1 - name.count))
      }
    }
    return try scratch.createFixedWidth(widthIndex: widthIndex, count: names.count, bytes: bytes)
  }
}
