/// What a B+ tree needs to know of its leaves. The trees are generic over it and specialised inside this module: `IntegerFamily` for
/// the lists of object keys in backlinks and indexes, `ValueFamily` for everything else.
package protocol LeafFamily {
  associatedtype Element
  /// Elements of a leaf and children of an inner node; 1000 in every file (F2.6), less in tests of deep trees.
  var fanOut: Int { get }
  func count(_ space: NodeSpace, _ leaf: Ref) throws(StorageError) -> Int
  func element(_ space: NodeSpace, _ leaf: Ref, _ index: Int) throws(StorageError) -> Element
  func create(_ scratch: Scratch) throws(StorageError) -> Ref
  func insert(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: Element) throws(StorageError)
  func set(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: Element) throws(StorageError)
  func remove(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int) throws(StorageError)
  /// Moves the elements from `index` on to a new leaf.
  func split(_ scratch: Scratch, _ leaf: inout Ref, at index: Int) throws(StorageError) -> Ref
  /// Appends all elements of `source`, with what they own, and frees the nodes of `source`.
  func merge(_ scratch: Scratch, _ leaf: inout Ref, appending source: Ref) throws(StorageError)
}

extension LeafFamily {
  @inline(__always) package var fanOut: Int { 1000 }
}

/// Leaves of plain signed integers.
package struct IntegerFamily: LeafFamily {
  package init() {}
  @inline(__always) package func count(_ space: NodeSpace, _ leaf: Ref) throws(StorageError) -> Int { try space.integers(at: leaf).count }
  @inline(__always) package func element(_ space: NodeSpace, _ leaf: Ref, _ index: Int) throws(StorageError) -> Int64 {
    try space.integers(at: leaf).element(index)
  }
  package func create(_ scratch: Scratch) throws(StorageError) -> Ref { try scratch.createIntegers() }
  package func insert(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: Int64) throws(StorageError) {
    try scratch.insert(&leaf, index, element)
  }
  package func set(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: Int64) throws(StorageError) {
    try scratch.set(&leaf, index, element)
  }
  package func remove(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int) throws(StorageError) { try scratch.remove(&leaf, index) }
  package func split(_ scratch: Scratch, _ leaf: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try scratch.splitElements(&leaf, at: index)
  }
  package func merge(_ scratch: Scratch, _ leaf: inout Ref, appending source: Ref) throws(StorageError) {
    let node = try scratch.space.integers(at: source)
    var values: [Int64] = []
    values.reserveCapacity(node.count)
    for index in 0..<node.count { values.append(node.element(unchecked: index)) }
    try scratch.insert(&leaf, scratch.space.node(at: leaf).count, contentsOf: values)
    try scratch.free(source)
  }
}
