package import RealmStorage

/// The tables whose contents decide about a query's result: when none of them changed, neither did the result.
package struct QueryDependencies: Sendable {
  /// The queried table and those that paths lead to or over.
  package private(set) var tables: Set<TableKey>
  /// A path goes over links in Mixed values: every table counts.
  package private(set) var includesAllTables = false
  /// The properties, of whatever table of these, that conditions, paths and orders look at; nil if links back are followed, too.
  package var columns: Set<ColumnKey>? { includesAllTables || includesBacklinks ? nil : usedColumns }
  private var usedColumns: Set<ColumnKey> = []
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
    switch hop.kind {
    case .link(let column), .collection(let column, _): usedColumns.insert(column.key)
    case .backlink: includesBacklinks = true
    }
  }

  private mutating func add(_ condition: ConditionPlan) {
    switch condition {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { add(part) }
    case .not(let part): add(part)
    case .comparison(let comparison):
      add(comparison.left.plan)
      add(comparison.right.plan)
    case .fullText(let plan):
      add(plan.chain)
      usedColumns.insert(plan.column.key)
    case .geo(let plan):
      add(plan.chain)
      usedColumns.formUnion([plan.typeColumn.key, plan.coordinatesColumn.key])
    // Made by an execution only.
    case .reaches(let plan): add(plan.chain)
    }
  }

  private mutating func add(_ operand: OperandPlan) {
    switch operand {
    case .constants: break
    case .column(let column): usedColumns.insert(column.key)
    case .path(let path):
      add(path.chain)
      switch path.terminal {
      case .links(let hop), .linkCount(let hop):
        add(hop)
        linkCount = max(linkCount, depth + path.chain.hops.count + 1)
      case .mixed(let column, let mixed), .mixedElements(let column, _, let mixed):
        usedColumns.insert(column.key)
        if mixed.steps.contains(where: \.isKey) { includesAllTables = true }
      // References come from anywhere.
      case .backlinkCount: includesAllTables = true
      case .value(let column), .elements(let column, _), .count(let column): usedColumns.insert(column.key)
      }
    case .aggregate(let aggregate):
      switch aggregate.source {
      case .objects(let chain, let column), .elements(let chain, let column):
        add(chain)
        usedColumns.insert(column.key)
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
        usedColumns.insert(path.column.key)
        if let entry = path.entry, entry.steps.count > 1 || !path.column.isDictionary { includesAllTables = true }
      }
    }
  }
}

extension MixedStep {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
