/// Filing one object in a general index, or withdrawing it: objects with the same bytes share a list, others part on the next level.
struct SearchIndexEdit<Probe: IndexProbe, Source: IndexValueSource>: IndexEdit {
  let object: ObjectKey
  let probe: Probe
  let source: Source
  let fanOut: Int

  @inline(__always) func key(offset: Int) -> Int32 { probe.key(offset: offset) }

  @inline(__always) func fresh(_ scratch: Scratch, offset: Int) throws(StorageError) -> IndexEntry { IndexEntry(object) }

  func merge(_ scratch: Scratch, into entry: IndexEntry, offset: Int) throws(StorageError) -> IndexEntry {
    let allowsLevel = IndexLimits.allowsLevel(below: offset)
    if let other = entry.object {
      guard other != object else { throw IndexLevel.present(entry.ref, object) }
      let otherProbe = try Probe(of: other, source)
      if allowsLevel && !probe.hasSameBytes(as: otherProbe) { return try part(scratch, from: entry, otherProbe, offset: offset + 4) }
      let isFirst = try isOrdered(before: other, comparingValues: !allowsLevel || source.valuesShareBytes)
      return try IndexList.create(scratch, isFirst ? object : other, isFirst ? other : object).entry
    }
    if try entry.isSubIndex(scratch.space) {
      guard allowsLevel else { throw tooDeep(entry) }
      var root = entry.ref
      try IndexLevel.insert(scratch, &root, self, offset: offset + 4)
      return IndexEntry(root)
    }
    var list = IndexList(entry.ref)
    if allowsLevel {
      let otherProbe = try Probe(of: list.key(scratch.space, 0), source)
      if !probe.hasSameBytes(as: otherProbe) { return try part(scratch, from: entry, otherProbe, offset: offset + 4) }
    }
    let position = try place(scratch.space, list, comparingValues: !allowsLevel || source.valuesShareBytes)
    if try position < list.count(scratch.space), try list.key(scratch.space, position) == object {
      throw IndexLevel.present(entry.ref, object)
    }
    try list.insert(scratch, at: position, object)
    return list.entry
  }

  /// A new level for the entry, whose objects have the bytes of `other`, and the object, whose bytes differ.
  private func part(_ scratch: Scratch, from entry: IndexEntry, _ other: Probe, offset: Int) throws(StorageError) -> IndexEntry {
    var root = try IndexLevel.create(scratch, key: other.key(offset: offset), entry)
    try IndexLevel.insert(scratch, &root, self, offset: offset)
    return IndexEntry(root)
  }

  func withdraw(_ scratch: Scratch, from entry: IndexEntry, offset: Int) throws(StorageError) -> IndexEntry {
    if let other = entry.object {
      guard other == object else { throw IndexLevel.missing(entry.ref, object) }
      return .none
    }
    let allowsLevel = IndexLimits.allowsLevel(below: offset)
    if try entry.isSubIndex(scratch.space) {
      guard allowsLevel else { throw tooDeep(entry) }
      return try IndexLevel.withdrawBelow(scratch, entry, self, offset: offset)
    }
    var list = IndexList(entry.ref)
    guard let position = try position(scratch.space, list, sharesBytes: allowsLevel) else { throw IndexLevel.missing(entry.ref, object) }
    return try list.remove(scratch, at: position)
  }

  /// Where the object is in a list, if it is there.
  /// - Parameter sharesBytes: all objects of the list have the same index bytes.
  func position(_ space: NodeSpace, _ list: IndexList, sharesBytes: Bool) throws(StorageError) -> Int? {
    let position = try place(space, list, comparingValues: !sharesBytes || source.valuesShareBytes)
    if try position < list.count(space), try list.key(space, position) == object { return position }
    // The list may have an older order.
    return try list.linearIndex(space, of: object)
  }

  // MARK: List order

  /// The number of elements that come before the object: by value, where the values can differ, then by key.
  private func place(_ space: NodeSpace, _ list: IndexList, comparingValues: Bool) throws(StorageError) -> Int {
    try list.partition(space) { (other) throws(StorageError) -> Bool in
      if other == object { return false }
      return try !isOrdered(before: other, comparingValues: comparingValues)
    }
  }

  @inline(__always) private func isOrdered(before other: ObjectKey, comparingValues: Bool) throws(StorageError) -> Bool {
    if comparingValues {
      let otherProbe = try Probe(of: other, source)
      if probe.isOrdered(before: otherProbe) { return true }
      if otherProbe.isOrdered(before: probe) { return false }
    }
    return object < other
  }

  private func tooDeep(_ entry: IndexEntry) -> StorageError { .corruptNode(ref: entry.ref, reason: "the index has too many levels") }
}
