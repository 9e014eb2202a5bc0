/// Which leaf layout of F3 a column or a collection uses.
///
/// Each family has a reader struct (`IntegerLeaf`, `StringLeaf`, ...) that validates the leaf once and then reads without throwing
/// where the data allow it, and static functions that change a leaf: `create`, `insert`, `set`, `remove`, `split`.
package enum LeafKind: UInt8, Sendable {
  /// F3.1
  case int
  /// F3.2: one more element than values.
  case nullableInt
  /// F3.3
  case bool
  /// F3.9
  case string
  /// F3.10
  case binary
  /// F3.15
  case mixed
  /// F3.16
  case timestamp
  case float, double
  /// F3.17
  case decimal
  /// F3.12 in a cluster: key + 1.
  case link
  /// F3.12 in a list or set: the key itself.
  case linkElement
  /// F3.13
  case backlink
  /// F3.11
  case objectID, uuid
  /// F3.14: two integers per element.
  case typedLink
  /// F3.14: roots of collections.
  case collection
}
