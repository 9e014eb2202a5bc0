import RealmStorage

// Objects that come from a list or from other results, and not from the table.

extension QueryPlan {
  /// Those of the keys that exist and satisfy the condition, in their order.
  func filter(_ keys: [ObjectKey], _ cancellation: Cancellation?) throws(QueryError) -> [ObjectKey] {
    try storage { () throws(StorageError) in
      if let matches = try matchesOfScan(for: keys.count, cancellation) { return keys.filter(matches.contains) }
      var result: [ObjectKey] = []
      for (index, key) in keys.enumerated() {
        if index & 255 == 0 { try cancellation?.check() }
        guard let place = try table.cluster(of: key) else { continue }
        if try condition.matches(Row(table, place.cluster, place.row), cancellation) { result.append(key) }
      }
      return result
    }
  }

  /// All objects of the table that satisfy the condition, where finding them takes less time than asking so many one by one: kernels ask hundreds
  /// of leaves' rows in that of one object. Nil where it does not, or where the condition has a part without a kernel.
  private func matchesOfScan(for keyCount: Int, _ cancellation: Cancellation?) throws(StorageError) -> KeySet? {
    guard keyCount >= 64, !options.contains(.evaluatesEachObject), try table.count() <= 32 * keyCount else { return nil }
    let leaves = try LeafCompiler(table: table, cancellation: cancellation).compile(condition)
    guard leaves.isMadeOfKernels else { return nil }
    return KeySet(try TableScan(table, leaves, cancellation).keys().chunks.joined())
  }
}
