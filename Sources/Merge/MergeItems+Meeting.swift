import Changesets

/// Which instructions meet, and in which order.
extension MergeItems {
  /// Where there are so few pairs, finding out which have to meet costs more than to let all meet.
  private static var pairsToMeet: Int { 64 }

  /// Lets each instruction of ours meet those of theirs, in order.
  mutating func meet(meetsAll: Bool) throws(MergeError) {
    if meetsAll || ours.count * theirs.count <= Self.pairsToMeet {
      for a in ours { for b in theirs where !items[a].isDead && !items[b].isDead { try meet(a, b) } }
      return
    }
    let candidates = MergeCandidates(self)
    for a in ours {
      var remaining = candidates.candidates(of: items[a], self)
      while !items[a].isDead, let b = candidates.next(&remaining) { if !items[b].isDead { try meet(a, b) } }
    }
  }

  private mutating func meet(_ a: Int, _ b: Int) throws(MergeError) {
    var (x, y) = (items[a], items[b])
    do throws(Contradiction) { try meet(&x, &y) } catch { throw mergeError(error, x, y) }
    (items[a], items[b]) = (x, y)
  }

  private func mergeError(_ contradiction: Contradiction, _ a: MergeItem, _ b: MergeItem) -> MergeError {
    let theirs = Int(b.changeset) - ourChangesets.count
    return MergeError(
      reason: contradiction.reason, ours: InstructionPosition(changeset: Int(a.changeset), instruction: Int(a.position)),
      theirs: InstructionPosition(changeset: theirs, instruction: Int(b.position)))
  }
}
