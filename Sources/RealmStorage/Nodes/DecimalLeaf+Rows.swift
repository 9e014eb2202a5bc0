extension DecimalLeaf {
  func rows(_ test: BoundsTest<Decimal128>, among mask: RowMask) throws(StorageError) -> RowMask {
    try mask.filter { (row) throws(StorageError) in
      guard let value = try decimal(row) else { return test.acceptsNull != test.isNegated }
      return test.accepts(value, Decimal128.compare) != test.isNegated
    }
  }
}
