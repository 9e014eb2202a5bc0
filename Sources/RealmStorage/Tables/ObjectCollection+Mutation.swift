// The operations of lists, sets and dictionaries, with both sides of every link.

extension ObjectCollection {
  // MARK: Lists

  /// - Throws: `.typeMismatch`, `.noSuchObject` for a link to nothing, `.invalidArgument` for an index beyond the end.
  package func insert(at index: Int, _ value: Value) throws(StorageError) {
    if hidesAbsent { return try everything.insert(at: stored(index), value) }
    try check(.list, index, isInsertion: true)
    let (stored, link) = try admitted(value)
    try rawInsert(at: index, stored)
    try addLink(link)
  }

  package func append(_ value: Value) throws(StorageError) { try insert(at: count(), value) }

  package func set(at index: Int, _ value: Value) throws(StorageError) {
    if hidesAbsent { return try everything.set(at: stored(index), value) }
    try check(.list, index, isInsertion: false)
    let (stored, link) = try admitted(value)
    let released = try releaseElement(self.value(at: index))
    try rawSet(at: index, stored)
    try addLink(link)
    try release(released)
  }

  package func remove(at index: Int) throws(StorageError) {
    if hidesAbsent { return try everything.remove(at: stored(index)) }
    let place = try place()
    guard index >= 0, index < (try count()) else { throw outOfBounds(index) }
    let released = try releaseElement(values(place).element(space, index))
    try rawRemove(at: index)
    try release(released)
  }

  package func move(from: Int, to: Int) throws(StorageError) {
    if hidesAbsent { return try everything.move(from: stored(from), to: stored(to)) }
    try check(.list, from, isInsertion: false)
    try check(.list, to, isInsertion: false)
    if from != to { try rawMove(from: from, to: to) }
  }

  package func swap(_ first: Int, _ second: Int) throws(StorageError) {
    if hidesAbsent { return try everything.swap(stored(first), stored(second)) }
    if first == second { return }
    let (low, high) = (min(first, second), max(first, second))
    try move(from: high, to: low)
    if high - low > 1 { try move(from: low + 1, to: high) }
  }

  /// Removes all elements, shown or not; embedded objects among them are deleted.
  package func removeAll() throws(StorageError) {
    if hidesAbsent { return try everything.removeAll() }
    let oldCount = try count()
    if oldCount == 0 { return }
    var released = Released()
    for value in try all() { released.links.append(contentsOf: try releaseElement(value).links) }
    try rawClear(oldCount: oldCount)
    try release(released)
  }

  // MARK: Sets

  /// - Returns: where the value is now, and whether it was added.
  package func insert(_ value: Value) throws(StorageError) -> (index: Int, isNew: Bool) {
    if hidesAbsent { return try everything.insert(value) }
    let place = try place()
    guard place.kind == .set else { throw .typeMismatch(reason: "the collection is no set") }
    let (stored, link) = try admitted(value.element(ofSetOf: column.type))
    let found = place.root.isNull ? (index: 0, exists: false) : try find(stored, inSet: values(place))
    if found.exists { return (found.index, false) }
    guard !stored.isNestedCollection else { throw .typeMismatch(reason: "a set cannot hold collections") }
    try rawInsert(at: found.index, stored)
    try addLink(link)
    return (found.index, true)
  }

  /// - Returns: whether the value was in the set.
  package func remove(_ value: Value) throws(StorageError) -> Bool {
    if hidesAbsent { return try everything.remove(value) }
    let place = try place()
    guard place.kind == .set, !place.root.isNull else { return false }
    let found = try find(value.element(ofSetOf: column.type), inSet: values(place))
    if found.exists { try remove(at: found.index) }
    return found.exists
  }

  // MARK: Dictionaries

  /// Adds or replaces an entry.
  /// - Throws: `.invalidArgument` for a key that starts with `$` or contains a dot.
  package func set(key: [UInt8], _ value: Value) throws(StorageError) {
    try checkDictionary(key)
    let (stored, link) = try admitted(value)
    try setEntry(key, stored, link)
  }

  /// Whether dictionaries take the key, but for its length.
  package static func isDictionaryKey(_ key: [UInt8]) -> Bool { key.first != UInt8(ascii: "$") && !key.contains(UInt8(ascii: ".")) }

  private func checkDictionary(_ key: [UInt8]) throws(StorageError) {
    guard try kind() == .dictionary else { throw .typeMismatch(reason: "the collection is no dictionary") }
    guard !(column.isDictionary && column.hasIntegerKeys) else { throw .typeMismatch(reason: "the keys of the dictionary are integers") }
    guard key.count <= StringLeaf.byteLimit else { throw .invalidArgument(reason: "a dictionary key of \(key.count) bytes is too long") }
    guard ObjectCollection.isDictionaryKey(key) else {
      throw .invalidArgument(reason: "a dictionary key must not start with '$' nor contain '.'")
    }
  }

  private func setEntry(_ key: [UInt8], _ stored: Value, _ link: ObjectLink?) throws(StorageError) {
    let place = try place()
    let found = place.root.isNull ? (index: 0, exists: false) : try find(.string(key), inKeysOf: place)
    if found.exists {
      let released = try releaseElement(values(place).element(space, found.index))
      try rawSet(at: found.index, stored)
      // The new link first: a tombstone or embedded object must not lose its last link in between.
      try addLink(link)
      try release(released)
    } else {
      try rawInsertEntry(at: found.index, key: .string(key), stored)
      try addLink(link)
    }
  }

  /// - Returns: whether there was such an entry.
  package func removeEntry(key: [UInt8]) throws(StorageError) -> Bool {
    let place = try place()
    guard place.kind == .dictionary, !place.root.isNull else { return false }
    let found = try find(.string(key), inKeysOf: place)
    if found.exists { try remove(at: found.index) }
    return found.exists
  }

  // MARK: Embedded objects

  /// Creates an embedded object as a new element of a list.
  package func insertEmbedded(at index: Int) throws(StorageError) -> ObjectKey {
    try check(.list, index, isInsertion: true)
    let (target, key) = try table.newEmbedded(column)
    try rawInsert(at: index, .link(key))
    try addLink(ObjectLink(table: target.key, key: key))
    return key
  }

  package func setEmbedded(at index: Int) throws(StorageError) -> ObjectKey {
    try check(.list, index, isInsertion: false)
    let released = try releaseElement(value(at: index))
    let (target, key) = try table.newEmbedded(column)
    try rawSet(at: index, .link(key))
    try addLink(ObjectLink(table: target.key, key: key))
    try release(released)
    return key
  }

  /// Creates an embedded object as the value of a dictionary's entry.
  package func setEmbedded(key: [UInt8]) throws(StorageError) -> ObjectKey {
    try checkDictionary(key)
    let (target, object) = try table.newEmbedded(column)
    let link = ObjectLink(table: target.key, key: object)
    try setEntry(key, .typedLink(link), link)
    return object
  }

  // MARK: What may be stored, and what it entails

  private func outOfBounds(_ index: Int) -> StorageError { .invalidArgument(reason: "index \(index) is out of bounds") }

  func check(_ kind: CollectionKind, _ index: Int, isInsertion: Bool) throws(StorageError) {
    let place = try place()
    guard place.kind == kind else { throw .typeMismatch(reason: "the collection is no \(kind)") }
    let count = place.root.isNull ? 0 : try values(place).count(space)
    guard index >= 0, index < count + (isInsertion ? 1 : 0) else { throw outOfBounds(index) }
  }

  /// The form in which a value is stored here, and the link that it makes.
  func admitted(_ value: Value) throws(StorageError) -> (stored: Value, link: ObjectLink?) {
    if column.type == .mixed {
      if case .link = value {} else { try MixedLeaf.admit(value) }
      try table.checkMixedTarget(value, column)
      if value.isNestedCollection, path.count + 1 >= Table.nestingLimit {
        throw .invalidArgument(reason: "collections can be nested \(Table.nestingLimit) levels deep")
      }
      guard case .typedLink(let link) = value else { return (value.withoutTree, nil) }
      // A first link to a class is announced before the change that stores it.
      _ = try table.backlinkColumn(for: column, in: table.group.table(link.table))
      return (value, link)
    }
    if column.type == .link { return try admittedLink(value) }
    guard value.fits(column), !value.isNestedCollection else { throw table.typeMismatch(value, column) }
    try value.checkLimits()
    return (value, nil)
  }

  private func admittedLink(_ value: Value) throws(StorageError) -> (stored: Value, link: ObjectLink?) {
    let target = try table.group.table(column.oppositeTable)
    switch value {
    case .null:
      guard column.isDictionary else { throw table.typeMismatch(value, column) }
      return (.null, nil)
    case .link(let key): return try admittedLink(to: key, of: target)
    case .typedLink(let link) where link.table == target.key: return try admittedLink(to: link.key, of: target)
    default: throw table.typeMismatch(value, column)
    }
  }

  private func admittedLink(to key: ObjectKey, of target: Table) throws(StorageError) -> (stored: Value, link: ObjectLink?) {
    guard target.kind != .embedded else { throw .invalidArgument(reason: "embedded objects are created where they belong") }
    guard try target.contains(key) else { throw .noSuchObject(key: key) }
    let link = ObjectLink(table: target.key, key: key)
    return (column.isDictionary ? .typedLink(link) : .link(key), link)
  }

  func addLink(_ link: ObjectLink?) throws(StorageError) {
    if let link { try table.addTypedBacklink(table.writing(), column, link, origin: object) }
  }

  func releaseElement(_ value: Value) throws(StorageError) -> Released {
    if case .link(let key) = value { return Released(links: [ObjectLink(table: column.oppositeTable, key: key)]) }
    return try table.releaseList(value)
  }

  func release(_ released: Released) throws(StorageError) {
    if released.links.isEmpty && released.trees.isEmpty { return }
    try table.release(table.writing(), released, column, origin: object)
  }
}
