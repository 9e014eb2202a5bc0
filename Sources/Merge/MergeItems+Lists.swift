import Changesets

/// Instructions about elements of one list. Section 6.4, second table. Numbers from the network can be anything: none of this traps.
extension MergeItems {
  mutating func applyToElements(_ x: inout MergeItem, _ y: inout MergeItem) throws(Contradiction) -> Bool {
    switch (x.kind, y.kind) {
    case (.arrayInsert, .updateElement), (.arrayErase, .updateElement), (.arrayMove, .updateElement), (.arrayInsert, .arrayInsert),
      (.arrayErase, .arrayErase), (.arrayErase, .arrayInsert), (.arrayErase, .arrayMove), (.arrayMove, .arrayInsert), (.arrayMove, .arrayMove):
      break
    default: return false
    }
    guard haveList(x, y), var a = index(x), var b = index(y) else { return true }
    try requireSameSize(x, y)
    switch (x.kind, y.kind) {
    case (_, .updateElement): change(x, a, &y, &b)
    case (.arrayInsert, _): insert(&x, &a, &y, &b)
    case (.arrayErase, .arrayErase): erase(&x, &a, &y, &b)
    case (.arrayErase, .arrayInsert):
      x.priorSize &+= 1
      y.priorSize &-= 1
      if b <= a { a &+= 1 } else { b -= 1 }
    case (.arrayErase, _): erase(&x, &a, moved: &y, &b)
    case (_, .arrayInsert): move(&x, &a, inserted: y, &b)
    default: move(&x, &a, moved: &y, &b)
    }
    set(index: a, of: &x)
    set(index: b, of: &y)
    return true
  }

  private func index(_ item: MergeItem) -> UInt32? { steps[Int(item.path.upperBound) - 1].index }
  private mutating func set(index: UInt32, of item: inout MergeItem) {
    steps[Int(item.path.upperBound) - 1] = PathStep(index: index)
    item.isChanged = true
  }

  private func change(_ x: MergeItem, _ a: UInt32, _ y: inout MergeItem, _ b: inout UInt32) {
    switch x.kind {
    case .arrayInsert:
      y.priorSize &+= 1
      if b >= a { b &+= 1 }
    case .arrayErase:
      y.priorSize &-= 1
      if a == b { y.isDead = true }
      if b > a { b -= 1 }
    default: b = Self.moved(b, from: a, to: x.target)
    }
  }

  private func insert(_ x: inout MergeItem, _ a: inout UInt32, _ y: inout MergeItem, _ b: inout UInt32) {
    x.priorSize &+= 1
    y.priorSize &+= 1
    if a > b || a == b && isLater(x, than: y) { a &+= 1 } else { b &+= 1 }
  }

  private func erase(_ x: inout MergeItem, _ a: inout UInt32, _ y: inout MergeItem, _ b: inout UInt32) {
    x.priorSize &-= 1
    y.priorSize &-= 1
    if a == b { (x.isDead, y.isDead) = (true, true) }
    if a > b { a -= 1 } else if a < b { b -= 1 }
  }

  private func erase(_ x: inout MergeItem, _ a: inout UInt32, moved y: inout MergeItem, _ b: inout UInt32) {
    y.priorSize &-= 1
    if a == b {
      a = y.target
      y.isDead = true
      return
    }
    if a > b { a -= 1 } else { b -= 1 }
    if a >= y.target { a &+= 1 } else { y.target -= 1 }
    if b == y.target { y.isDead = true }
  }

  private func move(_ x: inout MergeItem, _ a: inout UInt32, inserted y: MergeItem, _ b: inout UInt32) {
    x.priorSize &+= 1
    if b > a { b -= 1 } else { a &+= 1 }
    if b < x.target || b == x.target && isLater(y, than: x) { x.target &+= 1 } else { b &+= 1 }
  }

  private func move(_ x: inout MergeItem, _ a: inout UInt32, moved y: inout MergeItem, _ b: inout UInt32) {
    if a == b {
      if isLater(x, than: y) {
        y.isDead = true
        a = y.target
        x.isDead = a == x.target
      } else {
        x.isDead = true
        b = x.target
        y.isDead = b == y.target
      }
      return
    }
    if a < b { b -= 1 } else { a -= 1 }
    if x.target > b { x.target -= 1 } else { b &+= 1 }
    if a < y.target { y.target -= 1 } else { a &+= 1 }
    if x.target > y.target || x.target == y.target && !isLater(y, than: x) { x.target &+= 1 } else { y.target &+= 1 }
    x.isDead = a == x.target
    y.isDead = b == y.target
  }
}
