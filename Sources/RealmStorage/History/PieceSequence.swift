/// A run of elements of a collection that is followed through changes: such as were next to each other before, or new ones.
struct Piece {
  /// Old position of the first element; nil for new ones.
  var old: Int?
  var count: Int
  var isModified = false
  /// Taken out and put in somewhere else, one element.
  var isMoved = false

  /// The part from an offset on.
  fileprivate func dropping(_ offset: Int) -> Piece {
    var rest = self
    rest.old = old.map { $0 + offset }
    rest.count = count - offset
    return rest
  }
}

/// Pieces one after the other, in blocks that know how many elements they have: a million elements that are set one by one, anywhere, make as many
/// pieces, and each has to be found.
struct PieceSequence {
  private struct Block {
    var pieces: [Piece]
    /// How many elements its pieces have.
    var count: Int

    init(_ pieces: [Piece]) {
      self.pieces = pieces
      count = pieces.reduce(0) { $0 + $1.count }
    }
  }

  private static let pieceLimit = 256
  /// None is empty.
  private var blocks: [Block] = []
  /// How many elements the blocks have; nil if a block has come or gone since somebody asked.
  private var counts: RunningCounts?

  init() {}
  init(_ piece: Piece) { blocks = [Block([piece])] }

  /// In order.
  var all: [Piece] { blocks.flatMap(\.pieces) }

  /// Where a piece is, or comes.
  private struct Place {
    var block: Int
    var piece: Int
  }

  // MARK: Operations

  /// Puts a new element in front of the one at a position, or at the end.
  mutating func insertNew(at position: Int) {
    let place = split(at: position)
    // It belongs to the new ones before it.
    var previous = place
    if previous.piece == 0, previous.block > 0 { previous = Place(block: place.block - 1, piece: blocks[place.block - 1].pieces.count) }
    if previous.piece > 0, blocks[previous.block].pieces[previous.piece - 1].old == nil {
      blocks[previous.block].pieces[previous.piece - 1].count += 1
      return count(1, previous.block)
    }
    insert(Piece(old: nil, count: 1), at: place)
  }

  /// Puts one element in front of the one at a position, or at the end.
  mutating func insert(_ piece: Piece, at position: Int) { insert(piece, at: split(at: position)) }

  /// Makes one element a piece of its own and changes it. Nothing happens if there is no such element, which a sound log does not ask for.
  mutating func change(at position: Int, _ body: (inout Piece) -> Void) {
    guard let place = isolate(position) else { return }
    body(&blocks[place.block].pieces[place.piece])
  }

  /// Takes out one element.
  /// - Returns: nil if there is no such element, which a sound log does not ask for.
  @discardableResult mutating func remove(at position: Int) -> Piece? {
    guard let place = isolate(position) else { return nil }
    let piece = blocks[place.block].pieces.remove(at: place.piece)
    count(-piece.count, place.block)
    if blocks[place.block].pieces.isEmpty {
      blocks.remove(at: place.block)
      counts = nil
    }
    return piece
  }

  // MARK: Places

  /// A block has more elements, or less.
  private mutating func count(_ difference: Int, _ block: Int) {
    blocks[block].count += difference
    counts?.add(difference, at: block)
  }

  /// The block that an element is in, and how many elements are before that.
  private mutating func block(at position: Int) -> (index: Int, before: Int) {
    if let counts { return counts.place(of: position) }
    let fresh = RunningCounts(blocks.lazy.map(\.count))
    counts = fresh
    return fresh.place(of: position)
  }

  /// The piece that begins at a position; behind the last piece of all if none does.
  private mutating func split(at position: Int) -> Place {
    var (place, start) = (Place(block: 0, piece: 0), 0)
    (place.block, start) = block(at: position)
    guard place.block < blocks.count else {
      // Behind everything: at the end of the last block.
      return blocks.isEmpty ? place : Place(block: blocks.count - 1, piece: blocks[blocks.count - 1].pieces.count)
    }
    while start + blocks[place.block].pieces[place.piece].count <= position {
      start += blocks[place.block].pieces[place.piece].count
      place.piece += 1
    }
    if start == position { return place }
    let rest = blocks[place.block].pieces[place.piece].dropping(position - start)
    blocks[place.block].pieces[place.piece].count = position - start
    count(-rest.count, place.block)
    return insert(rest, at: Place(block: place.block, piece: place.piece + 1))
  }

  /// Makes one element a piece of its own.
  private mutating func isolate(_ position: Int) -> Place? {
    let place = split(at: position)
    guard place.block < blocks.count, place.piece < blocks[place.block].pieces.count else { return nil }
    if blocks[place.block].pieces[place.piece].count == 1 { return place }
    // What is behind may move to a block of its own; the element is where it was, or has moved with it.
    let next = split(at: position + 1)
    return next.piece > 0
      ? Place(block: next.block, piece: next.piece - 1) : Place(block: next.block - 1, piece: blocks[next.block - 1].pieces.count - 1)
  }

  /// - Returns: where it is: a block that has become too long is divided.
  @discardableResult private mutating func insert(_ piece: Piece, at place: Place) -> Place {
    if blocks.isEmpty {
      blocks = [Block([piece])]
      counts = nil
      return Place(block: 0, piece: 0)
    }
    blocks[place.block].pieces.insert(piece, at: place.piece)
    count(piece.count, place.block)
    let length = blocks[place.block].pieces.count
    if length <= Self.pieceLimit { return place }
    let half = length / 2
    let tail = Block(Array(blocks[place.block].pieces[half...]))
    blocks[place.block].pieces.removeLast(length - half)
    blocks[place.block].count -= tail.count
    blocks.insert(tail, at: place.block + 1)
    counts = nil
    return place.piece < half ? place : Place(block: place.block + 1, piece: place.piece - half)
  }
}
