import RealmStorage

extension Value {
  /// Links of a column carry no table; the operands of queries do.
  @inline(__always) func linked(to table: TableKey) -> Value {
    guard case .link(let key) = self else { return self }
    return key.rawValue >= 0 ? .typedLink(ObjectLink(table: table, key: key)) : .null
  }

  /// A link to a tombstone counts as null.
  var resolved: Value {
    if case .typedLink(let link) = self, link.key.rawValue < 0 { return .null }
    return self
  }

  /// Of a text or binary value.
  var byteCount: Int {
    switch self {
    case .string(let bytes), .binary(let bytes): bytes.count
    default: 0
    }
  }

  /// Elements of a nested collection, bytes of a text or binary value; nil for everything else.
  func size(_ space: NodeSpace) throws(StorageError) -> Int? {
    switch self {
    case .string(let bytes), .binary(let bytes): bytes.count
    case .list(let root): try CollectionReader(space, nested: root, isDictionary: false, nil).count()
    case .dictionary(let root): try CollectionReader(space, nested: root, isDictionary: true, nil).count()
    default: nil
    }
  }

  /// The target of a link that is neither null nor unresolved.
  var liveLink: ObjectKey? {
    switch self {
    case .link(let key): key.rawValue >= 0 ? key : nil
    case .typedLink(let link): link.key.rawValue >= 0 ? link.key : nil
    default: nil
    }
  }
}
