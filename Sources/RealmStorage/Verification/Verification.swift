/// What checking every structural invariant of one version found: the rules of F1 to F11.
package struct Verification: Sendable {
  /// One line each; at most `lineLimit` are kept.
  package fileprivate(set) var violations: [String] = []
  package fileprivate(set) var violationCount = 0
  /// Oddities that the format allows (F14).
  package fileprivate(set) var notes: [String] = []
  package var nodeCount = 0
  /// Bytes in reachable nodes.
  package var usedByteCount: UInt64 = 0
  package var freeByteCount: UInt64 = 0
  package var freeBlockCount = 0
  package var largestFreeBlock: UInt64 = 0
  /// Bytes that are neither reachable nor free.
  package var leakedByteCount: UInt64 = 0
  package var tableCount = 0
  package var objectCount = 0

  package var isClean: Bool { violationCount == 0 }
  package static let lineLimit = 1000

  fileprivate mutating func add(violation: String) {
    violationCount += 1
    if violations.count < Verification.lineLimit { violations.append(violation) }
  }
  fileprivate mutating func add(note: String) {
    if notes.count < Verification.lineLimit { notes.append(note) }
  }

  /// Checks one version. Memory stays below a tenth of the logical size plus a constant, time is linear in it but for lookups of the
  /// objects that search indexes name; hostile bytes lead to violations.
  /// - Parameters:
  ///   - space: bounded by the logical size, or by the physical size, whichever is known.
  ///   - top: null for a database that was never committed to, which has nothing to check.
  ///   - isStreaming: streaming files may have nodes that cross 64 MiB boundaries.
  ///   - visitor: is told every node in the order of the tree, with its role (for dumps).
  ///   - progress: is told now and then how many nodes have been checked, and how many there are.
  package static func run(
    _ space: NodeSpace, top: Ref, format: Int, isStreaming: Bool = false, visitor: NodeVisitor? = nil,
    progress: ((_ done: Int, _ total: Int) -> Void)? = nil
  ) -> Verification {
    if top.isNull { return Verification() }
    let verifier = Verifier(space: space, top: top, format: format, isStreaming: isStreaming, visitor: visitor)
    verifier.progress = progress
    verifier.verify()
    return verifier.result
  }
}

/// Is told of each node: where, how deep in the tree, what for.
package typealias NodeVisitor = (_ node: Node, _ depth: Int, _ role: String) -> Void

/// The running check: what was reached, what was claimed by a role, what is wrong.
///
/// A first pass finds every node that the top array owns. A second one gives each node its role and checks what the role demands; a node
/// reached but without role, or with two, is a violation too.
final class Verifier {
  let space: NodeSpace
  let top: Ref
  let format: Int
  let isStreaming: Bool
  let visitor: NodeVisitor?
  var progress: ((_ done: Int, _ total: Int) -> Void)?
  var result = Verification()

  var logicalByteCount: UInt64
  /// Starts of the nodes that pass 1 accepted.
  var reached: UnitBitmap
  /// Bytes of nodes and free blocks.
  var occupied: UnitBitmap
  /// Starts of the nodes that have a role.
  var claimed: UnitBitmap
  var claimedCount = 0
  /// Elements that may still be looked at; ends walks over nodes of width 0 whose millions of elements cost no bytes.
  var elementBudget: UInt64

  var group: GroupDescription?
  /// By slot; nil for free slots and damaged tables.
  var tables: [VerifiedTable?] = []
  var ledger = LinkLedger()
  /// The column whose links are being walked.
  var linkOrigin: (table: TableKey, column: ColumnKey)?
  /// Keys the sums over object keys, so that no file can be made to match them.
  let seed = UInt64.random(in: 0 ... .max)
  /// Depth in the tree of the node to be claimed next.
  var depth = 0
  /// Where the walk is, for messages.
  var tableName = ""
  var columnName = ""
  var objectKey: Int64?

  init(space: NodeSpace, top: Ref, format: Int, isStreaming: Bool, visitor: NodeVisitor?) {
    self.space = space
    self.top = top
    self.format = format
    self.isStreaming = isStreaming
    self.visitor = visitor
    logicalByteCount = Verifier.logicalByteCount(space, top) ?? space.fileLimit
    reached = UnitBitmap(byteCount: space.fileLimit)
    occupied = UnitBitmap(byteCount: space.fileLimit)
    claimed = UnitBitmap(byteCount: space.fileLimit)
    // A leaf of 1000 elements of width 0 has eight bytes and a ref somewhere; some elements are counted twice.
    elementBudget = space.fileLimit * 512 + 1 << 16
  }

  private static func logicalByteCount(_ space: NodeSpace, _ top: Ref) -> UInt64? {
    guard let node = try? space.refs(at: top), node.count > 2, let size = try? node.tagged(2), size >= 24, size <= space.fileLimit else {
      return nil
    }
    return size
  }

  func verify() {
    reachEverything()
    result.nodeCount = reachedCount
    attempt("group") { () throws(StorageError) in try verifyGroup() }
    verifyTables()
    if claimedCount < reachedCount { reportUnclaimed() }
  }

  var reachedCount = 0

  // MARK: Reporting

  func fail(_ message: String) { result.add(violation: place + message) }
  func note(_ message: String) { result.add(note: place + message) }
  /// Without the place in front.
  func failGlobally(_ message: String) { result.add(violation: message) }

  private var place: String {
    if tableName.isEmpty { return "" }
    var text = "table '\(tableName)'"
    if !columnName.isEmpty { text += " column '\(columnName)'" }
    if let objectKey { text += " object \(objectKey)" }
    return text + ": "
  }

  /// Runs `body`; damage that it meets becomes a violation.
  /// - Returns: whether it came through.
  @discardableResult
  func attempt(_ what: @autoclosure () -> String = "", _ body: () throws(StorageError) -> Void) -> Bool {
    do throws(StorageError) {
      try body()
      return true
    } catch {
      let prefix = what()
      fail((prefix.isEmpty ? "" : prefix + ": ") + Verifier.text(error))
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

  /// Gives the node at `ref` its role.
  func claim(_ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) -> Node {
    guard reached.contains(ref) else {
      if ref.isNull { throw .corruptNode(ref: ref, reason: "a null ref stands where \(role()) must be") }
      throw .corruptNode(ref: ref, reason: "\(role()) is no usable node of the tree")
    }
    guard claimed.insert(ref) else { throw .corruptNode(ref: ref, reason: "is used twice, now as \(role())") }
    claimedCount += 1
    if claimedCount & 0xFFF == 0 { progress?(claimedCount, reachedCount) }
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
      let node = try claim(next, role)
      guard node.header.hasRefs, node.header.widthIndex > 0 else { continue }
      for slot in stride(from: node.count - 1, through: 0, by: -1) {
        let value = node.element(unchecked: slot)
        if value != 0 && value & 1 == 0 { stack.append((Ref(element: value), level + 1)) }
      }
    }
  }
}
