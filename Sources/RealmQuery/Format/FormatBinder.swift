import RealmStorage

/// The rules of formats and of the typed `where` (Q16.3).
struct FormatBinder: Binder {
  var scope: BindingScope

  var aggregatesDates: Bool { true }

  func allowsSubquery(over column: ColumnDescription, _ selector: ElementSelector) -> Bool { true }

  mutating func checkPlace(_ property: PropertyOperand, in table: Table) throws(QueryError) {
    _ = try formatPath(.property(property), in: table)
  }

  /// The first one that is met.
  func refusal(_ error: QueryError, of condition: Condition, in table: Table) -> QueryError { error }

  mutating func bind(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    if comparison.relation == .text { return try bindText(comparison, in: table) }
    for operand in [comparison.left, comparison.right] {
      guard case .property(let property) = operand, let quantifier = property.quantifier, quantifier != .any else { continue }
      if quantifier == .all { throw .predicate("ALL modifier not supported", at: comparison.offset) }
      // Nothing satisfies it: not anything does.
      var positive = comparison
      (positive.left, positive.right) = (comparison.left.withAny, comparison.right.withAny)
      return .not(try bind(positive, in: table))
    }
    if comparison.relation == .in { return try bindIn(comparison, in: table) }
    switch (comparison.left.isFormatConstant, comparison.right.isFormatConstant) {
    case (true, false):
      let path = try formatPath(comparison.right, in: table)
      return try compare(path, comparison, [comparison.left.formatConstant], isMirrored: true)
    case (false, true): return try compare(formatPath(comparison.left, in: table), comparison, [comparison.right.formatConstant])
    case (false, false): return try comparePaths(comparison, in: table)
    case (true, true): throw .expressions(at: comparison.offset)
    }
  }

  /// An addition of ours, by the rules of RQL.
  private func bindText(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    var rql = RQLBinder(scope: scope)
    return try rql.bindFullText(comparison, in: table)
  }

  // MARK: IN and BETWEEN

  private mutating func bindIn(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    switch (comparison.left, comparison.right) {
    case (_, .list(let list)) where !comparison.left.isFormatConstant:
      let path = try formatPath(comparison.left, in: table)
      if path.isOperation { try refuseList(path, comparison.relation, comparison.offset) }
      return try compare(path, comparison, list.elements)
    case (_, .constant(let constant)) where !comparison.left.isFormatConstant:
      let path = try formatPath(comparison.left, in: table)
      if path.isOperation { return try compare(path, comparison, [constant]) }
      throw .exception("Invalid value", "IN clause requires an array of items", at: comparison.offset)
    case (.constant(let constant), .property(var property)):
      property.quantifier = .any
      let equality = Comparison(left: .property(property), relation: .equal, right: .constant(constant), offset: comparison.offset)
      return try compare(formatPath(.property(property), in: table), equality, [constant])
    case (.list, .property(var property)):
      property.quantifier = .any
      let equality = Comparison(left: .property(property), relation: .equal, right: .value(.list(.null)), offset: comparison.offset)
      return try compare(formatPath(.property(property), in: table), equality, [.value(.list(.null))])
    default: throw .predicate("Predicate with IN operator must compare a KeyPath with an aggregate", at: comparison.offset)
    }
  }

  /// An array is nothing that an operation on a collection could be compared with.
  private func refuseList(_ path: FormatPath, _ relation: Relation, _ offset: Int?) throws(QueryError) {
    guard path.isAggregate, path.type == .mixed else { throw misfit(.value(.list(.null)), path, offset) }
    throw unsupported(relation.symbol, path, offset)
  }

  mutating func bindBetween(_ operand: Operand, _ bounds: ConstantList, in table: Table) throws(QueryError) -> ConditionPlan {
    guard !operand.isFormatConstant else {
      throw .predicate("Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values")
    }
    let path = try formatPath(operand, in: table)
    if path.isOperation {
      guard path.isAggregate, path.type == .mixed else { throw misfit(.value(.list(.null)), path, nil) }
      throw unsupported("BETWEEN", path, nil)
    }
    guard bounds.elements.count == 2 else {
      throw .exception("Invalid value", "NSArray object must contain exactly two objects for BETWEEN operations")
    }
    var values: [Value] = []
    for bound in bounds.elements {
      guard let value = try fit(bound, path) else {
        let name = path.type.isLink ? path.linkTypeName : path.typeName
        throw .exception("Invalid value", "NSArray objects must be of type \(name) for BETWEEN operations")
      }
      values.append(value)
    }
    guard path.type.isNumeric || path.type == .timestamp || path.type == .mixed else { throw unsupported("BETWEEN", path, nil) }
    guard path.operand.isValueCollection || path.type == .mixed, case .property(let property) = operand else {
      // One element lies between both.
      return .comparison(path.plan(.range(high: values[1]), [values[0]], isList: false))
    }
    // Of the values in a collection one is not below and one not above, perhaps not the same one; of several collections in the same one.
    if path.hasManyOwners {
      let steps = property.path.steps
      let tailCount = steps.last == .values ? 2 : 1
      let inner = Operand.property(PropertyOperand(QueryPath([.name("$")] + steps.suffix(tailCount)), path.endsAtCollection ? .any : nil))
      let owners = QueryPath(steps.dropLast(tailCount), offset: property.path.offset)
      let count = Operand.subquery(SubqueryOperand(owners, variable: "$", .between(inner, bounds)))
      return try bind(.compare(count, .greater, .value(.int(0))), in: table)
    }
    return .and([
      .comparison(path.plan(.order(.greaterOrEqual), path.alternatives(values[0]), isList: false)),
      .comparison(path.plan(.order(.lessOrEqual), path.alternatives(values[1]), isList: false)),
    ])
  }

  // MARK: A key path and constants

  /// The value is looked at before the operator.
  private func compare(
    _ path: FormatPath, _ comparison: Comparison, _ constants: [Constant], isMirrored: Bool = false
  ) throws(QueryError) -> ConditionPlan {
    let isList = comparison.relation == .in
    var values: [Value] = []
    for constant in constants {
      guard let value = try fit(constant, path) else { throw misfit(constant, path, comparison.offset) }
      values.append(value)
    }
    let relation = isMirrored ? try mirrored(comparison) : comparison.relation
    // What is computed, and values that are no texts, are compared without options.
    let ignoresOptions = path.isComputed || path.type == .mixed && !values.contains { if case .string = $0 { true } else { relation.isSubstring } }
    let options = ignoresOptions ? [] : comparison.options
    try check(relation, options, path, comparison.offset)
    values = values.flatMap { path.alternatives($0, isText: relation.isSubstring) }
    let isText = relation.isSubstring || options != [] && path.type.isTextual
    guard isText else {
      guard let order = OrderRelation(relation) else { throw .expressions(at: comparison.offset) }
      return .comparison(path.plan(.order(order), values, isList: isList, requiresAll: order == .notEqual))
    }
    guard let test = TextRelation(relation, options) else { throw .expressions(at: comparison.offset) }
    // Foundation's rule: nothing contains, begins or ends with an empty text.
    if relation.isSubstring && relation != .like { values.removeAll { $0.byteCount == 0 } }
    if values.isEmpty { return .constant(false) }
    return .comparison(path.plan(.text(test), values, isList: isList, requiresAll: test.kind == .notEqual))
  }

  private func mirrored(_ comparison: Comparison) throws(QueryError) -> Relation {
    guard let relation = comparison.relation.mirrored else {
      throw .exception(
        "Unsupported predicate", "Operator '\(comparison.relation.symbol)' requires a keypath on the left side.", at: comparison.offset)
    }
    return relation
  }

  private func check(_ relation: Relation, _ options: ComparisonOptions, _ path: FormatPath, _ offset: Int?) throws(QueryError) {
    if path.isTotal, path.type == .timestamp {
      throw .exception("Unsupported predicate value type", "Cannot sum or average date properties", at: offset)
    }
    if relation.isOrdering && options != [] && path.type.isTextual && !path.isComputed {
      throw .predicate("Lexicographical comparisons must be case-sensitive", at: offset)
    }
    if relation == .like && options.contains(.diacriticInsensitive) {
      throw .exception("Invalid operator type", "Operator 'LIKE' not supported with diacritic-insensitive modifier.", at: offset)
    }
    let isAllowed: Bool =
      switch path.type {
      case .bool, .objectID, .uuid, .link, .typedLink: !relation.isOrdering && !relation.isSubstring
      case .string, .binary: true
      case .mixed: !path.isAggregate || !relation.isSubstring && relation != .in
      default: !relation.isSubstring && (!path.isComputed || relation != .in)
      }
    guard isAllowed else { throw unsupported(relation.symbol, path, offset) }
  }

  private func unsupported(_ symbol: String, _ path: FormatPath, _ offset: Int?) -> QueryError {
    let name = path.type.isLink && symbol == "BETWEEN" ? path.linkTypeName : path.typeName
    return .exception("Invalid operator type", "Operator '\(symbol)' not supported for type '\(name)'", at: offset)
  }

  private func misfit(_ constant: Constant, _ path: FormatPath, _ offset: Int?) -> QueryError {
    let text: String
    let type: String
    switch constant {
    case .value(let value): (text, type) = (value.formatText, value.typeName)
    default: (text, type) = ("\(constant)", "object")
    }
    if path.isSubquery {
      return .exception(
        "Invalid predicate expression", "SUBQUERY(…).@count is only supported when compared with a constant number.", at: offset)
    }
    switch path.operation {
    case nil:
      return .exception(
        "Invalid value",
        "Cannot compare value '\(text)' of type '\(type)' to property '\(path.text)' of type '\(path.className ?? path.typeName)'", at: offset)
    case .count: return .exception("Invalid operand", "@count can only be compared with a numeric value.", at: offset)
    case .allKeys: return .exception("Invalid operand", "@allKeys can only be compared with a string value.", at: offset)
    case .aggregate(let function):
      return .exception(
        "Invalid operand", "@\(function.rawValue) on a property of type \(path.typeName) cannot be compared with '\(text)'", at: offset)
    }
  }

  /// The constant as a value of the path's type; nil if it does not fit (Q16.5).
  private func fit(_ constant: Constant, _ path: FormatPath) throws(QueryError) -> Value? {
    switch constant {
    case .value(let value): return path.isComputed && !path.isAggregate ? value.asCount : value.fitting(path.type, allowsNull: path.allowsNull)
    case .detachedObject: return path.type.isLink || path.type == .mixed ? .typedLink(.nowhere) : nil
    case .argument(let index, _):
      switch try scope.arguments.at(index, nil) {
      case .value(let value): return try fit(.value(value), path)
      case .detachedObject: return try fit(.detachedObject, path)
      case .list, .geo: return nil
      }
    case .literal, .object:
      // As in RQL; then it has to fit.
      let bound = try bindConstant(constant, hint: nil)
      guard case .constants(let values) = bound.plan, let value = values.first else { return nil }
      return try fit(.value(value), path)
    }
  }

  // MARK: Two key paths

  private mutating func comparePaths(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    // A quantifier says nothing here.
    let left = try formatPath(comparison.left.unquantified, in: table)
    let right = try formatPath(comparison.right.unquantified, in: table)
    if left.isSubquery || right.isSubquery {
      throw .exception(
        "Invalid predicate expression", "SUBQUERY(…).@count is only supported when compared with a constant number.", at: comparison.offset)
    }
    switch (left.isOperation, right.isOperation) {
    case (true, true):
      throw .exception(
        "Unsupported predicate", "Key paths including aggregate operations cannot be compared with other aggregate operations.",
        at: comparison.offset)
    case (true, false): try check(left, against: right, comparison.relation, comparison)
    case (false, true): try check(right, against: left, mirrored(comparison), comparison)
    case (false, false):
      guard left.type == right.type || left.type.isLink && right.type.isLink else {
        throw .exception(
          "RLMPropertiesComparisonTypeMismatchException", "Property type mismatch between \(left.typeName) and \(right.typeName)",
          at: comparison.offset)
      }
      if left.type == .mixed, comparison.relation != .equal, comparison.relation != .notEqual {
        throw .exception("Invalid operator type", "Operator '\(comparison.relation.symbol)' not supported for type 'object'", at: comparison.offset)
      }
      try check(comparison.relation, left.type.isTextual && left.type != .mixed ? comparison.options : [], left, comparison.offset)
    }
    let options: ComparisonOptions = left.type == .string || left.type == .binary ? comparison.options : []
    let test: ValueTest
    if comparison.relation.isSubstring || options != [] {
      guard var relation = TextRelation(comparison.relation, options) else { throw .expressions(at: comparison.offset) }
      relation.refusesEmpty = true
      test = .text(relation)
    } else {
      guard let order = OrderRelation(comparison.relation) else { throw .expressions(at: comparison.offset) }
      test = .order(order)
    }
    return .comparison(
      ComparisonPlan(
        left: .init(plan: left.operand.plan, isList: left.operand.isList, quantifier: .any),
        right: .init(plan: right.operand.plan, isList: right.operand.isList, quantifier: .any), test: test, isDirect: false,
        isElementwise: false))
  }

  /// What is computed from a collection and a property.
  private func check(_ path: FormatPath, against other: FormatPath, _ relation: Relation, _ comparison: Comparison) throws(QueryError) {
    let isNumber = other.type.isNumeric || other.type == .timestamp || other.type == .mixed
    switch path.operation {
    case .allKeys? where other.type != .string, .count? where !isNumber: throw misfit(.value(.null), path, comparison.offset)
    case .aggregate(let function)? where !isNumber:
      throw .exception(
        "Invalid operand",
        "@\(function.rawValue) on a property of type \(path.typeName) cannot be compared with property of type '\(other.typeName)'",
        at: comparison.offset)
    default: break
    }
    let expected: ValueType? = if path.isComputed { path.type } else { nil }
    if let expected, expected != other.type, !path.isTotal || path.type != .timestamp {
      throw .exception("TypeMismatch", "Expected \(other.text) to be a col_type_\(expected.columnTypeName)", at: comparison.offset)
    }
    try check(relation, path.isComputed ? [] : comparison.options, path, comparison.offset)
  }
}

extension Operand {
  fileprivate var isFormatConstant: Bool {
    switch self {
    case .constant, .list: true
    case .property, .aggregate, .subquery, .arithmetic: false
    }
  }

  /// An array that is no list of alternatives is a value of its own, as a property of type mixed may hold one.
  fileprivate var formatConstant: Constant { if case .constant(let constant) = self { constant } else { .value(.list(.null)) } }

  fileprivate var withAny: Operand {
    guard case .property(var property) = self, property.quantifier != nil else { return self }
    property.quantifier = .any
    return .property(property)
  }

  fileprivate var unquantified: Operand {
    guard case .property(var property) = self else { return self }
    property.quantifier = nil
    return .property(property)
  }
}

extension ValueType {
  /// Of numbers, dates and mixed values, in the words of the original's engine.
  fileprivate var columnTypeName: String {
    switch self {
    case .int: "Int"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .timestamp: "Timestamp"
    default: "Mixed"
    }
  }

  /// Texts may be compared with it by options.
  fileprivate var isTextual: Bool { self == .string || self == .binary || self == .mixed }
}
