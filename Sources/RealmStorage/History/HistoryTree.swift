/// The log of changes that a file keeps: one changeset per version, the last one belonging to the snapshot itself. H2.
package struct HistoryTree {
  /// Its root; null in a file without any changeset.
  package private(set) var root: Ref

  /// Top array slots and their values for history in the realm file (F8.1).
  package static let type: UInt64 = 2
  package static let schemaVersion: UInt64 = 1

  package init(root: Ref) { self.root = root }

  private var tree: BPlusTree<HistoryFamily> { BPlusTree(root: root, family: HistoryFamily()) }

  /// How many changesets there are.
  package func count(_ space: NodeSpace) throws(StorageError) -> Int { root.isNull ? 0 : try tree.count(space) }

  /// The oldest version from which the changesets lead to `version`, the snapshot's own.
  package func firstBase(_ space: NodeSpace, version: UInt64) throws(StorageError) -> UInt64 {
    let count = UInt64(try count(space))
    guard count <= version else {
      throw .corruptNode(ref: root, reason: "the history has \(count) entries, but this is version \(version)")
    }
    return version - count
  }

  /// The changesets that lead from version `base` to `version`, oldest first.
  ///
  /// - Parameter space: of the snapshot `version`: the newer one, whose history is read.
  /// - Throws: `.versionNotAvailable` when the history does not reach back that far.
  package func changesets(_ space: NodeSpace, after base: UInt64, through version: UInt64) throws(StorageError) -> [[UInt8]] {
    guard base < version else { return [] }
    let first = try firstBase(space, version: version)
    guard first <= base else { throw .versionNotAvailable(version: base) }
    var result: [[UInt8]] = []
    var remaining: UInt64 = space.fileLimit
    for index in Int(base - first)..<Int(version - first) {
      let changeset = try tree.element(space, index) ?? []
      // Forged entries may all be the same node.
      guard UInt64(changeset.count) <= remaining else {
        throw .corruptNode(ref: root, reason: "the history has more bytes than the file")
      }
      remaining -= UInt64(changeset.count)
      result.append(changeset)
    }
    return result
  }

  /// Appends the changeset of the commit that makes `version`, and drops what nobody can need any more. H2.1.
  ///
  /// - Parameters:
  ///   - version: the new version; the tree is that of its predecessor.
  ///   - oldestLive: changesets up to this version are dropped.
  package mutating func append(
    _ scratch: Scratch, _ changeset: [UInt8], version: UInt64, oldestLive: UInt64
  ) throws(StorageError) {
    let count = try count(scratch.space)
    let base = try firstBase(scratch.space, version: version - 1)
    let unneeded = Int(clamping: min(UInt64(count), oldestLive > base ? oldestLive - base : 0))
    if unneeded == count {
      if !root.isNull { try scratch.freeTree(root) }
      root = try HistoryFamily().create(scratch)
    }
    var tree = tree
    if unneeded < count { try tree.removeFirst(scratch, unneeded) }
    try tree.append(scratch, changeset)
    root = tree.root
  }
}

extension BPlusTree where Family == HistoryFamily {
  fileprivate mutating func removeFirst(_ scratch: Scratch, _ count: Int) throws(StorageError) {
    guard count > 0 else { return }
    if try !scratch.space.node(at: root).header.isInner {
      try BinaryLeaf.remove(scratch, &root, 0..<count)
    } else {
      for _ in 0..<count { try remove(scratch, 0) }
    }
  }
}

/// Leaves of changesets: binaries that are chunked above the size of one node. Only histories of files that synchronise have nulls.
struct HistoryFamily: LeafFamily {
  func count(_ space: NodeSpace, _ leaf: Ref) throws(StorageError) -> Int { try BinaryLeaf(space, leaf).count }
  func element(_ space: NodeSpace, _ leaf: Ref, _ index: Int) throws(StorageError) -> [UInt8]? {
    try BinaryLeaf(space, leaf).copy(index)
  }
  func create(_ scratch: Scratch) throws(StorageError) -> Ref {
    let leaf = try BinaryLeaf.create(in: scratch, count: 0, isNullable: false)
    // realm-core's nulls have one bit each from the start; so a new file has the same used bytes.
    var nulls = try scratch.space.refs(at: leaf).child(BlobLeaf.Slot.nulls)
    try scratch.widen(&nulls, to: 1)
    scratch.setChild(leaf, BlobLeaf.Slot.nulls, nulls)
    return leaf
  }
  func insert(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: [UInt8]?) throws(StorageError) {
    try BinaryLeaf.insertHistoryEntry(scratch, &leaf, index, element)
  }
  /// Only histories of files that synchronise replace entries.
  func set(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: [UInt8]?) throws(StorageError) {
    try remove(scratch, &leaf, index)
    try insert(scratch, &leaf, index, element)
  }
  func remove(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int) throws(StorageError) { try BinaryLeaf.remove(scratch, &leaf, index) }
  func split(_ scratch: Scratch, _ leaf: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try BinaryLeaf.split(scratch, &leaf, at: index)
  }
  func merge(_ scratch: Scratch, _ leaf: inout Ref, appending source: Ref) throws(StorageError) {
    let right = try BinaryLeaf(scratch.space, source)
    var end = try count(scratch.space, leaf)
    for index in 0..<right.count {
      try insert(scratch, &leaf, end, right.copy(index))
      end += 1
    }
    try scratch.freeTree(source)
  }
}
