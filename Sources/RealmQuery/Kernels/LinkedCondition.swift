package import RealmStorage

/// A condition on the object at the other end of a to-one link: `department.name == 'x'`. Paths over several links nest.
///
/// While few rows ask, their targets are looked at one by one; when they have asked enough, the condition is evaluated once over the target
/// table, and what remains is a condition on the stored keys.
package final class LinkedCondition {
  let column: LeafColumn
  let target: Table
  let condition: LeafCondition
  /// Whether a null link satisfies the condition: what the condition says of a null value.
  private let acceptsNull: Bool
  private var matches: IntegerSet?
  private var singleTests = 0

  package init(_ column: LeafColumn, target: Table, _ condition: LeafCondition, acceptsNull: Bool) {
    precondition(column.kind == .link)
    (self.column, self.target, self.acceptsNull) = (column, target, acceptsNull)
    self.condition = condition.arranged()
  }

  var cost: Int { 6 }

  func narrow(_ batch: ClusterBatch, _ masks: inout [RowMask]) throws(StorageError) {
    if matches == nil {
      let asking = ClusterBatch.count(masks)
      // Looking at one object costs about as much as at a hundred rows of leaves.
      if try (singleTests + asking) * 100 < target.count() {
        singleTests += asking
        return try narrowSingly(batch, &masks)
      }
      try evaluate(batch.cancellation)
    }
    guard let matches else { return }
    if let interval = matches.interval { try batch.narrow(&masks, column, interval) } else { try batch.narrow(&masks, column, matches) }
  }

  private func evaluate(_ cancellation: Cancellation?) throws(StorageError) {
    var keys: [ObjectKey] = []
    var masks: [RowMask] = []
    var walk = target.clusterWalk()
    var batch = ClusterBatch(walk.space, cancellation)
    while try batch.advance(&walk) {
      try cancellation?.check()
      batch.fill(&masks)
      try condition.narrow(batch, &masks)
      try batch.appendKeys(masks, to: &keys)
    }
    matches = try IntegerSet(keys.map { $0.rawValue &+ 1 }, acceptsNull: acceptsNull, cancellation)
  }

  private func narrowSingly(_ batch: ClusterBatch, _ masks: inout [RowMask]) throws(StorageError) {
    for index in masks.indices where !masks[index].isEmpty {
      try batch.cancellation?.check()
      let leaf = try batch.space.integers(at: batch.clusters[index].column(column.leafIndex))
      masks[index] = try masks[index].filter { (row) throws(StorageError) in
        let stored = try leaf.element(row)
        guard stored > 0, let place = try target.cluster(of: ObjectKey(stored - 1)) else { return acceptsNull }
        return try condition.accepts(batch.space, place.cluster, place.row, batch.cancellation)
      }
    }
  }
}
