/// How far the file's contents have been moved towards its beginning: slot 11 of a top array. F8.5, T10.
///
/// Engines hand the work on to each other from commit to commit, so it is stored as they all store it: nothing, a tagged limit when it has
/// just been decided on, then an integer array `[limit, backoff, progress…]`.
package struct Evacuation: Equatable, Sendable {
  /// What ends above is moved below, and free space above is not handed out. 0 while nothing is moved.
  package var limit: UInt64 = 0
  /// So many commits only wait: with a limit for readers to let go of the old places, without one before there may be another attempt.
  package var backoff: UInt64 = 0
  /// Child indices from the top array to the node that is looked at next; empty to begin at the beginning.
  package var progress: [Int] = []
  /// Decided on by the last commit.
  package var isNew = false

  package static let idle = Evacuation()
  package var isIdle: Bool { limit == 0 && backoff == 0 }

  /// Files below this are left as they are (T10.2).
  static let smallestLogicalByteCount: UInt64 = 1 << 20
  static let smallestLimit: UInt64 = 64 << 10
  /// Commits before all trees are walked again, because something above the limit has not become free.
  static let waitAfterWalk: UInt64 = 1000
  /// Commits before another attempt when there was no room below the limit.
  static let waitAfterGivingUp: UInt64 = 10
  /// The same after the walk met a damaged node.
  static let waitAfterDamage: UInt64 = 1000
  /// The slots of the top array whose trees are walked: names, tables, history.
  static let topSlots = [TopArray.Slot.names, TopArray.Slot.tables, TopArray.Slot.history]

  package init(limit: UInt64 = 0, backoff: UInt64 = 0, progress: [Int] = [], isNew: Bool = false) {
    self.limit = limit
    self.backoff = backoff
    self.progress = progress
    self.isNew = isNew
  }

  // MARK: In the file

  /// Places in the integer array.
  private enum Slot {
    static let limit = 0
    static let backoff = 1
    static let progress = 2
  }

  /// What the slot says. It is advisory: whatever makes no sense in this file counts as nothing.
  /// - Parameter element: slot 11; 0 for a top array without it.
  package init(_ space: NodeSpace, slot element: Int64, logicalByteCount: UInt64) {
    self = .idle
    if element.isTagged {
      limit = element.untagged
      isNew = true
    } else if element != 0 {
      guard let node = try? space.integers(at: Ref(element: element)), node.count >= Slot.progress, node.count <= Slot.progress + Scratch.depthLimit
      else { return }
      limit = UInt64(bitPattern: node.element(unchecked: Slot.limit))
      backoff = UInt64(bitPattern: node.element(unchecked: Slot.backoff))
      for index in Slot.progress..<node.count { progress.append(Int(node.element(unchecked: index))) }
    }
    if !isUsable(logicalByteCount) { self = .idle }
  }

  private func isUsable(_ logicalByteCount: UInt64) -> Bool {
    guard backoff <= Self.waitAfterWalk, progress.allSatisfy({ $0 >= 0 && $0 <= NodeHeader.largestCount }) else { return false }
    if limit == 0 { return backoff > 0 }
    guard limit >= FreeSpace.pageByteCount, limit.isMultiple(of: 8), limit < logicalByteCount else { return false }
    return progress.first.map { Self.topSlots.contains($0) } ?? true
  }

  /// The elements of the array.
  package var elements: [Int64] { [Int64(limit), Int64(backoff)] + progress.map { Int64($0) } }

  // MARK: From commit to commit

  /// Begins a commit.
  /// - Parameter listsRef: the positions of the base version's free list.
  /// - Returns: whether this commit moves nodes.
  mutating func beginCommit(listsRef: Ref) -> Bool {
    if isNew {
      isNew = false
      return true
    }
    let waits = backoff > 0
    if waits { backoff -= 1 }
    if limit > 0, listsRef.byteOffset >= limit {
      // The last commit found no room below the limit, or its engine does not know limits.
      giveUp()
      return false
    }
    return limit > 0 && !waits
  }

  /// There is no room below the limit.
  mutating func giveUp() { self = Evacuation(backoff: Self.waitAfterGivingUp) }

  /// Takes over what a walk came to.
  mutating func note(_ end: EvacuationWalk.End) {
    switch end {
    case .finished: self = Evacuation(limit: limit, backoff: Self.waitAfterWalk)
    case .stopped(let progress): self.progress = progress
    case .damaged: self = Evacuation(backoff: Self.waitAfterDamage)
    }
  }

  /// What the nodes moved by one commit may cost: in bytes of moved nodes, and in elements of ref arrays looked at (T10.3, step 3).
  /// - Parameter commitByteCount: of what the transaction itself wrote.
  static func workBudget(commitByteCount: UInt64, entryCount: Int, logicalByteCount: UInt64) -> Int {
    let entryByteCount = logicalByteCount < 128 << 20 ? 16 : 24
    return Int(clamping: commitByteCount / 2) + entryByteCount * entryCount + 4096
  }

  /// The limit for a file of which so much is free, or nil if that is not enough to begin (T10.2).
  /// - Parameters:
  ///   - freeByteCount: what the next commit may use; what readers still hold counts as used.
  ///   - attempt: how often there was no room since the last success. Below the usual limit there may be no hole for a large node, now or ever,
  ///     so the limit rises, as far as there is an eighth to be won.
  static func initialLimit(freeByteCount: UInt64, logicalByteCount: UInt64, attempt: UInt64) -> UInt64? {
    let used = logicalByteCount - min(freeByteCount, logicalByteCount)
    guard logicalByteCount >= smallestLogicalByteCount, freeByteCount > 2 * used else { return nil }
    let usual = max(smallestLimit, FreeSpace.wholePages(used + used / 2))
    let steps = (logicalByteCount / 8 * 7 - usual) / max(FreeSpace.wholePages(used / 2), smallestLimit)
    return usual + attempt % (steps + 1) * max(FreeSpace.wholePages(used / 2), smallestLimit)
  }
}
