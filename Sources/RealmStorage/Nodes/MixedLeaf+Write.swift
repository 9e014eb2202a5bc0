// Changing Mixed leaves. A change of a leaf from the file first brings it into full shape: six slots, and keys, if there are any, in full
// length. Neither overwriting nor removing a nested collection frees its tree, and links are plain numbers here: both are the caller's.

extension MixedLeaf {
  /// A leaf of `count` nulls; Mixed values can always be null.
  package static func create(in scratch: Scratch, count: Int, isNullable: Bool = true) throws(StorageError) -> Ref {
    let root = try scratch.createRefs(count: Slot.count)
    scratch.setChild(root, Slot.composites, try scratch.createIntegers(count: count))
    return root
  }

  /// Makes the leaf writable and brings it into full shape.
  private static func opened(_ scratch: Scratch, _ ref: inout Ref) throws(StorageError) -> MixedLeaf {
    let leaf = try MixedLeaf(scratch.space, ref)
    if scratch.space.isDirty(ref) { return leaf }
    try scratch.space.checkCount(leaf.count, of: leaf.root)
    var keys = try leaf.root.child(Slot.keys)
    let keyCount = keys.isNull ? leaf.count : try scratch.space.integers(at: keys).count
    try scratch.makeWritable(&ref)
    while scratch.header(ref).count < Slot.count { try scratch.append(&ref, 0) }
    if keyCount < leaf.count {
      for _ in keyCount..<leaf.count { try scratch.append(&keys, 0) }
    } else if keyCount > leaf.count {
      try scratch.remove(&keys, leaf.count..<keyCount)
    }
    scratch.setChild(ref, Slot.keys, keys)
    return try MixedLeaf(scratch.space, ref)
  }

  /// Inserts before element `index`. A collection has no identity until `ensureKey`.
  /// - Throws: `.typeMismatch` for a plain link, `.invalidArgument` for a value that is too large.
  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    try admit(value)
    try insertAdmitted(scratch, &ref, index, value)
  }

  private static func insertAdmitted(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    let leaf = try opened(scratch, &ref)
    guard index >= 0, index <= leaf.count, leaf.count < NodeHeader.largestCount / 2 else { throw leaf.root.missing(index) }
    let composite = try store(scratch, ref, value)
    var composites = leaf.composites.ref
    try scratch.insert(&composites, index, composite.bits)
    scratch.setChild(ref, Slot.composites, composites)
    var keys = Ref(element: scratch.slot(ref, Slot.keys))
    if !keys.isNull {
      try scratch.insert(&keys, index, 0)
    } else if composite.slot == Slot.collections {
      keys = try scratch.createIntegers(count: leaf.count + 1)
    }
    scratch.setChild(ref, Slot.keys, keys)
  }

  /// Replaces element `index`, which loses its identity.
  /// - Throws: `.typeMismatch` for a plain link, `.invalidArgument` for a value that is too large.
  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    try admit(value)
    let leaf = try opened(scratch, &ref)
    let old = Composite(try leaf.composites.element(index))
    if old.slot == 0, let inline = inlined(value) {
      return try replace(scratch, ref, index, inline)
    }
    if old.slot != 0 && old.slot != Slot.collections, let new = try overwritten(scratch, ref, old, value) {
      return try replace(scratch, ref, index, new)
    }
    try dropPayload(scratch, ref, old)
    try replace(scratch, ref, index, store(scratch, ref, value))
    var keys = Ref(element: scratch.slot(ref, Slot.keys))
    if !keys.isNull {
      try scratch.set(&keys, index, 0)
    } else if case .list = value {
      keys = try scratch.createIntegers(count: leaf.count)
    } else if case .dictionary = value {
      keys = try scratch.createIntegers(count: leaf.count)
    }
    scratch.setChild(ref, Slot.keys, keys)
  }

  private static func replace(_ scratch: Scratch, _ ref: Ref, _ index: Int, _ composite: Composite) throws(StorageError) {
    var composites = Ref(element: scratch.slot(ref, Slot.composites))
    try scratch.set(&composites, index, composite.bits)
    scratch.setChild(ref, Slot.composites, composites)
  }

  /// Replaces only the root of the nested collection at `index`.
  package static func setCollectionRoot(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ root: Ref) throws(StorageError) {
    let leaf = try opened(scratch, &ref)
    let composite = Composite(try leaf.composites.element(index))
    guard composite.slot == Slot.collections else { throw .typeMismatch(reason: "element \(index) is no nested collection") }
    guard composite.content >= 0, composite.content < (try leaf.entryCount(Slot.collections)) else { throw leaf.badComposite(index) }
    var collections = try leaf.root.child(Slot.collections)
    try scratch.makeWritable(&collections)
    scratch.setChild(collections, composite.content, root)
    scratch.setChild(ref, Slot.collections, collections)
  }

  /// Gives the nested collection at `index` an identity if it has none.
  /// - Parameter unused: a number other than 0 that no collection of the whole B+ tree has.
  /// - Returns: the identity.
  @discardableResult
  package static func ensureKey(
    _ scratch: Scratch, _ ref: inout Ref, _ index: Int, unused: Int64
  ) throws(StorageError) -> Int64 {
    precondition(unused != 0)
    let present = try MixedLeaf(scratch.space, ref)
    let key = try present.key(index)
    if key != 0 { return key }
    guard Composite(try present.composites.element(index)).slot == Slot.collections else {
      throw .typeMismatch(reason: "element \(index) is no nested collection")
    }
    let leaf = try opened(scratch, &ref)
    var keys = try leaf.root.child(Slot.keys)
    if keys.isNull { keys = try scratch.createIntegers(count: leaf.count) }
    try scratch.set(&keys, index, unused)
    scratch.setChild(ref, Slot.keys, keys)
    return unused
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    try remove(scratch, &ref, index..<index + 1)
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ range: Range<Int>) throws(StorageError) {
    let leaf = try opened(scratch, &ref)
    guard range.lowerBound >= 0, range.upperBound <= leaf.count else { throw leaf.root.missing(range.upperBound - 1) }
    if range.count == leaf.count { return try clear(scratch, ref) }
    for index in range.reversed() {
      let composites = try scratch.space.integers(at: Ref(element: scratch.slot(ref, Slot.composites)))
      try dropPayload(scratch, ref, Composite(composites.element(index)))
      // The entry is gone: no later search for owners may find it.
      try replace(scratch, ref, index, Composite(0))
    }
    var composites = Ref(element: scratch.slot(ref, Slot.composites))
    try scratch.remove(&composites, range)
    scratch.setChild(ref, Slot.composites, composites)
    var keys = Ref(element: scratch.slot(ref, Slot.keys))
    if keys.isNull { return }
    try scratch.remove(&keys, range)
    scratch.setChild(ref, Slot.keys, keys)
  }

  /// Empties a writable leaf, without touching the trees of its collections.
  private static func clear(_ scratch: Scratch, _ ref: Ref) throws(StorageError) {
    for slot in Slot.composites...Slot.keys {
      let child = Ref(element: scratch.slot(ref, slot))
      if child.isNull { continue }
      if slot == Slot.strings { try scratch.freeTree(child) } else { try scratch.free(child) }
      scratch.setChild(ref, slot, slot == Slot.composites || slot == Slot.keys ? try scratch.createIntegers() : .null)
    }
  }

  /// Elements from `index` on move to a new leaf, which is returned, with their identities.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    let leaf = try opened(scratch, &ref)
    guard index >= 0, index <= leaf.count else { throw leaf.root.missing(index) }
    var tail = try create(in: scratch, count: 0)
    for position in index..<leaf.count { try insertAdmitted(scratch, &tail, position - index, leaf.value(position)) }
    let keys = try leaf.root.child(Slot.keys)
    if !keys.isNull {
      let node = try scratch.space.integers(at: keys)
      var moved: [Int64] = []
      for position in index..<leaf.count { moved.append(try node.element(position)) }
      try scratch.free(Ref(element: scratch.slot(tail, Slot.keys)))
      scratch.setChild(tail, Slot.keys, try scratch.createIntegers(moved))
    }
    try remove(scratch, &ref, index..<leaf.count)
    return tail
  }

  /// Appends the elements of `source`, with their identities and the roots of their collections, and frees the nodes of `source` itself.
  package static func merge(_ scratch: Scratch, _ ref: inout Ref, appending source: Ref) throws(StorageError) {
    let other = try MixedLeaf(scratch.space, source)
    let count = try MixedLeaf(scratch.space, ref).count
    for index in 0..<other.count {
      try insertAdmitted(scratch, &ref, count + index, other.value(index))
      let key = try other.key(index)
      if key != 0 && Composite(other.composites.element(unchecked: index)).slot == Slot.collections {
        try ensureKey(scratch, &ref, count + index, unused: key)
      }
    }
    for slot in Slot.composites...Slot.keys {
      let child = try other.root.child(slot)
      if child.isNull { continue }
      if slot == Slot.strings { try scratch.freeTree(child) } else { try scratch.free(child) }
    }
    try scratch.free(source)
  }
}
