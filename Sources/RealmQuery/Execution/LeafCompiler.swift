import RealmStorage

/// Turns a plan into the conditions of the kernels, for one execution over one table.
struct LeafCompiler {
  let table: Table
  /// Asked while long lists of constants are prepared; what is compiled asks that of its batches.
  let cancellation: Cancellation?

  /// - Throws: `.interrupted`.
  func compile(_ plan: ConditionPlan) throws(StorageError) -> LeafCondition {
    switch plan {
    case .constant(let value): return value ? .always : .never
    case .and(let parts): return .all(try compile(parts))
    case .or(let parts): return .any(try compile(parts))
    case .not(let part): return .not(try compile(part))
    case .comparison(let comparison): return try compile(comparison)
    case .fullText(let search): return compile(search)
    case .geo: return rows(cost: 200, plan)
    case .reaches: return rows(cost: 80, plan)
    }
  }

  private func compile(_ parts: [ConditionPlan]) throws(StorageError) -> [LeafCondition] {
    var conditions: [LeafCondition] = []
    for part in parts { conditions.append(try compile(part)) }
    return conditions
  }

  private func rows(cost: Int, _ plan: ConditionPlan) -> LeafCondition {
    let table = table
    return .rows(cost: cost) { (cluster, mask, cancellation) throws(StorageError) in
      try mask.filter { (row) throws(StorageError) in try plan.matches(Row(table, cluster, row), cancellation) }
    }
  }

  // MARK: Comparisons

  private func compile(_ comparison: ComparisonPlan) throws(StorageError) -> LeafCondition {
    if let condition = try column(comparison) { return condition }
    if let condition = mirrored(comparison) { return condition }
    if let condition = try linked(comparison) { return condition }
    if let reach = try reach(comparison) { return rows(cost: 80, .reaches(reach)) }
    let left = try cached(comparison.left.plan)
    let right = try cached(comparison.right.plan)
    return rows(cost: left.cost + right.cost, .comparison(comparison.replacing(left, right)))
  }

  /// A property of the object itself against constants.
  private func column(_ comparison: ComparisonPlan) throws(StorageError) -> LeafCondition? {
    guard let column = comparison.left.plan.ownColumn, case .constants(let constants) = comparison.right.plan, !comparison.isNoneOfSeveral
    else { return nil }
    let compiler = ColumnCompiler(column, comparison.test, isDirect: comparison.isDirect, cancellation)
    guard comparison.right.isList else { return constants.first.flatMap { compiler.compile($0) } }
    return try compiler.compile(constants, comparison.right.quantifier ?? .any)
  }

  /// The constant on the left.
  private func mirrored(_ comparison: ComparisonPlan) -> LeafCondition? {
    guard let column = comparison.right.plan.ownColumn, case .constants(let constants) = comparison.left.plan, !comparison.left.isList,
      case .order(let relation) = comparison.test, let constant = constants.first
    else { return nil }
    return ColumnCompiler(column, .order(relation.mirrored), isDirect: false, cancellation).compile(constant)
  }

  /// A property behind to-one links against constants: the answer for the target table becomes one for the links.
  private func linked(_ comparison: ComparisonPlan) throws(StorageError) -> LeafCondition? {
    guard case .path(let path) = comparison.left.plan, path.chain.isToOne, case .constants(let constants) = comparison.right.plan,
      case .none = path.transformation, !comparison.left.isList, !comparison.right.isElementwise(comparison), !comparison.isNoneOfSeveral,
      let column = path.endColumn
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
    var condition = link(last, try LeafCompiler(table: last.target, cancellation: cancellation).compile(inner))
    while let outer = condition, let hop = hops.popLast() { condition = link(hop, outer) }
    return condition
  }

  /// A property behind collections of links against constants.
  private func reach(_ comparison: ComparisonPlan) throws(StorageError) -> ReachPlan? {
    guard case .path(let path) = comparison.left.plan, !path.chain.isToOne, case .constants = comparison.right.plan,
      case .none = path.transformation, case .value(let column) = path.terminal, comparison.left.isList,
      !comparison.right.isElementwise(comparison), let target = path.chain.hops.last?.target
    else { return nil }
    let inner = ConditionPlan.comparison(
      ComparisonPlan(
        left: .init(plan: .column(column), isList: false, quantifier: nil), right: comparison.right, test: comparison.test, isDirect: false,
        isElementwise: false))
    return ReachPlan(chain: path.chain, condition: try cached(inner, target), quantifier: comparison.left.quantifier ?? .any)
  }

  private func cached(_ condition: ConditionPlan, _ target: Table) throws(StorageError) -> CachedCondition {
    CachedCondition(target, condition, try LeafCompiler(table: target, cancellation: cancellation).compile(condition))
  }

  /// Subqueries ask each object of their class once at most.
  private func cached(_ operand: OperandPlan) throws(StorageError) -> OperandPlan {
    switch operand {
    case .subquery(let chain, let condition):
      guard let target = chain.hops.last?.target else { return operand }
      return .cachedSubquery(chain, try cached(condition, target))
    case .arithmetic(let operation, let left, let right): return .arithmetic(operation, try cached(left), try cached(right))
    case .constants, .column, .path, .aggregate, .cachedSubquery: return operand
    }
  }

  // MARK: Full text

  private func compile(_ plan: FullTextPlan) -> LeafCondition {
    let target = plan.chain.hops.last?.target ?? table
    var found: IntegerSet?
    let table = table
    return .rows(cost: 10) { (cluster, mask, cancellation) throws(StorageError) in
      let keys: IntegerSet
      if let found {
        keys = found
      } else {
        keys = try IntegerSet(plan.matchingKeys(target, cancellation).map(\.rawValue), cancellation)
        found = keys
      }
      return try mask.filter { (row) throws(StorageError) in
        if plan.chain.hops.isEmpty { return keys.contains(cluster.key(row).rawValue) }
        var isFound = false
        try plan.chain.forEachKey(Row(table, cluster, row), cancellation) { if !isFound { isFound = keys.contains($0.rawValue) } }
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

extension OperandPlan {
  /// A single value of the object itself, its links to one object included.
  fileprivate var ownColumn: ColumnDescription? {
    switch self {
    case .column(let column): return column
    case .path(let path):
      guard path.chain.hops.isEmpty, case .none = path.transformation, case .links = path.terminal else { return nil }
      return path.endColumn
    default: return nil
    }
  }
}

extension PathPlan {
  /// The column of the last object that the path ends at, if it takes a single value from it; links included.
  fileprivate var endColumn: ColumnDescription? {
    switch terminal {
    case .value(let column): return column
    case .links(let hop): if case .link(let column) = hop.kind { return column } else { return nil }
    default: return nil
    }
  }
}

extension ComparisonPlan {
  /// `NONE` before a single value turns what is said of several constants round.
  fileprivate var isNoneOfSeveral: Bool { left.quantifier == .some(.none) && right.isList }
}

extension ComparisonPlan.Side {
  /// Two lists are compared position by position.
  fileprivate func isElementwise(_ comparison: ComparisonPlan) -> Bool { isList && comparison.left.isList && comparison.isElementwise }
}
