// Changing the nodes of a collection. These functions know nothing of backlinks; they log what they do.

extension ObjectCollection {
  /// Makes the way to the collection writable, lets `body` change its root and stores the new root.
  /// - Returns: the stable keys of the steps, for the log.
  @discardableResult
  func edit(_ body: (_ scratch: Scratch, _ root: inout Ref, _ kind: CollectionKind) throws(StorageError) -> Void) throws(StorageError) -> [Int64] {
    let scratch = try table.writing()
    var logPath: [Int64] = []
    try table.updateLeaf(scratch, object, column.leafIndex) { (leaf, row) throws(StorageError) in
      if column.isCollection {
        try scratch.makeWritable(&leaf)
        var place = Place(root: Ref(element: scratch.slot(leaf, row)), kind: column.isList ? .list : column.isSet ? .set : .dictionary)
        try edit(scratch, &place, path[...], &logPath, body)
        scratch.setChild(leaf, row, place.root)
      } else {
        var place = try nestedPlace(MixedLeaf(scratch.space, leaf).value(row))
        try edit(scratch, &place, path[...], &logPath, body)
        try MixedLeaf.setCollectionRoot(scratch, &leaf, row, place.root)
      }
    }
    return logPath
  }

  /// Goes down the steps to the collection to edit, making the way writable.
  private func edit(
    _ scratch: Scratch, _ place: inout Place, _ steps: ArraySlice<PathStep>, _ logPath: inout [Int64],
    _ body: (_ scratch: Scratch, _ root: inout Ref, _ kind: CollectionKind) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard let step = steps.first else { return try body(scratch, &place.root, place.kind) }
    let position = try locate(step, in: place).1
    if place.kind == .dictionary { try scratch.makeWritable(&place.root) }
    var tree = BPlusTree(
      root: place.kind == .dictionary ? Ref(element: scratch.slot(place.root, DictionarySlot.values)) : place.root,
      family: ValueFamily(.mixed, isNullable: true))
    try tree.updateLeaf(scratch, position) { (leaf, index) throws(StorageError) in
      logPath.append(try MixedLeaf(scratch.space, leaf).key(index))
      var inner = try nestedPlace(MixedLeaf(scratch.space, leaf).value(index))
      try edit(scratch, &inner, steps.dropFirst(), &logPath, body)
      try MixedLeaf.setCollectionRoot(scratch, &leaf, index, inner.root)
    }
    if place.kind == .dictionary { scratch.setChild(place.root, DictionarySlot.values, tree.root) } else { place.root = tree.root }
  }

  /// Changes the tree of elements or values, creating the collection's nodes when it was never touched.
  @discardableResult
  private func editTree(
    _ body: (_ scratch: Scratch, _ tree: inout BPlusTree<ValueFamily>, _ root: Ref) throws(StorageError) -> Void
  ) throws(StorageError) -> [Int64] {
    try edit { (scratch, root, kind) throws(StorageError) in
      let family = family(kind)
      if kind == .dictionary {
        if root.isNull {
          root = try scratch.createRefs(count: DictionarySlot.count)
          scratch.setChild(root, DictionarySlot.keys, try keyFamily.create(scratch))
          scratch.setChild(root, DictionarySlot.values, try family.create(scratch))
        }
        try scratch.makeWritable(&root)
        var tree = BPlusTree(root: Ref(element: scratch.slot(root, DictionarySlot.values)), family: family)
        try body(scratch, &tree, root)
        return scratch.setChild(root, DictionarySlot.values, tree.root)
      }
      if root.isNull { root = try family.create(scratch) }
      let hasFlag = try scratch.space.node(at: root).header.hasContext && family.kind == .linkElement
      if hasFlag { try scratch.setContext(&root, false) }
      var tree = BPlusTree(root: root, family: family)
      try body(scratch, &tree, .null)
      root = tree.root
      if hasFlag, try hasUnresolved(tree) { try scratch.setContext(&root, true) }
    }
  }

  /// F6.6: whether some element of a list or set of links names a tombstone.
  private func hasUnresolved(_ tree: BPlusTree<ValueFamily>) throws(StorageError) -> Bool {
    var found = false
    let space = space
    try tree.forEachLeaf(space) { (leaf, _, _) throws(StorageError) in
      let node = try space.integers(at: leaf)
      for index in 0..<node.count where node.element(unchecked: index) <= -2 { found = true }
      return !found
    }
    return found
  }

  private func markUnresolved(_ value: Value) throws(StorageError) {
    guard case .link(let key) = value, key.isUnresolved else { return }
    try edit { (scratch, root, kind) throws(StorageError) in if kind != .dictionary { try scratch.setContext(&root, true) } }
  }

  // MARK: Elements without their links

  func rawInsert(at index: Int, _ value: Value) throws(StorageError) {
    let logPath = try editTree { (scratch, tree, _) throws(StorageError) in
      try tree.insert(scratch, at: index, value)
      try giveIdentity(scratch, &tree, index, value)
    }
    try markUnresolved(value)
    table.group.log.collectionInsert(table.key, column.key, object, path: logPath, index: index)
    if let recorder = table.group.recorder { try recorder.didInsert(at: index, into: self) }
  }

  func rawInsert(contentsOf values: [Value], at index: Int) throws(StorageError) {
    if table.group.recorder != nil {
      for place in values.indices { try rawInsert(at: index + place, values[place]) }
      return
    }
    let logPath = try editTree { (scratch, tree, _) throws(StorageError) in
      for place in values.indices { try tree.insert(scratch, at: index + place, values[place]) }
    }
    for value in values { try markUnresolved(value) }
    for place in values.indices { table.group.log.collectionInsert(table.key, column.key, object, path: logPath, index: index + place) }
  }

  /// Removes elements of a list or set, from the last to the first.
  func rawRemove(atDescending indexes: [Int]) throws(StorageError) {
    if let recorder = table.group.recorder {
      let size = try count()
      for (place, index) in indexes.enumerated() { try recorder.willRemove(at: index, of: self, size: size - place) }
    }
    let logPath = try editTree { (scratch, tree, _) throws(StorageError) in
      for index in indexes { try tree.remove(scratch, index) }
    }
    for index in indexes { table.group.log.collectionErase(table.key, column.key, object, path: logPath, index: index) }
  }

  func rawSet(at index: Int, _ value: Value) throws(StorageError) {
    let emptied = try table.group.recorder?.empties(self.value(at: index), value) ?? false
    let logPath = try editTree { (scratch, tree, _) throws(StorageError) in
      try tree.set(scratch, index, value)
      try giveIdentity(scratch, &tree, index, value)
    }
    try markUnresolved(value)
    table.group.log.collectionSet(table.key, column.key, object, path: logPath, index: index)
    if let recorder = table.group.recorder { try recorder.didSet(at: index, of: self, emptied: emptied) }
  }

  /// Removes an element; in a dictionary with its key.
  func rawRemove(at index: Int) throws(StorageError) {
    if let recorder = table.group.recorder { try recorder.willRemove(at: index, of: self) }
    let logPath = try editTree { (scratch, tree, root) throws(StorageError) in
      try tree.remove(scratch, index)
      guard !root.isNull else { return }
      var keys = BPlusTree(root: Ref(element: scratch.slot(root, DictionarySlot.keys)), family: keyFamily)
      try keys.remove(scratch, index)
      scratch.setChild(root, DictionarySlot.keys, keys.root)
    }
    table.group.log.collectionErase(table.key, column.key, object, path: logPath, index: index)
  }

  func rawInsertEntry(at index: Int, key: Value, _ value: Value) throws(StorageError) {
    let logPath = try editTree { (scratch, tree, root) throws(StorageError) in
      var keys = BPlusTree(root: Ref(element: scratch.slot(root, DictionarySlot.keys)), family: keyFamily)
      try keys.insert(scratch, at: index, key)
      scratch.setChild(root, DictionarySlot.keys, keys.root)
      try tree.insert(scratch, at: index, value)
      try giveIdentity(scratch, &tree, index, value)
    }
    table.group.log.collectionInsert(table.key, column.key, object, path: logPath, index: index)
    if let recorder = table.group.recorder { try recorder.didInsert(at: index, into: self) }
  }

  /// Empties the collection; the elements' trees are freed with it.
  func rawClear(oldCount: Int) throws(StorageError) {
    let logPath = try edit { (scratch, root, kind) throws(StorageError) in
      guard !root.isNull else { return }
      try scratch.freeTree(root)
      if kind == .dictionary {
        root = try scratch.createRefs(count: DictionarySlot.count)
        scratch.setChild(root, DictionarySlot.keys, try keyFamily.create(scratch))
        scratch.setChild(root, DictionarySlot.values, try family(kind).create(scratch))
      } else {
        root = try family(kind).create(scratch)
      }
    }
    table.group.log.collectionClear(table.key, column.key, object, path: logPath, oldCount: oldCount)
    if let recorder = table.group.recorder { try recorder.didClear(self) }
  }

  /// Moves an element of a list within its tree; nested collections keep their nodes.
  func rawMove(from: Int, to: Int) throws(StorageError) {
    let logPath = try editTree { (scratch, tree, _) throws(StorageError) in
      let value = try tree.element(scratch.space, from)
      var identity: Int64 = 0
      if value.isNestedCollection {
        let position = try tree.locate(scratch.space, from)
        identity = try MixedLeaf(scratch.space, position.leaf).key(position.index)
      }
      try tree.remove(scratch, from)
      try tree.insert(scratch, at: to, value)
      guard identity != 0 else { return try giveIdentity(scratch, &tree, to, value) }
      try tree.updateLeaf(scratch, to) { (leaf, index) throws(StorageError) in
        try MixedLeaf.ensureKey(scratch, &leaf, index, unused: identity)
      }
    }
    table.group.log.collectionMove(table.key, column.key, object, path: logPath, from: from, to: to)
    if let recorder = table.group.recorder { try recorder.didMove(from: from, to: to, in: self) }
  }

  /// A nested collection gets an identity that is unique in its tree (F3.15).
  private func giveIdentity(
    _ scratch: Scratch, _ tree: inout BPlusTree<ValueFamily>, _ index: Int, _ value: Value
  ) throws(StorageError) {
    guard value.isNestedCollection else { return }
    let space = scratch.space
    let count = try tree.count(space)
    var identities = MixedIdentity(seed: object.rawValue &* 31 &+ Int64(index) &+ table.group.changeNumber &* 127, count: count)
    var candidate = identities.next()
    while try !tree.forEachLeaf(space, { (leaf, _, _) throws(StorageError) in try !MixedLeaf(space, leaf).hasKey(candidate) }) {
      candidate = identities.next()
    }
    try tree.updateLeaf(scratch, index) { (leaf, leafIndex) throws(StorageError) in
      try MixedLeaf.ensureKey(scratch, &leaf, leafIndex, unused: candidate)
    }
  }
}
