@testable import RealmStorage

extension Table {
  /// Takes the embedded object that a property holds from its owner without removing it, as the original does where it removes what held it.
  func abandonEmbedded(_ object: ObjectKey, _ key: ColumnKey) throws(StorageError) {
    let (scratch, column) = (try writing(), try column(key))
    guard case .link(let part) = try value(object, key) else { throw .invalidArgument(reason: "the property holds no object") }
    try updateLeaf(scratch, object, column.leafIndex) { (leaf, row) throws(StorageError) in
      try scratch.makeWritable(&leaf)
      try scratch.set(&leaf, row, 0)
    }
    let target = try group.table(column.oppositeTable)
    _ = try target.writing()
    try target.updateLeaf(scratch, part, column.oppositeColumn.leafIndex) { (leaf, row) throws(StorageError) in
      try scratch.makeWritable(&leaf)
      scratch.setChild(leaf, row, .null)
    }
  }
}
