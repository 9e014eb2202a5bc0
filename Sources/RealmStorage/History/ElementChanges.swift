/// What happened to the positions of a collection between two versions, as its log entries tell it one after the other. H6.3.
///
/// Keeps the present order as pieces: runs of old elements, by their old positions, and runs of new ones. So nothing is counted twice,
/// whatever was moved through whatever else; an operation costs a walk over the pieces, not over the collection.
package struct ElementChanges: Sendable {
  private struct Piece {
    /// Old position of the first element; nil for new ones.
    var old: Int?
    var count: Int
    var isModified = false
    /// Taken out and put in somewhere else, one element.
    var isMoved = false

    /// The part from an offset on.
    func dropping(_ offset: Int) -> Piece {
      var rest = self
      rest.old = old.map { $0 + offset }
      rest.count = count - offset
      return rest
    }
  }

  /// More elements than any collection has: the log does not say how many there are.
  private static let unknownCount = Int.max / 2
  private var pieces = [Piece(old: 0, count: unknownCount)]
  /// Emptied as a whole, perhaps while it was empty.
  package private(set) var wasCleared = false
  /// Elements that are collections in which something changed, by their stable keys.
  package internal(set) var changedIdentities: Set<Int64> = []

  package init() {}

  // MARK: Operations

  package mutating func insert(at index: Int) {
    let place = split(at: index)
    if place > 0, pieces[place - 1].old == nil { return pieces[place - 1].count += 1 }
    pieces.insert(Piece(old: nil, count: 1), at: place)
  }

  package mutating func set(at index: Int) {
    let place = isolate(index)
    if place < pieces.count, pieces[place].old != nil { pieces[place].isModified = true }
  }

  package mutating func erase(at index: Int) {
    let place = isolate(index)
    if place < pieces.count { pieces.remove(at: place) }
  }

  package mutating func move(from: Int, to: Int) {
    let place = isolate(from)
    guard place < pieces.count else { return }
    var moved = pieces.remove(at: place)
    moved.isMoved = moved.old != nil
    pieces.insert(moved, at: split(at: to))
  }

  package mutating func clear() {
    pieces = []
    wasCleared = true
  }

  /// - Returns: the piece that begins at a position.
  private mutating func split(at index: Int) -> Int {
    var (place, start) = (0, 0)
    while place < pieces.count {
      let end = start + pieces[place].count
      if index == start { return place }
      if index < end {
        let rest = pieces[place].dropping(index - start)
        pieces[place].count = index - start
        pieces.insert(rest, at: place + 1)
        return place + 1
      }
      start = end
      place += 1
    }
    return place
  }

  /// Makes one element a piece of its own.
  /// - Returns: the number of pieces if there is no such element, which a sound log does not ask for.
  private mutating func isolate(_ index: Int) -> Int {
    let place = split(at: index)
    if place < pieces.count, pieces[place].count > 1 { _ = split(at: index + 1) }
    return place
  }

  // MARK: Outcome

  /// - Parameter oldCount: how many elements there were.
  package func positions(oldCount: Int) -> PositionChanges {
    var changes = PositionChanges()
    var moves: [(old: Int, new: Int, isModified: Bool)] = []
    var stays = [Range<Int>]()
    var position = 0
    for piece in pieces {
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

  /// Changes elements that stay and are not known to be changed yet, given by their new positions.
  package mutating func modify(new positions: [Int]) {
    if positions.isEmpty { return }
    let known = Set(newModifications)
    let inserted = Set(insertions)
    let added = positions.filter { !known.contains($0) && !inserted.contains($0) }
    if added.isEmpty { return }
    newModifications = (newModifications + added).sorted()
    modifications = oldPositions(newModifications)
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
      guard let deletion = deletions.firstIndex(of: move.old), let insertion = insertions.firstIndex(of: move.new) else { continue }
      guard move.old - deletion == move.new - insertion else { continue }
      deletions.remove(at: deletion)
      insertions.remove(at: insertion)
      if move.isModified { modify(new: [move.new]) }
    }
  }
}
