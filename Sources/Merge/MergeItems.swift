import Changesets

/// The instructions of both sides of a merge, and what compares them.
struct MergeItems {
  private(set) var ourChangesets: [OriginatedChangeset]
  private(set) var theirChangesets: [OriginatedChangeset]
  private(set) var names: NameNumbering
  /// Those of the side that has fewer, then those of the other one.
  var items: [MergeItem] = []
  /// Places of ours and theirs.
  private(set) var (ours, theirs) = (0..<0, 0..<0)
  /// Of all paths.
  var steps: [PathStep] = []
  /// Properties to erase before an instruction of either side.
  private var insertions: [Insertion] = []

  private struct Insertion {
    /// Before which instruction.
    let item: MergeItem
    /// The instruction that names the property.
    let column: MergeItem
  }

  init(_ ours: [OriginatedChangeset], _ theirs: [OriginatedChangeset]) {
    (ourChangesets, theirChangesets) = (ours, theirs)
    let (ourCount, theirCount) = (Self.instructionCount(ours), Self.instructionCount(theirs))
    // Only objects of both sides matter: those of the smaller side are numbered, and the other side's found among them.
    names = NameNumbering(changesetCount: ours.count + theirs.count, objectCount: min(ourCount, theirCount))
    items.reserveCapacity(ourCount + theirCount)
    if ourCount <= theirCount {
      self.ours = add(ours, from: 0)
      names.findObjectsOnly()
      self.theirs = add(theirs, from: ours.count)
    } else {
      self.theirs = add(theirs, from: ours.count)
      names.findObjectsOnly()
      self.ours = add(ours, from: 0)
    }
  }

  // MARK: Reading

  private static func instructionCount(_ changesets: [OriginatedChangeset]) -> Int {
    var count = 0
    for number in changesets.indices { count += changesets[number].changeset.instructions.count }
    return count
  }

  private mutating func add(_ changesets: [OriginatedChangeset], from first: Int) -> Range<Int> {
    let begin = items.count
    for number in changesets.indices {
      // Held once for all of its instructions: a changeset has many references.
      let changeset = changesets[number].changeset
      let (id, instructions) = (first + number, changeset.instructions)
      names.add(changeset, id)
      for position in instructions.indices {
        var (item, path) = item(instructions[position], id, position)
        if path.count > 0 {
          let start = UInt32(steps.count)
          for depth in 0..<Int(path.count) { addStep(changeset.element(path, at: depth), of: id) }
          item.path = start..<UInt32(steps.count)
        }
        items.append(item)
      }
    }
    return begin..<items.count
  }

  private mutating func addStep(_ element: PathElement, of changeset: Int) {
    switch element {
    case .index(let index): steps.append(PathStep(index: index))
    case .key(let key): steps.append(PathStep(key: names.number(key, of: changeset)))
    }
  }

  /// An item without its path, and that path.
  private mutating func item(_ instruction: Instruction, _ changeset: Int, _ position: Int) -> (item: MergeItem, path: PathRange) {
    var path = PathRange.empty
    func schema(_ kind: MergeItem.Kind, _ table: StringIndex, _ field: StringIndex? = nil) -> MergeItem {
      var item = MergeItem(kind, changeset, position, table: names.number(table, of: changeset))
      if let field { item.field = names.number(field, of: changeset) }
      return item
    }
    func object(_ kind: MergeItem.Kind, _ object: ObjectAddress) -> MergeItem {
      var item = schema(kind, object.table)
      item.object = names.number(object, of: changeset)
      return item
    }
    func placed(_ kind: MergeItem.Kind, _ place: Place, _ value: Payload = .null, _ priorSize: UInt32 = 0) -> MergeItem {
      var item = object(kind, place.object)
      item.field = names.number(place.field, of: changeset)
      item.set(value)
      item.priorSize = priorSize
      path = place.path
      return item
    }
    var item: MergeItem
    switch instruction {
    case .addTable(let table, _): item = schema(.addTable, table)
    case .eraseTable(let table): item = schema(.eraseTable, table)
    case .addColumn(let table, let field, _): item = schema(.addColumn, table, field)
    case .eraseColumn(let table, let field): item = schema(.eraseColumn, table, field)
    case .createObject(let address): item = object(.createObject, address)
    case .eraseObject(let address): item = object(.eraseObject, address)
    case .update(let place, let value, let isDefault):
      item = placed(.update, place, value)
      item.isDefault = isDefault
    case .updateElement(let place, let value, let priorSize): item = placed(.updateElement, place, value, priorSize)
    case .addInteger(let place, let amount):
      item = placed(.addInteger, place)
      item.integer = amount
    case .arrayInsert(let place, let value, let priorSize): item = placed(.arrayInsert, place, value, priorSize)
    case .arrayMove(let place, let target, let priorSize):
      item = placed(.arrayMove, place, .null, priorSize)
      item.target = target
    case .arrayErase(let place, let priorSize): item = placed(.arrayErase, place, .null, priorSize)
    case .clear(let place, let collection):
      item = placed(.clear, place)
      item.collection = collection
    case .setInsert(let place, let value): item = placed(.setInsert, place, value)
    case .setErase(let place, let value): item = placed(.setErase, place, value)
    }
    return (item, path)
  }

  // MARK: Comparing

  private func source(_ item: MergeItem) -> OriginatedChangeset {
    let number = Int(item.changeset)
    return number < ourChangesets.count ? ourChangesets[number] : theirChangesets[number - ourChangesets.count]
  }

  private func instruction(_ item: MergeItem) -> Instruction {
    let (number, position) = (Int(item.changeset), Int(item.position))
    if number < ourChangesets.count { return ourChangesets[number].changeset.instructions[position] }
    return theirChangesets[number - ourChangesets.count].changeset.instructions[position]
  }

  private func origin(_ item: MergeItem) -> OriginatedChangeset.Origin {
    let number = Int(item.changeset)
    return number < ourChangesets.count ? ourChangesets[number].origin : theirChangesets[number - ourChangesets.count].origin
  }

  func isLater(_ item: MergeItem, than other: MergeItem) -> Bool { origin(item) > origin(other) }

  func havePath(_ x: MergeItem, _ y: MergeItem) -> Bool {
    x.isOfSameProperty(as: y) && x.path.count == y.path.count && begin(x, y, steps: x.path.count)
  }

  /// Whether both are about elements of one list.
  func haveList(_ x: MergeItem, _ y: MergeItem) -> Bool {
    !x.path.isEmpty && x.path.count == y.path.count && x.isOfSameProperty(as: y) && begin(x, y, steps: x.path.count - 1)
  }

  /// Whether `inner` is about something inside of the first `count` steps of `outer`.
  func isInside(_ inner: MergeItem, _ outer: MergeItem, steps count: Int) -> Bool {
    inner.isOfSameProperty(as: outer) && inner.path.count > count && begin(inner, outer, steps: count)
  }

  /// Whether both paths, which have at least `count` steps, begin with the same ones.
  private func begin(_ x: MergeItem, _ y: MergeItem, steps count: Int) -> Bool {
    let (first, second) = (Int(x.path.lowerBound), Int(y.path.lowerBound))
    for step in 0..<count where steps[first + step] != steps[second + step] { return false }
    return true
  }

  /// The class that a property leads to, among the names of both sides.
  func linkTarget(_ item: MergeItem) -> UInt32? {
    guard case .addColumn(_, _, let column) = instruction(item), let target = column.target else { return nil }
    return names.number(target, of: Int(item.changeset))
  }

  func defineAlike(_ x: MergeItem, _ y: MergeItem) -> Bool {
    switch (instruction(x), instruction(y)) {
    case (.addTable(_, let a), .addTable(_, let b)):
      guard a.kind == b.kind, let (p, q) = both(a.primaryKey, b.primaryKey) else {
        return a.kind == b.kind && a.primaryKey == nil && b.primaryKey == nil
      }
      return p.type == q.type && p.isNullable == q.isNullable
        && names.number(p.field, of: Int(x.changeset)) == names.number(q.field, of: Int(y.changeset))
    case (.addColumn(_, _, var a), .addColumn(_, _, var b)):
      guard linkTarget(x) == linkTarget(y) else { return false }
      (a.target, b.target) = (nil, nil)
      return a == b
    default: return false
    }
  }

  private func both<T>(_ a: T?, _ b: T?) -> (T, T)? { if let a, let b { (a, b) } else { nil } }

  /// Whether both put the same value into a set, or take it out.
  func haveElement(_ x: MergeItem, _ y: MergeItem) -> Bool {
    guard x.content == y.content, let (a, b) = both(element(x), element(y)) else { return false }
    switch (a, b) {
    case (.string(let a), .string(let b)), (.binary(let a), .binary(let b)): return source(x).changeset.bytes(a) == source(y).changeset.bytes(b)
    // Sets hold a number once, however it is written: the bits of 0 and -0, or of 1.5 and 1.50, differ.
    case (.float(let a), .float(let b)): return a == b || Float(bitPattern: a) == Float(bitPattern: b)
    case (.double(let a), .double(let b)): return a == b || Double(bitPattern: a) == Double(bitPattern: b)
    case (.decimal(let a), .decimal(let b)): return a.isSameNumber(as: b)
    case (.link(let t, let a), .link(let u, let b)):
      let (first, second) = (Int(x.changeset), Int(y.changeset))
      return names.number(t, of: first) == names.number(u, of: second) && names.key(a, of: first) == names.key(b, of: second)
    default: return a == b
    }
  }

  private func element(_ item: MergeItem) -> Payload? {
    switch instruction(item) {
    case .setInsert(_, let value), .setErase(_, let value): value
    default: nil
    }
  }

  // MARK: Writing

  mutating func eraseColumn(of column: MergeItem, before item: MergeItem) {
    insertions.append(Insertion(item: item, column: column))
  }

  /// Writes what the merge changed into the changesets.
  mutating func rewriteChangesets() {
    let erasures = insertions.map { ChangesetRewriter.Erasure(before: $0.item, of: $0.column, in: source($0.column).changeset) }
    let rewriter = ChangesetRewriter(steps: steps, erasures: erasures)
    rewriter.rewrite(&ourChangesets, items[ours], from: 0)
    rewriter.rewrite(&theirChangesets, items[theirs], from: ourChangesets.count)
  }
}
