// What a value, a collection or a whole object holds on to: links to other objects, and nodes of its own.

/// Links and trees that go away with a value.
struct Released {
  var links: [ObjectLink] = []
  var trees: [Ref] = []
}

extension Table {
  /// Nested collections may be 100 levels deep (F2.6).
  static let nestingLimit = 100

  /// What a Mixed value holds on to.
  func releaseList(_ value: Value) throws(StorageError) -> Released {
    var released = Released()
    try collectLinks(value, into: &released.links, depth: 0)
    switch value {
    case .list(let root), .dictionary(let root): if !root.isNull { released.trees.append(root) }
    default: break
    }
    return released
  }

  /// Removes the backlinks of links that went away and frees their trees. Does nothing to the place they were stored in.
  func release(_ scratch: Scratch, _ released: Released, _ column: ColumnDescription, origin: ObjectKey) throws(StorageError) {
    for link in released.links where !link.key.isNull {
      try removeTypedBacklink(scratch, column, link, origin: origin)
      if column.type == .link { try group.table(link.table).removeIfOrphaned(link.key) }
    }
    for tree in released.trees { try scratch.freeTree(tree) }
  }

  /// All links in a Mixed value, through nested collections.
  func collectLinks(_ value: Value, into links: inout [ObjectLink], depth: Int) throws(StorageError) {
    switch value {
    case .typedLink(let link): links.append(link)
    case .list(let root), .dictionary(let root):
      if root.isNull { return }
      guard depth <= Table.nestingLimit + 1 else { throw .corruptNode(ref: root, reason: "collections are nested too deeply") }
      var tree = root
      if case .dictionary = value { tree = try space.refs(at: root).child(DictionarySlot.values) }
      try collectLinks(inTree: tree, .mixed, target: .null, into: &links, depth: depth + 1)
    default: break
    }
  }

  /// All links among the elements of a B+ tree of Mixed or link elements.
  private func collectLinks(
    inTree root: Ref, _ kind: LeafKind, target: TableKey, into links: inout [ObjectLink], depth: Int
  ) throws(StorageError) {
    let family = ValueFamily(kind, isNullable: true)
    let space = space
    var found: [ObjectLink] = []
    try BPlusTree(root: root, family: family).forEachLeaf(space) { (leaf, _, count) throws(StorageError) in
      for index in 0..<count {
        let value = try Leaf.value(space, kind, leaf, index)
        if case .link(let key) = value {
          found.append(ObjectLink(table: target, key: key))
        } else {
          try collectLinks(value, into: &found, depth: depth)
        }
      }
      return true
    }
    links.append(contentsOf: found)
  }

  /// What a collection property holds on to, given its root.
  func releaseCollection(_ column: ColumnDescription, _ root: Ref) throws(StorageError) -> Released {
    if root.isNull { return Released() }
    var released = Released(links: [], trees: [root])
    if column.isDictionary {
      if column.type == .mixed || column.type == .link {
        try collectLinks(inTree: space.refs(at: root).child(DictionarySlot.values), .mixed, target: .null, into: &released.links, depth: 0)
      }
    } else if column.type == .link {
      try collectLinks(inTree: root, .linkElement, target: column.oppositeTable, into: &released.links, depth: 0)
    } else if column.type == .mixed {
      try collectLinks(inTree: root, .mixed, target: .null, into: &released.links, depth: 0)
    }
    return released
  }

  /// What one property of an object holds on to.
  func releaseProperty(_ key: ObjectKey, _ column: ColumnDescription) throws(StorageError) -> Released {
    let row = try row(key)
    if column.isCollection { return try releaseCollection(column, row.collection(column.key)) }
    switch try row.value(column) {
    case .link(let target): return Released(links: [ObjectLink(table: column.oppositeTable, key: target)])
    case let value: return try releaseList(value)
    }
  }

  /// An embedded object lives only as long as the link to it.
  func removeIfOrphaned(_ key: ObjectKey) throws(StorageError) {
    guard kind == .embedded, key.rawValue >= 0, try contains(key), try backlinkCount(key) == 0 else { return }
    try removeObject(key)
  }
}
