extension TimestampLeaf {
  func rows(_ test: TimestampTest, count: Int) -> RowMask {
    var result = RowMask.empty
    if test.low <= test.high {
      result = seconds.rows(IntegerTest(test.low.seconds, test.high.seconds), count: count)
      // The seconds at the ends of the interval are decided by the nanoseconds.
      for end in [test.low, test.high] where !result.isEmpty {
        let edge = result & seconds.node.rows(from: end.seconds, through: end.seconds, start: 1, count: count)
        result = result.subtracting(
          edge.filter { row in
            let value = Timestamp(seconds: end.seconds, nanoseconds: Int32(clamping: nanoseconds.element(unchecked: row)))
            return value < test.low || value > test.high
          })
      }
    }
    if test.acceptsNull { result |= seconds.nullRows(count: count) }
    return test.isNegated ? result.complement(of: count) : result
  }
}
