// Totals of integers by group.

extension Node {
  /// Adds the rows of `mask` to the totals of their groups.
  /// - Parameter wraps: becomes true when a sum leaves the range of 64 bits on the way, where it goes on at the other end. One flag for all
  ///   groups, which a register holds: whoever needs to know which sums are wrong adds up again.
  func add(
    to totals: inout [IntegerTotals], _ mask: RowMask, count: Int, start: Int, null: Int64?, groups: [UInt32], at begin: Int, extremes: Bool,
    wraps: inout Bool
  ) {
    var hasWrapped = false
    defer { if hasWrapped { wraps = true } }
    if mask == RowMask(first: count), !extremes {
      let elements = integers(as: Int64.self)
      var totals = totals.mutableSpan
      let groups = groups.span.extracting(begin..<begin + count)
      for row in groups.indices {
        let number = elements[row &+ start]
        if let null, number == null { continue }
        let group = Int(groups[row])
        let (sum, isTooLarge) = totals[group].sum.addingReportingOverflow(number)
        totals[group].sum = sum
        totals[group].count &+= 1
        hasWrapped = hasWrapped || isTooLarge
      }
      return
    }
    mask.forEach { row in
      let number = element(unchecked: start &+ row)
      if number == null { return }
      let group = Int(groups[begin &+ row])
      hasWrapped = hasWrapped || totals[group].sum.addingReportingOverflow(number).overflow
      totals[group].add(number)
    }
  }
}
