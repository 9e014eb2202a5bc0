import RealmStorage

/// Turns a query as written into a plan for one table: resolves names, converts constants, checks types (Q3 to Q14).
struct Binder {
  let group: Group
  let names: any NameMapping
  let arguments: [QueryArgument]
  let dialect: Query.Dialect
  /// Of the enclosing subqueries, innermost last.
  var variables: [(name: String, table: TableKey)] = []
  /// What the original notices when the query runs: it is reported after everything that binding refuses.
  var fault: QueryError?

  // MARK: Conditions

  mutating func bind(_ condition: Condition, in table: Table) throws(QueryError) -> ConditionPlan {
    switch condition {
    case .constant(let value): return .constant(value)
    case .and(let parts): return .and(try bind(parts, in: table))
    case .or(let parts): return .or(try bind(parts, in: table))
    case .not(let part): return .not(try bind(part, in: table))
    case .comparison(let comparison):
      return dialect == .rql ? try bind(comparison, in: table) : try bindFormat(comparison, in: table)
    case .between(let operand, let bounds):
      return dialect == .rql ? try bindBetween(operand, bounds, in: table) : try bindFormatBetween(operand, bounds, in: table)
    case .geoWithin(let property, let region): return .geo(try bindGeo(property, region, in: table))
    }
  }

  private mutating func bind(_ parts: [Condition], in table: Table) throws(QueryError) -> [ConditionPlan] {
    var result: [ConditionPlan] = []
    result.reserveCapacity(parts.count)
    for part in parts { result.append(try bind(part, in: table)) }
    return result
  }

  // MARK: Full text

  mutating func bindFullText(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    let offset = comparison.offset
    guard case .property(let property) = comparison.left, property.operation == nil else {
      throw .invalid(.illegalOperation, message: "Column has no fulltext index", offset: offset)
    }
    let path = try resolve(property.path, in: table)
    let left = try bind(comparison.left, in: table, hint: nil)
    let right = try bind(comparison.right, in: table, hint: left)
    switch right.type {
    case .string: break
    case .null: throw FullTextSearch.missingToken
    default:
      throw .query("Unsupported comparison operator 'text' against type '\(right.type.name)', right side must be a string or binary type", at: offset)
    }
    guard let column = path.column, !column.isCollection, column.attributes.contains(.fullTextIndexed) else {
      throw .invalid(.illegalOperation, message: "Column has no fulltext index", offset: offset)
    }
    guard case .constants(let values) = right.plan, case .string(let text)? = values.first else { throw FullTextSearch.missingToken }
    return .fullText(FullTextPlan(chain: HopChain(hops: path.hops), table: path.table, column: column, search: try FullTextSearch(text)))
  }
}

/// An operand whose type is known.
struct BoundOperand {
  var plan: OperandPlan
  var type: ValueType
  /// Quantifiers apply to it.
  var isList = false
  var quantifier: Quantifier?
  /// As messages print it.
  var text: String
  /// `text` without the quantifier.
  var pathText = ""
  /// May stand behind `IN`.
  var isIterable = false
  /// A stored list, set or dictionary of values, or elements of one.
  var isValueCollection = false
  /// Ends at links, one or several.
  var isLinkPath = false
  /// Links of which there may be several.
  var isLinkCollection = false
  /// The value under one key of a dictionary, or what keys and positions lead to within it.
  var isEntry = false
  /// A single property of the object itself.
  var isOwnColumn = false
  /// The links of a property of the object itself.
  var isOwnLink = false
  /// Computed from two lists, which has no meaning.
  var combinesLists = false
  /// The number of the argument that the constant was.
  var argument: Int?
  /// For links: the class that they lead to.
  var target: Table?
  /// Of a property of the object itself.
  var table: Table?

  /// Null, or a list of only it.
  var isNullConstant: Bool {
    if case .constants(let values) = plan, values.count == 1 { values[0].isNull } else { false }
  }
}

extension Operand {
  var isConstant: Bool {
    switch self {
    case .constant, .list: true
    case .arithmetic(let left, _, let right): left.isConstant && right.isConstant
    case .property, .aggregate, .subquery: false
    }
  }
}

extension Table {
  /// The class's name, without the prefix of its table.
  var className: String { nameText.hasPrefix("class_") ? String(nameText.dropFirst(6)) : nameText }
}
