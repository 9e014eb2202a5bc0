import Changesets

/// Instructions about the same thing. Section 6.4.
extension MergeItems {
  /// Changes two instructions of different sides, neither of which is dead, so that each can follow the other.
  mutating func meet(_ a: inout MergeItem, _ b: inout MergeItem) throws(Contradiction) {
    if a.depth < b.depth { nest(&b, in: &a) } else if b.depth < a.depth { nest(&a, in: &b) }
    if a.isDead || b.isDead { return }
    if try !apply(&a, &b) { _ = try apply(&b, &a) }
  }

  /// Changes `x` and `y` by the rule for their kinds in this order.
  /// - Returns: false if there is none.
  private mutating func apply(_ x: inout MergeItem, _ y: inout MergeItem) throws(Contradiction) -> Bool {
    switch (x.kind, y.kind) {
    case (.addTable, _), (.eraseTable, _), (.addColumn, _), (.eraseColumn, _): return try applySchema(&x, &y)
    case (.eraseObject, .createObject): if x.object == y.object { y.isDead = true }
    case (.eraseObject, .eraseObject): if x.object == y.object { endEarlier(&x, &y) }
    case (.update, .update): if havePath(x, y) { update(&x, &y) }
    case (.updateElement, .updateElement):
      if havePath(x, y) {
        try requireSameSize(x, y)
        update(&x, &y)
      }
    case (.addInteger, .update), (.addInteger, .updateElement): if havePath(x, y) { add(&x, to: &y) }
    case (.clear, _): return clear(&x, &y)
    case (.setInsert, .setInsert), (.setInsert, .setErase), (.setErase, .setErase): if havePath(x, y), haveElement(x, y) { endEarlier(&x, &y) }
    case (.arrayInsert, _), (.arrayErase, _), (.arrayMove, _): return try applyToElements(&x, &y)
    default: return false
    }
    return true
  }

  private func endEarlier(_ x: inout MergeItem, _ y: inout MergeItem) { if isLater(x, than: y) { y.isDead = true } else { x.isDead = true } }

  func requireSameSize(_ x: MergeItem, _ y: MergeItem) throws(Contradiction) {
    if x.priorSize != y.priorSize { throw Contradiction(reason: .sizesDiffer) }
  }

  // MARK: Schema

  private mutating func applySchema(_ x: inout MergeItem, _ y: inout MergeItem) throws(Contradiction) -> Bool {
    let isOfClass = x.table == y.table
    let isOfProperty = isOfClass && x.field == y.field
    switch (x.kind, y.kind) {
    case (.addTable, .addTable): if isOfClass { try endBoth(&x, &y, .classesDiffer) }
    case (.eraseTable, .addTable): if isOfClass { y.isDead = true }
    case (.eraseTable, .eraseTable): if isOfClass { (x.isDead, y.isDead) = (true, true) }
    case (.eraseTable, .addColumn):
      if linkTarget(y) == x.table {
        y.isDead = true
        eraseColumn(of: y, before: x)
      }
    case (.addColumn, .addColumn): if isOfProperty { try endBoth(&x, &y, .propertiesDiffer) }
    case (.eraseColumn, .addColumn), (.eraseColumn, .update), (.eraseColumn, .updateElement): if isOfProperty { y.isDead = true }
    case (.eraseColumn, .eraseColumn): if isOfProperty { (x.isDead, y.isDead) = (true, true) }
    default: return false
    }
    return true
  }

  private func endBoth(_ x: inout MergeItem, _ y: inout MergeItem, _ reason: MergeError.Reason) throws(Contradiction) {
    guard defineAlike(x, y) else { throw Contradiction(reason: reason) }
    (x.isDead, y.isDead) = (true, true)
  }

  // MARK: Values

  private func update(_ x: inout MergeItem, _ y: inout MergeItem) {
    if (x.content == .object) != (y.content == .object) {
      if x.content == .object { x.isDead = true } else { y.isDead = true }
    } else if x.content == y.content, x.content == .list || x.content == .dictionary {
      // Their contents come together.
    } else if x.isDefault != y.isDefault {
      if x.isDefault { x.isDead = true } else { y.isDead = true }
    } else {
      endEarlier(&x, &y)
    }
  }

  private func add(_ x: inout MergeItem, to y: inout MergeItem) {
    if isLater(y, than: x), !y.isDefault {
      x.isDead = true
      return
    }
    switch y.content {
    case .null: break
    case .int:
      y.integer &+= x.integer
      y.isChanged = true
    case .object, .list, .dictionary, .other: x.isDead = true
    }
  }

  private func clear(_ x: inout MergeItem, _ y: inout MergeItem) -> Bool {
    switch y.kind {
    case .update, .updateElement:
      let survives = x.collection == .list && y.content == .list || x.collection == .dictionary && y.content == .dictionary
      if havePath(x, y), !survives { endEarlier(&x, &y) }
    case .clear: if havePath(x, y) { endEarlier(&x, &y) }
    case .addInteger, .setInsert, .setErase: if havePath(x, y) { y.isDead = true }
    default: return false
    }
    return true
  }
}
