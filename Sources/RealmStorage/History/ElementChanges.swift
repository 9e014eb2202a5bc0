/// What happened to the positions of a collection between two versions, as its log entries tell it one after the other. H6.3.
///
/// Keeps the present order as pieces: runs of old elements, by their old positions, and runs of new ones. So nothing is counted twice,
/// whatever was moved through whatever else; an operation costs a search among the pieces, not one in the collection.
package struct ElementChanges: Sendable {
  /// More elements than any collection has: the log does not say how many there are.
  private static let unknownCount = Int.max / 2
  private var pieces = PieceSequence(Piece(old: 0, count: unknownCount))
  /// The positions that were set while nothing had come, gone or moved yet: often that is all that happens, and costs a bit each then.
  private var setPositions = KeySet()
  private var hasOnlySets = true
  /// Emptied as a whole, perhaps while it was empty.
  package private(set) var wasCleared = false
  /// Elements that are collections in which something changed, by their stable keys.
  package internal(set) var changedIdentities: Set<Int64> = []

  package init() {}

  // MARK: Operations

  package mutating func insert(at index: Int) {
    takeInSets()
    pieces.insertNew(at: index)
  }

  package mutating func set(at index: Int) {
    if hasOnlySets { setPositions.insert(ObjectKey(Int64(index))) } else { modify(index) }
  }

  package mutating func erase(at index: Int) {
    takeInSets()
    pieces.remove(at: index)
  }

  package mutating func move(from: Int, to: Int) {
    takeInSets()
    guard var moved = pieces.remove(at: from) else { return }
    moved.isMoved = moved.old != nil
    pieces.insert(moved, at: to)
  }

  package mutating func clear() {
    (setPositions, hasOnlySets) = (KeySet(), false)
    pieces = PieceSequence()
    wasCleared = true
  }

  private mutating func modify(_ index: Int) { pieces.change(at: index) { if $0.old != nil { $0.isModified = true } } }

  /// From now on positions are no more what they were.
  private mutating func takeInSets() {
    if !hasOnlySets { return }
    hasOnlySets = false
    for position in setPositions.ascending() { modify(Int(position.rawValue)) }
    setPositions = KeySet()
  }

  // MARK: Outcome

  /// - Parameter oldCount: how many elements there were.
  package func positions(oldCount: Int) -> PositionChanges {
    var changes = PositionChanges()
    if hasOnlySets {
      for position in setPositions.ascending() where position.rawValue < oldCount { changes.modify(Int(position.rawValue), Int(position.rawValue)) }
      (changes.oldCount, changes.newCount) = (oldCount, oldCount)
      return changes
    }
    var moves: [(old: Int, new: Int, isModified: Bool)] = []
    var stays = [Range<Int>]()
    var position = 0
    for piece in pieces.all {
      guard let old = piece.old else {
        changes.insertions.append(contentsOf: position..<position + piece.count)
        position += piece.count
        continue
      }
      let count = min(piece.count, oldCount - old)
      if count <= 0 { continue }
      if piece.isMoved {
        moves.append((old, position, piece.isModified))
        changes.insertions.append(position)
      } else {
        stays.append(old..<old + count)
        if piece.isModified { changes.modify(old, position) }
      }
      position += count
    }
    // What stays keeps its order.
    var next = 0
    for range in stays {
      if next < range.lowerBound { changes.deletions.append(contentsOf: next..<range.lowerBound) }
      next = range.upperBound
    }
    if next < oldCount { changes.deletions.append(contentsOf: next..<oldCount) }
    changes.cancel(moves)
    changes.newCount = position
    changes.oldCount = oldCount
    return changes
  }
}

/// What is different between two states of a sequence. All positions ascend.
///
/// Something that moves is deleted where it was and inserted where it is; it is no modification then.
package struct PositionChanges: Equatable, Sendable {
  /// Positions before the change.
  package var deletions: [Int] = []
  /// Positions after it.
  package var insertions: [Int] = []
  /// What stayed and was changed: positions before, and the same after.
  package private(set) var modifications: [Int] = []
  package private(set) var newModifications: [Int] = []
  package var oldCount = 0
  package var newCount = 0

  package init() {}

  /// The end of a collection: everything is gone.
  package static func removingAll(_ count: Int) -> PositionChanges {
    var changes = PositionChanges()
    changes.deletions = Array(0..<count)
    changes.oldCount = count
    return changes
  }

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// An element that stays is changed. In ascending order.
  package mutating func modify(_ old: Int, _ new: Int) {
    modifications.append(old)
    newModifications.append(new)
  }

  /// Changes elements that stay and are not known to be changed yet.
  /// - Parameter positions: new ones, ascending.
  package mutating func modify(new positions: [Int]) {
    var (merged, known, inserted): ([Int], Int, Int) = ([], 0, 0)
    merged.reserveCapacity(newModifications.count + positions.count)
    for position in positions {
      while known < newModifications.count, newModifications[known] < position {
        merged.append(newModifications[known])
        known += 1
      }
      while inserted < insertions.count, insertions[inserted] < position { inserted += 1 }
      if inserted < insertions.count, insertions[inserted] == position { continue }
      if known < newModifications.count, newModifications[known] == position { continue }
      merged.append(position)
    }
    merged += newModifications[known...]
    if merged.count == newModifications.count { return }
    newModifications = merged
    modifications = oldPositions(merged)
  }

  /// Where elements that stay were before.
  /// - Parameter positions: ascending, of elements that stay.
  package func oldPositions(_ positions: [Int]) -> [Int] {
    var (inserted, deleted) = (0, 0)
    return positions.map { position in
      while inserted < insertions.count, insertions[inserted] < position { inserted += 1 }
      // The position among what stays.
      let rank = position - inserted
      while deleted < deletions.count, deletions[deleted] - deleted <= rank { deleted += 1 }
      return rank + deleted
    }
  }

  /// Where an element is now.
  /// - Returns: nil if it was taken out, or moved.
  package func newPosition(_ old: Int) -> Int? {
    let deleted = Self.count(deletions.count) { deletions[$0] < old }
    if deleted < deletions.count, deletions[deleted] == old { return nil }
    let rank = old - deleted
    return rank + Self.count(insertions.count) { insertions[$0] - $0 <= rank }
  }

  /// How many of the first numbers have a property that none behind them has.
  private static func count(_ limit: Int, _ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, limit)
    while low < high {
      let middle = (low + high) >> 1
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes back moves that leave an element where it is among those that stay.
  fileprivate mutating func cancel(_ moves: [(old: Int, new: Int, isModified: Bool)]) {
    for move in moves {
      let (deletion, insertion) = (
        Self.count(deletions.count) { deletions[$0] < move.old }, Self.count(insertions.count) { insertions[$0] < move.new }
      )
      guard deletion < deletions.count, deletions[deletion] == move.old else { continue }
      guard insertion < insertions.count, insertions[insertion] == move.new else { continue }
      guard move.old - deletion == move.new - insertion else { continue }
      deletions.remove(at: deletion)
      insertions.remove(at: insertion)
      if move.isModified { modify(new: [move.new]) }
    }
  }
}
