extension Value {
  /// The value as an element of a set of this type: in those of Float and Double every NaN is the plain one; elsewhere only the
  /// NaN is replaced that would stand for null.
  func element(ofSetOf type: ColumnType) -> Value {
    switch self {
    case .double(let number) where number.isNaN: .double(type == .double ? .nan : Double(storedBits: number.bitsBesideNull))
    case .float(let number) where number.isNaN: .float(type == .float ? .nan : Float(storedBits: number.bitsBesideNull))
    case .decimal(.null): .decimal(.quietNaN)
    default: self
    }
  }
}

extension Value {
  /// Whether a value may be stored in a scalar column.
  package func fits(_ column: ColumnDescription) -> Bool {
    switch (self, column.type) {
    case (.null, _): column.isNullable
    case (.int, .int), (.bool, .bool), (.string, .string), (.binary, .binary), (.timestamp, .timestamp), (.float, .float),
      (.double, .double), (.decimal, .decimal), (.objectID, .objectID), (.uuid, .uuid), (.link, .link):
      true
    case (.link, .mixed): false
    case (_, .mixed): true
    default: false
    }
  }
}

extension Value {
  package var isNestedCollection: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }

  /// - Throws: `.invalidArgument` for text or bytes above the format's limit (F2.6) and for an invalid timestamp.
  func checkLimits() throws(StorageError) {
    switch self {
    case .string, .timestamp: try MixedLeaf.admit(self)
    case .binary(let bytes): try BinaryLeaf.admit(bytes.count)
    default: break
    }
  }

  /// A new collection has no elements, whatever collection the marker was read from.
  var withoutTree: Value {
    switch self {
    case .list: .list(.null)
    case .dictionary: .dictionary(.null)
    default: self
    }
  }

  /// The target of a link in a column of links.
  var linkedKey: ObjectKey? {
    switch self {
    case .link(let key): key
    case .typedLink(let link): link.key
    default: nil
    }
  }
}
