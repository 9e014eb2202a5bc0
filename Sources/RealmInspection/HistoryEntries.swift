package import RealmStorage

/// The transaction logs of a file that has them. H2; those of a file that synchronises are a part of its history.
package struct HistoryEntries {
  package struct Entry {
    package let fromVersion: UInt64
    package let toVersion: UInt64
    package let bytes: [UInt8]
    /// One line of JSON per instruction.
    package func instructions() throws(StorageError) -> [String] { try LogText.instructions(of: [bytes]) }
  }

  /// Keeps the mapping alive.
  private let file: OpenFile
  private var space: NodeSpace { file.space }
  private let root: Ref
  package let count: Int
  /// The version that the first entry starts from.
  package let baseVersion: UInt64

  /// - Throws: `.corruptNode` for a damaged tree, or more entries than versions.
  package init(_ file: OpenFile) throws(StorageError) {
    self.file = file
    guard let group = file.group, group.historyType == HistoryTree.type || group.hasSyncHistory else {
      (root, count, baseVersion) = (.null, 0, file.group?.version ?? 1)
      return
    }
    root = try group.hasSyncHistory ? SyncHistory(root: group.historyRef).log(file.space).root : group.historyRef
    count = try LeafWalk.count(file.space, root, .binary)
    guard UInt64(count) <= group.version else {
      throw .corruptNode(ref: root, reason: "\(count) changesets for version \(group.version)")
    }
    baseVersion = group.version - UInt64(count)
  }

  /// Calls `body` with every entry, oldest first, until it returns false.
  package func forEach(_ body: (Entry) throws(StorageError) -> Bool) throws(StorageError) {
    var version = baseVersion
    try LeafWalk.forEachLeaf(space, root) { (leaf) throws(StorageError) in
      let reader = try LeafReader(space, leaf, .binary)
      for index in 0..<reader.count {
        var bytes: [UInt8] = []
        if case .binary(let log) = try reader.value(index) { bytes = log }
        if try !body(Entry(fromVersion: version, toVersion: version + 1, bytes: bytes)) { return false }
        version += 1
      }
      return true
    }
  }
}
