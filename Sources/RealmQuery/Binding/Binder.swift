import RealmStorage

/// What a query is bound in.
struct BindingScope {
  let group: Group
  let names: any NameMapping
  let arguments: [QueryArgument]
  /// Of the enclosing subqueries, innermost last.
  var variables: [(name: String, table: TableKey)] = []
  /// What the original notices when the query runs: it is reported after everything that binding refuses.
  var fault: QueryError?
  /// See `Query`.
  var acceptsISODates = false
  /// See `Query`.
  var acceptsTopLevelPoints = false

  init(group: Group, names: any NameMapping, arguments: [QueryArgument]) {
    (self.group, self.names, self.arguments) = (group, names, arguments)
  }
}

/// Turns a query as written into a plan for one table: resolves names, converts constants, checks types (Q3 to Q14).
///
/// Paths, operands and constants are bound the same way for both languages; what a dialect has rules of its own for it answers here.
protocol Binder {
  var scope: BindingScope { get set }

  mutating func bind(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan
  mutating func bindBetween(_ operand: Operand, _ bounds: ConstantList, in table: Table) throws(QueryError) -> ConditionPlan
  /// Whether lists and sets of dates have a least and a greatest element.
  var aggregatesDates: Bool { get }
  /// Refuses a way to a point that the dialect does not allow.
  mutating func checkPlace(_ property: PropertyOperand, in table: Table) throws(QueryError)
  /// Whether a subquery may ask what a property with several links leads to.
  func allowsSubquery(over column: ColumnDescription, _ selector: ElementSelector) -> Bool
  /// Of the faults of a whole query, the one to report.
  /// - Parameter error: what `bind` met first.
  mutating func refusal(_ error: QueryError, of condition: Condition, in table: Table) -> QueryError
}

extension Binder {
  /// Binds a whole query.
  mutating func bindQuery(_ condition: Condition, in table: Table) throws(QueryError) -> ConditionPlan {
    do throws(QueryError) { return try bind(condition, in: table) } catch { throw refusal(error, of: condition, in: table) }
  }

  mutating func bind(_ condition: Condition, in table: Table) throws(QueryError) -> ConditionPlan {
    switch condition {
    case .constant(let value): return .constant(value)
    case .and(let parts): return .and(try bind(parts, in: table))
    case .or(let parts): return .or(try bind(parts, in: table))
    case .not(let part): return .not(try bind(part, in: table))
    case .comparison(let comparison): return try bind(comparison, in: table)
    case .between(let operand, let bounds): return try bindBetween(operand, bounds, in: table)
    case .geoWithin(let property, let region):
      try checkPlace(property, in: table)
      return .geo(try bindGeo(property, region, in: table))
    }
  }

  private mutating func bind(_ parts: [Condition], in table: Table) throws(QueryError) -> [ConditionPlan] {
    var result: [ConditionPlan] = []
    result.reserveCapacity(parts.count)
    for part in parts { result.append(try bind(part, in: table)) }
    return result
  }
}
