/// One step from a collection in a Mixed value to a collection inside it.
package enum PathStep: Hashable, Sendable {
  case index(Int)
  case key([UInt8])
  /// The nested collection with that identity in a list, wherever it is now (F3.15).
  case identity(Int64)
  /// The nested collection with that identity under a key of a dictionary: another one that takes its place is not meant.
  case entry([UInt8], identity: Int64)
}

package enum CollectionKind: Sendable { case list, set, dictionary }

/// A list, set or dictionary of one object: a collection property, or a collection nested in a Mixed one. F6.
///
/// Names a place; every call finds it anew, so it stays usable while the transaction changes things. An object rather than a value, because it is
/// passed on far more often than it is made, and passing on a description of a column costs counts of its references.
package final class ObjectCollection {
  package let table: Table
  package let object: ObjectKey
  package let column: ColumnDescription
  /// Steps below the property's own collection.
  package let path: [PathStep]
  /// Only links that lead somewhere count; see `showingWhatIsThere`.
  let hidesAbsent: Bool

  init(table: Table, object: ObjectKey, column: ColumnDescription, path: [PathStep], hidesAbsent: Bool = false) {
    self.table = table
    self.object = object
    self.column = column
    self.path = path
    self.hidesAbsent = hidesAbsent
  }

  /// Whether it is still the one that `table` has in a property: another version of the file has other tables.
  package func isProperty(_ column: ColumnKey, of table: Table) -> Bool {
    self.table.state === table.state && self.table.group === table.group && self.column.key == column && path.isEmpty
  }

  var space: NodeSpace { table.group.space }

  package func nested(_ step: PathStep) -> ObjectCollection {
    ObjectCollection(table: table, object: object, column: column, path: path + [step])
  }

  // MARK: Reading

  /// Where the collection's nodes start, and what it is.
  struct Place {
    /// Null while it was never touched.
    var root: Ref
    var kind: CollectionKind
  }

  func place() throws(StorageError) -> Place {
    let row = try table.row(object)
    var place: Place
    if column.isCollection {
      place = Place(root: try row.collection(column.key), kind: column.isList ? .list : column.isSet ? .set : .dictionary)
    } else {
      place = try nestedPlace(row.value(column))
    }
    for step in path {
      let (tree, index) = try locate(step, in: place)
      place = try nestedPlace(tree.element(space, index))
    }
    return place
  }

  func nestedPlace(_ value: Value) throws(StorageError) -> Place {
    switch value {
    case .list(let root): Place(root: root, kind: .list)
    case .dictionary(let root): Place(root: root, kind: .dictionary)
    default: throw .typeMismatch(reason: "the Mixed value holds no collection")
    }
  }

  /// The tree of Mixed values of a nested collection and the index that a step names in it.
  func locate(_ step: PathStep, in place: Place) throws(StorageError) -> (BPlusTree<ValueFamily>, Int) {
    guard !place.root.isNull else { throw .invalidArgument(reason: "the collection is empty") }
    switch step {
    case .index(let index): return (try values(place), index)
    case .key(let key):
      let found = try find(.string(key), inKeysOf: place)
      guard found.exists else { throw .invalidArgument(reason: "there is no key '\(String(decoding: key, as: UTF8.self))'") }
      return (try values(place), found.index)
    case .identity(let identity):
      let tree = try values(place)
      return (tree, try index(ofIdentity: identity, in: tree))
    case .entry(let key, let identity):
      let (tree, index) = try locate(.key(key), in: place)
      guard try self.identity(at: index, in: tree) == identity else { throw .invalidArgument(reason: "the nested collection is gone") }
      return (tree, index)
    }
  }

  func index(ofIdentity identity: Int64, in tree: BPlusTree<ValueFamily>) throws(StorageError) -> Int {
    var result: Int?
    let space = space
    try tree.forEachLeaf(space) { (leaf, first, _) throws(StorageError) in
      result = try MixedLeaf(space, leaf).index(ofKey: identity).map { first + $0 }
      return result == nil
    }
    guard let result else { throw .invalidArgument(reason: "the nested collection is gone") }
    return result
  }

  private func identity(at index: Int, in tree: BPlusTree<ValueFamily>) throws(StorageError) -> Int64 {
    let position = try tree.locate(space, index)
    return try MixedLeaf(space, position.leaf).key(position.index)
  }

  /// The step to the collection in an element of a list, which stays right while elements come and go. Elements to which another program
  /// gave no identity are named by their index.
  package func step(at index: Int) throws(StorageError) -> PathStep {
    let place = try place()
    if place.kind == .dictionary { return try step(under: key(at: index)) }
    guard place.kind == .list, !place.root.isNull, column.type == .mixed else { return .index(index) }
    let identity = try identity(at: index, in: values(place))
    return identity == 0 ? .index(index) : .identity(identity)
  }

  /// The step to the collection under a key of a dictionary. Those to which another program gave no identity are named by their key alone.
  package func step(under key: [UInt8]) throws(StorageError) -> PathStep {
    let (tree, index) = try locate(.key(key), in: place())
    let identity = try identity(at: index, in: tree)
    return identity == 0 ? .key(key) : .entry(key, identity: identity)
  }

  /// The leaves of elements (lists, sets) or of values (dictionaries).
  func family(_ kind: CollectionKind) -> ValueFamily {
    if !path.isEmpty || !column.isCollection || kind == .dictionary { return ValueFamily(.mixed, isNullable: true) }
    return ValueFamily(column.elementKind, isNullable: column.isNullable)
  }
  var keyFamily: ValueFamily { ValueFamily(column.isDictionary && column.hasIntegerKeys ? .int : .string, isNullable: false) }

  func values(_ place: Place) throws(StorageError) -> BPlusTree<ValueFamily> {
    let root = place.kind == .dictionary ? try space.refs(at: place.root).child(DictionarySlot.values) : place.root
    return BPlusTree(root: root, family: family(place.kind))
  }
  func keyTree(_ place: Place) throws(StorageError) -> BPlusTree<ValueFamily> {
    BPlusTree(root: try space.refs(at: place.root).child(DictionarySlot.keys), family: keyFamily)
  }

  package func kind() throws(StorageError) -> CollectionKind { try place().kind }

  package func count() throws(StorageError) -> Int {
    let place = try place()
    if hidesAbsent { return try everything.count() - absentPositions(place).count }
    return place.root.isNull ? 0 : try values(place).count(space)
  }

  /// The element of a list or set, the value of a dictionary's entry.
  package func value(at index: Int) throws(StorageError) -> Value {
    if hidesAbsent { return try everything.value(at: stored(index)) }
    let place = try place()
    guard !place.root.isNull else { throw .invalidArgument(reason: "index \(index) of an empty collection") }
    return try values(place).element(space, index)
  }

  /// The same, or nil where there is none.
  package func valueIfPresent(at index: Int) throws(StorageError) -> Value? {
    if hidesAbsent {
      guard try 0..<count() ~= index else { return nil }
      return try value(at: index)
    }
    let place = try place()
    guard !place.root.isNull else { return nil }
    let values = try values(place)
    guard try 0..<values.count(space) ~= index else { return nil }
    return try values.element(space, index)
  }

  package func key(at index: Int) throws(StorageError) -> [UInt8] {
    let place = try place()
    guard !place.root.isNull, place.kind == .dictionary else { throw .invalidArgument(reason: "index \(index) of no dictionary") }
    guard case .string(let key) = try keyTree(place).element(space, index) else { throw .typeMismatch(reason: "the keys are no strings") }
    return key
  }

  /// The value under a key, or nil.
  package func value(for key: [UInt8]) throws(StorageError) -> Value? {
    let place = try place()
    guard place.kind == .dictionary, !place.root.isNull else { return nil }
    let found = try find(.string(key), inKeysOf: place)
    return found.exists ? try values(place).element(space, found.index) : nil
  }

  /// Whether a set holds a value.
  package func contains(_ value: Value) throws(StorageError) -> Bool {
    let place = try place()
    guard place.kind == .set, !place.root.isNull else { return false }
    return try find(value.element(ofSetOf: column.type), inSet: values(place)).exists
  }

  package func all(_ cancellation: Cancellation? = nil) throws(StorageError) -> [Value] {
    let place = try place()
    if place.root.isNull { return [] }
    let tree = try values(place)
    var result: [Value] = []
    let space = space
    try tree.forEachLeaf(space) { (leaf, _, count) throws(StorageError) in
      try cancellation?.check()
      for index in 0..<count { result.append(try tree.family.element(space, leaf, index)) }
      return true
    }
    if hidesAbsent { result.removeAll { $0.linkedKey?.isUnresolved == true } }
    return result
  }

  /// All keys of a dictionary, in the order of ``all(_:)``.
  package func allKeys() throws(StorageError) -> [[UInt8]] {
    let place = try place()
    guard !place.root.isNull, place.kind == .dictionary else { return [] }
    let tree = try keyTree(place)
    var result: [[UInt8]] = []
    let space = space
    try tree.forEachLeaf(space) { (leaf, _, count) throws(StorageError) in
      for index in 0..<count {
        guard case .string(let key) = try tree.family.element(space, leaf, index) else { throw .typeMismatch(reason: "the keys are no strings") }
        result.append(key)
      }
      return true
    }
    return result
  }

  // MARK: Ordered search (sets and dictionary keys ascend, F6.3)

  /// The order in which the values of a list or dictionary are sorted, and the elements of a set lie.
  package var elementOrder: ElementOrder {
    guard path.isEmpty, column.isList || column.isSet else { return .natural }
    return ElementOrder(column.type, isSet: column.isSet)
  }

  func find(_ value: Value, inKeysOf place: Place) throws(StorageError) -> (index: Int, exists: Bool) {
    try find(value, in: keyTree(place), .natural)
  }

  func find(_ value: Value, inSet tree: BPlusTree<ValueFamily>) throws(StorageError) -> (index: Int, exists: Bool) {
    let order = elementOrder
    guard case .lastNaN = order else { return try find(value, in: tree, order) }
    return value.isFloatingNaN ? try findNaN(tree) : try findNumber(value, tree)
  }

  private func find(
    _ value: Value, in tree: BPlusTree<ValueFamily>, _ order: ElementOrder
  ) throws(StorageError) -> (index: Int, exists: Bool) {
    var (low, high) = (0, try tree.count(space))
    while low < high {
      let middle = (low + high) >> 1
      let order = order.compare(try tree.element(space, middle), value)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// Bisects the numbers of a set of Float or Double, and passes over NaNs, which the original puts anywhere.
  private func findNumber(_ value: Value, _ tree: BPlusTree<ValueFamily>) throws(StorageError) -> (index: Int, exists: Bool) {
    var (low, high) = (0, try tree.count(space))
    while low < high {
      let middle = (low + high) >> 1
      var probe = middle
      var element = try tree.element(space, probe)
      while element.isFloatingNaN && probe + 1 < high {
        probe += 1
        element = try tree.element(space, probe)
      }
      let order = ElementOrder.lastNaN.compare(element, value)
      if order == 0 { return (probe, true) }
      if order < 0 { low = probe + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// NaN is the last element, or wherever the original has put it.
  private func findNaN(_ tree: BPlusTree<ValueFamily>) throws(StorageError) -> (index: Int, exists: Bool) {
    let count = try tree.count(space)
    if count > 0, try tree.element(space, count - 1).isFloatingNaN { return (count - 1, true) }
    var found: Int?
    let space = space
    try tree.forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      for index in 0..<count where try tree.family.element(space, leaf, index).isFloatingNaN {
        found = first + index
        return false
      }
      return true
    }
    return (found ?? count, found != nil)
  }
}
