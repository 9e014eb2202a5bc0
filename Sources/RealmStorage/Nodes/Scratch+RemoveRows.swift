// Taking many elements out of an array at once: see `Leaf.remove(_:_:_:rows:)`.

extension Scratch {
  /// Removes elements of an integer or ref array.
  /// - Parameters:
  ///   - rows: ascending and different.
  ///   - keepingWidth: as for one element.
  func remove<Rows: BidirectionalCollection<Int>>(_ ref: inout Ref, rows: Rows, keepingWidth: Bool = false) throws(StorageError) {
    try makeWritable(&ref)
    try checkElements(ref)
    let old = header(ref)
    try checkRows(rows, ref)
    if old.widthIndex >= 4 {
      unsafe closeGaps(payload(ref), rows, byteCount: 1 << (Int(old.widthIndex) - 4), count: old.count)
    } else if old.widthIndex > 0 {
      unsafe closeNarrowGaps(payload(ref), rows, old.widthIndex, count: old.count)
    }
    let count = old.count - rows.count
    let narrowed = count == 0 && !old.hasRefs && !keepingWidth ? old.with(widthIndex: 0) : old
    setHeader(ref, narrowed.with(count: count))
  }

  /// Removes elements of a writable array of 4 or more bytes each.
  /// - Parameter rows: ascending and different.
  func removeFixedWidth<Rows: BidirectionalCollection<Int>>(_ ref: Ref, rows: Rows) throws(StorageError) {
    try checkElements(ref, .bytes)
    let old = header(ref)
    try checkRows(rows, ref)
    unsafe closeGaps(payload(ref), rows, byteCount: old.width, count: old.count)
    setHeader(ref, old.with(count: old.count - rows.count))
  }

  /// - Throws: `.corruptNode` unless all rows are elements of a writable node.
  func checkRows<Rows: BidirectionalCollection<Int>>(_ rows: Rows, _ ref: Ref) throws(StorageError) {
    guard let first = rows.first, let last = rows.last else { return }
    guard first >= 0, last < header(ref).count else { throw try space.node(at: ref).missing(last) }
  }

  /// Moves the elements between `rows`, which ascend and lie below `count`, together.
  func closeGaps<Rows: Collection<Int>>(_ place: UnsafeMutableRawPointer, _ rows: Rows, byteCount: Int, count: Int) {
    guard var target = rows.first else { return }
    var source = target + 1
    for row in rows.dropFirst() {
      precondition(row >= source)
      unsafe (place + target * byteCount).copyMemory(from: place + source * byteCount, byteCount: (row - source) * byteCount)
      target += row - source
      source = row + 1
    }
    unsafe (place + target * byteCount).copyMemory(from: place + source * byteCount, byteCount: (count - source) * byteCount)
  }

  /// The same for elements of less than 8 bits.
  private func closeNarrowGaps<Rows: Collection<Int>>(_ place: UnsafeMutableRawPointer, _ rows: Rows, _ widthIndex: UInt32, count: Int) {
    guard var target = rows.first else { return }
    var removed = rows.makeIterator()
    var next = removed.next()
    for index in target..<count {
      if index == next {
        next = removed.next()
      } else {
        unsafe writeElement(place, widthIndex, target, readElement(place, widthIndex, index))
        target += 1
      }
    }
  }
}
