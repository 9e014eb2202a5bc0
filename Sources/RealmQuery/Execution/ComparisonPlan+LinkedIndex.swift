import RealmStorage

extension ComparisonPlan {
  /// An indexed property behind links: its objects by the index, and then, hop by hop, those that link to them, as long as they are few.
  func linkedIndexSelection(objectCount: Int, _ cancellation: Cancellation?) throws(StorageError) -> IndexSelection? {
    guard case .path(let path) = left.plan, case .constants(let constants) = right.plan, case .none = path.transformation,
      case .value(let column) = path.terminal, column.isSearchable, let hops = path.chain.linkColumns, let target = path.chain.hops.last?.target,
      left.quantifier ?? .any == .any, !(left.isList && right.isList && isElementwise)
    else { return nil }
    let targetCount = try target.count()
    guard targetCount > 0, !right.isList || column.isWorthLooking(up: constants.count, objectCount: targetCount) else { return nil }
    // A null link would satisfy the condition, too.
    if !left.isList, holds([.null], constants) { return nil }
    let inner = ComparisonPlan(
      left: .init(plan: .column(column), isList: false, quantifier: nil), right: right, test: test, isDirect: false, isElementwise: false)
    var start: IndexSelection?
    if let range = inner.columnRange {
      // What more objects than that link to would be too many, if all have about as many links.
      start = try range.indexSelection(target, objectCount: targetCount, isExact: true, below: max(targetCount / 128, 32), cancellation)
    } else {
      start = try ConditionPlan.comparison(inner).indexSelection(target, objectCount: targetCount, cancellation)
    }
    guard let start, start.isExact, start.estimate * 64 <= max(objectCount, 64) else { return nil }
    var keys = try start.fetch(cancellation)
    for (index, hop) in zip(hops.indices, hops).reversed() {
      let table = path.chain.hops[index].target
      // Keys of several objects have to be sorted, which takes longer than a scan of many.
      let limit = (objectCount - 1) / (keys.count == 1 ? 16 : 128) + 1
      guard let total = try table.backlinkCount(keys, hop.oppositeColumn, below: limit, cancellation) else { return nil }
      if index > 0 {
        keys = try table.origins(keys, hop.oppositeColumn, cancellation)
      } else {
        let text = hops.map(\.text).joined(separator: ".") + "." + start.text + ", and links back"
        let targets = keys
        return IndexSelection(text: text, estimate: total, isCounted: path.chain.isToOne, isExact: true) { (cancellation) throws(StorageError) in
          try table.origins(targets, hop.oppositeColumn, cancellation)
        }
      }
    }
    return nil
  }
}

extension HopChain {
  /// Of links and whole collections of links, which all have backlinks; nil if there are other hops.
  fileprivate var linkColumns: [ColumnDescription]? {
    var columns: [ColumnDescription] = []
    for hop in hops {
      switch hop.kind {
      case .link(let column): columns.append(column)
      case .collection(let column, let selector) where selector.isAll: columns.append(column)
      default: return nil
      }
    }
    return columns
  }
}

extension Table {
  /// How many links lead to some objects; nil if `limit` or more, as far as some of the objects tell.
  fileprivate func backlinkCount(
    _ keys: [ObjectKey], _ column: ColumnKey, below limit: Int, _ cancellation: Cancellation?
  ) throws(StorageError) -> Int? {
    if limit <= 0 { return nil }
    var sampling = Sampling(of: keys.count, below: limit)
    while let position = sampling.next() {
      try cancellation?.check()
      guard try sampling.add(backlinkCount(keys[position], column)) else { return nil }
    }
    return sampling.total
  }

  /// The objects that link to some objects, ascending, each once.
  fileprivate func origins(_ keys: [ObjectKey], _ column: ColumnKey, _ cancellation: Cancellation?) throws(StorageError) -> [ObjectKey] {
    var origins: [ObjectKey] = []
    for (index, key) in keys.enumerated() {
      if index & 255 == 0 { try cancellation?.check() }
      origins += try backlinks(key, column, cancellation)
    }
    return try origins.filter { $0.rawValue >= 0 }.sortedUnique(cancellation)
  }
}
