/// The names of tables or columns: short strings (F3.5) of up to 63 bytes, never null.
package struct NameArray {
  private let node: Node
  @inline(__always) package var count: Int { node.count }

  package init(space: NodeSpace, ref: Ref) throws(StorageError) {
    node = try space.node(at: ref)
    guard node.header.schemeBits == WidthScheme.bytes.rawValue, !node.header.hasRefs else { throw node.broken("is no array of names") }
  }

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
