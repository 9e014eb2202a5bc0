// Totals of floating-point numbers by group.

extension FloatingLeaf {
  /// Adds the rows of `mask` to the totals of their groups, in their order. Nulls are NaNs here.
  func add(to totals: inout [FloatingTotals], _ mask: RowMask, count: Int, groups: [UInt32], at begin: Int, extremes: Bool) {
    if mask == RowMask(first: count), !extremes {
      var totals = totals.mutableSpan
      let groups = groups.span.extracting(begin..<begin + count)
      for row in groups.indices {
        let number = Number(storedBits: node.number(unchecked: row &* MemoryLayout<Number.Bits>.size, as: Number.Bits.self))
        if number.isNaN { continue }
        let group = Int(groups[row])
        totals[group].sum += Double(number)
        totals[group].count &+= 1
      }
      return
    }
    mask.forEach { row in
      add(&totals[Int(groups[begin &+ row])], row)
    }
  }
}
