import RealmStorage

extension QueryPlan {
  /// Answers the query over the whole table, measuring each step.
  package func explain() throws(QueryError) -> QueryExplanation {
    let cancellation = effectiveCancellation
    var explanation = QueryExplanation()
    explanation.objectCount = try storage { () throws(StorageError) in try table.count() }
    var order: RowOrder
    if let selection = try selectedIndex(cancellation) {
      order = try explainIndex(selection, &explanation, cancellation)
    } else {
      order = try storage { () throws(StorageError) in try explainScan(&explanation, cancellation) }
    }
    for (stage, text) in zip(stages, stageTexts()) {
      let (rowsIn, clock) = (order.count, ContinuousClock.now)
      try storage { () throws(StorageError) in try stage.apply(&order, of: table) }
      explanation.steps.append(
        .init(text: text, rowsIn: rowsIn, rowsOut: order.count, leafCount: 0, nanoseconds: clock.elapsedNanoseconds))
    }
    explanation.resultCount = order.count
    return explanation
  }

  private func explainIndex(
    _ selection: IndexSelection, _ explanation: inout QueryExplanation, _ cancellation: Cancellation?
  ) throws(QueryError) -> RowOrder {
    var clock = ContinuousClock.now
    var keys = try storage { () throws(StorageError) in try selection.fetch(cancellation) }
    explanation.steps.append(
      .init(
        text: "index of \(selection.text)", rowsIn: explanation.objectCount, rowsOut: keys.count, leafCount: 0,
        nanoseconds: clock.elapsedNanoseconds))
    if !selection.isExact {
      let rowsIn = keys.count
      clock = ContinuousClock.now
      keys = try filter(keys, cancellation)
      explanation.steps.append(
        .init(
          text: "test of each object: \(conditionText())", rowsIn: rowsIn, rowsOut: keys.count, leafCount: 0,
          nanoseconds: clock.elapsedNanoseconds))
    }
    return try storage { () throws(StorageError) in try RowOrder(table, keys, cancellation) }
  }

  /// Every part of the conjunction is a step, cheapest first.
  private func explainScan(_ explanation: inout QueryExplanation, _ cancellation: Cancellation?) throws(StorageError) -> RowOrder {
    let compiler = LeafCompiler(table: table, cancellation: cancellation)
    var parts: [(text: String, condition: LeafCondition)] = []
    if case .and(let plans) = condition, plans.count == partTexts.count {
      for (plan, text) in zip(plans, partTexts) { parts.append((text, try compiler.compile(plan).arranged())) }
    } else {
      parts = [(conditionText(), try compiler.compile(condition).arranged())]
    }
    let costs = parts.map(\.condition.cost)
    parts = parts.indices.sorted { costs[$0] == costs[$1] ? $0 < $1 : costs[$0] < costs[$1] }.map { parts[$0] }
    var totals = [(rowsIn: Int, rowsOut: Int, leaves: Int, time: Int)](repeating: (0, 0, 0, 0), count: parts.count)
    var order = RowOrder(table.group.space, cancellation)
    try TableScan(table, .always, cancellation).forEachBatch { (batch, all) throws(StorageError) in
      var masks = all
      for index in parts.indices {
        let clock = ContinuousClock.now
        totals[index].rowsIn += ClusterBatch.count(masks)
        totals[index].leaves += masks.count { !$0.isEmpty }
        try parts[index].condition.narrow(batch, &masks)
        totals[index].rowsOut += ClusterBatch.count(masks)
        totals[index].time += clock.elapsedNanoseconds
        if ClusterBatch.isEmpty(masks) { break }
      }
      try order.append(batch, masks)
      return true
    }
    for (part, total) in zip(parts, totals) {
      let kind = part.condition.isObjectByObject ? "test of each object" : "scan"
      explanation.steps.append(
        .init(text: "\(kind): \(part.text)", rowsIn: total.rowsIn, rowsOut: total.rowsOut, leafCount: total.leaves, nanoseconds: total.time))
    }
    return order
  }
}

extension LeafCondition {
  fileprivate var isObjectByObject: Bool {
    switch self {
    case .rows: true
    case .not(let inner): inner.isObjectByObject
    case .all(let parts), .any(let parts): parts.contains { $0.isObjectByObject }
    default: false
    }
  }
}

extension ContinuousClock.Instant {
  fileprivate var elapsedNanoseconds: Int {
    let parts = (ContinuousClock.now - self).components
    return Int(parts.seconds) * 1_000_000_000 + Int(parts.attoseconds / 1_000_000_000)
  }
}
