import Changesets

/// Writes what a merge changed into changesets.
struct ChangesetRewriter {
  /// Of all paths.
  private let steps: [PathStep]
  /// By the number of the changeset.
  private let erasures: [UInt32: [Erasure]]

  init(steps: [PathStep], erasures: [Erasure]) {
    self.steps = steps
    self.erasures = Dictionary(grouping: erasures) { $0.changeset }
  }

  /// A property to erase before an instruction.
  struct Erasure {
    /// Of the instruction that it precedes.
    let changeset: UInt32
    let position: UInt32
    private let column: MergeItem
    private let source: Changeset

    init(before item: MergeItem, of column: MergeItem, in source: Changeset) {
      (changeset, position) = (item.changeset, item.position)
      (self.column, self.source) = (column, source)
    }

    func instruction(in changeset: inout Changeset) -> Instruction {
      guard case .addColumn(let table, let field, _) = source.instructions[Int(column.position)] else { preconditionFailure("adds no property") }
      return .eraseColumn(changeset.intern(source.bytes(table)), field: changeset.intern(source.bytes(field)))
    }
  }

  /// - Parameter items: of all these changesets, in order.
  /// - Parameter first: the number of the first changeset among those of both sides.
  func rewrite(_ changesets: inout [OriginatedChangeset], _ items: ArraySlice<MergeItem>, from first: Int) {
    var begin = items.startIndex
    for number in changesets.indices {
      let end = begin + changesets[number].changeset.instructions.count
      if !erasures.isEmpty, let inserted = erasures[UInt32(first + number)] {
        rewrite(&changesets[number].changeset, items[begin..<end], inserting: inserted)
      } else {
        rewrite(&changesets[number].changeset, items[begin..<end])
      }
      begin = end
    }
  }

  private func rewrite(_ changeset: inout Changeset, _ items: ArraySlice<MergeItem>) {
    guard let first = items.firstIndex(where: { $0.isDead || $0.isChanged }) else { return }
    var kept = first - items.startIndex
    for item in items[first...] where !item.isDead {
      if item.isChanged || kept < item.position { changeset.instructions[kept] = instruction(item, in: &changeset) }
      kept += 1
    }
    changeset.instructions.removeLast(items.count - kept)
  }

  private func rewrite(_ changeset: inout Changeset, _ items: ArraySlice<MergeItem>, inserting erasures: [Erasure]) {
    let erasures = Dictionary(grouping: erasures) { $0.position }
    var instructions: [Instruction] = []
    for item in items where !item.isDead {
      for erasure in erasures[item.position] ?? [] { instructions.append(erasure.instruction(in: &changeset)) }
      instructions.append(instruction(item, in: &changeset))
    }
    changeset.instructions = instructions
  }

  private func instruction(_ item: MergeItem, in changeset: inout Changeset) -> Instruction {
    let before = changeset.instructions[Int(item.position)]
    return item.isChanged ? changed(before, item, in: &changeset) : before
  }

  private func changed(_ instruction: Instruction, _ item: MergeItem, in changeset: inout Changeset) -> Instruction {
    func moved(_ place: Place) -> Place {
      for depth in 0..<item.path.count {
        if let index = steps[Int(item.path.lowerBound) + depth].index { changeset.setIndex(index, in: place.path, at: depth) }
      }
      return place
    }
    func value(_ before: Payload) -> Payload { if case .int = before { .int(item.integer) } else { before } }
    switch instruction {
    case .update(let place, let before, let isDefault): return .update(moved(place), value(before), isDefault: isDefault)
    case .updateElement(let place, let before, _): return .updateElement(moved(place), value(before), priorSize: item.priorSize)
    case .addInteger(let place, let amount): return .addInteger(moved(place), amount)
    case .arrayInsert(let place, let value, _): return .arrayInsert(moved(place), value, priorSize: item.priorSize)
    case .arrayMove(let place, _, _): return .arrayMove(moved(place), to: item.target, priorSize: item.priorSize)
    case .arrayErase(let place, _): return .arrayErase(moved(place), priorSize: item.priorSize)
    case .clear(let place, let kind): return .clear(moved(place), kind)
    case .setInsert(let place, let value): return .setInsert(moved(place), value)
    case .setErase(let place, let value): return .setErase(moved(place), value)
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn, .eraseColumn: return instruction
    }
  }
}
