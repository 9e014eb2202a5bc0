/// Leaves that are plain arrays of integers or refs: required Int (F3.1), Bool (F3.3), links (F3.12), backlinks (F3.13),
/// typed links and collections (F3.14).
package enum IntegerLeaf {
  private static let boolNull: Int64 = 3

  package static func value(_ node: Node, _ kind: LeafKind, _ index: Int) throws(StorageError) -> Value {
    switch kind {
    case .int: return .int(try node.element(index))
    case .bool:
      switch try node.element(index) {
      case 0: return .bool(false)
      case 1: return .bool(true)
      case boolNull: return .null
      default: throw node.broken("element \(index) is no Bool")
      }
    case .link:
      let stored = try node.element(index)
      return stored == 0 ? .null : .link(ObjectKey(stored &- 1))
    case .linkElement:
      let key = ObjectKey(try node.element(index))
      return key.isNull ? .null : .link(key)
    case .typedLink:
      let table = try node.element(index * 2)
      if table == 0 { return .null }
      return .typedLink(
        ObjectLink(
          table: TableKey(rawValue: UInt32(truncatingIfNeeded: table - 1) & 0x7FFF_FFFF),
          key: ObjectKey(try node.element(index * 2 + 1) &- 1)))
    default: throw node.broken("is no leaf of integers")
    }
  }

  /// The stored form of a value, or nil if the type does not fit.
  package static func stored(_ value: Value, _ kind: LeafKind) -> Int64? {
    switch (kind, value) {
    case (.int, .int(let number)): number
    case (.bool, .bool(let flag)): flag ? 1 : 0
    case (.bool, .null): boolNull
    case (.link, .link(let key)): key.rawValue &+ 1
    case (.link, .null): 0
    case (.linkElement, .link(let key)): key.rawValue
    case (.linkElement, .null): -1
    default: nil
    }
  }

  package static func defaultValue(_ kind: LeafKind, isNullable: Bool) -> Int64 { kind == .bool && isNullable ? boolNull : 0 }
}
