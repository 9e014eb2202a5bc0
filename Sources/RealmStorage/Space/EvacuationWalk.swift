/// Copies nodes that end above the evacuation limit to scratch memory, as changing them would, so that the commit finds them a place below.
/// T10.3, step 3.
///
/// The old places are freed like those of any changed node: versions that somebody reads keep them. A tree on the way to a moved node is
/// copied too, as always. The work goes on in the next commit where this one stopped; the trees may have changed in between, so a path
/// that does not exist any more leads to what follows it.
struct EvacuationWalk {
  enum End: Equatable {
    case finished
    /// The budget is used up; with the path of the next node.
    case stopped([Int])
    /// A node could not be read. What was moved before is in order.
    case damaged
  }

  private let scratch: Scratch
  private let limit: UInt64
  private let start: [Int]
  private var budget: Int
  private var path: [Int] = []
  private var stop: [Int]?
  private var isDamaged = false
  private(set) var movedByteCount: UInt64 = 0

  /// - Parameter budget: bytes of moved nodes plus elements looked at; at least one node is looked at in any case.
  init(scratch: Scratch, limit: UInt64, progress: [Int], budget: Int) {
    self.scratch = scratch
    self.limit = limit
    start = progress
    self.budget = max(budget, 1)
  }

  /// - Parameter roots: the trees by their slots in the top array, ascending. Those that move get new refs.
  mutating func run(_ roots: inout [(slot: Int, ref: Ref)]) -> End {
    for index in roots.indices where !roots[index].ref.isNull {
      let slot = roots[index].slot
      if let first = start.first, slot < first { continue }
      path = [slot]
      if budget <= 0 { return .stopped(path) }
      if !move(&roots[index].ref, isResuming: start.first == slot) { break }
    }
    if isDamaged { return .damaged }
    return stop.map { .stopped($0) } ?? .finished
  }

  /// Moves a node and what is below it. `path` leads to it.
  /// - Returns: false when the walk is over for this commit.
  private mutating func move(_ ref: inout Ref, isResuming: Bool) -> Bool {
    do throws(StorageError) {
      let node = try scratch.space.node(at: ref)
      if !scratch.space.isDirty(ref), ref.byteOffset + UInt64(node.byteCount) > limit {
        budget -= node.byteCount
        movedByteCount += UInt64(node.byteCount)
        try scratch.makeWritable(&ref)
      }
      guard node.header.hasRefs, node.header.widthIndex > 0 else { return true }
      return try moveChildren(&ref, isResuming: isResuming && path.count < start.count)
    } catch {
      isDamaged = true
      return false
    }
  }

  private mutating func moveChildren(_ ref: inout Ref, isResuming: Bool) throws(StorageError) -> Bool {
    var node = try scratch.space.node(at: ref)
    guard node.header.schemeBits == 0, path.count < Scratch.depthLimit else { throw node.broken("is no part of a tree") }
    let depth = path.count
    let first = isResuming ? start[depth] : 0
    path.append(first)
    defer { path.removeLast() }
    var index = first
    while index < node.count {
      let element = node.element(unchecked: index)
      if element & 1 == 0, element != 0 {
        path[depth] = index
        if budget <= 0 {
          stop = path
          return false
        }
        var child = Ref(element: element)
        if scratch.space.isDirty(child), !scratch.space.isDirty(ref) { throw node.broken("holds the ref \(child), which lies outside the file") }
        let goesOn = move(&child, isResuming: isResuming && index == first)
        if child.element != element {
          try adopt(child, at: index, of: &ref)
          node = try scratch.space.node(at: ref)
        }
        if !goesOn { return false }
      }
      budget -= 1
      index += 1
    }
    return true
  }

  /// The child has moved, so its old place is free: a parent that cannot be changed now must not be committed.
  private func adopt(_ child: Ref, at index: Int, of ref: inout Ref) throws(StorageError) {
    do throws(StorageError) { try scratch.makeWritable(&ref) } catch {
      scratch.noteDamage(error)
      throw error
    }
    scratch.setChild(ref, index, child)
  }
}
