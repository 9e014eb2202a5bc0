/// The full-text index of a String column: each token leads to the objects whose text contains it. F9.5, F9.6.
///
/// A token is spelled out by the keys of its path, so no values are needed. Null and texts without tokens have no entries.
package struct FullTextIndex {
  package var root: Ref
  /// 1000 in every file (F2.6), less in tests of deep levels.
  private let fanOut: Int

  package init(root: Ref, fanOut: Int = IndexLimits.fanOut) { (self.root, self.fanOut) = (root, fanOut) }

  package static func create(_ scratch: Scratch, fanOut: Int = IndexLimits.fanOut) throws(StorageError) -> FullTextIndex {
    FullTextIndex(root: try IndexLevel.create(scratch), fanOut: fanOut)
  }

  // MARK: Changing

  /// Files a live object under the tokens of its text; nil is null.
  package mutating func insert(_ scratch: Scratch, _ key: ObjectKey, _ text: [UInt8]?) throws(StorageError) {
    guard let text else { return }
    for token in Tokenizer.tokens(of: text) { try add(scratch, key, token) }
  }

  /// Withdraws an object whose text was `text`.
  /// - Throws: `.corruptNode` if it is not in the index under one of the tokens.
  package mutating func remove(_ scratch: Scratch, _ key: ObjectKey, _ text: [UInt8]?) throws(StorageError) {
    guard let text else { return }
    for token in Tokenizer.tokens(of: text) { try withdraw(scratch, key, token) }
  }

  /// Files an object under a new text, leaving the tokens alone that both texts have.
  package mutating func replace(_ scratch: Scratch, _ key: ObjectKey, _ old: [UInt8]?, with new: [UInt8]?) throws(StorageError) {
    let oldTokens = Set(old.map(Tokenizer.tokens) ?? []), newTokens = Set(new.map(Tokenizer.tokens) ?? [])
    for token in oldTokens.subtracting(newTokens) { try withdraw(scratch, key, token) }
    for token in newTokens.subtracting(oldTokens) { try add(scratch, key, token) }
  }

  private mutating func add(_ scratch: Scratch, _ key: ObjectKey, _ token: [UInt8]) throws(StorageError) {
    try IndexLevel.insert(scratch, &root, FullTextEdit(object: key, token: token, fanOut: fanOut), offset: 0)
  }
  private mutating func withdraw(_ scratch: Scratch, _ key: ObjectKey, _ token: [UInt8]) throws(StorageError) {
    _ = try IndexLevel.remove(scratch, &root, FullTextEdit(object: key, token: token, fanOut: fanOut), offset: 0)
  }

  package mutating func removeAll(_ scratch: Scratch) throws(StorageError) {
    try scratch.freeTree(root)
    root = try IndexLevel.create(scratch)
  }

  // MARK: Searching

  /// The objects whose text contains `token`, ascending.
  /// - Parameter token: as the tokenizer gives it: lower case, at most 64 bytes.
  package static func find(
    _ space: NodeSpace, _ root: Ref, token: [UInt8], _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> [ObjectKey] {
    var result: [ObjectKey] = []
    var level = root
    for offset in stride(from: 0, through: IndexLimits.lastOffset, by: 4) {
      let entry = try IndexLevel.entry(space, level, key: IndexKey.key(ofBytes: token, offset: offset))
      if entry.isNone { return [] }
      if entry.object == nil, try entry.isSubIndex(space) {
        level = entry.ref
        continue
      }
      // The end of a path: of this token, or of the shorter one that the path spells.
      if offset + 4 >= token.count { try appendObjects(space, entry, to: &result, cancellation) }
      break
    }
    return result
  }

  /// The objects whose text contains a token that begins with `prefix`, ascending, each once.
  package static func find(
    _ space: NodeSpace, _ root: Ref, prefix: [UInt8], _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> [ObjectKey] {
    var result: [ObjectKey] = []
    var budget = space.nodeBudget
    try visit(space, root, prefix[...], offset: 0, depth: 0, &budget, &result, cancellation)
    return try result.sortedUnique(cancellation)
  }

  /// Collects the objects below a node whose keys begin with what is left of the prefix at this level.
  private static func visit(
    _ space: NodeSpace, _ ref: Ref, _ prefix: ArraySlice<UInt8>, offset: Int, depth: Int, _ budget: inout Int, _ result: inout [ObjectKey],
    _ cancellation: Cancellation?
  ) throws(StorageError) {
    try cancellation?.check()
    let node = try IndexNode(space, ref)
    budget -= 1
    guard budget > 0, depth < IndexLimits.depth, offset <= IndexLimits.lastOffset else {
      throw node.node.broken("the index reaches a node more than once")
    }
    let (low, high) = keyRange(prefix)
    for index in node.keys.countBelow(int32: low)..<node.count {
      if node.isInner {
        try visit(space, node.child(index), prefix, offset: offset, depth: depth + 1, &budget, &result, cancellation)
      } else {
        if node.keys.int32(unchecked: index) > high { break }
        let entry = node.entry(index)
        if entry.object == nil, try entry.isSubIndex(space) {
          try visit(space, entry.ref, prefix.dropFirst(4), offset: offset + 4, depth: 0, &budget, &result, cancellation)
        } else if prefix.count <= 4 {
          try appendObjects(space, entry, to: &result, cancellation)
        }
      }
      if node.isInner && node.keys.int32(unchecked: index) >= high { break }
    }
  }

  /// The smallest and the largest key that begin with the first bytes of `prefix`, in the signed order of keys.
  private static func keyRange(_ prefix: ArraySlice<UInt8>) -> (low: Int32, high: Int32) {
    if prefix.isEmpty { return (.min, .max) }
    let taken = prefix.prefix(4)
    var bits: UInt32 = 0
    for byte in taken { bits = bits << 8 | UInt32(byte) }
    let free = UInt32(8 * (4 - taken.count))
    return (Int32(bitPattern: bits << free), Int32(bitPattern: bits << free | (free == 0 ? 0 : UInt32.max >> (32 - free))))
  }

  private static func appendObjects(
    _ space: NodeSpace, _ entry: IndexEntry, to result: inout [ObjectKey], _ cancellation: Cancellation?
  ) throws(StorageError) {
    if let key = entry.object { return result.append(key) }
    let start = result.count
    try IndexList(entry.ref).forEach(space) { (key) throws(StorageError) -> Bool in
      if result.count % Cancellation.blockSize == 0 { try cancellation?.check() }
      // Lists of other writers may repeat a key (F9.5).
      if result.count == start || result[result.count - 1] != key { result.append(key) }
      return true
    }
  }
}

/// Filing one object under one token, or withdrawing it.
struct FullTextEdit: IndexEdit {
  let object: ObjectKey
  let token: [UInt8]
  let fanOut: Int

  func key(offset: Int) -> Int32 { IndexKey.key(ofBytes: token, offset: offset) }

  /// A path of levels that spells the rest of the token.
  func fresh(_ scratch: Scratch, offset: Int) throws(StorageError) -> IndexEntry {
    var entry = IndexEntry(object)
    var end = (token.count + 3) & ~3
    while end > offset + 4 {
      end -= 4
      entry = IndexEntry(try IndexLevel.create(scratch, key: key(offset: end), entry))
    }
    return entry
  }

  func merge(_ scratch: Scratch, into entry: IndexEntry, offset: Int) throws(StorageError) -> IndexEntry {
    let space = scratch.space
    let isTerminal = try isTerminal(space, entry)
    if isTerminal && offset + 4 < token.count {
      // The entry belongs to the word that ends here: it goes one level down, beside the longer one.
      var root = try IndexLevel.create(scratch, key: IndexKey.end, entry)
      try IndexLevel.insert(scratch, &root, self, offset: offset + 4)
      return IndexEntry(root)
    }
    if !isTerminal {
      guard offset < IndexLimits.lastOffset else { throw .corruptNode(ref: entry.ref, reason: "the index has too many levels") }
      var root = entry.ref
      try IndexLevel.insert(scratch, &root, self, offset: offset + 4)
      return IndexEntry(root)
    }
    if let other = entry.object {
      if other == object { return entry }
      return try IndexList.create(scratch, min(object, other), max(object, other)).entry
    }
    var list = IndexList(entry.ref)
    let position = try place(space, list)
    if try position < list.count(space), try list.key(space, position) == object { return entry }
    try list.insert(scratch, at: position, object)
    return list.entry
  }

  func withdraw(_ scratch: Scratch, from entry: IndexEntry, offset: Int) throws(StorageError) -> IndexEntry {
    let space = scratch.space
    if try !isTerminal(space, entry) {
      guard offset < IndexLimits.lastOffset else { throw .corruptNode(ref: entry.ref, reason: "the index has too many levels") }
      return try IndexLevel.withdrawBelow(scratch, entry, self, offset: offset)
    }
    guard offset + 4 >= token.count else { throw IndexLevel.missing(entry.ref, object) }
    if let other = entry.object {
      guard other == object else { throw IndexLevel.missing(entry.ref, object) }
      return .none
    }
    var list = IndexList(entry.ref)
    var position = try place(space, list)
    if try position == list.count(space) { throw IndexLevel.missing(entry.ref, object) }
    if try list.key(space, position) != object {
      guard let found = try list.linearIndex(space, of: object) else { throw IndexLevel.missing(entry.ref, object) }
      position = found
    }
    return try list.remove(scratch, at: position)
  }

  private func isTerminal(_ space: NodeSpace, _ entry: IndexEntry) throws(StorageError) -> Bool {
    if entry.object != nil { return true }
    return try !entry.isSubIndex(space)
  }

  private func place(_ space: NodeSpace, _ list: IndexList) throws(StorageError) -> Int {
    try list.partition(space) { (other) throws(StorageError) -> Bool in other < object }
  }
}
