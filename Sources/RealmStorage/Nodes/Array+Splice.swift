extension Array where Element: BitwiseCopyable {
  /// Removes some elements and inserts others, and moves what lies between two such places at most once, in one piece.
  /// - Parameters:
  ///   - removed: ascending indices, none twice.
  ///   - inserted: elements with the index before which they come, ascending. Both kinds of indices are those before the call.
  mutating func splice(removing removed: [Int], inserting inserted: [(index: Int, element: Element)]) {
    if removed.isEmpty && inserted.isEmpty { return }
    var pieces: [Piece] = []
    pieces.reserveCapacity(removed.count + inserted.count)
    var places: [Int] = []
    places.reserveCapacity(inserted.count)
    let oldCount = count
    var (start, shift, next, gone) = (0, 0, 0, 0)
    while next < inserted.count || gone < removed.count {
      let isRemoval = next == inserted.count || gone < removed.count && removed[gone] < inserted[next].index
      let end = isRemoval ? removed[gone] : inserted[next].index
      precondition(end >= start && end <= oldCount, "the indices are not ascending")
      pieces.append(Piece(start: start, count: end - start, shift: shift))
      if isRemoval {
        (start, shift, gone) = (end + 1, shift - 1, gone + 1)
      } else {
        places.append(end + shift)
        (start, shift, next) = (end, shift + 1, next + 1)
      }
    }
    precondition(start <= oldCount, "there is no element \(start - 1)")
    pieces.append(Piece(start: start, count: oldCount - start, shift: shift))
    if shift > 0 { append(contentsOf: repeatElement(inserted[0].element, count: shift)) }
    // SAFETY: every piece lies inside the elements before the call, and its new place inside those after it: as many are added above as the
    // last piece is moved up. Pieces that go down are moved from the first one on and those that go up from the last one on, so that none is
    // written over before it is moved. An element without more to it than its bits needs no initialisation.
    unsafe withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for piece in pieces where piece.shift < 0 && piece.count > 0 {
        unsafe (base + piece.start + piece.shift).update(from: base + piece.start, count: piece.count)
      }
      for piece in pieces.reversed() where piece.shift > 0 && piece.count > 0 {
        unsafe (base + piece.start + piece.shift).update(from: base + piece.start, count: piece.count)
      }
    }
    if shift < 0 { removeLast(-shift) }
    for (place, addition) in zip(places, inserted) { self[place] = addition.element }
  }

  private struct Piece {
    let start: Int
    let count: Int
    let shift: Int
  }
}
