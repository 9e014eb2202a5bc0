/// Which instructions of one side an instruction of the other can have to do with.
struct MergeCandidates {
  /// Those about each object, in order.
  private let ofObject: Groups
  /// Those about the schema of each class, and those that add links to it.
  private let ofSchema: Groups
  /// All of each class, and those that add links to it.
  private let ofClass: Groups

  init(_ items: [MergeItem], _ names: MergeItems) {
    let (nameCount, objectCount) = (names.names.nameCount, names.names.objectCount)
    var targets: [Int: Int] = [:]
    for (position, item) in items.enumerated() where item.kind == .addColumn { targets[position] = names.linkTarget(item) }
    ofObject = Groups(objectCount, items.indices) { position, add in if let object = items[position].object { add(object) } }
    func addTarget(_ position: Int, _ add: (Int) -> Void) {
      if let target = targets[position], target != items[position].table { add(target) }
    }
    ofSchema = Groups(nameCount, items.indices) { position, add in
      if items[position].object == nil {
        add(items[position].table)
        addTarget(position, add)
      }
    }
    ofClass = Groups(nameCount, items.indices) { position, add in
      add(items[position].table)
      addTarget(position, add)
    }
  }

  /// In order, perhaps with some that are independent.
  func candidates(of item: MergeItem, _ names: MergeItems) -> Candidates {
    if let object = item.object { return Candidates(ofObject[object], ofSchema[item.table]) }
    guard let target = names.linkTarget(item), target != item.table else { return Candidates(ofClass[item.table], []) }
    return Candidates(ofClass[item.table], ofSchema[target])
  }
}

/// Two ascending lists as one; what is in both comes once.
struct Candidates {
  private var first: ArraySlice<Int>
  private var second: ArraySlice<Int>

  init(_ first: ArraySlice<Int>, _ second: ArraySlice<Int>) { (self.first, self.second) = (first, second) }

  mutating func next() -> Int? {
    guard let a = first.first else { return second.popFirst() }
    guard let b = second.first, b <= a else { return first.popFirst() }
    if a == b { first.removeFirst() }
    return second.popFirst()
  }
}

/// Positions by group, in one array.
private struct Groups {
  private var positions: [Int]
  /// Where each group begins, and the end.
  private var starts: [Int]

  /// - Parameter groups: calls its argument with each group of a position.
  init(_ count: Int, _ range: Range<Int>, _ groups: (Int, (Int) -> Void) -> Void) {
    var starts = [Int](repeating: 0, count: count + 1)
    for position in range { groups(position) { starts[$0 + 1] += 1 } }
    for group in 0..<count { starts[group + 1] += starts[group] }
    var positions = [Int](repeating: 0, count: starts[count])
    var next = starts
    for position in range {
      groups(position) { group in
        positions[next[group]] = position
        next[group] += 1
      }
    }
    (self.positions, self.starts) = (positions, starts)
  }

  subscript(group: Int) -> ArraySlice<Int> { positions[starts[group]..<starts[group + 1]] }
}
