/// Changes one cluster tree: finds clusters for writing, inserts and removes objects, splits and merges. F7.
///
/// Keeps a cursor on the cluster used last, so that work on neighbouring objects does not descend again. All nodes on the cursor's
/// path are scratch nodes. After any mutation `root` may differ; the caller stores it.
package struct ClusterEditor {
  package internal(set) var root: Ref
  /// By leaf index.
  package var layout: [ColumnSlot?]

  struct Step {
    let ref: Ref
    let child: Int
    /// Key offset of the node itself.
    let offset: UInt64
  }
  /// Inner nodes from the root down to the cursor's cluster.
  var path: [Step] = []
  /// The cursor's cluster; null when there is none.
  var leaf: Ref = .null
  var leafOffset: UInt64 = 0
  /// Keys in `leafOffset...leafLast` belong to the cursor's cluster.
  var leafLast: UInt64 = 0

  package init(root: Ref, layout: [ColumnSlot?]) {
    self.root = root
    self.layout = layout
  }

  /// An empty tree: one cluster without objects.
  package static func create(_ scratch: Scratch, layout: [ColumnSlot?]) throws(StorageError) -> ClusterEditor {
    var editor = ClusterEditor(root: .null, layout: layout)
    editor.root = try editor.createCluster(scratch)
    return editor
  }

  func createCluster(_ scratch: Scratch) throws(StorageError) -> Ref {
    let ref = try scratch.createRefs(count: layout.count + 1)
    scratch.setTagged(ref, Cluster.Slot.keys, 0)
    for (index, slot) in layout.enumerated() {
      guard let slot else { continue }
      scratch.setChild(ref, Cluster.Slot.firstColumn + index, try Leaf.create(scratch, slot, count: 0))
    }
    return ref
  }

  /// The cluster behind a full one will probably be filled with similar values: its leaves get the room at once.
  private func makeRoom(_ scratch: Scratch, in cluster: Ref, like full: Ref) throws(StorageError) {
    for (index, slot) in layout.enumerated() {
      guard let slot, slot.kind != .backlink, slot.kind != .collection else { continue }
      let model = try scratch.space.node(at: Ref(element: scratch.slot(full, Cluster.Slot.firstColumn + index)))
      var leaf = Ref(element: scratch.slot(cluster, Cluster.Slot.firstColumn + index))
      guard !model.header.hasRefs, try !scratch.space.node(at: leaf).header.hasRefs else { continue }
      try scratch.setRoom(&leaf, payloadByteCount: model.byteCount - 8)
      scratch.setChild(cluster, Cluster.Slot.firstColumn + index, leaf)
    }
  }

  /// Forgets the cursor; needed when somebody else changed the tree.
  package mutating func forgetCursor() {
    leaf = .null
    path.removeAll(keepingCapacity: true)
  }

  // MARK: Finding

  /// Puts the cursor on the cluster whose range holds `key`, copying the path to scratch.
  @inline(__always) mutating func seek(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) {
    let target = UInt64(bitPattern: key.rawValue)
    if !leaf.isNull && target >= leafOffset && target <= leafLast { return }
    try descend(scratch, target)
  }

  @inline(never) private mutating func descend(_ scratch: Scratch, _ target: UInt64) throws(StorageError) {
    forgetCursor()
    let space = scratch.space
    // A node of ours was checked when it was copied or made.
    var isChecked = space.isDirty(root)
    try scratch.makeWritable(&root)
    var (ref, offset, last) = (root, UInt64(0), UInt64.max)
    while true {
      let node = try space.refs(at: ref)
      guard node.header.isInner else { break }
      guard path.count < 10 else { throw node.broken("the cluster tree is too deep") }
      let inner = try ClusterInner(space, node)
      let child = inner.child(containing: target &- offset)
      if child + 1 < inner.childCount { last = offset &+ inner.offset(child + 1) &- 1 }
      path.append(Step(ref: ref, child: child, offset: offset))
      offset &+= inner.offset(child)
      guard offset <= target else { throw node.broken("the offsets of a cluster node do not ascend") }
      var childRef = try node.child(child + 3)
      isChecked = space.isDirty(childRef)
      if !isChecked {
        try scratch.makeWritable(&childRef)
        scratch.setChild(ref, child + 3, childRef)
      }
      ref = childRef
    }
    if !isChecked { try checkColumns(scratch, ref) }
    (leaf, leafOffset, leafLast) = (ref, offset, last)
  }

  /// A cluster must have a leaf for every column before anything in it is changed.
  private func checkColumns(_ scratch: Scratch, _ ref: Ref) throws(StorageError) {
    let node = try scratch.space.refs(at: ref)
    // The node may end before vacant leaf indexes.
    for index in layout.indices where layout[index] != nil {
      guard try !node.child(Cluster.Slot.firstColumn + index).isNull else { throw node.broken("column \(index) has no leaf") }
    }
  }

  /// The cursor's cluster.
  @inline(__always) func cluster(_ scratch: Scratch) throws(StorageError) -> Cluster {
    try Cluster(scratch.space, scratch.space.refs(at: leaf), offset: leafOffset)
  }

  /// The object, if it is in the cursor's cluster; for readers that follow a writer.
  @inline(__always) func place(_ space: NodeSpace, _ key: ObjectKey) throws(StorageError) -> (cluster: Cluster, row: Int)? {
    let target = UInt64(bitPattern: key.rawValue)
    guard !leaf.isNull, target >= leafOffset, target <= leafLast else { return nil }
    let cluster = try Cluster(space, space.refs(at: leaf), offset: leafOffset)
    guard let row = cluster.row(ofRelative: target &- leafOffset) else { return nil }
    return (cluster, row)
  }

  /// Puts the cursor on an object and returns its row, or nil if it does not exist.
  package mutating func row(_ scratch: Scratch, of key: ObjectKey) throws(StorageError) -> Int? {
    try seek(scratch, key)
    let relative = UInt64(bitPattern: key.rawValue) &- leafOffset
    if let count = compactCount(scratch) { return relative < count ? Int(relative) : nil }
    return try cluster(scratch).row(ofRelative: relative)
  }

  /// How many objects the cursor's cluster has, if it is in compact form: every key from 0 on is there, and each is its row.
  @inline(__always) private func compactCount(_ scratch: Scratch) -> UInt64? {
    let keys = UInt64(bitPattern: scratch.slot(leaf, Cluster.Slot.keys))
    return keys & 1 == 1 && keys >> 1 <= Cluster.objectLimit ? keys >> 1 : nil
  }

  /// The leaf array of a column in the cursor's cluster; store a changed ref with `setColumn`.
  @inline(__always) package func column(_ scratch: Scratch, _ leafIndex: Int) throws(StorageError) -> Ref {
    let node = try scratch.space.refs(at: leaf)
    let ref = try node.child(leafIndex + 1)
    guard !ref.isNull else { throw node.broken("column \(leafIndex) has no leaf") }
    return ref
  }
  @inline(__always) package func setColumn(_ scratch: Scratch, _ leafIndex: Int, _ ref: Ref) { scratch.setChild(leaf, leafIndex + 1, ref) }

  // MARK: Inserting

  /// Inserts an object with default values and leaves the cursor on it.
  /// - Returns: its row in the cursor's cluster, or nil if the key exists already.
  package mutating func insert(_ scratch: Scratch, _ key: ObjectKey) throws(StorageError) -> Int? {
    try insert(scratch, key, integer: 0, inColumn: -1)
  }

  /// The same, with a value for one column of integers.
  package mutating func insert(
    _ scratch: Scratch, _ key: ObjectKey, integer: Int64, inColumn initial: Int
  ) throws(StorageError) -> Int? {
    try seek(scratch, key)
    let current = try cluster(scratch)
    let relative = UInt64(bitPattern: key.rawValue) &- leafOffset
    let row = current.insertionRow(relative)
    if row < current.count && current.relativeKey(row) == relative { return nil }
    if current.count < Cluster.objectLimit {
      try insertRow(scratch, row, relative, current)
      if initial >= 0 { try store(scratch, row, integer, initial) }
      for step in path { addToCount(scratch, step.ref, 1) }
      return row
    }
    let place = try insertIntoFull(scratch, row, key, current)
    if initial >= 0 { try store(scratch, place, integer, initial) }
    return place
  }

  /// Adds an object behind all others of a cluster that has room, with a value in one column of integers. The other leaves do not get
  /// the row: the caller appends to each of them before anything else is done with the tree.
  /// - Returns: the row, or nil if the object has no place at the end of a cluster with room.
  mutating func appendRow(
    _ scratch: Scratch, _ key: ObjectKey, integer: Int64, inColumn initial: Int
  ) throws(StorageError) -> Int? {
    try seek(scratch, key)
    let relative = UInt64(bitPattern: key.rawValue) &- leafOffset
    let row: Int
    if compactCount(scratch) == relative, relative < Cluster.objectLimit {
      row = Int(relative)
      scratch.setTagged(leaf, Cluster.Slot.keys, relative + 1)
    } else {
      let current = try cluster(scratch)
      row = current.count
      guard row < Cluster.objectLimit, row == 0 || current.relativeKey(row - 1) < relative else { return nil }
      try insertKey(scratch, row, relative, current)
    }
    var ref = try column(scratch, initial)
    let old = ref
    try scratch.insert(&ref, row, integer)
    if ref != old { setColumn(scratch, initial, ref) }
    for step in path { addToCount(scratch, step.ref, 1) }
    return row
  }

  private func store(_ scratch: Scratch, _ row: Int, _ integer: Int64, _ leafIndex: Int) throws(StorageError) {
    var ref = try column(scratch, leafIndex)
    let old = ref
    try scratch.set(&ref, row, integer)
    if ref != old { setColumn(scratch, leafIndex, ref) }
  }

  /// Adds the key and default values to the cursor's cluster, which has room.
  private func insertRow(_ scratch: Scratch, _ row: Int, _ relative: UInt64, _ cluster: Cluster) throws(StorageError) {
    try insertKey(scratch, row, relative, cluster)
    for index in 0..<layout.count {
      guard let slot = layout[index] else { continue }
      var ref = Ref(element: scratch.slot(leaf, Cluster.Slot.firstColumn + index))
      let old = ref
      try Leaf.insertDefault(scratch, slot, &ref, row)
      if ref != old { scratch.setChild(leaf, Cluster.Slot.firstColumn + index, ref) }
    }
  }

  private func insertKey(_ scratch: Scratch, _ row: Int, _ relative: UInt64, _ cluster: Cluster) throws(StorageError) {
    if cluster.isCompact && relative == UInt64(cluster.count) { return scratch.setTagged(leaf, Cluster.Slot.keys, relative + 1) }
    try useKeys(scratch, leaf)
    var keys = Ref(element: scratch.slot(leaf, Cluster.Slot.keys))
    try scratch.insert(&keys, row, Int64(bitPattern: relative), .unsigned)
    scratch.setChild(leaf, Cluster.Slot.keys, keys)
  }

  private mutating func insertIntoFull(_ scratch: Scratch, _ row: Int, _ key: ObjectKey, _ full: Cluster) throws(StorageError) -> Int {
    let target = UInt64(bitPattern: key.rawValue)
    let left = leaf
    let right: Ref
    let rightOffset: UInt64
    let movedCount: Int
    if row == full.count {
      // The new key is last: it goes alone into a new cluster.
      right = try createCluster(scratch)
      try makeRoom(scratch, in: right, like: left)
      (rightOffset, movedCount) = (target, 0)
      leaf = right
      leafOffset = target
      try insertRow(scratch, 0, 0, cluster(scratch))
    } else {
      rightOffset = full.offset &+ full.relativeKey(row)
      movedCount = full.count - row
      right = try split(scratch, left, at: row)
      try insertRow(scratch, row, target &- leafOffset, cluster(scratch))
    }
    for step in path { addToCount(scratch, step.ref, 1) }
    try addSibling(scratch, right, rightOffset, totalCount: full.count + 1)
    forgetCursor()
    try seek(scratch, key)
    return movedCount == 0 ? 0 : row
  }

  /// Moves the rows from `row` on to a new cluster whose keys are relative to the first of them.
  private func split(_ scratch: Scratch, _ left: Ref, at row: Int) throws(StorageError) -> Ref {
    try useKeys(scratch, left)
    let right = try scratch.createRefs(count: layout.count + 1)
    var keys = Ref(element: scratch.slot(left, Cluster.Slot.keys))
    var moved = try scratch.splitElements(&keys, at: row)
    scratch.setChild(left, Cluster.Slot.keys, keys)
    let first = try scratch.space.integers(at: moved).unsignedElement(0)
    try scratch.add(&moved, from: 0, 0 &- Int64(bitPattern: first))
    scratch.setChild(right, Cluster.Slot.keys, moved)
    for index in 0..<layout.count {
      guard let slot = layout[index] else { continue }
      var ref = Ref(element: scratch.slot(left, Cluster.Slot.firstColumn + index))
      scratch.setChild(right, Cluster.Slot.firstColumn + index, try Leaf.split(scratch, slot, &ref, at: row))
      scratch.setChild(left, Cluster.Slot.firstColumn + index, ref)
    }
    return right
  }

  /// Gives a cluster in compact form an array of keys.
  func useKeys(_ scratch: Scratch, _ ref: Ref) throws(StorageError) {
    let slot = scratch.slot(ref, Cluster.Slot.keys)
    guard slot & 1 == 1 else {
      var keys = Ref(element: slot)
      try scratch.makeWritable(&keys)
      return scratch.setChild(ref, Cluster.Slot.keys, keys)
    }
    scratch.setChild(ref, Cluster.Slot.keys, try scratch.createIntegers((0..<(slot >> 1)).map { $0 }, .unsigned))
  }

  @inline(__always) func addToCount(_ scratch: Scratch, _ ref: Ref, _ delta: Int64) {
    scratch.setChild(ref, ClusterInner.Slot.objectCount, Ref(element: scratch.slot(ref, ClusterInner.Slot.objectCount) &+ delta &* 2))
  }
}
