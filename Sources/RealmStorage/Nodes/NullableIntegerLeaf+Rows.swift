extension NullableIntegerLeaf {
  func rows(_ test: IntegerTest, count: Int) -> RowMask {
    var result = node.rows(from: test.low, through: test.high, start: 1, count: count)
    let sentinelIsInside = test.low <= sentinel && sentinel <= test.high
    if sentinelIsInside != test.acceptsNull {
      let nulls = node.rows(from: sentinel, through: sentinel, start: 1, count: count)
      result = test.acceptsNull ? result | nulls : result.subtracting(nulls)
    }
    return test.isNegated ? result.complement(of: count) : result
  }
  func nullRows(count: Int) -> RowMask { node.rows(from: sentinel, through: sentinel, start: 1, count: count) }
}
