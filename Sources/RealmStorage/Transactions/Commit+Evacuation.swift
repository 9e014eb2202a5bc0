/// What `Database.releaseUnusedSpace` asks of a commit.
struct EvacuationRequest {
  var limit: UInt64
  /// Work budget, in the place of the usual one.
  var budget: Int
}

/// What a commit did about moving nodes.
enum EvacuationOutcome {
  /// There is nothing to move.
  case none
  /// There is more to move.
  case moving
  /// Everything was moved, and readers hold old places, if only those of the commit's own base.
  case waiting
  /// The snapshot ends where it shall.
  case done
  /// There was no room below the limit.
  case blocked
}

/// Where everything that a commit writes goes.
struct CommitPlan {
  /// Of the trees `Commit.Roots` in their order: names, tables, history, and the evacuation array if there is one.
  let layout: CommitLayout
  let tail: CommitTail
  let topHeader: NodeHeader
  /// Moving is to begin with the next commit.
  let newLimit: UInt64?
}

extension Commit {
  // MARK: Moving nodes towards the beginning

  /// Steps 1, 3, 4 and 5 of T10.3, which must come before the layout.
  func evacuate(_ roots: inout Roots, _ allocator: inout SpaceAllocator, oldest: UInt64) throws(StorageError) {
    var isForced = false
    if let request = transaction.evacuationRequest, request.limit < allocator.logicalByteCount {
      isForced = true
      if roots.evacuation.limit != request.limit { roots.evacuation = Evacuation(limit: request.limit, isNew: true) }
    }
    guard !roots.evacuation.isIdle else { return }
    let lists = base.topRef.isNull ? Ref.null : try TopArray(base.space, at: base.topRef).freePositions
    let moves = roots.evacuation.beginCommit(listsRef: lists)
    guard roots.evacuation.limit > 0 else {
      transaction.evacuationOutcome = .blocked
      return
    }
    let limit = roots.evacuation.limit
    var free = allocator.freeSpace
    if let start = free.tailStart(above: limit, oldest: oldest) {
      free.cut(to: FreeSpace.wholePages(start))
      allocator = SpaceAllocator(free)
      if start == limit || !moves {
        roots.evacuation = .idle
        transaction.evacuationOutcome = .done
        return
      }
    }
    guard moves else {
      transaction.evacuationOutcome = .waiting
      return
    }
    var trees = [
      (slot: TopArray.Slot.names, ref: roots.names), (slot: TopArray.Slot.tables, ref: roots.tables),
      (slot: TopArray.Slot.history, ref: roots.history),
    ]
    var budget = isForced ? transaction.evacuationRequest!.budget : 0
    if !isForced {
      let own = try CommitLayout(scratch: scratch, roots: trees.map(\.ref)).byteCountEstimate
      budget = Evacuation.workBudget(commitByteCount: own, entryCount: free.entries.count, logicalByteCount: free.logicalByteCount)
    }
    var walk = EvacuationWalk(scratch: scratch, limit: limit, progress: roots.evacuation.progress, budget: budget)
    let end = walk.run(&trees)
    (roots.names, roots.tables, roots.history) = (trees[0].ref, trees[1].ref, trees[2].ref)
    if let damage = scratch.damage { throw damage }
    roots.evacuation.note(end)
    transaction.evacuationOutcome = end == .finished ? .waiting : end == .damaged ? .blocked : .moving
  }

  // MARK: Layout

  /// Finds places for all nodes, below the limit if there is one. If that fails, evacuation is given up and the whole file is used (T10.3, step 6).
  func layOut(_ roots: inout Roots, _ allocator: inout SpaceAllocator, oldest: UInt64) throws(StorageError) -> CommitPlan {
    try allocator.free(scratch.freed.map { FileBlock($0) }, version: transaction.version, path: path)
    if roots.evacuation.limit > 0 {
      var limited = allocator
      limited.begin(oldest: oldest, limit: roots.evacuation.limit, prefersRuns: storage.prefersRuns)
      if let plan = try layOut(roots, &limited) {
        allocator = limited
        return plan
      }
      transaction.evacuationOutcome = .blocked
      // Who asked for it rather tries again with another limit.
      guard transaction.evacuationRequest == nil else { throw .outOfDiskSpace(operation: "allocation below the evacuation limit", path: path) }
      roots.evacuation.giveUp()
    }
    allocator.begin(oldest: oldest, prefersRuns: storage.prefersRuns)
    guard let plan = try layOut(roots, &allocator) else {
      throw .outOfDiskSpace(operation: "allocation without a limit", path: path)
    }
    return plan
  }

  private func layOut(_ roots: Roots, _ allocator: inout SpaceAllocator) throws(StorageError) -> CommitPlan? {
    // A failed attempt below a limit is made once more.
    let fresh = allocator.limit == nil ? nil : allocator
    var trees = [roots.names, roots.tables, roots.history]
    if !roots.evacuation.isIdle { trees.append(try scratch.createIntegers(roots.evacuation.elements)) }
    var layout = try CommitLayout(scratch: scratch, roots: trees)
    // 32 bits for each slot, as in files of realm-core, while the file surely stays below 1 GiB.
    let isSmall = max(base.byteCount, layout.byteCountEstimate) < 1 << 28 && transaction.version < 1 << 30 && roots.syncFileID < 1 << 30
    func topHeader(_ count: Int) -> NodeHeader {
      NodeHeader(flags: NodeHeader.Flags.refs, scheme: .bits, widthIndex: isSmall ? 6 : 7, count: count)
    }
    let tailEstimate = allocator.tailByteCount(
      version: transaction.version, topByteCount: UInt64(topHeader(TopArray.longSlotCount).nodeByteCount))
    let inHoles = try layout.fillHoles(&allocator)
    allocator.beginRun(expectedTotal: layout.byteCountEstimate - min(inHoles, layout.byteCountEstimate), tailByteCount: tailEstimate)
    if try !layout.assign(&allocator) {
      // What was kept for lists and top array, which may lie above the limit, may be the only hole for some large node.
      guard let fresh else { return nil }
      allocator = fresh
      allocator.beginRun(expectedTotal: layout.byteCountEstimate)
      guard try layout.assign(&allocator) else { return nil }
    }
    // Lists and top array are still to come: whether moving begins is known for sure only then.
    let mayBegin =
      roots.evacuation.isIdle
      && Evacuation.initialLimit(freeByteCount: allocator.freeByteCount, logicalByteCount: allocator.logicalByteCount, attempt: 0) != nil
    let header = topHeader(mayBegin || !roots.evacuation.isIdle ? TopArray.longSlotCount : TopArray.usualSlotCount)
    let tail = try allocator.finish(version: transaction.version, topByteCount: UInt64(header.nodeByteCount), path: path)
    var newLimit: UInt64?
    if mayBegin {
      newLimit = Evacuation.initialLimit(
        freeByteCount: allocator.freeByteCount, logicalByteCount: tail.logicalByteCount, attempt: database.failedEvacuationCount)
    }
    return CommitPlan(layout: layout, tail: tail, topHeader: header, newLimit: newLimit)
  }

  // MARK: The physical end

  /// Gives the end of the file back to the system once no version that anybody can read reaches into it. T10.4.
  ///
  /// Touching a page of a mapping that lies wholly behind the file's end kills the process, so nobody may. Nobody does:
  ///  * A reader, of any process and engine, touches nothing behind the logical size of its version (`NodeSpace` checks each node against it,
  ///    and what looks ahead is checked too), and its version is in the list for as long as it is read. A version that is not the newest
  ///    and that nobody holds cannot be claimed any more. So `listed`, which is what the purge left, and the version just published are all
  ///    that anybody reads now or can claim until the write mutex is free; the file keeps what the longest of them needs.
  ///  * A writer needs the write mutex, which we hold, and extends the file before it writes behind its end.
  ///  * Who joins looks at the header and the length under the control mutex, which is held here, and learns its version from the list.
  ///  * Other handles may remember that the file was longer (`Database.State.usableByteCount`). They use that only to skip a check that each
  ///    listed version lies inside the file, which stays true: files grow before a version that needs it is published.
  ///  * The header selects the version just published, or before a group of commits is synced an older one, which is held by a live claim
  ///    and thereby listed. Its unselected slot may name a place behind the end: it is written before it is selected again.
  /// Mappings need no change: they reach far behind the end anyway, and pages come back when the file grows again. That the cut is not synced
  /// is in order: after a power cut the file is longer, and the next session's initiator cuts it.
  ///
  /// Encrypted files are left to the next session, as are those who read without a lock file on the promise that nobody writes meanwhile.
  /// Failure is no error: the commit has happened.
  func cutFile(listed: [ListedSnapshot], logicalByteCount: UInt64, physicalByteCount: UInt64) {
    guard storage.canBeCutInUse else { return }
    let end = FreeSpace.wholePages(listed.reduce(logicalByteCount) { max($0, $1.byteCount) })
    guard physicalByteCount > end else { return }
    let storage = storage
    do throws(StorageError) {
      try session.withControlLock { () throws(StorageError) in try storage.truncate(to: end) }
      database.didCutFile(to: end)
    } catch {
      return
    }
  }
}
