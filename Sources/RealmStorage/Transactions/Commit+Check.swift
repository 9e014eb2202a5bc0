#if DEBUG
  extension Commit {
    /// Stops if what the commit wrote breaks a rule, unless the version that it is based on breaks one already.
    ///
    /// Costs less than the commit itself. Of an encrypted file the pages are opened again that the commit has just sealed.
    func checkWritten(_ plan: CommitPlan, _ free: FreeSpace) {
      let mapping = transaction.generation.mapping
      let tail = plan.tail
      let lists = [tail.positionsRef, tail.byteCountsRef, tail.versionsRef]
      guard tail.logicalByteCount <= mapping.fileSpan else { return }
      let written = WrittenNodes(
        space: mapping.readerSpace(logicalByteCount: tail.logicalByteCount), top: tail.topRef, lists: lists,
        nodes: plan.layout.targets + lists + [tail.topRef], free: free)
      guard let reason = written.violation(), baseIsSound else { return }
      assertionFailure("version \(transaction.version) breaks a rule of the format: \(reason)")
    }

    private var baseIsSound: Bool {
      let (space, top) = (base.space, base.topRef)
      if top.isNull { return true }
      do {
        try FreeSpace.check(space, top: top)
        try Group(reading: space, top: top).check()
        let group = try GroupDescription(space: space, top: top)
        try group.checkHistory(space)
        return true
      } catch {
        return false
      }
    }
  }
#endif

/// The nodes that a commit wrote, as readers see them.
struct WrittenNodes {
  let space: NodeSpace
  let top: Ref
  /// The free list.
  let lists: [Ref]
  /// All of them, top array and lists included.
  let nodes: [Ref]
  let free: FreeSpace

  /// The first broken rule, or nil:
  ///  1. the nodes lie inside the logical size and share no byte with each other or with free blocks;
  ///  2. the rules of ``GroupCheck`` and of the history, as far as they can be told from these nodes;
  ///  3. each of them has exactly one role.
  func violation() -> String? {
    do {
      if let reason = try overlap() { return reason }
      let checker = Checker(space, scope: .nodes(Set(nodes)))
      for list in lists where !list.isNull { _ = try checker.claimIntegers(list, "free list") }
      let tables = GroupCheck(checker, top: top)
      let group = try tables.claimTop()
      if !group.historyRef.isNull && checker.covers(group.historyRef) {
        try group.checkHistory(checker)
      }
      if group.evacuation != 0 && !group.evacuation.isTagged { try checker.claimAll(Ref(element: group.evacuation), "evacuation info") }
      tables.claimTables()
      tables.checkTables()
      if let reason = checker.report.violations.first { return reason }
      return nodes.first { !checker.isClaimed($0) }.map { "node \($0) was written but has no role" }
    } catch {
      return Checker.text(error)
    }
  }

  private func overlap() throws(StorageError) -> String? {
    var end = FreeSpace.firstPosition
    var index = 0
    for ref in nodes.sorted() {
      if ref.byteOffset < end { return "node \(ref) was written over another one that ends at \(Ref(end))" }
      end = ref.byteOffset + UInt64(try space.node(at: ref).byteCount)
      if end > free.logicalByteCount { return "node \(ref) ends at \(Ref(end)), behind the logical size" }
      while index < free.entries.count && free.entries[index].end <= ref.byteOffset { index += 1 }
      if index < free.entries.count && free.entries[index].position < end {
        return "node \(ref) was written to \(Ref(free.entries[index].position)), which is free"
      }
    }
    return nil
  }
}
