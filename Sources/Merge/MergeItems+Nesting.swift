import Changesets

/// Instructions about something inside of what another one is about. Section 6.3.
extension MergeItems {
  mutating func nest(_ inner: inout MergeItem, in outer: inout MergeItem) {
    switch outer.kind {
    case .eraseTable: if inner.table == outer.table { inner.isDead = true }
    case .eraseObject: if inner.hasPlace, inner.object == outer.object { inner.isDead = true }
    case .update, .updateElement:
      guard isInside(inner, outer, steps: outer.path.count) else { return }
      let isIndex = steps[Int(inner.path.lowerBound) + outer.path.count].index != nil
      let fits = outer.content == .object || outer.content == (isIndex ? .list : .dictionary)
      if !fits { inner.isDead = true }
    case .addInteger, .clear: if isInside(inner, outer, steps: outer.path.count) { inner.isDead = true }
    case .arrayInsert, .arrayErase, .arrayMove: nest(&inner, inElements: &outer)
    case .addTable, .addColumn, .eraseColumn, .createObject, .setInsert, .setErase: break
    }
  }

  private mutating func nest(_ inner: inout MergeItem, inElements outer: inout MergeItem) {
    let depth = outer.path.count - 1
    guard depth >= 0, isInside(inner, outer, steps: depth) else { return }
    let (place, last) = (Int(inner.path.lowerBound) + depth, Int(outer.path.upperBound) - 1)
    guard let index = steps[place].index, let changed = steps[last].index else { return }
    switch outer.kind {
    case .arrayInsert:
      if index < changed { return }
      steps[place] = PathStep(index: index &+ 1)
      inner.isChanged = true
    case .arrayErase:
      if index == changed { inner.isDead = true }
      if index <= changed { return }
      steps[place] = PathStep(index: index - 1)
      inner.isChanged = true
    default:
      // The original changes the move and not the path inside; both ends have to do the same. Section 8.
      steps[last] = PathStep(index: Self.moved(changed, from: index, to: outer.target))
      outer.isChanged = true
    }
  }

  /// Where an element is after another one of its list was moved, or the element itself.
  static func moved(_ index: UInt32, from source: UInt32, to target: UInt32) -> UInt32 {
    if index == source { return target }
    let without = index > source ? index - 1 : index
    return without >= target ? without &+ 1 : without
  }
}
