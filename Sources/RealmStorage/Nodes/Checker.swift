/// Is told of each node: where, how deep in the tree, what for.
package typealias NodeVisitor = (_ node: Node, _ depth: Int, _ role: String) -> Void

/// One running check: which nodes have been given a role, what is wrong, and where the walk is.
///
/// Each structure of the file has a check on its own floor that takes a checker and tells it of every broken rule. Checks that share a
/// checker see as well that no two of them claim the same node. Who wants the first broken rule only asks with `first`.
final class Checker {
  let space: NodeSpace
  let format: Int
  let scope: Scope
  private let visitor: NodeVisitor?
  private let progress: ((_ claimed: Int) -> Void)?
  /// Asked now and then; from `true` on no node is claimed any more.
  private let isCancelled: (() -> Bool)?
  private(set) var isGivenUp = false
  private(set) var report: CheckReport
  /// What may be claimed; nil for every sound node of the space.
  private let reached: UnitBitmap?
  /// What has been claimed: a bit for each node in a second pass over a whole file, else a set.
  private var claimedUnits: UnitBitmap?
  private var claimedRefs: Set<Ref> = []
  private(set) var claimedCount = 0
  /// Elements that may still be looked at; ends walks over nodes of width 0 whose millions of elements cost no bytes.
  private var elementBudget: UInt64
  /// Depth in the tree of the node to be claimed next.
  var depth = 0
  var place = CheckPlace()
  /// Keys the sums over object keys, so that no file can be made to match them.
  let seed = UInt64.random(in: 0 ... .max)

  /// What is to be checked.
  enum Scope {
    /// Whatever hangs below the roots that a check is given.
    case everything
    /// Only nodes of this set, such as a commit has written. What hangs below others is taken to be sound: they are asked how many elements they
    /// have, and no more. The rules that need the whole version (links against backlinks, an index against its objects) are left out.
    case nodes(Set<Ref>)
  }

  /// A check of one structure.
  init(_ space: NodeSpace, format: Int = Int(FileHeader.currentFormat), scope: Scope = .everything) {
    (self.space, self.format, self.scope) = (space, format, scope)
    (visitor, progress, isCancelled) = (nil, nil, nil)
    report = CheckReport()
    reached = nil
    elementBudget = Checker.elementBudget(space)
  }

  /// The second pass over a version.
  /// - Parameters:
  ///   - reached: the nodes that the first pass found.
  ///   - report: with what it found wrong.
  init(
    _ space: NodeSpace, format: Int, reached: UnitBitmap, report: CheckReport, visitor: NodeVisitor?, progress: ((_ claimed: Int) -> Void)?,
    isCancelled: (() -> Bool)?
  ) {
    (self.space, self.format, self.report, self.visitor, self.progress) = (space, format, report, visitor, progress)
    self.isCancelled = isCancelled
    scope = .everything
    self.reached = reached
    claimedUnits = UnitBitmap(byteCount: space.fileLimit)
    elementBudget = Checker.elementBudget(space)
  }

  /// A leaf of 1000 elements of width 0 has eight bytes and a ref somewhere; some elements are counted twice.
  private static func elementBudget(_ space: NodeSpace) -> UInt64 {
    (space.fileLimit + (space.scratchEnd - space.scratchStart)) * 512 + 1 << 16
  }

  /// Runs a check of one structure for itself.
  /// - Throws: `.corruptNode` with the root and the first broken rule, or whatever `body` threw before one was found.
  static func first(
    _ space: NodeSpace, _ root: Ref, format: Int = Int(FileHeader.currentFormat), _ body: (Checker) throws(StorageError) -> Void
  ) throws(StorageError) {
    let checker = Checker(space, format: format)
    do throws(StorageError) { try body(checker) } catch {
      try checker.throwFirst(root)
      throw error
    }
    try checker.throwFirst(root)
  }
  private func throwFirst(_ root: Ref) throws(StorageError) {
    if let reason = report.violations.first { throw .corruptNode(ref: root, reason: reason) }
  }

  // MARK: Reporting

  func fail(_ message: String) { report.add(violation: place.prefix + message) }
  func note(_ message: String) { report.add(note: place.prefix + message) }
  /// Without the place in front.
  func failGlobally(_ message: String) { report.add(violation: message) }

  /// Runs `body`; damage that it meets becomes a violation.
  /// - Returns: whether it came through.
  @discardableResult
  func attempt(_ what: @autoclosure () -> String = "", _ body: () throws(StorageError) -> Void) -> Bool {
    do throws(StorageError) {
      try body()
      return true
    } catch {
      let prefix = what()
      fail((prefix.isEmpty ? "" : prefix + ": ") + Checker.text(error))
      return false
    }
  }

  static func text(_ error: StorageError) -> String {
    if case .corruptNode(let ref, let reason) = error { return "node \(ref): \(reason)" }
    return "\(error)"
  }

  /// Bounds the work on elements of one node that a damaged header claims, and on those of all nodes.
  func spend(_ elements: Int, _ node: Node) throws(StorageError) {
    guard elements <= space.plausibleCount, UInt64(elements) <= elementBudget else {
      throw node.broken("the file claims more elements than a file of its size can hold")
    }
    elementBudget -= UInt64(elements)
  }

  // MARK: Claiming

  /// Whether the node is to be checked, or taken to be sound.
  func covers(_ ref: Ref) -> Bool {
    if case .nodes(let nodes) = scope { return nodes.contains(ref) }
    return true
  }
  /// Whether rules are checked that need all of the version.
  var coversEverything: Bool { if case .everything = scope { true } else { false } }

  /// Whether a node may be claimed by anybody: it lies where nodes may lie, and its header allows its elements to be read.
  func isUsable(_ ref: Ref) -> Bool {
    if let reached { return reached.contains(ref) }
    guard let header = (try? space.node(at: ref))?.header else { return false }
    return Checker.contradiction(header) == nil
  }

  /// What is wrong with a header by itself; no role may read the elements of such a node.
  static func contradiction(_ header: NodeHeader) -> String? {
    if header.hasRefs && header.schemeBits != 0 { return "has the refs flag but width scheme \(header.schemeBits)" }
    if header.isInner && !header.hasRefs { return "is an inner node without the refs flag" }
    return nil
  }

  func isClaimed(_ ref: Ref) -> Bool { claimedUnits?.contains(ref) ?? claimedRefs.contains(ref) }

  /// Gives the node at `ref` its role.
  func claim(_ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) -> Node {
    if isGivenUp { throw .corruptNode(ref: ref, reason: "was not checked any more") }
    guard isUsable(ref) else {
      if ref.isNull { throw .corruptNode(ref: ref, reason: "a null ref stands where \(role()) must be") }
      throw .corruptNode(ref: ref, reason: "\(role()) is no usable node of the tree")
    }
    guard claimedUnits?.insert(ref) ?? claimedRefs.insert(ref).inserted else {
      throw .corruptNode(ref: ref, reason: "is used twice, now as \(role())")
    }
    claimedCount += 1
    if claimedCount & 0xFFF == 0 {
      progress?(claimedCount)
      isGivenUp = isCancelled?() ?? false
    }
    let node = try space.node(at: ref)
    if let visitor { visitor(node, depth, role()) }
    return node
  }

  /// Claims a node of plain integers.
  func claimIntegers(_ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) -> Node {
    let node = try claim(ref, role())
    guard !node.header.hasRefs, node.header.schemeBits == 0 else { throw node.broken("\(role()) is no integer array") }
    return node
  }

  /// Claims a node of refs.
  func claimRefs(_ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) -> Node {
    let node = try claim(ref, role())
    guard node.header.hasRefs, node.header.schemeBits == 0, !node.header.isInner else { throw node.broken("\(role()) is no ref array") }
    return node
  }

  /// Claims a whole subtree without interpreting it.
  func claimAll(_ ref: Ref, _ role: String) throws(StorageError) {
    var stack = [(ref, depth)]
    let start = depth
    defer { depth = start }
    while let (next, level) = stack.popLast() {
      depth = level
      if !covers(next) { continue }
      let node = try claim(next, role)
      guard node.header.hasRefs, node.header.widthIndex > 0 else { continue }
      for slot in stride(from: node.count - 1, through: 0, by: -1) {
        let value = node.element(unchecked: slot)
        if value != 0 && value & 1 == 0 { stack.append((Ref(element: value), level + 1)) }
      }
    }
  }

  /// Runs `body` one level deeper in the tree.
  func below<T>(_ body: () throws(StorageError) -> T) throws(StorageError) -> T {
    depth += 1
    defer { depth -= 1 }
    return try body()
  }
}
