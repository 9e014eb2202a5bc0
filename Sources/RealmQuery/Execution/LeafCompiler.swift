import RealmStorage

/// Turns a plan into the conditions of the kernels, for one execution over one table.
struct LeafCompiler {
  let table: Table

  func compile(_ plan: ConditionPlan) -> LeafCondition {
    switch plan {
    case .constant(let value): return value ? .always : .never
    case .and(let parts): return .all(parts.map(compile))
    case .or(let parts): return .any(parts.map(compile))
    case .not(let part): return .not(compile(part))
    case .comparison(let comparison): return compile(comparison)
    case .fullText(let search): return compile(search)
    case .geo: return rows(cost: 200, plan)
    case .reaches: return rows(cost: 80, plan)
    }
  }

  private func rows(cost: Int, _ plan: ConditionPlan) -> LeafCondition {
    let table = table
    return .rows(cost: cost) { (cluster, mask) throws(StorageError) in
      try mask.filter { (row) throws(StorageError) in try plan.matches(Row(table, cluster, row)) }
    }
  }

  // MARK: Comparisons

  private func compile(_ comparison: ComparisonPlan) -> LeafCondition {
    if let condition = column(comparison) ?? mirrored(comparison) ?? linked(comparison) { return condition }
    if let reach = reach(comparison) { return rows(cost: 80, .reaches(reach)) }
    let left = cached(comparison.left.plan)
    let right = cached(comparison.right.plan)
    return rows(cost: left.cost + right.cost, .comparison(comparison.replacing(left, right)))
  }

  /// A property of the object itself against constants.
  private func column(_ comparison: ComparisonPlan) -> LeafCondition? {
    guard case .column(let column) = comparison.left.plan, case .constants(let constants) = comparison.right.plan else { return nil }
    let compiler = ColumnCompiler(column, comparison.test, isDirect: comparison.isDirect)
    guard comparison.right.isList else { return constants.first.flatMap { compiler.compile($0) } }
    return compiler.compile(constants, comparison.right.quantifier ?? .any)
  }

  /// The constant on the left.
  private func mirrored(_ comparison: ComparisonPlan) -> LeafCondition? {
    guard case .column(let column) = comparison.right.plan, case .constants(let constants) = comparison.left.plan, !comparison.left.isList,
      case .order(let relation) = comparison.test, let constant = constants.first
    else { return nil }
    return ColumnCompiler(column, .order(relation.mirrored), isDirect: false).compile(constant)
  }

  /// A property behind to-one links against constants: the answer for the target table becomes one for the links.
  private func linked(_ comparison: ComparisonPlan) -> LeafCondition? {
    guard case .path(let path) = comparison.left.plan, path.chain.isToOne, case .constants(let constants) = comparison.right.plan,
      case .none = path.transformation, !comparison.left.isList, !comparison.right.isElementwise(comparison), let column = path.endColumn
    else { return nil }
    let inner = ComparisonPlan(
      left: .init(plan: .column(column), isList: false, quantifier: nil), right: comparison.right, test: comparison.test, isDirect: false,
      isElementwise: false)
    var hops = path.chain.hops
    guard let last = hops.popLast() else { return nil }
    let acceptsNull = comparison.holds([.null], constants)
    func link(_ hop: Hop, _ condition: LeafCondition) -> LeafCondition? {
      guard case .link(let column) = hop.kind else { return nil }
      return .linked(LinkedCondition(LeafColumn(column), target: hop.target, condition, acceptsNull: acceptsNull))
    }
    var condition = link(last, LeafCompiler(table: last.target).compile(inner))
    while let outer = condition, let hop = hops.popLast() { condition = link(hop, outer) }
    return condition
  }

  /// A property behind collections of links against constants.
  private func reach(_ comparison: ComparisonPlan) -> ReachPlan? {
    guard case .path(let path) = comparison.left.plan, !path.chain.isToOne, case .constants = comparison.right.plan,
      case .none = path.transformation, case .value(let column) = path.terminal, comparison.left.isList,
      !comparison.right.isElementwise(comparison), let target = path.chain.hops.last?.target
    else { return nil }
    let inner = ConditionPlan.comparison(
      ComparisonPlan(
        left: .init(plan: .column(column), isList: false, quantifier: nil), right: comparison.right, test: comparison.test, isDirect: false,
        isElementwise: false))
    return ReachPlan(chain: path.chain, condition: cached(inner, target), quantifier: comparison.left.quantifier ?? .any)
  }

  private func cached(_ condition: ConditionPlan, _ target: Table) -> CachedCondition {
    CachedCondition(target, condition, LeafCompiler(table: target).compile(condition))
  }

  /// Subqueries ask each object of their class once at most.
  private func cached(_ operand: OperandPlan) -> OperandPlan {
    switch operand {
    case .subquery(let chain, let condition):
      guard let target = chain.hops.last?.target else { return operand }
      return .cachedSubquery(chain, cached(condition, target))
    case .arithmetic(let operation, let left, let right): return .arithmetic(operation, cached(left), cached(right))
    case .constants, .column, .path, .aggregate, .cachedSubquery: return operand
    }
  }

  // MARK: Full text

  private func compile(_ plan: FullTextPlan) -> LeafCondition {
    let target = plan.chain.hops.last?.target ?? table
    var found: IntegerSet?
    let table = table
    return .rows(cost: 10) { (cluster, mask) throws(StorageError) in
      let keys: IntegerSet
      if let found {
        keys = found
      } else {
        keys = IntegerSet(try plan.matchingKeys(target).map(\.rawValue))
        found = keys
      }
      return try mask.filter { (row) throws(StorageError) in
        if plan.chain.hops.isEmpty { return keys.contains(cluster.key(row).rawValue) }
        var isFound = false
        try plan.chain.forEachKey(Row(table, cluster, row)) { if !isFound { isFound = keys.contains($0.rawValue) } }
        return isFound
      }
    }
  }
}

extension OperandPlan {
  /// Of one object, relative to 1 for an integer of a leaf.
  fileprivate var cost: Int {
    switch self {
    case .constants: 5
    case .column: 45
    case .path(let path): 60 + 40 * path.chain.hops.count
    case .aggregate: 150
    case .subquery, .cachedSubquery: 200
    case .arithmetic(_, let left, let right): 20 + left.cost + right.cost
    }
  }
}

extension PathPlan {
  /// The column of the last object that the path ends at, if it takes a single value from it; links included.
  fileprivate var endColumn: ColumnDescription? {
    if case .value(let column) = terminal { column } else { nil }
  }
}

extension ComparisonPlan.Side {
  /// Two lists are compared position by position.
  fileprivate func isElementwise(_ comparison: ComparisonPlan) -> Bool { isList && comparison.left.isList && comparison.isElementwise }
}

extension OrderRelation {
  /// With its sides exchanged.
  var mirrored: OrderRelation {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
  var comparisonOperator: ComparisonOperator {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    }
  }
}
