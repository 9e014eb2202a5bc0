// Both sides of every link (F3.13, F7.5).

extension Table {
  /// The origin keys of an object's backlinks in one backlink column, with repetitions.
  /// - Throws: `.interrupted`, asked at every leaf of a list.
  package func backlinks(_ key: ObjectKey, _ column: ColumnKey, _ cancellation: Cancellation? = nil) throws(StorageError) -> [ObjectKey] {
    try origins(key, column, cancellation).map { ObjectKey($0) }
  }

  private func origins(_ key: ObjectKey, _ column: ColumnKey, _ cancellation: Cancellation? = nil) throws(StorageError) -> [Int64] {
    let row = try row(key)
    return try origins(space.refs(at: row.leaf(column)).element(row.row), cancellation)
  }

  /// Removes all backlinks of an object in one backlink column.
  /// - Returns: their origins, with repetitions.
  func takeBacklinks(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnKey) throws(StorageError) -> [ObjectKey] {
    let origins = try backlinks(key, column)
    if origins.isEmpty { return [] }
    try updateLeaf(scratch, key, column.leafIndex) { (leaf, row) throws(StorageError) in
      try scratch.makeWritable(&leaf)
      let element = scratch.slot(leaf, row)
      if element & 1 == 0 { try scratch.freeTree(Ref(element: element)) }
      scratch.setChild(leaf, row, .null)
    }
    return origins
  }

  /// - Parameter element: of the leaf of a backlink column.
  func origins(_ element: Int64, _ cancellation: Cancellation? = nil) throws(StorageError) -> [Int64] {
    if element == 0 { return [] }
    if element & 1 == 1 { return [Int64(UInt64(bitPattern: element) >> 1)] }
    var origins: [Int64] = []
    let space = space
    try BPlusTree(root: Ref(element: element), family: IntegerFamily()).forEachLeaf(space) { (leaf, _, _) throws(StorageError) in
      try cancellation?.check()
      let node = try space.integers(at: leaf)
      try space.checkCount(node.count, of: node)
      origins.append(contentsOf: node.integers(as: Int64.self))
      return true
    }
    return origins
  }

  /// Whether one object links to another by the property that a backlink column belongs to.
  func hasBacklink(_ key: ObjectKey, _ column: ColumnKey, from origin: ObjectKey) throws(StorageError) -> Bool {
    let row = try row(key)
    let element = try space.refs(at: row.leaf(column)).element(row.row)
    if element & 1 == 1 { return Int64(UInt64(bitPattern: element) >> 1) == origin.rawValue }
    if element == 0 { return false }
    var isFound = false
    let space = space
    try BPlusTree(root: Ref(element: element), family: IntegerFamily()).forEachLeaf(space) { (leaf, _, _) throws(StorageError) in
      isFound = try space.integers(at: leaf).firstIndex(of: origin.rawValue) != nil
      return !isFound
    }
    return isFound
  }

  package var backlinkColumns: [ColumnDescription] { state.columns.compactMap { $0 }.filter { $0.type == .backlink } }

  /// Number of links to an object, over all origins.
  package func backlinkCount(_ key: ObjectKey) throws(StorageError) -> Int {
    var total = 0
    for column in backlinkColumns {
      let row = try row(key)
      let element = try space.refs(at: row.leaf(column.key)).element(row.row)
      if element == 0 { continue }
      total += element & 1 == 1 ? 1 : try BPlusTree(root: Ref(element: element), family: IntegerFamily()).count(space)
    }
    return total
  }

  /// Adds one backlink to object `key` of this table, behind the others; see `BacklinkList` for long lists.
  func addBacklink(_ scratch: Scratch, _ column: ColumnKey, _ key: ObjectKey, origin: ObjectKey) throws(StorageError) {
    if key.isNull { return }
    try willChange(scratch)
    // Nothing is captured: no reference has to be counted for a link.
    try updateLeaf(scratch, key, column.leafIndex) { (leaf, row) throws(StorageError) in
      try Self.addOrigin(scratch, &leaf, row, origin)
    }
  }

  /// Adds a backlink to the object at `row` of a leaf.
  @inline(never) private static func addOrigin(_ scratch: Scratch, _ leaf: inout Ref, _ row: Int, _ origin: ObjectKey) throws(StorageError) {
    try scratch.makeWritable(&leaf)
    let element = scratch.slot(leaf, row)
    if element == 0 { return scratch.setTagged(leaf, row, UInt64(bitPattern: origin.rawValue)) }
    var tree: BPlusTree<IntegerFamily>
    if element & 1 == 1 {
      let single = Int64(UInt64(bitPattern: element) >> 1)
      tree = BPlusTree(root: try scratch.createIntegers([single, origin.rawValue]), family: IntegerFamily())
    } else {
      var root = Ref(element: element)
      if try BacklinkList.append(scratch, &root, origin.rawValue) { return scratch.setChild(leaf, row, root) }
      tree = try BacklinkList.normalised(scratch, root)
      try BacklinkList.insert(scratch, &tree, origin.rawValue)
    }
    scratch.setChild(leaf, row, tree.root)
  }

  /// Removes one backlink; a tombstone that loses its last one goes with it.
  /// - Throws: `.corruptNode` if there is no such backlink.
  func removeBacklink(_ scratch: Scratch, _ column: ColumnKey, _ key: ObjectKey, origin: ObjectKey) throws(StorageError) {
    if key.isNull { return }
    try willChange(scratch)
    try updateLeaf(scratch, key, column.leafIndex) { (leaf, row) throws(StorageError) in
      try scratch.makeWritable(&leaf)
      let element = scratch.slot(leaf, row)
      if element & 1 == 1 {
        guard Int64(UInt64(bitPattern: element) >> 1) == origin.rawValue else { throw missingBacklink(leaf, origin) }
        return scratch.setChild(leaf, row, .null)
      }
      guard element != 0 else { throw missingBacklink(leaf, origin) }
      var tree = try BacklinkList.normalised(scratch, Ref(element: element))
      guard try BacklinkList.remove(scratch, &tree, origin.rawValue) else { throw missingBacklink(leaf, origin) }
      if try tree.count(scratch.space) == 1 {
        let last = try tree.element(scratch.space, 0)
        try scratch.freeTree(tree.root)
        scratch.setTagged(leaf, row, UInt64(bitPattern: last))
      } else {
        scratch.setChild(leaf, row, tree.root)
      }
    }
    if key.isUnresolved { try removeTombstoneIfUnused(scratch, key) }
  }

  /// Removes several backlinks of one object at once.
  /// - Parameter origins: ascending.
  func removeBacklinks(_ scratch: Scratch, _ column: ColumnKey, _ key: ObjectKey, origins: [Int64]) throws(StorageError) {
    let present = try self.origins(key, column)
    // A few out of many are taken one by one.
    guard origins.count > 16, origins.count * 16 > present.count, key.rawValue >= 0 else {
      for origin in origins { try removeBacklink(scratch, column, key, origin: ObjectKey(origin)) }
      return
    }
    let (kept, next) = Self.difference(present, origins)
    try willChange(scratch)
    try updateLeaf(scratch, key, column.leafIndex) { (leaf, row) throws(StorageError) in
      guard next == origins.count else { throw missingBacklink(leaf, ObjectKey(origins[next])) }
      try scratch.makeWritable(&leaf)
      let element = scratch.slot(leaf, row)
      if element & 1 == 0 { try scratch.freeTree(Ref(element: element)) }
      switch kept.count {
      case 0: scratch.setChild(leaf, row, .null)
      case 1: scratch.setTagged(leaf, row, UInt64(bitPattern: kept[0]))
      default: scratch.setChild(leaf, row, try BPlusTree.build(scratch, kept).root)
      }
    }
  }

  /// - Parameter removed: ascending.
  /// - Returns: what is left, in its order, and how many of those to be removed were there.
  private static func difference(_ all: [Int64], _ removed: [Int64]) -> (kept: [Int64], removedCount: Int) {
    var kept: [Int64] = []
    kept.reserveCapacity(max(0, all.count - removed.count))
    var next = 0
    if zip(all, all.dropFirst()).allSatisfy({ $0 <= $1 }) {
      for origin in all {
        if next < removed.count && removed[next] == origin { next += 1 } else { kept.append(origin) }
      }
      return (kept, next)
    }
    var open: [Int64: Int] = [:]
    for origin in removed { open[origin, default: 0] += 1 }
    for origin in all {
      guard let count = open[origin], count > 0 else {
        kept.append(origin)
        continue
      }
      open[origin] = count - 1
      next += 1
    }
    return (kept, next)
  }

  private func missingBacklink(_ leaf: Ref, _ origin: ObjectKey) -> StorageError {
    .corruptNode(ref: leaf, reason: "a link from object \(origin.rawValue) to '\(className)' has no backlink")
  }

  /// The backlink column for links in a Mixed column, made when the first such link is stored (F4.4).
  func typedBacklinkColumn(_ column: ColumnDescription, originTable: Table) throws(StorageError) -> ColumnKey {
    for candidate in state.columns {
      if let candidate, candidate.type == .backlink, candidate.oppositeTable == originTable.key, candidate.oppositeColumn == column.key {
        return candidate.key
      }
    }
    let created = try addBacklinkColumn(for: column.key, in: originTable)
    group.log.typedLinkChange(originTable.key, column.key, target: key)
    return created
  }

  /// Records a link that is stored in a Mixed or dictionary column of this table.
  func addTypedBacklink(_ scratch: Scratch, _ column: ColumnDescription, _ link: ObjectLink, origin: ObjectKey) throws(StorageError) {
    let target = try group.table(link.table)
    try target.addBacklink(scratch, backlinkColumn(for: column, in: target), link.key, origin: origin)
  }

  func removeTypedBacklink(_ scratch: Scratch, _ column: ColumnDescription, _ link: ObjectLink, origin: ObjectKey) throws(StorageError) {
    let target = try group.table(link.table)
    try target.removeBacklink(scratch, backlinkColumn(for: column, in: target), link.key, origin: origin)
  }

  func backlinkColumn(for column: ColumnDescription, in target: Table) throws(StorageError) -> ColumnKey {
    column.type == .link ? column.oppositeColumn : try target.typedBacklinkColumn(column, originTable: self)
  }
}

/// Lists of origin keys.
///
/// One that fits in a leaf is in the order that the original gives it: a new key goes last, and the last one takes the place of one that goes. In
/// longer ones the keys ascend, so that one of them is found without looking at all; whoever wrote the file, any order can be read and edited.
enum BacklinkList {
  /// Files upgraded from formats below 24 may hold one flat array with more elements than a leaf may have: split it before modifying.
  static func normalised(_ scratch: Scratch, _ root: Ref) throws(StorageError) -> BPlusTree<IntegerFamily> {
    let tree = BPlusTree(root: root, family: IntegerFamily())
    let node = try scratch.space.node(at: root)
    guard !node.header.isInner, node.count > IntegerFamily().fanOut else { return tree }
    try scratch.space.checkCount(node.count, of: node)
    let list = try scratch.space.integers(at: root)
    var split = try BPlusTree.create(scratch, family: IntegerFamily())
    for index in 0..<list.count { try split.append(scratch, list.element(unchecked: index)) }
    try scratch.free(root)
    return split
  }

  /// Appends a value if the list is a leaf that has room, or the value is above all others and the last leaf has; else returns false.
  static func append(_ scratch: Scratch, _ root: inout Ref, _ value: Int64) throws(StorageError) -> Bool {
    let space = scratch.space
    let node = try space.node(at: root)
    let limit = IntegerFamily().fanOut
    if !node.header.isInner {
      let leaf = try space.integers(at: root)
      guard leaf.count > 0, leaf.count < limit else { return false }
      try scratch.insert(&root, leaf.count, value)
      return true
    }
    guard space.isDirty(root) else { return false }
    let inner = try InnerNode(space, node)
    var ref = try node.child(inner.childCount)
    guard try !space.node(at: ref).header.isInner else { return false }
    let leaf = try space.integers(at: ref)
    guard leaf.count > 0, leaf.count < limit, leaf.element(unchecked: leaf.count - 1) <= value else { return false }
    try scratch.insert(&ref, leaf.count, value)
    scratch.setChild(root, inner.childCount, ref)
    scratch.setTagged(root, inner.childCount + 1, UInt64(inner.total + 1))
    return true
  }

  /// Inserts where the value belongs if the list ascends, which no reader relies on. A full leaf, which is about to be split, is put in order.
  static func insert(_ scratch: Scratch, _ tree: inout BPlusTree<IntegerFamily>, _ value: Int64) throws(StorageError) {
    let count = try tree.count(scratch.space)
    if count == 0 { return try tree.insert(scratch, at: count, value) }
    if count == tree.family.fanOut { try order(scratch, &tree) }
    if try tree.element(scratch.space, count - 1) <= value { return try tree.insert(scratch, at: count, value) }
    try tree.insert(scratch, at: position(scratch.space, tree, value), value)
  }

  private static func order(_ scratch: Scratch, _ tree: inout BPlusTree<IntegerFamily>) throws(StorageError) {
    let node = try scratch.space.node(at: tree.root)
    if node.header.isInner { return }
    let leaf = try scratch.space.integers(at: tree.root)
    let elements = (0..<leaf.count).map { leaf.element(unchecked: $0) }
    if zip(elements, elements.dropFirst()).allSatisfy({ $0 <= $1 }) { return }
    try scratch.free(tree.root)
    tree = try BPlusTree.build(scratch, elements.sorted())
  }

  /// The first position whose element is not below `value`, if the list ascends.
  private static func position(
    _ space: NodeSpace, _ tree: BPlusTree<IntegerFamily>, _ value: Int64
  ) throws(StorageError) -> Int {
    var (ref, start) = (tree.root, 0)
    for _ in 0..<BPlusTreeLimits.depth {
      let node = try space.node(at: ref)
      if !node.header.isInner { return start + (try space.integers(at: ref).countBelow(signed: value)) }
      let inner = try InnerNode(space, node)
      // The last child whose first element is below the value, or the first child.
      var (low, high) = (0, inner.childCount - 1)
      while low < high {
        let middle = (low + high + 1) >> 1
        if try first(space, node.child(middle + 1)) < value { low = middle } else { high = middle - 1 }
      }
      start += try inner.extent(space, ofChild: low).start
      ref = try node.child(low + 1)
    }
    throw .corruptNode(ref: tree.root, reason: "the B+ tree is too deep")
  }

  /// The first element below a node.
  private static func first(_ space: NodeSpace, _ root: Ref) throws(StorageError) -> Int64 {
    var ref = root
    for _ in 0..<BPlusTreeLimits.depth {
      let node = try space.node(at: ref)
      if !node.header.isInner { return try space.integers(at: ref).element(0) }
      ref = try node.child(InnerNode.Slot.firstChild)
    }
    throw .corruptNode(ref: root, reason: "the B+ tree is too deep")
  }

  /// - Returns: false if the value is not there.
  static func remove(_ scratch: Scratch, _ tree: inout BPlusTree<IntegerFamily>, _ value: Int64) throws(StorageError) -> Bool {
    let space = scratch.space
    let count = try tree.count(space)
    if try !space.node(at: tree.root).header.isInner {
      guard let index = try space.integers(at: tree.root).firstIndex(of: value) else { return false }
      let last = try tree.element(space, count - 1)
      if index < count - 1 { try tree.set(scratch, index, last) }
      try tree.remove(scratch, count - 1)
      return true
    }
    let guess = try position(space, tree, value)
    if guess < count, try tree.element(space, guess) == value {
      try tree.remove(scratch, guess)
      return true
    }
    var found: Int?
    try tree.forEachLeaf(space) { (leaf, first, _) throws(StorageError) in
      if let index = try space.integers(at: leaf).firstIndex(of: value) { found = first + index }
      return found == nil
    }
    guard let found else { return false }
    try tree.remove(scratch, found)
    return true
  }
}
