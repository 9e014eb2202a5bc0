import RealmStorage

/// Turns a query as written into a plan for one table: resolves names, converts constants, checks types (sections 3 to 14).
struct Binder {
  let group: Group
  let names: any NameMapping
  let arguments: [QueryArgument]
  let dialect: Query.Dialect
  /// Of the enclosing subqueries, innermost last.
  var variables: [(name: String, table: TableKey)] = []

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

  // MARK: Comparisons

  private mutating func bind(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    let (relation, offset) = (comparison.relation, comparison.offset)
    if relation == .text { return try bindFullText(comparison, in: table) }
    guard !comparison.left.isConstant || !comparison.right.isConstant else { throw .query("Cannot compare two constants", at: offset) }
    var left: BoundOperand
    var right: BoundOperand
    if comparison.left.isConstant {
      right = try bind(comparison.right, in: table, hint: nil)
      left = try bind(comparison.left, in: table, hint: right)
    } else {
      left = try bind(comparison.left, in: table, hint: nil)
      right = try bind(comparison.right, in: table, hint: left)
    }
    if left.type == .typeAttribute { right = try asTypeAttribute(right) } else if right.type == .typeAttribute { left = try asTypeAttribute(left) }
    if relation == .in && !right.isList {
      throw .argument("The keypath following 'IN' must contain a list. Found '\(right.text)'", at: offset)
    }
    try check(comparison, left, right)
    return .comparison(try plan(comparison, left, right))
  }

  /// The type of a property that has only one, where it meets one that varies.
  private func asTypeAttribute(_ operand: BoundOperand) throws(QueryError) -> BoundOperand {
    guard operand.isTypeName, case .constants(let values) = operand.plan, case .string(let name)? = values.first else { return operand }
    var result = operand
    result.plan = .constants([.int(Int64(TypeSet(name: String(decoding: name, as: UTF8.self))?.rawValue ?? 0))])
    result.type = .typeAttribute
    return result
  }

  /// What upstream refuses, in its order.
  private func check(_ comparison: Comparison, _ left: BoundOperand, _ right: BoundOperand) throws(QueryError) {
    let (relation, offset) = (comparison.relation, comparison.offset)
    if left.isValueCollection && right.isValueCollection {
      throw .query("Ordered comparison between two primitive lists is not implemented yet ('\(right.text)' and '\(left.text)')", at: offset)
    }
    if left.plan.isConstant && right.plan.isConstant && !(left.isList || right.isList) {
      let isReversed = !comparison.right.isConstant && !comparison.left.isConstant
      func text(_ operand: BoundOperand) -> String {
        operand.text == "\"link\"" && (left.isTypeName || right.isTypeName) ? "\"objectlink\"" : operand.text
      }
      let texts = isReversed ? (text(right), text(left)) : (text(left), text(right))
      throw .query("Comparison between two constants is not supported ('\(texts.0)' and '\(texts.1)')", at: offset)
    }
    for (side, other) in [(left, right), (right, left)] where side.isLinkCollection && other.isNullConstant {
      throw .query("Cannot compare linklist ('\(side.text)') with NULL", at: offset)
    }
    if relation.isSubstring || comparison.options != [] && right.type == .typeAttribute { return try checkText(comparison, left, right) }
    if relation.isOrdering, let side = [left, right].first(where: { $0.type.isLink || $0.type == .typeAttribute }), !side.plan.isConstant {
      throw .query(
        "Unsupported operator \(relation.symbol) in query. Only equal (==) and not equal (!=) are supported for this type.", at: offset)
    }
    guard !left.type.isComparable(with: right.type) else { return }
    for (side, other) in [(left, right), (right, left)] {
      if let index = side.argument {
        throw .argument("Cannot compare argument $\(index) with value '\(side.text)' to a \(other.type.name)", at: offset)
      }
    }
    if let property = [left, right].first(where: { $0.type.isLink && !$0.plan.isConstant }) {
      let other = property.text == left.text ? right : left
      if !other.type.isLink { throw .query("Unsupported comparison between '\(property.text)' and type '\(other.type.name)'", at: offset) }
    }
    throw .query("Unsupported comparison between type '\(left.type.name)' and type '\(right.type.name)'", at: offset)
  }

  private func checkText(_ comparison: Comparison, _ left: BoundOperand, _ right: BoundOperand) throws(QueryError) {
    if right.isConstantList { return }
    switch right.type {
    case .string, .binary: return
    case .mixed where !right.plan.isConstant: return
    case .null where left.type != .mixed: return
    default: break
    }
    let name =
      switch comparison.relation {
      case .beginsWith: "beginswith"
      case .endsWith: "endswith"
      case .contains: "contains"
      case .like: "like"
      case .notEqual: "!=[c]"
      default: "=[c]"
      }
    throw .query(
      "Unsupported comparison operator '\(name)' against type '\(right.type.name)', right side must be a string or binary type",
      at: comparison.offset)
  }

  func plan(_ comparison: Comparison, _ left: BoundOperand, _ right: BoundOperand) throws(QueryError) -> ComparisonPlan {
    let relation = comparison.relation
    let test: ValueTest
    if relation.isSubstring || comparison.options != [] {
      guard let text = TextRelation(relation, comparison.options) else {
        throw .query("The operator \(relation.symbol) has no option [c]", at: comparison.offset)
      }
      test = .text(text)
    } else if left.type == .typeAttribute {
      test = .typeOverlap(isEqual: relation != .notEqual)
    } else {
      guard let order = OrderRelation(relation) else { throw .query("The operator \(relation.symbol) cannot be used here", at: comparison.offset) }
      test = .order(order)
    }
    let isDirect = left.isOwnColumn && left.type != .mixed && right.plan.isConstant
    var isElementwise = left.quantifier == nil && right.quantifier == nil && !left.isEntry && !right.isEntry
    // A list of objects against constant ones asks for any of them.
    if left.isLinkCollection, right.plan.isConstant, relation == .equal { isElementwise = false }
    return ComparisonPlan(
      left: .init(plan: left.plan, isList: left.isList, quantifier: left.quantifier),
      right: .init(plan: right.plan, isList: right.isList, quantifier: right.quantifier), test: test, isDirect: isDirect,
      isElementwise: isElementwise)
  }

  private mutating func bindBetween(_ operand: Operand, _ bounds: ConstantList, in table: Table) throws(QueryError) -> ConditionPlan {
    guard bounds.elements.count == 2 else { throw .query("Operator 'BETWEEN' requires list with 2 elements.") }
    if case .property(let property) = operand, case .argument? = property.path.steps.first {
      throw .query("Key path argument cannot be mixed with other elements", at: property.path.offset)
    }
    let left = try bind(operand, in: table, hint: nil)
    if left.isValueCollection && left.quantifier != .all {
      throw .query("Only 'ALL' supported for operator 'BETWEEN' when applied to lists.")
    }
    if left.type == .timestamp {
      for bound in bounds.elements where try bindConstant(bound, hint: left).isNullConstant {
        throw .query("The bounds of 'BETWEEN' must not be null")
      }
    }
    let low = try bind(.compare(operand, .greaterOrEqual, .constant(bounds.elements[0])), in: table)
    return .and([low, try bind(.compare(operand, .lessOrEqual, .constant(bounds.elements[1])), in: table)])
  }

  // MARK: Full text

  private mutating func bindFullText(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
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
  /// A stored list, set or dictionary of values, or elements of one.
  var isValueCollection = false
  /// Links of which there may be several.
  var isLinkCollection = false
  /// The value under one key of a dictionary.
  var isEntry = false
  /// A single property of the object itself.
  var isOwnColumn = false
  /// Counts, one for each object: any of them may satisfy a comparison, whatever the quantifier.
  var countsSeveral = false
  /// `@type` of a property with a fixed type.
  var isTypeName = false
  /// The number of the argument that the constant was.
  var argument: Int?
  /// For links: the class that they lead to.
  var target: Table?
  /// Of a property of the object itself.
  var table: Table?

  var isNullConstant: Bool {
    plan.isConstant && !isList && type == .null
  }
  var isConstantList: Bool { plan.isConstant && isList }
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
