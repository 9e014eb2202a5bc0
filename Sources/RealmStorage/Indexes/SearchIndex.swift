/// The general search index of a column. F9.
///
/// A value: the root's ref. Mutations leave the new root in `root` for the caller to store. Every live object is in the index exactly
/// once, those whose value is null included.
package struct SearchIndex {
  package var root: Ref
  /// 1000 in every file (F2.6), less in tests of deep levels.
  private let fanOut: Int

  package init(root: Ref, fanOut: Int = IndexLimits.fanOut) { (self.root, self.fanOut) = (root, fanOut) }

  /// An index without entries.
  package static func create(_ scratch: Scratch, fanOut: Int = IndexLimits.fanOut) throws(StorageError) -> SearchIndex {
    SearchIndex(root: try IndexLevel.create(scratch), fanOut: fanOut)
  }

  // MARK: Changing

  /// Files a live object that is not in the index.
  /// - Throws: `.corruptNode` if the index turns out to hold it, or is damaged; the tree is in disorder then.
  package mutating func insert<Source: IndexValueSource>(
    _ scratch: Scratch, _ key: ObjectKey, _ value: Value, _ source: Source
  ) throws(StorageError) {
    let edit = SearchIndexEdit(object: key, probe: try ValueProbe(value), source: source, fanOut: fanOut)
    try IndexLevel.insert(scratch, &root, edit, offset: 0)
  }

  /// Withdraws an object. `value` is the one under which it was filed.
  /// - Throws: `.corruptNode` if the index does not hold it there, or is damaged.
  package mutating func remove<Source: IndexValueSource>(
    _ scratch: Scratch, _ key: ObjectKey, _ value: Value, _ source: Source
  ) throws(StorageError) {
    let edit = SearchIndexEdit(object: key, probe: try ValueProbe(value), source: source, fanOut: fanOut)
    _ = try IndexLevel.remove(scratch, &root, edit, offset: 0)
  }

  /// The fast path for an Int column, and for a Bool column with 0 and 1; nil is null.
  package mutating func insert<Source: IndexValueSource>(
    _ scratch: Scratch, _ key: ObjectKey, integer: Int64?, _ source: Source
  ) throws(StorageError) {
    let edit = SearchIndexEdit(object: key, probe: IntegerProbe(integer), source: source, fanOut: fanOut)
    try IndexLevel.insert(scratch, &root, edit, offset: 0)
  }

  /// Files an object of an Int column in one descent, if no other has a value with the same first bytes, and nothing has to be copied, split
  /// or moved up for it; otherwise changes nothing.
  @inline(__always)
  package static func insertIfFresh(_ scratch: Scratch, _ root: inout Ref, _ key: ObjectKey, integer: Int64) throws(StorageError) -> Bool {
    try IndexLevel.insertIfFresh(scratch, &root, key: IndexKey.key(ofInt: integer, offset: 0), IndexEntry(key))
  }

  package mutating func remove<Source: IndexValueSource>(
    _ scratch: Scratch, _ key: ObjectKey, integer: Int64?, _ source: Source
  ) throws(StorageError) {
    let edit = SearchIndexEdit(object: key, probe: IntegerProbe(integer), source: source, fanOut: fanOut)
    _ = try IndexLevel.remove(scratch, &root, edit, offset: 0)
  }

  /// Withdraws many objects of an Int column, leaf by leaf.
  /// - Parameter objects: different ones, with the values under which they were filed, in the order of `IndexKey.sortable(ofInt:)`.
  /// - Throws: `.corruptNode` if the index does not hold one of them, or is damaged; the tree is in disorder then.
  package mutating func remove<Source: IndexValueSource>(
    _ scratch: Scratch, sorted objects: [(value: Int64, object: ObjectKey)], _ source: Source
  ) throws(StorageError) {
    var position = 0
    var rows: [Int] = []
    while position < objects.count {
      // Brings the leaf into scratch memory, where its other entries go together.
      try remove(scratch, objects[position].object, integer: objects[position].value, source)
      position = try IndexLevel.removeRun(scratch, root, objects, from: position + 1, &rows)
    }
  }

  /// Withdraws all objects.
  package mutating func removeAll(_ scratch: Scratch) throws(StorageError) {
    try scratch.freeTree(root)
    root = try IndexLevel.create(scratch)
  }

  // MARK: Searching

  /// The first object in list order that has the value. In a Mixed column equal numbers of different types are found only where their
  /// index bytes agree (3 and 3.0 do, 3.5 as Float and as Double do not).
  package static func first<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, _ value: Value, _ source: Source
  ) throws(StorageError) -> ObjectKey? {
    try first(space, root, probe: ValueProbe(value), source)
  }

  /// The fast path for an Int or Bool column.
  package static func first<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, integer: Int64?, _ source: Source
  ) throws(StorageError) -> ObjectKey? {
    try first(space, root, probe: IntegerProbe(integer), source)
  }

  /// The only object that can have the value in an Int or Bool column, unread; nil if there is none, `ObjectKey.null` if several come
  /// into question.
  @inline(__always) package static func candidate(_ space: NodeSpace, _ root: Ref, integer: Int64?) throws(StorageError) -> ObjectKey? {
    let entry = try terminal(space, root, IntegerProbe(integer)).entry
    return entry.isNone ? nil : entry.object ?? .null
  }

  /// Calls `body` with the objects that have the value, ascending unless the value is a Mixed one, until it returns false.
  package static func forEach<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, _ value: Value, _ source: Source, _ body: (ObjectKey) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try forEach(space, root, probe: ValueProbe(value), source, body)
  }

  package static func forEach<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, integer: Int64?, _ source: Source, _ body: (ObjectKey) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try forEach(space, root, probe: IntegerProbe(integer), source, body)
  }

  /// How many objects have the value. O(levels), except in Mixed columns and among values that share their first 204 bytes.
  package static func count<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, _ value: Value, _ source: Source
  ) throws(StorageError) -> Int {
    try count(space, root, probe: ValueProbe(value), source)
  }

  package static func count<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, integer: Int64?, _ source: Source
  ) throws(StorageError) -> Int {
    try count(space, root, probe: IntegerProbe(integer), source)
  }
}

extension SearchIndex {
  /// Where the descent by a value's keys ends: nowhere, at an object, or at a list.
  private struct Terminal {
    let entry: IndexEntry
    /// All objects of the list have the same index bytes.
    let sharesBytes: Bool
  }

  @inline(__always)
  private static func terminal<Probe: IndexProbe>(_ space: NodeSpace, _ root: Ref, _ probe: Probe) throws(StorageError) -> Terminal {
    var level = root
    var offset = 0
    while true {
      let entry = try IndexLevel.entry(space, level, key: probe.key(offset: offset))
      let allowsLevel = IndexLimits.allowsLevel(below: offset)
      if entry.isNone || entry.object != nil { return Terminal(entry: entry, sharesBytes: true) }
      if try !entry.isSubIndex(space) { return Terminal(entry: entry, sharesBytes: allowsLevel) }
      guard allowsLevel else { throw .corruptNode(ref: entry.ref, reason: "the index has too many levels") }
      level = entry.ref
      offset += 4
    }
  }

  @inline(__always)
  private static func first<Probe: IndexProbe, Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, probe: Probe, _ source: Source
  ) throws(StorageError) -> ObjectKey? {
    let terminal = try terminal(space, root, probe)
    if terminal.entry.isNone { return nil }
    if let key = terminal.entry.object { return try probe.matches(key, source) ? key : nil }
    var found: ObjectKey?
    try forEach(space, terminal, probe, source) { (key) throws(StorageError) -> Bool in
      found = key
      return false
    }
    return found
  }

  @inline(__always)
  private static func forEach<Probe: IndexProbe, Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, probe: Probe, _ source: Source, _ body: (ObjectKey) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try forEach(space, terminal(space, root, probe), probe, source, body)
  }

  private static func forEach<Probe: IndexProbe, Source: IndexValueSource>(
    _ space: NodeSpace, _ terminal: Terminal, _ probe: Probe, _ source: Source, _ body: (ObjectKey) throws(StorageError) -> Bool
  ) throws(StorageError) {
    if terminal.entry.isNone { return }
    if let key = terminal.entry.object {
      if try probe.matches(key, source) { _ = try body(key) }
      return
    }
    // Where the first element decides for all, the others are not read. Elsewhere every one is: the order of lists in files that were
    // upgraded is not to be relied on.
    let list = IndexList(terminal.entry.ref)
    if terminal.sharesBytes && !source.valuesShareBytes {
      if try probe.matches(list.key(space, 0), source) { try list.forEach(space, body) }
    } else {
      try list.forEach(space) { (key) throws(StorageError) -> Bool in
        let matches = try probe.matches(key, source)
        return matches ? try body(key) : true
      }
    }
  }

  /// Whether an object is filed under a value.
  package static func holds<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, _ key: ObjectKey, _ value: Value, _ source: Source
  ) throws(StorageError) -> Bool {
    let edit = SearchIndexEdit(object: key, probe: try ValueProbe(value), source: source, fanOut: IndexLimits.fanOut)
    let terminal = try terminal(space, root, edit.probe)
    if terminal.entry.isNone { return false }
    if let other = terminal.entry.object { return other == key }
    return try edit.position(space, IndexList(terminal.entry.ref), sharesBytes: terminal.sharesBytes) != nil
  }

  /// The objects that have the value. O(levels) where `count` is.
  static func matches<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, _ value: Value, _ source: Source
  ) throws(StorageError) -> IndexMatches {
    try matches(space, root, probe: ValueProbe(value), source)
  }

  static func matches<Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, integer: Int64?, _ source: Source
  ) throws(StorageError) -> IndexMatches {
    try matches(space, root, probe: IntegerProbe(integer), source)
  }

  private static func matches<Probe: IndexProbe, Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, probe: Probe, _ source: Source
  ) throws(StorageError) -> IndexMatches {
    let terminal = try terminal(space, root, probe)
    if terminal.entry.isNone { return .none }
    if let key = terminal.entry.object { return try probe.matches(key, source) ? .object(key) : .none }
    if terminal.sharesBytes && !source.valuesShareBytes {
      let list = IndexList(terminal.entry.ref)
      return try probe.matches(list.key(space, 0), source) ? .list(terminal.entry.ref, count: list.count(space)) : .none
    }
    var keys: [ObjectKey] = []
    try forEach(space, terminal, probe, source) { (key) throws(StorageError) -> Bool in
      keys.append(key)
      return true
    }
    return .objects(keys)
  }

  private static func count<Probe: IndexProbe, Source: IndexValueSource>(
    _ space: NodeSpace, _ root: Ref, probe: Probe, _ source: Source
  ) throws(StorageError) -> Int {
    let terminal = try terminal(space, root, probe)
    if terminal.sharesBytes && !source.valuesShareBytes && !terminal.entry.isNone && terminal.entry.object == nil {
      let list = IndexList(terminal.entry.ref)
      return try probe.matches(list.key(space, 0), source) ? list.count(space) : 0
    }
    var count = 0
    try forEach(space, terminal, probe, source) { (_) throws(StorageError) -> Bool in
      count += 1
      return true
    }
    return count
  }
}
