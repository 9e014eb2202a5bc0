/// What checking every structural invariant of one version found. File format, all sections.
package struct Verification: Sendable {
  private var report = CheckReport(lineLimit: lineLimit)
  package private(set) var nodeCount = 0
  /// Bytes in reachable nodes and in the header of the file.
  package private(set) var usedByteCount: UInt64 = 0
  package private(set) var freeByteCount: UInt64 = 0
  package private(set) var freeBlockCount = 0
  package private(set) var largestFreeBlock: UInt64 = 0
  /// Bytes that are neither reachable nor free.
  package private(set) var leakedByteCount: UInt64 = 0
  package private(set) var tableCount = 0
  /// False if the check was given up.
  package private(set) var isComplete = true
  package private(set) var objectCount = 0

  /// One line each; at most `lineLimit` are kept.
  package var violations: [String] { report.violations }
  package var violationCount: Int { report.violationCount }
  /// Oddities that the format allows (F14).
  package var notes: [String] { report.notes }
  package var isClean: Bool { violationCount == 0 }
  package static let lineLimit = 1000

  /// Checks one version. Memory stays below a tenth of the logical size plus a constant, time is linear in it but for lookups of the
  /// objects that search indexes name; hostile bytes lead to violations.
  ///
  /// A first pass finds every node that the top array owns. A second one gives each node its role and checks what the role demands; a node
  /// reached but without role, or with two, is a violation too. The rules are those of the structures' own checks.
  /// - Parameters:
  ///   - space: bounded by the logical size, or by the physical size, whichever is known.
  ///   - top: null for a database that was never committed to, which has nothing to check.
  ///   - isStreaming: streaming files may have nodes that cross 64 MiB boundaries.
  ///   - visitor: is told every node in the order of the tree, with its role (for dumps).
  ///   - progress: is told now and then how many nodes have been checked, and how many there are.
  ///   - isCancelled: asked as often; after `true` the result says nothing, and `isComplete` so.
  package static func run(
    _ space: NodeSpace, top: Ref, format: Int, isStreaming: Bool = false, visitor: NodeVisitor? = nil,
    progress: ((_ done: Int, _ total: Int) -> Void)? = nil, isCancelled: (() -> Bool)? = nil
  ) -> Verification {
    var result = Verification()
    if top.isNull { return result }
    var reachability = Reachability(space, top: top, isStreaming: isStreaming, report: result.report)
    let nodeCount = reachability.nodeCount
    (result.nodeCount, result.usedByteCount) = (nodeCount, UInt64(FileHeader.byteCount) + reachability.usedByteCount)
    let checker = Checker(
      space, format: format, reached: reachability.reached, report: reachability.report, visitor: visitor,
      progress: progress.map { progress in { progress($0, nodeCount) } }, isCancelled: isCancelled)
    let tables = GroupCheck(checker, top: top)
    checker.attempt("group") { () throws(StorageError) in
      let group = try tables.claimTop()
      let free = FreeListCheck(checker, group, logicalByteCount: reachability.logicalByteCount).run(&reachability.occupied)
      (result.freeByteCount, result.freeBlockCount) = (free.byteCount, free.blockCount)
      (result.largestFreeBlock, result.leakedByteCount) = (free.largestBlock, free.leakedByteCount)
      claimHistory(checker, group)
      tables.claimTables()
    }
    tables.checkTables()
    (result.tableCount, result.objectCount) = (tables.tableCount, tables.objectCount)
    result.isComplete = !checker.isGivenUp
    if result.isComplete && checker.claimedCount < nodeCount { reportUnclaimed(checker, reachability, visitor) }
    result.report = checker.report
    return result
  }

  /// The history, and what an engine that moves contents towards the beginning of the file keeps for itself.
  private static func claimHistory(_ checker: Checker, _ group: GroupDescription) {
    if !group.historyRef.isNull {
      checker.attempt("history") { () throws(StorageError) in
        try group.checkHistory(checker)
      }
    }
    if group.evacuation != 0 && !group.evacuation.isTagged {
      checker.attempt("evacuation info") { () throws(StorageError) in
        try checker.claimAll(Ref(element: group.evacuation), "evacuation info")
      }
    }
  }

  /// Names the reached nodes that no role claimed.
  private static func reportUnclaimed(_ checker: Checker, _ reachability: Reachability, _ visitor: NodeVisitor?) {
    let space = checker.space
    var named = 0
    var offset = FreeSpace.firstPosition
    while offset < space.fileLimit && named < 20 {
      let ref = Ref(offset)
      if reachability.reached.contains(ref) && !checker.isClaimed(ref) {
        checker.failGlobally("node \(ref) is reachable but has no known role")
        named += 1
        if let visitor, let node = try? space.node(at: ref) { visitor(node, 0, "node without a known role") }
      }
      offset += 8
    }
    let rest = reachability.nodeCount - checker.claimedCount - named
    if rest > 0 { checker.failGlobally("\(rest) more nodes are reachable but have no known role") }
  }
}
