/// Writes a whole database front to back, children before parents, without holes: compaction and copies. F8.6.
package struct StreamingWriter {
  /// What goes into the copy besides the tables. T11.2.
  package enum Content: Sendable {
    /// A top array of 3 slots: the copy starts at version 1.
    case tablesOnly
    /// Version number and history, as compaction keeps them.
    case versionAndHistory(version: UInt64)
  }

  private let space: NodeSpace
  private let writer: NodeWriter
  private let padsToPages: Bool
  private var remainingByteCount: UInt64
  /// Elements of the ref arrays on the way from the root to the present node.
  private var elements: [Int64] = []

  /// - Parameters:
  ///   - space: of the snapshot, or of a write transaction, whose changes are included.
  ///   - scratchByteCount: what the write transaction uses.
  ///   - top: null for a database without any commit.
  ///   - storage: a new, empty file. Not synced here.
  /// - Returns: the logical size of the copy, and its top ref.
  package static func write(
    space: NodeSpace, scratchByteCount: UInt64 = 0, top: Ref, content: Content, to storage: any Storage
  ) throws(StorageError) -> (logicalByteCount: UInt64, topRef: Ref) {
    var copy = StreamingWriter(
      space: space, writer: NodeWriter(storage: storage), padsToPages: storage.isEncrypted,
      remainingByteCount: space.fileLimit + scratchByteCount)
    return try copy.writeAll(top: top, content)
  }

  private mutating func writeAll(top: Ref, _ content: Content) throws(StorageError) -> (UInt64, Ref) {
    try writer.append(bytes: FileHeader.streamingHeader())
    var slots: [Int64] = []
    var history: [Int64]?
    if top.isNull {
      slots = [Int64(bitPattern: writer.position)]
      try writer.append(header: NodeHeader(flags: 0, scheme: .bits, widthIndex: 0, count: 0).asNames, [])
      slots.append(Int64(bitPattern: writer.position))
      try writer.append(header: NodeHeader(flags: NodeHeader.Flags.refs, scheme: .bits, widthIndex: 0, count: 0), [])
    } else {
      let node = try space.refs(at: top)
      for slot in 0..<2 {
        let child = try node.child(slot)
        slots.append(try copy(child, parent: top, depth: 0).element)
      }
      if case .versionAndHistory = content, let type = try node.tagged(7), type != 0 {
        let root = try node.child(8)
        history = [
          Int64(type) << 1 | 1, root.isNull ? 0 : try copy(root, parent: top, depth: 0).element,
          Int64(try node.tagged(9) ?? 0) << 1 | 1, Int64(try node.tagged(10) ?? 0) << 1 | 1,
        ]
      }
    }
    slots.append(0)
    if case .versionAndHistory(let version) = content {
      for _ in 0..<3 {
        slots.append(Int64(bitPattern: writer.position))
        try writer.append(header: NodeHeader(flags: 0, scheme: .bits, widthIndex: 0, count: 0), [])
      }
      slots.append(Int64(version) << 1 | 1)
      if let history { slots += history }
    }
    let header = NodeHeader(flags: NodeHeader.Flags.refs, scheme: .bits, widthIndex: 7, count: slots.count)
    let topRef = writer.position
    let end = topRef + UInt64(header.nodeByteCount)
    slots[2] = Int64(end) << 1 | 1
    try writer.append(header: header, slots[...])
    if padsToPages {
      // The footer is found at the end of the last whole page (E7).
      let page = UInt64(CipherLayout.pageByteCount)
      let rest = (writer.position + UInt64(FileHeader.footerByteCount)) % page
      if rest != 0 { try writer.append(bytes: [UInt8](repeating: 0, count: Int(page - rest))) }
    }
    try writer.append(bytes: FileHeader.footer(topRef: Ref(topRef)))
    try writer.flush()
    return (end, Ref(topRef))
  }

  /// Copies a tree and returns its new place.
  private mutating func copy(_ ref: Ref, parent: Ref, depth: Int) throws(StorageError) -> Ref {
    let node = try visit(ref, parent: parent, depth: depth)
    guard node.header.hasRefs else {
      let place = writer.position
      try writer.append(node)
      return Ref(place)
    }
    let base = elements.count
    try appendElements(node)
    if ColumnwiseOrder.applies(to: node) {
      try copyClusters(node, base, depth: depth)
    } else {
      for index in base..<base + node.count { try copyChild(index, parent: ref, depth: depth) }
    }
    let place = try write(node, base)
    elements.removeSubrange(base...)
    return place
  }

  /// The node, if it may be copied once more.
  private mutating func visit(_ ref: Ref, parent: Ref, depth: Int) throws(StorageError) -> Node {
    if space.isDirty(ref) && !space.isDirty(parent) {
      throw .corruptNode(ref: parent, reason: "holds the ref \(ref), which lies outside the file")
    }
    let node = try space.node(at: ref)
    if !space.isDirty(ref) { try space.checkCount(node.count, of: node) }
    guard depth < Scratch.depthLimit else { throw node.broken("the tree is nested too deeply") }
    guard UInt64(node.byteCount) <= remainingByteCount else { throw node.broken("is reached more than once") }
    remainingByteCount -= UInt64(node.byteCount)
    return node
  }

  private mutating func appendElements(_ node: Node) throws(StorageError) {
    guard node.header.schemeBits == 0 else { throw node.broken("is no ref array") }
    for index in 0..<node.count { elements.append(node.element(unchecked: index)) }
  }

  /// Copies what an element refers to, if it is a ref, and puts the new ref into its place.
  private mutating func copyChild(_ index: Int, parent: Ref, depth: Int) throws(StorageError) {
    let element = elements[index]
    if element & 1 == 0 && element != 0 {
      elements[index] = try copy(Ref(element: element), parent: parent, depth: depth + 1).element
    }
  }

  /// Writes a ref array whose children have been copied: its elements begin at `base`.
  private mutating func write(_ node: Node, _ base: Int) throws(StorageError) -> Ref {
    let values = elements[base..<base + node.count]
    let place = writer.position
    try writer.append(header: node.header.with(widthIndex: NodeHeader.widthIndex(ofRefs: values)), values)
    return Ref(place)
  }

  /// The children of the lowest inner nodes of a cluster tree, column by column.
  private mutating func copyClusters(_ inner: Node, _ base: Int, depth: Int) throws(StorageError) {
    var group: [(index: Int, node: Node)] = []
    for index in base..<base + inner.count {
      let element = elements[index]
      if element & 1 != 0 || element == 0 { continue }
      let child = Ref(element: element)
      guard try ColumnwiseOrder.includes(space.node(at: child).header) else {
        try copyGroup(&group, depth: depth + 1)
        try copyChild(index, parent: inner.ref, depth: depth)
        continue
      }
      group.append((index, try visit(child, parent: inner.ref, depth: depth + 1)))
      if group.count == ColumnwiseOrder.clusterLimit { try copyGroup(&group, depth: depth + 1) }
    }
    try copyGroup(&group, depth: depth + 1)
  }

  private mutating func copyGroup(_ group: inout [(index: Int, node: Node)], depth: Int) throws(StorageError) {
    let base = elements.count
    var starts: [Int] = []
    for (_, node) in group {
      starts.append(elements.count)
      try appendElements(node)
    }
    let clusters = group
    try ColumnwiseOrder.forEachPart(slotCounts: clusters.map(\.node.count)) { (cluster, slot) throws(StorageError) in
      let (index, node) = clusters[cluster]
      if let slot {
        try copyChild(starts[cluster] + slot, parent: node.ref, depth: depth)
      } else {
        elements[index] = try write(node, starts[cluster]).element
      }
    }
    elements.removeSubrange(base...)
    group.removeAll(keepingCapacity: true)
  }
}

extension NodeHeader {
  /// The header of an empty array of names.
  fileprivate var asNames: NodeHeader { NodeHeader(flags: 0, scheme: .bytes, widthIndex: 0, count: 0) }
}
