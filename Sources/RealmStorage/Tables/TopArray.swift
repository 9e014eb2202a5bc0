/// The root of one version, where everything else of it hangs. F8.1.
///
/// A view of the node: a field is read, and its form checked, when somebody asks for it. What an engine may rely on in any file is said by
/// `checkForm`, what it demands of a file that it opens by `violation`. ``Contents`` is what a new top array is to say.
package struct TopArray {
  /// Places in the array.
  package enum Slot {
    package static let names = 0
    package static let tables = 1
    package static let logicalByteCount = 2
    package static let freePositions = 3
    package static let freeByteCounts = 4
    package static let freeVersions = 5
    package static let version = 6
    package static let historyType = 7
    package static let history = 8
    package static let historySchemaVersion = 9
    package static let syncFileID = 10
    package static let evacuation = 11
  }

  /// The streaming form without a version: names, tables, logical size.
  package static let streamingSlotCount = 3
  /// What every commit writes, whose file has a history.
  package static let usualSlotCount = 11
  /// With the slot for evacuation.
  package static let longSlotCount = 12
  /// All that occur: also a version without a history (7), and what older engines left (5, 9, 10).
  private var hasKnownSlotCount: Bool {
    switch slotCount {
    case Self.streamingSlotCount, 5, 7, 9, 10, Self.usualSlotCount, Self.longSlotCount: true
    default: false
    }
  }

  /// No file gets there by committing; from here on the tagged integer would overflow.
  package static let versionLimit: UInt64 = 1 << 62
  /// An empty version ends behind the file header.
  package static let smallestLogicalByteCount = UInt64(FileHeader.byteCount)

  package let node: Node

  /// - Throws: `.corruptNode` if there is no ref array.
  @inline(__always) package init(_ space: NodeSpace, at ref: Ref) throws(StorageError) { node = try space.refs(at: ref) }

  package var ref: Ref { node.ref }
  package var slotCount: Int { node.count }

  // MARK: Fields. They throw `.corruptNode` when a slot has the wrong form, and are null, nil or 0 where the array ends before the slot.

  package var names: Ref { get throws(StorageError) { try node.child(Slot.names) } }
  package var tables: Ref { get throws(StorageError) { try node.child(Slot.tables) } }
  package var logicalByteCount: UInt64? { get throws(StorageError) { try node.tagged(Slot.logicalByteCount) } }
  /// Null in files without free lists.
  package var freePositions: Ref { get throws(StorageError) { try node.child(Slot.freePositions) } }
  package var freeByteCounts: Ref { get throws(StorageError) { try node.child(Slot.freeByteCounts) } }
  package var freeVersions: Ref { get throws(StorageError) { try node.child(Slot.freeVersions) } }
  /// Nil in streaming files that were written without a version, which reads as 1.
  package var version: UInt64? { get throws(StorageError) { try node.tagged(Slot.version) } }
  /// 0 is none; the file's own is `HistoryTree.type`, of one that synchronises `SyncHistory.type`.
  package var historyType: UInt64 { get throws(StorageError) { try node.tagged(Slot.historyType) ?? 0 } }
  /// Whether the file has the history of a client that synchronises.
  var synchronises: Bool { get throws(StorageError) { try historyType == SyncHistory.type } }
  package var history: Ref { get throws(StorageError) { try node.child(Slot.history) } }
  /// The log of what each commit changed, for notifications; nil in a file without one.
  package func log(_ space: NodeSpace) throws(StorageError) -> HistoryTree? {
    switch try historyType {
    case HistoryTree.type: HistoryTree(root: try history)
    case SyncHistory.type: try SyncHistory(root: history).log(space)
    default: nil
    }
  }
  package var historySchemaVersion: UInt64 { get throws(StorageError) { try node.tagged(Slot.historySchemaVersion) ?? 0 } }
  package var syncFileID: UInt64 { get throws(StorageError) { try node.tagged(Slot.syncFileID) ?? 0 } }
  /// The element as it stands there: 0, a tagged limit or a ref (F8.5).
  package var evacuation: Int64 { element(Slot.evacuation) }

  /// 0 where there is no such slot.
  private func element(_ slot: Int) -> Int64 { slot < node.count ? node.element(unchecked: slot) : 0 }

  // MARK: Rules

  /// What holds for every top array, whoever wrote it:
  ///  1. no inner node;  2. a known number of slots;  3. a logical size behind the file header and inside of the space.
  /// - Parameter limit: the logical size if it is known, else the file's physical size.
  /// - Returns: the logical size.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package func checkForm(limit: UInt64) throws(StorageError) -> UInt64 {
    guard !node.header.isInner else { throw node.broken("is no top array: it is marked as an inner node") }
    guard hasKnownSlotCount else {
      throw node.broken("a top array has 3, 5, 7, 9, 10, 11 or 12 slots, this one has \(slotCount)")
    }
    guard let logical = try logicalByteCount else { throw node.broken("the logical file size is missing") }
    guard logical >= Self.smallestLogicalByteCount && logical <= limit else {
      throw node.broken("the logical file size \(logical) is outside [\(Self.smallestLogicalByteCount), \(limit)]")
    }
    return logical
  }

  /// What is looked at when a file is opened, with the original's texts where it has some (T6.2). The first broken rule, or nil:
  ///  1. a known number of slots;  2. the logical size within the file;  3. names and tables are refs within the logical size;
  ///  4. the logical size is a tagged multiple of 8, not below the header, and the top array within it.
  package func violation(fileByteCount: UInt64) -> String? {
    // There is no version list yet.
    let lock = "read lock size: 0, read lock version: 0"
    guard hasKnownSlotCount else {
      return "Invalid top array size (ref: \(ref.byteOffset), array size: \(slotCount)) file size: \(fileByteCount), \(lock)"
    }
    let size = element(Slot.logicalByteCount)
    let logical = size.untagged
    guard logical <= fileByteCount else { return "Invalid logical file size: \(logical), actual file size: \(fileByteCount), \(lock)" }
    let (names, tables) = (Ref(element: element(Slot.names)).byteOffset, Ref(element: element(Slot.tables)).byteOffset)
    for offset in [names, tables] where offset == 0 || offset % 8 != 0 || offset > logical {
      return "Invalid top array (top_ref, [0], [1]): \(ref.byteOffset), \(names), \(tables), \(lock)"
    }
    guard size.isTagged, logical >= Self.smallestLogicalByteCount, logical.isMultiple(of: 8), ref.byteOffset < logical else {
      return "Invalid logical file size: \(logical), top_ref: \(ref.byteOffset)"
    }
    return nil
  }
}

// MARK: - Writing

extension TopArray {
  /// What a new top array is to say.
  struct Contents {
    /// Null, or the end of the version, until it is known.
    var names = Ref.null
    var tables = Ref.null
    var logicalByteCount: UInt64 = 0
    /// Without it the array has three slots, and the version reads as 1.
    var version: Version?
    /// Only behind a version.
    var history: History?
    /// 0, a tagged limit or a ref (F8.5); nil without the slot, and without a history.
    var evacuation: Int64?

    struct Version {
      var number: UInt64
      var freePositions: Ref
      var freeByteCounts: Ref
      var freeVersions: Ref
    }
    struct History {
      var type: UInt64
      var root: Ref
      var schemaVersion: UInt64
      var syncFileID: UInt64
    }

    init() {}

    /// In the order of ``Slot``.
    var elements: [Int64] {
      var result = [names.element, tables.element, Int64(tagged: logicalByteCount)]
      guard let version else { return result }
      result += [
        version.freePositions.element, version.freeByteCounts.element, version.freeVersions.element, Int64(tagged: version.number),
      ]
      guard let history else { return result }
      result += [
        Int64(tagged: history.type), history.root.element, Int64(tagged: history.schemaVersion), Int64(tagged: history.syncFileID),
      ]
      if let evacuation { result.append(evacuation) }
      return result
    }
  }

  /// That of an empty version in scratch memory, with room for the slots that a commit adds.
  static func create(_ scratch: Scratch, logicalByteCount: UInt64) throws(StorageError) -> Ref {
    let ref = try scratch.createRefs(count: streamingSlotCount, capacity: longSlotCount)
    scratch.setChild(ref, Slot.names, try NameArray.create(scratch, []))
    scratch.setChild(ref, Slot.tables, try scratch.createRefs(count: 0))
    scratch.setTagged(ref, Slot.logicalByteCount, logicalByteCount)
    return ref
  }
}
