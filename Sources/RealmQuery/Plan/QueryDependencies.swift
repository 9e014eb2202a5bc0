package import RealmStorage

/// The tables whose contents decide about a query's result: when none of them changed, neither did the result.
package struct QueryDependencies: Sendable {
  /// The queried table and those that paths lead to or over.
  package private(set) var tables: Set<TableKey>
  /// A path goes over links in Mixed values: every table counts.
  package private(set) var includesAllTables = false
  /// How many links in a row the plan follows, at most.
  private var linkCount = 0
  /// Links in a row before the condition that is being looked at.
  private var depth = 0
  private var includesBacklinks = false

  /// How many links away from an object something may change that decides about it; nil if links back are followed, too.
  package var reach: Int? { includesAllTables || includesBacklinks ? nil : linkCount }

  package init(_ plan: QueryPlan) {
    tables = [plan.table.key]
    add(plan.condition)
    for stage in plan.stages { add(stage) }
  }

  private mutating func add(_ chain: HopChain) {
    for hop in chain.hops { add(hop) }
    linkCount = max(linkCount, depth + chain.hops.count)
  }
  private mutating func add(_ hop: Hop) {
    tables.insert(hop.origin.key)
    tables.insert(hop.target.key)
    if case .backlink = hop.kind { includesBacklinks = true }
  }

  private mutating func add(_ condition: ConditionPlan) {
    switch condition {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { add(part) }
    case .not(let part): add(part)
    case .comparison(let comparison):
      add(comparison.left.plan)
      add(comparison.right.plan)
    case .fullText(let plan): add(plan.chain)
    case .geo(let plan): add(plan.chain)
    // Made by an execution only.
    case .reaches(let plan): add(plan.chain)
    }
  }

  private mutating func add(_ operand: OperandPlan) {
    switch operand {
    case .constants, .column: break
    case .path(let path):
      add(path.chain)
      switch path.terminal {
      case .links(let hop), .linkCount(let hop):
        add(hop)
        linkCount = max(linkCount, depth + path.chain.hops.count + 1)
      case .mixed(_, let mixed), .mixedElements(_, _, let mixed): if mixed.steps.contains(where: \.isKey) { includesAllTables = true }
      // References come from anywhere.
      case .backlinkCount: includesAllTables = true
      case .value, .elements, .count: break
      }
    case .aggregate(let aggregate):
      switch aggregate.source {
      case .objects(let chain, _), .elements(let chain, _): add(chain)
      }
    case .subquery(let chain, let condition):
      add(chain)
      depth += chain.hops.count
      add(condition)
      depth -= chain.hops.count
    case .cachedSubquery(let chain, _): add(chain)
    case .arithmetic(_, let left, let right):
      add(left)
      add(right)
    }
  }

  private mutating func add(_ stage: OrderStage) {
    switch stage {
    case .limit: break
    case .sort(let paths), .distinct(let paths):
      for path in paths {
        add(path.chain)
        if let entry = path.entry, entry.steps.count > 1 || !path.column.isDictionary { includesAllTables = true }
      }
    }
  }
}

extension MixedStep {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
