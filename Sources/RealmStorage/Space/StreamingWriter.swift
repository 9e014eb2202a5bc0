/// Writes a whole database front to back, children before parents, without holes: compaction and copies. F8.6.
package struct StreamingWriter {
  /// What goes into the copy besides the tables. T11.2.
  package enum Content: Sendable {
    /// A top array of 3 slots: the copy starts at version 1.
    case tablesOnly
    /// Version number and history, as compaction keeps them.
    case versionAndHistory(version: UInt64)
    /// The same for a file of its own: it does not have the name that the server gave the file which is copied.
    case otherFile(version: UInt64)

    /// Nil for tables alone.
    fileprivate var version: UInt64? {
      switch self {
      case .tablesOnly: nil
      case .versionAndHistory(let version), .otherFile(let version): version
      }
    }
    fileprivate var isOtherFile: Bool { if case .otherFile = self { true } else { false } }
  }

  private let space: NodeSpace
  private let writer: NodeWriter
  private let footerAlignment: UInt64
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
      space: space, writer: NodeWriter(storage: storage), footerAlignment: storage.footerAlignment,
      remainingByteCount: space.fileLimit + scratchByteCount)
    return try copy.writeAll(top: top, content)
  }

  private mutating func writeAll(top: Ref, _ content: Content) throws(StorageError) -> (UInt64, Ref) {
    try writer.append(bytes: FileHeader.streamingHeader())
    var contents = try copyTrees(top, content)
    // The array has room for its own end whatever that is.
    let header = NodeHeader(flags: NodeHeader.Flags.refs, scheme: .bits, widthIndex: 7, count: contents.elements.count)
    let topRef = writer.position
    contents.logicalByteCount = topRef + UInt64(header.nodeByteCount)
    try writer.append(header: header, contents.elements[...])
    let rest = (writer.position + UInt64(FileHeader.footerByteCount)) % footerAlignment
    if rest != 0 { try writer.append(bytes: [UInt8](repeating: 0, count: Int(footerAlignment - rest))) }
    try writer.append(bytes: FileHeader.footer(topRef: Ref(topRef)))
    try writer.flush()
    return (contents.logicalByteCount, Ref(topRef))
  }

  /// Copies what hangs from the top array. What it will say of its own end is still missing then.
  private mutating func copyTrees(_ top: Ref, _ content: Content) throws(StorageError) -> TopArray.Contents {
    var contents = TopArray.Contents()
    var history: TopArray.Contents.History?
    if top.isNull {
      contents.names = try appendEmpty(NodeHeader(flags: 0, scheme: .bytes, widthIndex: 0, count: 0))
      contents.tables = try appendEmpty(NodeHeader(flags: NodeHeader.Flags.refs, scheme: .bits, widthIndex: 0, count: 0))
    } else {
      let array = try TopArray(space, at: top)
      contents.names = try copy(array.names, parent: top, depth: 0)
      contents.tables = try copy(array.tables, parent: top, depth: 0)
      if content.version != nil, try array.historyType != 0 {
        let root = try array.history
        history = TopArray.Contents.History(
          type: try array.historyType, root: root.isNull ? .null : try copy(root, parent: top, depth: 0),
          schemaVersion: try array.historySchemaVersion, syncFileID: content.isOtherFile ? 0 : try array.syncFileID)
      }
    }
    if let version = content.version {
      let integers = NodeHeader(flags: 0, scheme: .bits, widthIndex: 0, count: 0)
      contents.version = TopArray.Contents.Version(
        number: version, freePositions: try appendEmpty(integers), freeByteCounts: try appendEmpty(integers),
        freeVersions: try appendEmpty(integers))
      contents.history = history
    }
    return contents
  }

  private func appendEmpty(_ header: NodeHeader) throws(StorageError) -> Ref {
    let place = Ref(writer.position)
    try writer.append(header: header, [])
    return place
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
