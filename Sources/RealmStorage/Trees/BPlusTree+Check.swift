/// The check of one B+ tree (F5):
///
///  1. inner nodes have a total and at least one child, at most as many as the fan-out, and the tree is not too deep;
///  2. in compact form elements per child are a power of the fan-out; every child but the last has as many, the last one no more;
///  3. in the other form there is an offset for every child but the last, the number of elements before the next one;
///  4. leaves hold no more than the fan-out, all at the same depth, and only the root may be empty;
///  5. the total is what the leaves hold together;  6. no node has another role.
struct BPlusTreeCheck {
  let checker: Checker
  let role: String
  /// Elements in the root if it is a leaf; below the root it is always the fan-out.
  var leafLimit = 1000
  var fanOut = 1000
  /// Claims and checks a leaf.
  /// - Returns: its element count.
  let leaf: (Ref) throws(StorageError) -> Int
  /// The element count of a leaf that is not covered.
  let count: (Ref) throws(StorageError) -> Int

  private static let depthLimit = 12

  /// What lies below a node: elements, and levels of inner nodes if they were counted.
  private struct Extent {
    let count: Int
    let height: Int?
  }

  /// - Returns: the number of elements.
  func run(_ root: Ref) throws(StorageError) -> Int { try node(root, leafLimit, level: 0).count }

  private func node(_ ref: Ref, _ leafLimit: Int, level: Int) throws(StorageError) -> Extent {
    guard checker.isUsable(ref) else { throw .corruptNode(ref: ref, reason: "\(role) is no usable node of the tree") }
    let node = try checker.space.node(at: ref)
    if !checker.covers(ref) {
      return Extent(count: node.header.isInner ? try InnerNode(checker.space, node).total : try count(ref), height: nil)
    }
    guard node.header.isInner else {
      let count = try leaf(ref)
      if count > leafLimit { checker.fail("\(role): the leaf \(ref) has \(count) elements") }
      return Extent(count: count, height: 0)
    }
    guard level < (fanOut < 1000 ? BPlusTreeLimits.depth : BPlusTreeCheck.depthLimit) else { throw node.broken("\(role) is too deep") }
    _ = try checker.claim(ref, role + " (inner)")
    let childCount = node.count - 2
    guard childCount >= 1 else { throw node.broken("\(role): an inner node has \(node.count) slots") }
    if childCount > fanOut { checker.fail("\(role): the inner node \(ref) has \(childCount) children") }
    guard let total = try node.tagged(node.count - 1) else { throw node.broken("\(role): the total is missing") }
    checker.depth += 1
    defer { checker.depth -= 1 }
    let form = try form(node, childCount)
    var count = 0
    var height: Int?
    for index in 0..<childCount {
      let child = try node.child(index + 1)
      let below = try self.node(child, fanOut, level: level + 1)
      if below.count == 0 { checker.fail("\(role): the child \(child) is empty") }
      if let height, let other = below.height, height != other { checker.fail("\(role): the leaves below \(ref) lie at different depths") }
      height = below.height ?? height
      count += below.count
      check(form, ref, child: child, index, below.count, upTo: count, isLast: index == childCount - 1)
    }
    if UInt64(count) != total { checker.fail("\(role): \(ref) says \(total) elements, there are \(count)") }
    return Extent(count: count, height: height.map { $0 + 1 })
  }

  private enum Form {
    case compact(perChild: Int64)
    case offsets(Node)
  }

  private func form(_ node: Node, _ childCount: Int) throws(StorageError) -> Form {
    let first = node.element(unchecked: 0)
    if first & 1 == 0 {
      let array = try checker.claimIntegers(Ref(element: first), role + " offsets")
      guard array.count == childCount - 1 else { throw array.broken("\(array.count) offsets for \(childCount) children") }
      return .offsets(array)
    }
    let perChild = first >> 1
    var power = perChild
    while power > 1 && power % Int64(fanOut) == 0 { power /= Int64(fanOut) }
    if power != 1 || perChild < fanOut {
      checker.fail("\(role): \(perChild) elements per child in \(node.ref) is no power of \(fanOut)")
    }
    return .compact(perChild: perChild)
  }

  private func check(_ form: Form, _ ref: Ref, child: Ref, _ index: Int, _ count: Int, upTo end: Int, isLast: Bool) {
    switch form {
    case .offsets(let offsets):
      if isLast || offsets.unsignedElement(unchecked: index) == UInt64(end) { return }
      checker.fail(
        "\(role): offset \(index) of \(ref) is \(offsets.unsignedElement(unchecked: index)), \(end) elements precede the next child")
    case .compact(let perChild):
      if Int64(count) <= perChild && (isLast || Int64(count) == perChild) { return }
      checker.fail("\(role): the child \(child) has \(count) elements, the compact form says \(perChild)")
    }
  }
}

extension BPlusTreeCheck {
  /// A tree of leaves with values.
  init(_ checker: Checker, _ role: String, _ kind: LeafKind, leafLimit: Int = 1000, leaf: @escaping (Ref) throws(StorageError) -> Int) {
    (self.checker, self.role, self.leafLimit, self.leaf) = (checker, role, leafLimit, leaf)
    count = { (ref) throws(StorageError) in try LeafReader(checker.space, ref, kind).count }
  }
}

extension BPlusTree {
  /// The rules of ``BPlusTreeCheck``.
  /// - Throws: `.corruptNode` that names the first broken one.
  package func check(_ space: NodeSpace) throws(StorageError) {
    try Checker.first(space, root) { (checker) throws(StorageError) in
      let count = { (ref: Ref) throws(StorageError) -> Int in try family.count(space, ref) }
      _ = try BPlusTreeCheck(
        checker: checker, role: "tree", leafLimit: family.fanOut, fanOut: family.fanOut,
        leaf: { (ref) throws(StorageError) in
          try checker.claimAll(ref, "leaf")
          return try count(ref)
        }, count: count
      ).run(root)
    }
  }
}
