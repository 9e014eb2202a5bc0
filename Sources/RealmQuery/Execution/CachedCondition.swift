import RealmStorage

/// A condition on the objects of a table that many links are followed to, for one execution: at first asked object by object; once it was asked
/// often enough, evaluated for the whole table at once.
final class CachedCondition {
  private let table: Table
  let condition: ConditionPlan
  private let compiled: LeafCondition
  private var matchingKeys: IntegerSet?
  private var askedCount = 0
  private var objectCount: Int?

  init(_ table: Table, _ condition: ConditionPlan, _ compiled: LeafCondition) {
    (self.table, self.condition, self.compiled) = (table, condition, compiled)
  }

  func accepts(_ key: ObjectKey, _ cancellation: Cancellation?) throws(StorageError) -> Bool {
    if let matchingKeys { return matchingKeys.contains(key.rawValue) }
    askedCount += 1
    let total: Int
    if let objectCount {
      total = objectCount
    } else {
      total = try table.count()
      objectCount = total
    }
    if askedCount * 8 < total { return try condition.matches(table.row(key), cancellation) }
    let keys = try TableScan(table, compiled, cancellation).keys()
    let found = try IntegerSet(keys.array().map(\.rawValue), cancellation)
    matchingKeys = found
    return found.contains(key.rawValue)
  }
}

/// Objects at the end of a path, all of which are asked one condition.
struct ReachPlan {
  let chain: HopChain
  let condition: CachedCondition
  let quantifier: Quantifier

  func matches(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> Bool {
    // The answer that one object can decide on.
    let decisive = quantifier != .all
    var isDecided = false
    try chain.forEachKey(row, cancellation) { (key) throws(StorageError) in
      if isDecided { return }
      isDecided = try condition.accepts(key, cancellation) == decisive
    }
    return isDecided == (quantifier == .any)
  }
}
