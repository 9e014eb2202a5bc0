extension FixedBytesLeaf {
  func rows(_ test: BoundsTest<ObjectID>, among mask: RowMask) throws(StorageError) -> RowMask {
    try mask.filter { (row) throws(StorageError) in
      guard let value = try objectID(row) else { return test.acceptsNull != test.isNegated }
      return test.accepts(value) { threeWay($0, $1) } != test.isNegated
    }
  }
  func rows(_ test: BoundsTest<UUIDBytes>, among mask: RowMask) throws(StorageError) -> RowMask {
    try mask.filter { (row) throws(StorageError) in
      guard let value = try uuid(row) else { return test.acceptsNull != test.isNegated }
      return test.accepts(value) { threeWay($0, $1) } != test.isNegated
    }
  }
}
