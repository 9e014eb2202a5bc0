/// Which instructions of theirs an instruction of ours can have to do with.
struct MergeCandidates {
  /// Of each group of instructions, the first entry. The groups: those about each object; then those about the schema of each class, with those that add
  /// links to it; then all of each class, with those that add links to it. The last two only if there is a change of the schema on either side.
  private var heads: [UInt32]
  private var entries: [Entry] = []
  private let schemaGroups: Range<Int>
  private let classGroups: Range<Int>

  private struct Entry {
    let position: UInt32
    /// The next entry of the group.
    let next: UInt32
  }

  private static let none = UInt32.max

  init(_ items: MergeItems) {
    let (objectCount, nameCount) = (items.names.objectCount, items.names.nameCount)
    let changesSchema = { (side: Range<Int>) in items.items[side].contains { $0.object == MergeItem.none } }
    schemaGroups = objectCount..<objectCount + (changesSchema(items.theirs) ? nameCount : 0)
    classGroups = schemaGroups.upperBound..<schemaGroups.upperBound + (changesSchema(items.ours) ? nameCount : 0)
    heads = Array(repeating: Self.none, count: classGroups.upperBound)
    entries.reserveCapacity(items.theirs.count)
    // Each new entry is the first one of its group.
    for position in items.theirs.reversed() {
      let item = items.items[position]
      add(position, to: Int(item.table), of: classGroups)
      if item.object != MergeItem.none {
        add(position, to: Int(item.object), of: 0..<objectCount)
        continue
      }
      add(position, to: Int(item.table), of: schemaGroups)
      guard item.kind == .addColumn, let target = items.linkTarget(item), target != item.table else { continue }
      add(position, to: Int(target), of: schemaGroups)
      add(position, to: Int(target), of: classGroups)
    }
  }

  private mutating func add(_ position: Int, to group: Int, of groups: Range<Int>) {
    guard group < groups.count else { return }
    let head = groups.lowerBound + group
    entries.append(Entry(position: UInt32(position), next: heads[head]))
    heads[head] = UInt32(entries.count - 1)
  }

  private func head(_ group: Int, of groups: Range<Int>) -> UInt32 { group < groups.count ? heads[groups.lowerBound + group] : Self.none }

  /// What is left of two groups.
  struct Remaining {
    fileprivate var first: UInt32
    fileprivate var second: UInt32
  }

  /// Perhaps with some that are independent.
  func candidates(of item: MergeItem, _ items: MergeItems) -> Remaining {
    if item.object != MergeItem.none {
      let ofObject = item.object == MergeItem.unmet ? Self.none : heads[Int(item.object)]
      return Remaining(first: ofObject, second: head(Int(item.table), of: schemaGroups))
    }
    let ofClass = head(Int(item.table), of: classGroups)
    guard let target = items.linkTarget(item), target != item.table else { return Remaining(first: ofClass, second: Self.none) }
    return Remaining(first: ofClass, second: head(Int(target), of: schemaGroups))
  }

  /// The position of the next one, in ascending order; what is in both groups comes once.
  func next(_ remaining: inout Remaining) -> Int? {
    if remaining.first == Self.none, remaining.second == Self.none { return nil }
    let a = remaining.first == Self.none ? nil : entries[Int(remaining.first)]
    let b = remaining.second == Self.none ? nil : entries[Int(remaining.second)]
    let position = min(a?.position ?? .max, b?.position ?? .max)
    if let a, a.position == position { remaining.first = a.next }
    if let b, b.position == position { remaining.second = b.next }
    return Int(position)
  }
}
