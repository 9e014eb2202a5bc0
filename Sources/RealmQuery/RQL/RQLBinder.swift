import RealmStorage

/// The rules of RQL: what may be compared with what. The checks come in the order of the original, so that of several faults it reports the same
/// one (Q4.2, Q14).
struct RQLBinder: Binder {
  var scope: BindingScope

  /// The original computes none in text queries.
  var aggregatesDates: Bool { false }

  func allowsSubquery(over column: ColumnDescription, _ selector: ElementSelector) -> Bool { column.isList && selector.isAll }
  func checkPlace(_ property: PropertyOperand, in table: Table) {}

  mutating func bind(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    let (relation, offset) = (comparison.relation, comparison.offset)
    if relation == .text { return try bindFullText(comparison, in: table) }
    var (left, right) = try bindSides(comparison, in: table)
    if scope.acceptsISODates {
      try checkNumber(comparison.right, comparedWith: left, comparison.offset)
      try checkNumber(comparison.left, comparedWith: right, comparison.offset)
    }
    if relation.isSubstring {
      try checkText(right, relation.keyword, offset)
    } else if relation.isOrdering {
      try checkOrder(relation, left, right, offset)
    } else {
      try checkEquality(comparison, &left, &right)
    }
    if left.combinesLists || right.combinesLists {
      scope.fault = scope.fault ?? .query("Operations involving two lists are not supported", at: offset)
    }
    return .comparison(try plan(comparison, left, right))
  }

  /// The side that is not constant comes first, as it gives the other one its type; of two such sides the right one.
  private mutating func bindSides(_ comparison: Comparison, in table: Table) throws(QueryError) -> (BoundOperand, BoundOperand) {
    guard !comparison.left.isConstant || !comparison.right.isConstant else { throw .query("Cannot compare two constants", at: comparison.offset) }
    let left: BoundOperand
    let right: BoundOperand
    if comparison.right.isConstant {
      left = try bind(comparison.left, in: table, hint: nil)
      right = try bind(comparison.right, in: table, hint: left)
      try checkKinds(left, right, comparison.offset)
    } else {
      right = try bind(comparison.right, in: table, hint: nil)
      left = try bind(comparison.left, in: table, hint: comparison.left.isConstant ? right : nil)
      try checkKinds(right, left, comparison.offset)
    }
    return (left, right)
  }

  /// `2020/01/31` is a number, which no date equals: whoever writes it means something else.
  private func checkNumber(_ operand: Operand, comparedWith other: BoundOperand, _ offset: Int?) throws(QueryError) {
    guard case .arithmetic = operand, operand.isConstant, other.type == .timestamp else { return }
    throw .query("Unsupported comparison between type 'timestamp' and a number that is calculated", at: offset)
  }

  /// - Parameter first: what was bound first.
  private func checkKinds(_ first: BoundOperand, _ second: BoundOperand, _ offset: Int?) throws(QueryError) {
    if first.isValueCollection && second.isValueCollection {
      throw .query("Ordered comparison between two primitive lists is not implemented yet ('\(first.text)' and '\(second.text)')", at: offset)
    }
    if first.plan.isConstant && second.plan.isConstant && first.type == .typeAttribute && second.type == .typeAttribute {
      throw .query("Comparison between two constants is not supported ('\(first.text)' and '\(second.text)')", at: offset)
    }
    if first.isLinkCollection && second.isNullConstant { throw .query("Cannot compare linklist ('\(first.text)') with NULL", at: offset) }
  }

  /// `==`, `!=` and `IN`.
  private func checkEquality(_ comparison: Comparison, _ left: inout BoundOperand, _ right: inout BoundOperand) throws(QueryError) {
    let (relation, offset) = (comparison.relation, comparison.offset)
    try fitLinks(&right, to: left, offset)
    try fitLinks(&left, to: right, offset)
    if left.type == .typeAttribute || right.type == .typeAttribute {
      guard left.type == right.type else {
        throw .argument("Unsupported comparison between @type and raw value: '\(left.type.name)' and '\(right.type.name)'", at: offset)
      }
    } else if !left.type.isComparable(with: right.type), !isLinks(left, right) {
      throw incomparable(left, right, offset)
    }
    if relation == .in && !right.isIterable {
      throw .argument("The keypath following 'IN' must contain a list. Found '\(right.text)'", at: offset)
    }
    // The original compares links to different classes, by the key of the object; refused last, so that what it refuses is told first.
    if isLinks(left, right), !left.type.isComparable(with: right.type) { throw incomparable(left, right, offset) }
    if comparison.options != [] && !ignoresOptions(relation, left, right) { try checkText(right, relation.keyword + "[c]", offset) }
  }

  private func isLinks(_ left: BoundOperand, _ right: BoundOperand) -> Bool {
    if case .link = left.type, case .link = right.type { return true }
    return false
  }

  /// A property of the object itself and one constant of its type, or its links and objects: `[c]` is allowed and says nothing where there
  /// is no text.
  private func ignoresOptions(_ relation: Relation, _ left: BoundOperand, _ right: BoundOperand) -> Bool {
    if isLinkTest(relation, left, right) { return true }
    return left.isOwnColumn && right.plan.isConstant && !right.isList && (left.type == right.type || left.type == .mixed)
  }

  /// Links of the object itself, compared with constant objects.
  private func isLinkTest(_ relation: Relation, _ left: BoundOperand, _ right: BoundOperand) -> Bool {
    left.isOwnLink && right.plan.isConstant && (relation == .equal || relation == .notEqual) && (left.quantifier ?? .any) == .any
  }

  /// `<`, `<=`, `>` and `>=`.
  private func checkOrder(_ relation: Relation, _ left: BoundOperand, _ right: BoundOperand, _ offset: Int?) throws(QueryError) {
    switch left.type {
    case .link, .typeAttribute:
      throw .query(
        "Unsupported operator \(relation.symbol) in query. Only equal (==) and not equal (!=) are supported for this type.", at: offset)
    default: break
    }
    if left.isNullConstant || right.isNullConstant { return }
    guard right.type != .typeAttribute, left.type.isComparable(with: right.type), !(left.type == .typedLink && right.isLinkPath) else {
      throw incomparable(left, right, offset)
    }
  }

  /// What a text is compared with.
  private func checkText(_ right: BoundOperand, _ keyword: String, _ offset: Int?) throws(QueryError) {
    switch right.type {
    case .string, .binary, .mixed: return
    default:
      throw .query(
        "Unsupported comparison operator '\(keyword)' against type '\(right.type.name)', right side must be a string or binary type", at: offset)
    }
  }

  private func incomparable(_ left: BoundOperand, _ right: BoundOperand, _ offset: Int?) -> QueryError {
    .query("Unsupported comparison between type '\(left.type.name)' and type '\(right.type.name)'", at: offset)
  }

  /// Makes constants links to the class that a path leads to; other values than links and null are refused.
  private func fitLinks(_ operand: inout BoundOperand, to path: BoundOperand, _ offset: Int?) throws(QueryError) {
    guard path.isLinkPath, let target = path.target, case .constants(var values) = operand.plan else { return }
    for index in values.indices {
      switch values[index] {
      case .null: break
      case .link(let key): values[index] = .typedLink(ObjectLink(table: target.key, key: key))
      case .typedLink(let link) where link.table == target.key || link == .nowhere: break
      case .typedLink(let link):
        throw .argument(
          "The relationship '\(path.pathText)' which links to type '\(target.className)' cannot be compared to an argument of type "
            + (try describe(link)), at: offset)
      case let value:
        let type = operand.type == .typeAttribute ? operand.type.name : value.typeName
        throw .query("Unsupported comparison between '\(path.pathText)' and type '\(type)'", at: offset)
      }
    }
    operand.plan = .constants(values)
    operand.type = .link(target.key)
    if !operand.isList, case .typedLink(let link)? = values.first { operand.text = Value.link(link.key).messageText }
  }

  private func plan(_ comparison: Comparison, _ left: BoundOperand, _ right: BoundOperand) throws(QueryError) -> ComparisonPlan {
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
    var isElementwise = left.quantifier == nil && right.quantifier == nil
    var links = left.plan
    if isLinkTest(relation, left, right) {
      // Equal to any of the objects.
      if relation == .equal { isElementwise = false }
      if case .path(var path) = links {
        path.countsNullEntries = true
        links = .path(path)
      }
    }
    return ComparisonPlan(
      left: .init(plan: links, isList: left.isList, quantifier: left.quantifier, isEntry: left.isEntry),
      right: .init(plan: right.plan, isList: right.isList, quantifier: right.quantifier, isEntry: right.isEntry), test: test,
      isDirect: isDirect(relation, left, right), isElementwise: isElementwise)
  }

  /// Whether the comparison is one of the direct ones of Q5.1: with one constant of the property's type, or equality with any of a list.
  private func isDirect(_ relation: Relation, _ left: BoundOperand, _ right: BoundOperand) -> Bool {
    guard left.isOwnColumn && left.type != .mixed && right.plan.isConstant else { return false }
    if right.isList { return (relation == .equal || relation == .in) && (right.quantifier ?? .any) == .any }
    return left.type == right.type
  }

  mutating func bindBetween(_ operand: Operand, _ bounds: ConstantList, in table: Table) throws(QueryError) -> ConditionPlan {
    guard bounds.elements.count == 2 else { throw .query("Operator 'BETWEEN' requires list with 2 elements.") }
    if case .property(let property) = operand, case .argument? = property.path.steps.first {
      throw .query("Key path argument cannot be mixed with other elements", at: property.path.offset)
    }
    let left = try bind(operand, in: table, hint: nil)
    if left.isValueCollection && left.quantifier != .all {
      throw .query("Only 'ALL' supported for operator 'BETWEEN' when applied to lists.")
    }
    if left.type == .timestamp && left.isOwnColumn {
      for bound in bounds.elements where try bindConstant(bound, hint: left).isNullConstant {
        throw .query("The bounds of 'BETWEEN' must not be null")
      }
    }
    let low = try bind(.compare(operand, .greaterOrEqual, .constant(bounds.elements[0])), in: table)
    return .and([low, try bind(.compare(operand, .lessOrEqual, .constant(bounds.elements[1])), in: table)])
  }
}

extension Relation {
  /// As messages about texts name it.
  fileprivate var keyword: String {
    switch self {
    case .beginsWith: "beginswith"
    case .endsWith: "endswith"
    case .contains: "contains"
    case .like: "like"
    case .notEqual: "!="
    case .in: "in"
    default: "="
    }
  }
}
