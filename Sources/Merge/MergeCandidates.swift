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
    var ofObject = GroupBuilder(objectCount, expected: items.count)
    var (ofSchema, ofClass) = (GroupBuilder(nameCount), GroupBuilder(nameCount, expected: items.count))
    for position in items.indices {
      let item = items[position]
      ofClass.add(position, to: item.table)
      if let object = item.object {
        ofObject.add(position, to: object)
        continue
      }
      ofSchema.add(position, to: item.table)
      guard item.kind == .addColumn, let target = names.linkTarget(item), target != item.table else { continue }
      ofSchema.add(position, to: target)
      ofClass.add(position, to: target)
    }
    (self.ofObject, self.ofSchema, self.ofClass) = (Groups(ofObject), Groups(ofSchema), Groups(ofClass))
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

/// Positions with their groups, before they are put in order.
private struct GroupBuilder {
  private(set) var members: [(group: Int, position: Int)] = []
  let count: Int

  init(_ count: Int, expected: Int = 0) {
    self.count = count
    members.reserveCapacity(expected)
  }

  mutating func add(_ position: Int, to group: Int) { members.append((group, position)) }
}

/// Positions by group, in one array.
private struct Groups {
  private let positions: [Int]
  /// Where each group begins, and the end.
  private let starts: [Int]

  init(_ builder: GroupBuilder) {
    var starts = [Int](repeating: 0, count: builder.count + 1)
    for member in builder.members { starts[member.group + 1] += 1 }
    for group in 0..<builder.count { starts[group + 1] += starts[group] }
    var positions = [Int](repeating: 0, count: starts[builder.count])
    var next = starts
    for member in builder.members {
      positions[next[member.group]] = member.position
      next[member.group] += 1
    }
    (self.positions, self.starts) = (positions, starts)
  }

  subscript(group: Int) -> ArraySlice<Int> { positions[starts[group]..<starts[group + 1]] }
}
