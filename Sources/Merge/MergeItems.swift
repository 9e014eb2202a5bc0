import Changesets

/// The instructions of both sides of a merge, and what compares them.
struct MergeItems {
  /// Of ours, then of theirs.
  let changesets: [OriginatedChangeset]
  private(set) var names = NameNumbering()
  private(set) var ours: [MergeItem] = []
  private(set) var theirs: [MergeItem] = []
  /// Of all paths.
  var steps: [PathStep] = []
  /// The changeset whose instructions are being taken in.
  private var source = Changeset()
  /// Properties to erase before an instruction of either side.
  private(set) var insertions: [Insertion] = []

  struct Insertion {
    /// Before which instruction, of which changeset.
    let changeset: Int
    let position: Int
    /// The instruction that names the property.
    let column: (changeset: Int, position: Int)
  }

  init(_ ours: [OriginatedChangeset], _ theirs: [OriginatedChangeset]) {
    changesets = ours + theirs
    let counts = (ours.reduce(0) { $0 + $1.changeset.instructions.count }, theirs.reduce(0) { $0 + $1.changeset.instructions.count })
    self.ours.reserveCapacity(counts.0)
    self.theirs.reserveCapacity(counts.1)
    names.reserve(counts.0 + counts.1)
    var previous: Changeset?
    for number in changesets.indices {
      source = changesets[number].changeset
      names.add(source, after: previous)
      previous = source
      let instructions = source.instructions
      for position in instructions.indices {
        let item = item(instructions[position], number, position)
        if number < ours.count { self.ours.append(item) } else { self.theirs.append(item) }
      }
    }
  }

  // MARK: Reading

  private mutating func item(_ instruction: Instruction, _ changeset: Int, _ position: Int) -> MergeItem {
    func schema(_ kind: MergeItem.Kind, _ table: StringIndex, _ field: StringIndex? = nil) -> MergeItem {
      var item = MergeItem(kind, changeset, position, table: names.number(table, of: changeset))
      if let field { item.field = names.number(field, of: changeset) }
      return item
    }
    switch instruction {
    case .addTable(let table, _): return schema(.addTable, table)
    case .eraseTable(let table): return schema(.eraseTable, table)
    case .addColumn(let table, let field, _): return schema(.addColumn, table, field)
    case .eraseColumn(let table, let field): return schema(.eraseColumn, table, field)
    case .createObject(let object), .eraseObject(let object):
      var item = schema(instruction.code == .createObject ? .createObject : .eraseObject, object.table)
      item.object = names.number(object, of: changeset)
      return item
    default: return placed(instruction, changeset, position)
    }
  }

  private mutating func placed(_ instruction: Instruction, _ changeset: Int, _ position: Int) -> MergeItem {
    switch instruction {
    case .update(let place, let value, let isDefault):
      var item = item(.update, place, changeset, position, value)
      item.isDefault = isDefault
      return item
    case .updateElement(let place, let value, let priorSize): return item(.updateElement, place, changeset, position, value, priorSize)
    case .arrayInsert(let place, let value, let priorSize): return item(.arrayInsert, place, changeset, position, value, priorSize)
    case .arrayErase(let place, let priorSize): return item(.arrayErase, place, changeset, position, .null, priorSize)
    case .arrayMove(let place, let target, let priorSize):
      var item = item(.arrayMove, place, changeset, position, .null, priorSize)
      item.target = target
      return item
    case .addInteger(let place, let amount):
      var item = item(.addInteger, place, changeset, position)
      item.amount = amount
      return item
    case .clear(let place, let collection):
      var item = item(.clear, place, changeset, position)
      item.collection = collection
      return item
    case .setInsert(let place, let value): return item(.setInsert, place, changeset, position, value)
    case .setErase(let place, let value): return item(.setErase, place, changeset, position, value)
    case .addTable, .eraseTable, .addColumn, .eraseColumn, .createObject, .eraseObject: preconditionFailure("has no place")
    }
  }

  private mutating func item(
    _ kind: MergeItem.Kind, _ place: Place, _ changeset: Int, _ position: Int, _ value: Payload = .null, _ priorSize: UInt32 = 0
  ) -> MergeItem {
    var item = MergeItem(kind, changeset, position, table: names.number(place.object.table, of: changeset))
    item.object = names.number(place.object, of: changeset)
    item.field = names.number(place.field, of: changeset)
    (item.value, item.priorSize) = (value, priorSize)
    if place.path.count == 0 { return item }
    let start = steps.count
    for element in source.elements(place.path) {
      switch element {
      case .index(let index): steps.append(PathStep(index: index))
      case .key(let key): steps.append(PathStep(key: names.number(key, of: changeset)))
      }
    }
    item.path = start..<steps.count
    return item
  }

  // MARK: Comparing

  func instruction(_ item: MergeItem) -> Instruction { changesets[item.changeset].changeset.instructions[item.position] }

  func isLater(_ item: MergeItem, than other: MergeItem) -> Bool { changesets[item.changeset].isLater(than: changesets[other.changeset]) }

  func havePath(_ x: MergeItem, _ y: MergeItem) -> Bool { x.isOfSameProperty(as: y) && steps[x.path] == steps[y.path] }

  /// Whether both are about elements of one list.
  func haveList(_ x: MergeItem, _ y: MergeItem) -> Bool {
    !x.path.isEmpty && x.path.count == y.path.count && x.isOfSameProperty(as: y) && steps[x.path.dropLast()] == steps[y.path.dropLast()]
  }

  /// Whether `inner` is about something inside of the first `count` steps of `outer`.
  func isInside(_ inner: MergeItem, _ outer: MergeItem, steps count: Int) -> Bool {
    inner.isOfSameProperty(as: outer) && inner.path.count > count
      && steps[inner.path.prefix(count)] == steps[outer.path.prefix(count)]
  }

  /// The class that a property leads to, among the names of both sides.
  func linkTarget(_ item: MergeItem) -> Int? {
    guard case .addColumn(_, _, let column) = instruction(item), let target = column.target else { return nil }
    return names.number(target, of: item.changeset)
  }

  func defineAlike(_ x: MergeItem, _ y: MergeItem) -> Bool {
    switch (instruction(x), instruction(y)) {
    case (.addTable(_, let a), .addTable(_, let b)):
      guard a.kind == b.kind, let (p, q) = both(a.primaryKey, b.primaryKey) else {
        return a.kind == b.kind && a.primaryKey == nil && b.primaryKey == nil
      }
      return p.type == q.type && p.isNullable == q.isNullable && names.number(p.field, of: x.changeset) == names.number(q.field, of: y.changeset)
    case (.addColumn(_, _, var a), .addColumn(_, _, var b)):
      guard linkTarget(x) == linkTarget(y) else { return false }
      (a.target, b.target) = (nil, nil)
      return a == b
    default: return false
    }
  }

  private func both<T>(_ a: T?, _ b: T?) -> (T, T)? { if let a, let b { (a, b) } else { nil } }

  func haveValue(_ x: MergeItem, _ y: MergeItem) -> Bool {
    switch (x.value, y.value) {
    case (.string(let a), .string(let b)), (.binary(let a), .binary(let b)):
      changesets[x.changeset].changeset.bytes(a) == changesets[y.changeset].changeset.bytes(b)
    case (.link(let t, let a), .link(let u, let b)):
      names.number(t, of: x.changeset) == names.number(u, of: y.changeset) && names.key(a, of: x.changeset) == names.key(b, of: y.changeset)
    default: x.value == y.value
    }
  }

  // MARK: Writing

  mutating func eraseColumn(of column: MergeItem, before item: MergeItem) {
    insertions.append(Insertion(changeset: item.changeset, position: item.position, column: (column.changeset, column.position)))
  }

  mutating func take() -> (ours: [MergeItem], theirs: [MergeItem]) {
    defer { (ours, theirs) = ([], []) }
    return (ours, theirs)
  }

  /// The changesets that the merge changes, by their numbers among those of both sides.
  /// - Parameter items: of both sides, one changeset after the other.
  func rewritten(_ items: [MergeItem]) -> [(number: Int, changeset: Changeset)] {
    var results: [(number: Int, changeset: Changeset)] = []
    var begin = 0
    while begin < items.count {
      let number = items[begin].changeset
      var changeset = changesets[number].changeset
      var end = begin
      var isChanged = !insertions.isEmpty
      while end < items.count, items[end].changeset == number {
        isChanged = isChanged || items[end].isDead || self.isChanged(items[end], changeset)
        end += 1
      }
      if isChanged {
        rewrite(&changeset, items[begin..<end])
        results.append((number, changeset))
      }
      begin = end
    }
    return results
  }

  private func rewrite(_ changeset: inout Changeset, _ items: ArraySlice<MergeItem>) {
    var instructions: [Instruction] = []
    instructions.reserveCapacity(items.count)
    for item in items where !item.isDead {
      for insertion in insertions where insertion.changeset == item.changeset && insertion.position == item.position {
        instructions.append(erasure(insertion, in: &changeset))
      }
      instructions.append(instruction(item, in: &changeset))
    }
    changeset.replaceInstructions(with: instructions)
  }

  /// Whether the instruction has to be written anew.
  private func isChanged(_ item: MergeItem, _ changeset: Changeset) -> Bool {
    if !item.hasPlace { return false }
    // Only an update's value changes, when something is added to it.
    if item.path.isEmpty, item.kind != .update { return false }
    func isMoved(_ place: Place) -> Bool { item.path.isEmpty ? false : self.isMoved(item, place, changeset) }
    switch changeset.instructions[item.position] {
    case .update(let place, let value, _): return value != item.value || isMoved(place)
    case .updateElement(let place, let value, let size): return size != item.priorSize || value != item.value || isMoved(place)
    case .arrayInsert(let place, _, let size), .arrayErase(let place, let size): return size != item.priorSize || isMoved(place)
    case .arrayMove(let place, let target, let size): return size != item.priorSize || target != item.target || isMoved(place)
    case .addInteger(let place, _), .clear(let place, _), .setInsert(let place, _), .setErase(let place, _): return isMoved(place)
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn, .eraseColumn: return false
    }
  }

  private func isMoved(_ item: MergeItem, _ place: Place, _ changeset: Changeset) -> Bool {
    var depth = item.path.lowerBound
    for element in changeset.elements(place.path) {
      if case .index(let index) = element, steps[depth].index != index { return true }
      depth += 1
    }
    return false
  }

  private func erasure(_ insertion: Insertion, in changeset: inout Changeset) -> Instruction {
    let source = changesets[insertion.column.changeset].changeset
    guard case .addColumn(let table, let field, _) = source.instructions[insertion.column.position] else { preconditionFailure("adds no property") }
    return .eraseColumn(changeset.intern(source.bytes(table)), field: changeset.intern(source.bytes(field)))
  }

  private func instruction(_ item: MergeItem, in changeset: inout Changeset) -> Instruction {
    func moved(_ place: Place) -> Place {
      for (depth, step) in steps[item.path].enumerated() {
        if let index = step.index { changeset.setIndex(index, in: place.path, at: depth) }
      }
      return place
    }
    switch changeset.instructions[item.position] {
    case .update(let place, _, let isDefault): return .update(moved(place), item.value, isDefault: isDefault)
    case .updateElement(let place, _, _): return .updateElement(moved(place), item.value, priorSize: item.priorSize)
    case .addInteger(let place, let amount): return .addInteger(moved(place), amount)
    case .arrayInsert(let place, let value, _): return .arrayInsert(moved(place), value, priorSize: item.priorSize)
    case .arrayMove(let place, _, _): return .arrayMove(moved(place), to: item.target, priorSize: item.priorSize)
    case .arrayErase(let place, _): return .arrayErase(moved(place), priorSize: item.priorSize)
    case .clear(let place, let kind): return .clear(moved(place), kind)
    case .setInsert(let place, let value): return .setInsert(moved(place), value)
    case .setErase(let place, let value): return .setErase(moved(place), value)
    case let schema: return schema
    }
  }
}
