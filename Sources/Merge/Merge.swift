import Changesets

/// Operational transformation of changesets (C6): both sides start from one state, and are rewritten so that ours followed by
/// the new theirs, and theirs followed by the new ours, lead to the same state.
///
/// Each instruction of ours meets each of theirs that it can have to do with: those about the same object, and those about the schema of its class. All
/// others have no effect on each other, so that they need not meet.
package enum Merge {
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
    var items = MergeItems(ours, theirs)
    // Held once only, changesets are rewritten in place.
    (ours, theirs) = ([], [])
    defer { (ours, theirs) = (items.ourChangesets, items.theirChangesets) }
    try items.meet(meetsAll: meetsAll)
    items.rewriteChangesets()
  }
}

/// Why two instructions cannot be brought together.
struct Contradiction: Error {
  let reason: MergeError.Reason
}
