/// Leaves of any kind, with `Value` as the element.
package struct ValueFamily: LeafFamily {
  package let kind: LeafKind
  package let isNullable: Bool
  package init(_ kind: LeafKind, isNullable: Bool) { (self.kind, self.isNullable) = (kind, isNullable) }

  @inline(__always) package func count(_ space: NodeSpace, _ leaf: Ref) throws(StorageError) -> Int { try Leaf.count(space, kind, leaf) }
  package func element(_ space: NodeSpace, _ leaf: Ref, _ index: Int) throws(StorageError) -> Value {
    try Leaf.value(space, kind, leaf, index)
  }
  package func create(_ scratch: Scratch) throws(StorageError) -> Ref {
    try Leaf.create(scratch, ColumnSlot(kind: kind, isNullable: isNullable), count: 0)
  }
  package func insert(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: Value) throws(StorageError) {
    try Leaf.insert(scratch, kind, &leaf, index, element)
  }
  package func set(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: Value) throws(StorageError) {
    try Leaf.set(scratch, kind, &leaf, index, element)
  }
  package func remove(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int) throws(StorageError) {
    try Leaf.remove(scratch, kind, &leaf, index)
  }
  package func split(_ scratch: Scratch, _ leaf: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try Leaf.split(scratch, kind, &leaf, at: index)
  }
  package func merge(_ scratch: Scratch, _ leaf: inout Ref, appending source: Ref) throws(StorageError) {
    try Leaf.merge(scratch, kind, &leaf, appending: source)
  }
}
