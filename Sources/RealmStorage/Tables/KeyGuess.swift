/// Where an Int primary key probably leads, without asking the index.
///
/// Ids that an application counts up lie at a constant distance from the object keys, which the table counts up. The distance that was
/// right before is tried first and proved by reading the primary key there; a wrong guess costs one look into a cluster. Guessing stops
/// after a few wrong ones, until the distances agree again.
struct KeyGuess {
  private(set) var distance: Int64 = 0
  private var confidence = 8
  private static let limits = -8...16

  @inline(__always) var isWorthwhile: Bool { confidence > 0 }

  /// What the index said.
  @inline(__always) mutating func learn(_ primaryKey: Int64, _ object: ObjectKey) {
    let found = primaryKey &- object.rawValue
    if found == distance {
      confidence = min(confidence + 1, KeyGuess.limits.upperBound)
    } else {
      distance = found
      confidence = max(confidence - 1, KeyGuess.limits.lowerBound)
    }
  }
}
