/// The values of a column, for its index.
struct ColumnValues: IndexValueSource {
  let space: NodeSpace
  let root: Ref
  private let key: ColumnKey
  private let kind: LeafKind
  private let enumKeysRef: Ref
  let valuesShareBytes: Bool

  @inline(__always) init(_ table: Table, _ column: ColumnDescription) { self.init(table, column.key) }

  @inline(__always) init(_ table: Table, _ column: ColumnKey) {
    space = table.space
    root = table.state.liveRoot
    key = column
    let access = table.state.access[column.leafIndex]
    kind = access.kind
    // Read here: storing an enumerated string may have moved the enum keys since the caller looked the column up.
    // Copying the description of a column costs more than looking an integer up.
    enumKeysRef = access.isEnumerated ? table.state.columns[column.leafIndex]?.enumKeysRef ?? .null : .null
    valuesShareBytes = kind == .mixed
  }

  @inline(__always) private func row(_ key: ObjectKey) throws(StorageError) -> Row {
    guard let place = try ClusterTree.find(space, root, key) else {
      throw .corruptNode(ref: root, reason: "the index names object \(key.rawValue), which does not exist")
    }
    return Row(space: space, cluster: place.cluster, row: place.row)
  }

  func value(of key: ObjectKey) throws(StorageError) -> Value { try row(key).value(self.key, kind, enumKeysRef).asIndexed }

  func holds(_ key: ObjectKey, _ value: Value, _ bytes: IndexBytes) throws(StorageError) -> Bool {
    if kind == .string, case .string(let wanted) = value {
      // The bytes of a text are its index bytes: no copy is needed to compare them.
      let row = try row(key)
      return try StringLeaf(space, row.leaf(self.key), enumKeys: enumKeysRef).withBytes(row.row) { (text) throws(StorageError) in
        guard let text else { return false }
        // SAFETY: a byte has no padding.
        return unsafe compareBytes(text, wanted.span.bytes) == 0
      }
    }
    let other = try self.value(of: key)
    guard IndexBytes(other) == bytes else { return false }
    return !valuesShareBytes || Value.compare(other, value) == 0
  }

  @inline(__always) func integer(of key: ObjectKey) throws(StorageError) -> Int64? {
    let row = try row(key)
    if kind == .int { return try row.int(self.key) }
    switch try row.value(self.key, kind, enumKeysRef) {
    case .int(let number): return number
    case .bool(let flag): return flag ? 1 : 0
    default: return nil
    }
  }
}

extension Table {
  // MARK: Finding

  /// The root of a column's index; null if it has none.
  @inline(__always) func indexRoot(_ column: ColumnDescription) throws(StorageError) -> Ref { try indexRoot(column.key) }
  @inline(__always) func indexRoot(_ column: ColumnKey) throws(StorageError) -> Ref {
    try flushDeferredIndex()
    return try storedIndexRoot(column)
  }
  /// The same, although the index may have been put off.
  @inline(__always) func storedIndexRoot(_ column: ColumnKey) throws(StorageError) -> Ref {
    if state.searchIndexes.isNull { return .null }
    return try space.refs(at: state.searchIndexes).child(column.leafIndex)
  }
  func hasIndex(_ column: ColumnDescription) throws(StorageError) -> Bool { try !indexRoot(column).isNull }

  /// The object with a primary key, or nil.
  /// - Throws: `.invalidArgument` if the table has no primary key.
  package func find(primaryKey: Value) throws(StorageError) -> ObjectKey? {
    guard let column = primaryKeyColumn else { throw .invalidArgument(reason: "'\(className)' has no primary key") }
    let root = try indexRoot(column)
    if root.isNull { return try scan(column, for: primaryKey) }
    if case .int(let number) = primaryKey { return try SearchIndex.first(space, root, integer: number, ColumnValues(self, column)) }
    return try SearchIndex.first(space, root, primaryKey, ColumnValues(self, column))
  }

  /// The object with an Int primary key, without going through `Value`.
  @inline(__always) package func find(primaryKey: Int64) throws(StorageError) -> ObjectKey? {
    guard let columnKey = state.primaryKey, try access(columnKey).kind == .int else { return try find(primaryKey: .int(primaryKey)) }
    if let row = try guessedRow(columnKey, primaryKey) { return row.key }
    let root = try indexRoot(columnKey)
    if root.isNull { return try find(primaryKey: .int(primaryKey)) }
    let found = try SearchIndex.first(space, root, integer: primaryKey, ColumnValues(self, columnKey))
    if let found { state.keyGuess.learn(primaryKey, found) }
    return found
  }

  /// The objects with many Int primary keys, in the given order; nil where there is none. Looks in the order of the objects where keys
  /// can be guessed (`KeyGuess`), and for the others in the order of the index, so that each leaf is visited once.
  package func find(primaryKeys: [Int64]) throws(StorageError) -> [ObjectKey?] {
    var found = [ObjectKey?](repeating: nil, count: primaryKeys.count)
    var open = Array(primaryKeys.indices)
    if let column = state.primaryKey, try access(column).kind == .int, primaryKeys.count > 100 {
      open.removeAll(keepingCapacity: true)
      for position in Table.order(primaryKeys.count, { UInt32(truncatingIfNeeded: primaryKeys[$0]) }) {
        found[position] = try guessedRow(column, primaryKeys[position])?.key
        if found[position] == nil { open.append(position) }
      }
      let unknown = open
      open = Table.order(unknown.count) { IndexKey.sortable(ofInt: primaryKeys[unknown[$0]]) }.map { unknown[$0] }
    }
    for position in open { found[position] = try find(primaryKey: primaryKeys[position]) }
    return found
  }

  /// The positions `0..<count` in the order of a number that each of them has.
  static func order(_ count: Int, _ number: (Int) -> UInt32) -> [Int] {
    precondition(count <= Int(UInt32.max))
    var order = (0..<count).map { UInt64(number($0)) << 32 | UInt64($0) }
    // The positions ascend already.
    radixSort(&order, fromBit: 32)
    return order.map { Int($0 & 0xFFFF_FFFF) }
  }

  /// Files from formats below 22 may lack the index of the primary key.
  private func scan(_ column: ColumnDescription, for value: Value) throws(StorageError) -> ObjectKey? {
    var result: ObjectKey?
    let space = space
    try forEachCluster { (cluster) throws(StorageError) in
      for row in 0..<cluster.count where Value.compare(try Row(space: space, cluster: cluster, row: row).value(column), value) == 0 {
        result = cluster.key(row)
        return false
      }
      return true
    }
    return result
  }

  /// Objects whose value equals `value`, by the column's index.
  /// - Throws: `.invalidArgument` if the column has no general index; `.interrupted`.
  package func indexedObjects(
    _ columnKey: ColumnKey, equalTo value: Value, _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> [ObjectKey] {
    let column = try column(columnKey)
    let root = try indexRoot(column)
    guard !root.isNull, !column.attributes.contains(.fullTextIndexed) else { throw .invalidArgument(reason: "the property has no search index") }
    var keys: [ObjectKey] = []
    try SearchIndex.forEach(space, root, value, ColumnValues(self, column)) { (key) throws(StorageError) in
      if keys.count % Cancellation.blockSize == 0 { try cancellation?.check() }
      keys.append(key)
      return true
    }
    return keys
  }

  /// How many objects have the value, by the column's index: nothing is materialised.
  /// - Throws: `.invalidArgument` if the column has no general index.
  package func indexedCount(_ columnKey: ColumnKey, equalTo value: Value) throws(StorageError) -> Int {
    let access = try access(columnKey)
    let root = try indexRoot(columnKey)
    guard !root.isNull, !access.isFullTextIndexed else {
      throw .invalidArgument(reason: "the property has no search index")
    }
    return try SearchIndex.count(space, root, value, ColumnValues(self, columnKey))
  }

  /// Objects whose text contains a word, by the column's full-text index; the word is folded like the text (F9.6).
  package func fullTextObjects(_ columnKey: ColumnKey, word: String) throws(StorageError) -> [ObjectKey] {
    let column = try column(columnKey)
    guard column.attributes.contains(.fullTextIndexed) else { throw .invalidArgument(reason: "the property has no full-text index") }
    guard let token = Tokenizer.tokens(of: Array(word.utf8)).first else { return [] }
    return try FullTextIndex.find(space, indexRoot(column), token: token)
  }

  // MARK: Keeping up to date

  func insertIntoIndex(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) {
    try requireLive(key)
    try editIndex(scratch, column.key) { (root) throws(StorageError) in
      if column.attributes.contains(.fullTextIndexed) {
        var index = FullTextIndex(root: root)
        try index.insert(scratch, key, value.textBytes)
        root = index.root
        return
      }
      var index = SearchIndex(root: root)
      switch value {
      case .int(let number) where column.type == .int: try index.insert(scratch, key, integer: number, ColumnValues(self, column))
      default: try index.insert(scratch, key, value.asIndexed, ColumnValues(self, column))
      }
      root = index.root
    }
  }

  /// Into the general index of an Int column.
  @inline(__always) func insertIntoIndex(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnKey, integer: Int64) throws(StorageError) {
    try requireLive(key)
    try editIndex(scratch, column) { (root) throws(StorageError) in
      var index = SearchIndex(root: root)
      try index.insert(scratch, key, integer: integer, ColumnValues(self, column))
      root = index.root
    }
  }

  /// Takes objects out of the general index of an Int column, in the order of the index, which keeps to one leaf at a time.
  func removeFromIndex(_ scratch: Scratch, _ column: ColumnKey, _ objects: [(value: Int64, object: ObjectKey)]) throws(StorageError) {
    let sorted = Table.order(objects.count) { IndexKey.sortable(ofInt: objects[$0].value) }.map { objects[$0] }
    try editIndex(scratch, column) { (root) throws(StorageError) in
      var index = SearchIndex(root: root)
      try index.remove(scratch, sorted: sorted, ColumnValues(self, column))
      root = index.root
    }
  }

  func removeFromIndex(_ scratch: Scratch, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) {
    try editIndex(scratch, column.key) { (root) throws(StorageError) in
      if column.attributes.contains(.fullTextIndexed) {
        var index = FullTextIndex(root: root)
        try index.remove(scratch, key, value.textBytes)
        root = index.root
        return
      }
      if column.type == .mixed, try !holdsMixed(root, key, column, value) {
        try scratch.freeTree(root)
        root = try builtMixedIndex(scratch, column, without: key)
        return
      }
      var index = SearchIndex(root: root)
      switch value {
      case .int(let number) where column.type == .int: try index.remove(scratch, key, integer: number, ColumnValues(self, column))
      default: try index.remove(scratch, key, value.asIndexed, ColumnValues(self, column))
      }
      root = index.root
    }
  }

  /// Whether the index of a Mixed property can be relied on for an object.
  ///
  /// realm-core (seen with 14.14) leaves an object filed under its link when the target is deleted and the value becomes null by that. Nothing that
  /// we ask an index of Mixed values for is wrong by that, as queries do not use it, but the object could not be withdrawn: then it is built anew.
  private func holdsMixed(_ root: Ref, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) -> Bool {
    try SearchIndex.holds(space, root, key, value.asIndexed, ColumnValues(self, column))
  }

  @inline(__always) private func editIndex(
    _ scratch: Scratch, _ column: ColumnKey, _ body: (inout Ref) throws(StorageError) -> Void
  ) throws(StorageError) {
    let indexes = try writableIndexes(scratch)
    var root = Ref(element: scratch.slot(indexes, column.leafIndex))
    if root.isNull { return }
    let old = root
    try body(&root)
    if root != old { scratch.setChild(indexes, column.leafIndex, root) }
  }

  // MARK: Adding and removing indexes

  /// Adds a general search index to a property; does nothing if it has been asked for before.
  /// - Throws: `.invalidArgument` for a type that cannot be indexed.
  package func addIndex(_ columnKey: ColumnKey) throws(StorageError) {
    let column = try column(columnKey)
    let name = String(decoding: column.name, as: UTF8.self)
    guard !column.isCollection else { throw .invalidArgument(reason: "'\(name)' is a collection, and those cannot be indexed") }
    guard column.type.hasIndexes else {
      throw .invalidArgument(reason: "'\(name)' has a type that cannot be indexed, as float, double, decimal, data and links")
    }
    guard !column.attributes.contains(.fullTextIndexed) else {
      throw .invalidArgument(reason: "'\(name)' has a full-text index; that has to be removed first")
    }
    if try !hasIndex(column) { try buildIndex(column) }
    try setAttribute(columnKey, .indexed, true)
  }

  package func addFullTextIndex(_ columnKey: ColumnKey) throws(StorageError) {
    let column = try column(columnKey)
    let name = String(decoding: column.name, as: UTF8.self)
    guard column.type == .string, !column.isCollection else {
      throw .invalidArgument(reason: "'\(name)' cannot have a full-text index, as only strings can")
    }
    if column.attributes.contains(.fullTextIndexed) { return }
    guard try !hasIndex(column) else { throw .invalidArgument(reason: "'\(name)' has an index; that has to be removed first") }
    let scratch = try writing()
    var index = try FullTextIndex.create(scratch)
    for key in try keys() { try index.insert(scratch, key, row(key).value(column).textBytes) }
    scratch.setChild(try writableIndexes(scratch), column.leafIndex, index.root)
    try setAttribute(columnKey, .fullTextIndexed, true)
  }

  /// Removes either kind of index; that of a primary key stays, but no longer counts as asked for.
  package func removeIndex(_ columnKey: ColumnKey) throws(StorageError) {
    let column = try column(columnKey)
    if columnKey != state.primaryKey { try dropIndex(column) }
    try setAttribute(columnKey, [.indexed, .fullTextIndexed], false)
  }

  func buildIndex(_ column: ColumnDescription) throws(StorageError) {
    let scratch = try writing()
    let root = try builtIndex(scratch, column)
    scratch.setChild(try writableIndexes(scratch), column.leafIndex, root)
    try reload()
  }

  /// The root of a new index of all objects.
  func builtIndex(_ scratch: Scratch, _ column: ColumnDescription) throws(StorageError) -> Ref {
    if column.leafKind == .int, let root = try builtIntegerIndex(scratch, column.key) { return root }
    if column.type != .mixed { return try IndexBuilder.build(scratch, indexItems(column)) }
    return try builtMixedIndex(scratch, column)
  }

  /// One by one, as different values may have the same bytes.
  private func builtMixedIndex(_ scratch: Scratch, _ column: ColumnDescription, without excluded: ObjectKey? = nil) throws(StorageError) -> Ref {
    var index = try SearchIndex.create(scratch)
    let source = ColumnValues(self, column)
    for key in try keys() where key != excluded {
      try requireLive(key)
      try index.insert(scratch, key, source.value(of: key), source)
    }
    return index.root
  }

  /// An index holds live objects only; those of a damaged file may have any key.
  private func requireLive(_ key: ObjectKey) throws(StorageError) {
    guard key.rawValue >= 0 else { throw .corruptNode(ref: state.live.root, reason: "a live object has the negative key \(key.rawValue)") }
  }
  private func requireLiveKeys(_ cluster: Cluster) throws(StorageError) {
    for row in 0..<cluster.count { try requireLive(cluster.key(row)) }
  }

  /// - Returns: nil if the quick way is not open: values that share their first bytes, very large object keys.
  private func builtIntegerIndex(_ scratch: Scratch, _ column: ColumnKey) throws(StorageError) -> Ref? {
    var builder = IntegerIndexBuilder(reservingCount: min(try count(), space.plausibleCount))
    let space = space
    var fits = true
    try forEachCluster { (cluster) throws(StorageError) in
      try requireLiveKeys(cluster)
      let leaf = try space.integers(at: cluster.column(column.leafIndex))
      for row in 0..<cluster.count { fits = try builder.append(cluster.key(row), leaf.element(row)) && fits }
      return fits
    }
    return fits ? try builder.build(scratch) : nil
  }

  /// The index bytes of every object.
  private func indexItems(_ column: ColumnDescription) throws(StorageError) -> IndexItems {
    var items = IndexItems(reservingCount: min(try count(), space.plausibleCount))
    let space = space
    try forEachCluster { (cluster) throws(StorageError) in
      try requireLiveKeys(cluster)
      let leaf = try cluster.column(column.leafIndex)
      if column.type == .string {
        let texts = try StringLeaf(space, leaf, enumKeys: column.enumKeysRef)
        for row in 0..<cluster.count {
          try items.append(cluster.key(row)) { (bytes) throws(StorageError) in try texts.append(row, to: &bytes) }
        }
      } else {
        for row in 0..<cluster.count {
          let value = try IndexBytes(Leaf.value(space, column.leafKind, leaf, row))
          try items.append(cluster.key(row)) { (bytes) in value?.append(to: &bytes) ?? false }
        }
      }
      return true
    }
    return items
  }

  func dropIndex(_ column: ColumnDescription) throws(StorageError) {
    let scratch = try writing()
    let indexes = try writableIndexes(scratch)
    try scratch.freeTree(Ref(element: scratch.slot(indexes, column.leafIndex)))
    scratch.setChild(indexes, column.leafIndex, .null)
    try reload()
  }

  private func setAttribute(_ columnKey: ColumnKey, _ attribute: ColumnAttributes, _ isSet: Bool) throws(StorageError) {
    try editSpec(writing()) { (spec) throws(StorageError) in
      guard let position = spec.keys.firstIndex(of: columnKey.rawValue) else { return }
      let old = ColumnAttributes(rawValue: Int(spec.attributes[position]))
      spec.attributes[position] = Int64((isSet ? old.union(attribute) : old.subtracting(attribute)).rawValue)
    }
    try reload()
  }

  /// Whether two objects share a value of an indexed column.
  func hasDuplicates(_ columnKey: ColumnKey) throws(StorageError) -> Bool {
    let column = try column(columnKey)
    let source = ColumnValues(self, column)
    let root = try indexRoot(column)
    for key in try keys() where try SearchIndex.count(space, root, source.value(of: key), source) > 1 { return true }
    return false
  }
}
