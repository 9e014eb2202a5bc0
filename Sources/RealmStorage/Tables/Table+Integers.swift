extension Table {
  /// Adds to an Int, as files that synchronise pass it on: additions that several files make at the same time all count. Wraps around at 64 bits.
  /// - Throws: `.typeMismatch` if the property holds no Int, or null; as ``set(_:_:_:)``.
  package func addInteger(_ key: ObjectKey, _ columnKey: ColumnKey, _ amount: Int64) throws(StorageError) {
    let column = try column(columnKey)
    if columnKey == state.primaryKey { throw .invalidArgument(reason: "the primary key of an object cannot be changed") }
    guard !column.isCollection, case .int(let old) = try value(key, columnKey) else {
      throw .typeMismatch(reason: "'\(className).\(String(decoding: column.name, as: UTF8.self))' holds no integer to add to")
    }
    try setWithCare(writing(), key, column, .int(old &+ amount))
    group.log.set(self.key, columnKey, key)
    if let recorder = group.recorder { try recorder.didAdd(amount, to: self, key, columnKey) }
  }
}
