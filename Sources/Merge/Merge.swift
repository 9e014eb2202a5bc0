import Changesets

/// Operational transformation of changesets (C6): both sides start from one state, and are rewritten so that ours followed by
/// the new theirs, and theirs followed by the new ours, lead to the same state.
///
/// Each instruction of ours meets each of theirs that it can have to do with: those about the same object, and those about the schema of its class. All
/// others have no effect on each other, so that they need not meet.
package struct Merge {
  private var items: MergeItems
  private var ours: [MergeItem] = []
  private var theirs: [MergeItem] = []

  /// Rewrites both sides.
  ///
  /// The result does not depend on which side is called ours. Damaged paths and sizes give wrong results, never a trap.
  /// - Throws: `MergeError` if two instructions contradict each other; the sides are as they were then.
  package static func merge(_ ours: inout [OriginatedChangeset], _ theirs: inout [OriginatedChangeset]) throws(MergeError) {
    try merge(&ours, &theirs, meetsAll: false)
  }

  /// As `merge`, but each instruction meets each, which gives the same at a much higher price.
  static func mergeAll(_ ours: inout [OriginatedChangeset], _ theirs: inout [OriginatedChangeset]) throws(MergeError) {
    try merge(&ours, &theirs, meetsAll: true)
  }

  private static func merge(
    _ ours: inout [OriginatedChangeset], _ theirs: inout [OriginatedChangeset], meetsAll: Bool
  ) throws(MergeError) {
    var merge = Self(ours, theirs)
    try merge.run(meetsAll: meetsAll)
    for (number, changeset) in merge.items.rewritten(merge.ours) { ours[number].changeset = changeset }
    for (number, changeset) in merge.items.rewritten(merge.theirs) { theirs[number - ours.count].changeset = changeset }
  }

  private init(_ ours: [OriginatedChangeset], _ theirs: [OriginatedChangeset]) {
    items = MergeItems(ours, theirs)
    (self.ours, self.theirs) = items.take()
  }

  private mutating func run(meetsAll: Bool) throws(MergeError) {
    // Where there is little to meet, finding out what has to costs more.
    let candidates = meetsAll || ours.count * theirs.count <= Self.pairsToMeet ? nil : MergeCandidates(theirs, items)
    let all = candidates == nil ? Array(theirs.indices) : []
    for a in ours.indices {
      var remaining = candidates?.candidates(of: ours[a], items) ?? Candidates(all[...], [])
      while !ours[a].isDead, let b = remaining.next() {
        if theirs[b].isDead { continue }
        do throws(Contradiction) { try items.meet(&ours[a], &theirs[b]) } catch { throw mergeError(error, ours[a], theirs[b]) }
      }
    }
  }

  private static let pairsToMeet = 64

  private func mergeError(_ contradiction: Contradiction, _ a: MergeItem, _ b: MergeItem) -> MergeError {
    let count = ours.last.map { $0.changeset + 1 } ?? 0
    return MergeError(
      reason: contradiction.reason, ours: InstructionPosition(changeset: a.changeset, instruction: a.position),
      theirs: InstructionPosition(changeset: b.changeset - count, instruction: b.position))
  }
}

/// Why two instructions cannot be brought together.
struct Contradiction: Error {
  let reason: MergeError.Reason
}
