// Totals of integers by group.

extension Node {
  /// Adds the rows of `mask` to the totals of their groups.
  func add(
    to totals: inout [IntegerTotals], _ mask: RowMask, count: Int, start: Int, null: Int64?, groups: [UInt32], at begin: Int, extremes: Bool
  ) {
    if mask == RowMask(first: count), !extremes {
      let elements = integers(as: Int64.self)
      var totals = totals.mutableSpan
      let groups = groups.span.extracting(begin..<begin + count)
      for row in groups.indices {
        let number = elements[row &+ start]
        if let null, number == null { continue }
        let group = Int(groups[row])
        totals[group].sum &+= number
        totals[group].count &+= 1
      }
      return
    }
    mask.forEach { row in
      let number = element(unchecked: start &+ row)
      if number == null { return }
      totals[Int(groups[begin &+ row])].add(number)
    }
  }
}
