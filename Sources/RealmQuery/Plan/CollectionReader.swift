import RealmStorage

/// Which elements of a collection a path means.
enum ElementSelector: Equatable {
  case all
  case index(Int)
  case first, last
  case key([UInt8])
  /// The keys of a dictionary.
  case keys

  var isAll: Bool { self == .all }

  /// As messages print it.
  var text: String {
    switch self {
    case .all: "[*]"
    case .index(0), .first: "[FIRST]"
    case .index(let index): "[\(index)]"
    case .last: "[LAST]"
    case .key(let key): "['\(String(decoding: key, as: UTF8.self))']"
    case .keys: ".@keys"
    }
  }

  /// The position in a list of `count` elements; nil beyond its end.
  func position(count: Int) -> Int? {
    switch self {
    case .index(let index): index < count ? index : nil
    case .first: count > 0 ? 0 : nil
    case .last: count > 0 ? count - 1 : nil
    case .all, .key, .keys: nil
    }
  }

  var isPosition: Bool {
    switch self {
    case .index, .first, .last: true
    case .all, .key, .keys: false
    }
  }
  /// As "does not support index" prints it.
  var indexName: String {
    switch self {
    case .index(0), .first: "FIRST"
    case .index(let index): "\(index)"
    case .last: "LAST"
    case .all: "*"
    case .key(let key): String(decoding: key, as: UTF8.self)
    case .keys: "@keys"
    }
  }
}

/// The elements of one stored collection.
struct CollectionReader {
  let space: NodeSpace
  /// Null while the collection was never touched.
  let root: Ref
  let isDictionary: Bool
  private let family: ValueFamily
  /// Asked at every leaf.
  let cancellation: Cancellation?

  /// A list, set or dictionary property.
  init(_ space: NodeSpace, _ row: Row, _ column: ColumnDescription, _ cancellation: Cancellation?) throws(StorageError) {
    self.space = space
    self.cancellation = cancellation
    root = try row.collection(column.key)
    isDictionary = column.isDictionary
    family = isDictionary ? ValueFamily(.mixed, isNullable: true) : ValueFamily(column.elementKind, isNullable: column.isNullable)
  }

  /// A collection inside a Mixed value.
  init(_ space: NodeSpace, nested root: Ref, isDictionary: Bool, _ cancellation: Cancellation?) {
    self.space = space
    self.cancellation = cancellation
    self.root = root
    self.isDictionary = isDictionary
    family = ValueFamily(.mixed, isNullable: true)
  }

  private func values() throws(StorageError) -> BPlusTree<ValueFamily> {
    BPlusTree(root: isDictionary ? try space.refs(at: root).child(DictionarySlot.values) : root, family: family)
  }
  private func keys() throws(StorageError) -> BPlusTree<ValueFamily> {
    BPlusTree(root: try space.refs(at: root).child(DictionarySlot.keys), family: ValueFamily(.string, isNullable: false))
  }

  /// Whether a list or set of links has some to objects that are not there (F6.6).
  var mayHoldAbsent: Bool {
    get throws(StorageError) { root.isNull ? false : try space.node(at: root).header.hasContext }
  }

  func count() throws(StorageError) -> Int { root.isNull ? 0 : try values().count(space) }

  func value(at index: Int) throws(StorageError) -> Value { try values().element(space, index) }

  func forEach(_ body: (Value) throws(StorageError) -> Void) throws(StorageError) {
    if root.isNull { return }
    try forEach(values(), body)
  }
  func forEachKey(_ body: (Value) throws(StorageError) -> Void) throws(StorageError) {
    if root.isNull { return }
    try forEach(keys(), body)
  }

  private func forEach(_ tree: BPlusTree<ValueFamily>, _ body: (Value) throws(StorageError) -> Void) throws(StorageError) {
    try tree.forEachLeaf(space) { (leaf, _, count) throws(StorageError) in
      try cancellation?.check()
      for index in 0..<count { try body(tree.family.element(space, leaf, index)) }
      return true
    }
  }

  /// The value under a key of a dictionary.
  func value(for key: [UInt8]) throws(StorageError) -> Value? {
    if root.isNull { return nil }
    let keys = try keys()
    var (low, high) = (0, try keys.count(space))
    let wanted = Value.string(key)
    while low < high {
      let middle = (low + high) >> 1
      let order = Value.compare(try keys.element(space, middle), wanted)
      if order == 0 { return try value(at: middle) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The selected elements. Beyond the end of a collection that is not empty there is a null, in an empty one nothing (Q7.2, Q9).
  func append(_ selector: ElementSelector, to values: inout [Value]) throws(StorageError) {
    switch selector {
    case .all: try forEach { values.append($0) }
    case .keys: try forEachKey { values.append($0) }
    case .key(let key):
      if try count() == 0 { return }
      values.append(try value(for: key) ?? .null)
    case .index, .first, .last:
      let count = try count()
      if count == 0 { return }
      values.append(try selector.position(count: count).map { (index) throws(StorageError) in try value(at: index) } ?? .null)
    }
  }
}
