import Changesets

/// Instructions about something inside of what another one is about. Section 6.3.
extension MergeItems {
  mutating func nest(_ inner: inout MergeItem, in outer: inout MergeItem) {
    switch outer.kind {
    case .eraseTable: if inner.table == outer.table { inner.isDead = true }
    case .eraseObject: if inner.hasPlace, inner.object == outer.object { inner.isDead = true }
    case .update, .updateElement:
      guard isInside(inner, outer, steps: outer.path.count) else { return }
      let isIndex = steps[inner.path.lowerBound + outer.path.count].index != nil
      let fits = outer.value == .objectValue || outer.value == (isIndex ? .list : .dictionary)
      if !fits { inner.isDead = true }
    case .addInteger, .clear: if isInside(inner, outer, steps: outer.path.count) { inner.isDead = true }
    case .arrayInsert, .arrayErase, .arrayMove: nest(&inner, inElements: &outer)
    case .addTable, .addColumn, .eraseColumn, .createObject, .setInsert, .setErase: break
    }
  }

  private mutating func nest(_ inner: inout MergeItem, inElements outer: inout MergeItem) {
    let depth = outer.path.count - 1
    guard depth >= 0, isInside(inner, outer, steps: depth) else { return }
    let place = inner.path.lowerBound + depth
    guard let index = steps[place].index, let changed = steps[outer.path.upperBound - 1].index else { return }
    switch outer.kind {
    case .arrayInsert: if index >= changed { steps[place] = PathStep(index: index &+ 1) }
    case .arrayErase:
      if index == changed { inner.isDead = true }
      if index > changed { steps[place] = PathStep(index: index - 1) }
    default:
      // The original changes the move and not the path inside; both ends have to do the same. Section 8.
      steps[outer.path.upperBound - 1] = PathStep(index: Self.moved(changed, from: index, to: outer.target))
    }
  }

  /// Where an element is after another one of its list was moved, or the element itself.
  static func moved(_ index: UInt32, from source: UInt32, to target: UInt32) -> UInt32 {
    if index == source { return target }
    let without = index > source ? index - 1 : index
    return without >= target ? without &+ 1 : without
  }
}
