package import RealmStorage

extension Array {
  /// `sort(by:)` for long arrays: stable, and asks after every few thousand elements that were sorted or merged.
  /// - Throws: `.interrupted`; the order is undefined then.
  mutating func sort(_ cancellation: Cancellation?, by isLess: (Element, Element) -> Bool) throws(StorageError) {
    let total = count
    guard let cancellation, total > Cancellation.blockSize else { return sort(by: isLess) }
    for begin in stride(from: 0, to: total, by: Cancellation.blockSize) {
      let block = try Optional(cancellation).block(begin, total)
      self[block].sort(by: isLess)
    }
    var source = self
    var width = Cancellation.blockSize
    while width < total {
      var target: [Element] = []
      target.reserveCapacity(total)
      for begin in stride(from: 0, to: total, by: 2 * width) {
        let middle = Swift.min(begin + width, total)
        try source.merge(begin..<middle, middle..<Swift.min(middle + width, total), to: &target, cancellation, isLess)
      }
      source = target
      width *= 2
    }
    self = source
  }

  private func merge(
    _ left: Range<Int>, _ right: Range<Int>, to target: inout [Element], _ cancellation: Cancellation, _ isLess: (Element, Element) -> Bool
  ) throws(StorageError) {
    var (a, b) = (left.lowerBound, right.lowerBound)
    while a < left.upperBound || b < right.upperBound {
      if target.count % Cancellation.blockSize == 0 { try cancellation.check() }
      if b == right.upperBound || a < left.upperBound && !isLess(self[b], self[a]) {
        target.append(self[a])
        a += 1
      } else {
        target.append(self[b])
        b += 1
      }
    }
  }
}

extension [Value] {
  /// The positions of the values in their order; ties keep theirs.
  /// - Throws: `.interrupted`.
  package func sortedPositions(
    by elementOrder: ElementOrder = .natural, isAscending: Bool = true, _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> [Int] {
    var positions = Array<Int>(indices)
    try positions.sort(cancellation) { a, b in
      let order = elementOrder.compare(self[a], self[b])
      return order == 0 ? a < b : (order < 0) == isAscending
    }
    return positions
  }
}
