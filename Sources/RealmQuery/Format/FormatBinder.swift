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
    if case .property(let property) = comparison.left, let quantifier = property.quantifier {
      if quantifier == .all { throw .predicate("ALL modifier not supported", at: comparison.offset) }
      if quantifier == .none {
        // Nothing satisfies it: not anything does.
        var positive = comparison
        positive.left = .property(PropertyOperand(property.path, .any, property.operation))
        return .not(try bind(positive, in: table))
      }
    }
    if comparison.relation == .in { return try bindIn(comparison, in: table) }
    switch (comparison.left.isFormatConstant, comparison.right.isFormatConstant) {
    case (true, false):
      guard let relation = comparison.relation.mirrored else {
        throw .exception(
          "Unsupported predicate", "Operator '\(comparison.relation.symbol)' requires a keypath on the left side.", at: comparison.offset)
      }
      var mirrored = comparison
      (mirrored.left, mirrored.relation, mirrored.right) = (comparison.right, relation, comparison.left)
      return try bind(mirrored, in: table)
    case (false, true):
      let constant: Constant
      switch comparison.right {
      case .constant(let value): constant = value
      // An array that is no list of alternatives: a property of type mixed may hold one.
      default: constant = .value(.list(.null))
      }
      return try compare(formatPath(comparison.left, in: table), comparison, [constant])
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
      return try compare(formatPath(comparison.left, in: table), comparison, list.elements)
    case (_, .constant) where !comparison.left.isFormatConstant:
      throw .exception("Invalid value", "IN clause requires an array of items", at: comparison.offset)
    case (.constant(let constant), .property(var property)):
      property.quantifier = .any
      let equality = Comparison(left: .property(property), relation: .equal, right: .constant(constant), offset: comparison.offset)
      return try compare(formatPath(.property(property), in: table), equality, [constant])
    default: throw .predicate("Predicate with IN operator must compare a KeyPath with an aggregate", at: comparison.offset)
    }
  }

  mutating func bindBetween(_ operand: Operand, _ bounds: ConstantList, in table: Table) throws(QueryError) -> ConditionPlan {
    guard !operand.isFormatConstant else {
      throw .predicate("Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values")
    }
    guard bounds.elements.count == 2 else {
      throw .exception("Invalid value", "NSArray object must contain exactly two objects for BETWEEN operations")
    }
    let path = try formatPath(operand, in: table)
    guard path.type.isNumeric || path.type == .timestamp || path.type == .mixed else {
      throw .exception("Invalid operator type", "Operator 'BETWEEN' not supported for type '\(path.type.formatName)'")
    }
    var values: [Value] = []
    for bound in bounds.elements {
      guard let value = try fit(bound, path), !value.isNull else {
        throw .exception("Invalid value", "NSArray objects must be of type \(path.type.formatName) for BETWEEN operations")
      }
      values.append(value)
    }
    return .comparison(path.plan(.range(high: values[1]), [values[0]], isList: false))
  }

  // MARK: A key path and constants

  private func compare(_ path: FormatPath, _ comparison: Comparison, _ constants: [Constant]) throws(QueryError) -> ConditionPlan {
    try check(comparison.relation, comparison.options, path, comparison.offset)
    let isList = comparison.relation == .in
    var values: [Value] = []
    for constant in constants {
      guard let value = try fit(constant, path) else { throw misfit(constant, path, comparison.offset) }
      values.append(value)
    }
    if path.type == .mixed { values = values.flatMap(\.textAndBytes) }
    let isText = comparison.relation.isSubstring || comparison.options != [] && (path.type == .string || path.type == .binary || path.type == .mixed)
    guard isText else {
      guard let order = OrderRelation(comparison.relation) else { throw .expressions(at: comparison.offset) }
      return .comparison(path.plan(.order(order), values, isList: isList, requiresAll: order == .notEqual))
    }
    guard let relation = TextRelation(comparison.relation, comparison.options) else { throw .expressions(at: comparison.offset) }
    // Foundation's rule: nothing contains, begins or ends with an empty text.
    if comparison.relation.isSubstring && comparison.relation != .like { values.removeAll { $0.byteCount == 0 } }
    if comparison.relation == .like { values.removeAll(where: \.isNull) }
    if values.isEmpty { return .constant(false) }
    return .comparison(path.plan(.text(relation), values, isList: isList, requiresAll: relation.kind == .notEqual))
  }

  private func check(_ relation: Relation, _ options: ComparisonOptions, _ path: FormatPath, _ offset: Int?) throws(QueryError) {
    let isTextual = path.type == .string || path.type == .binary || path.type == .mixed
    if relation.isOrdering && options != [] && isTextual { throw .predicate("Lexicographical comparisons must be case-sensitive", at: offset) }
    if relation == .like && options.contains(.diacriticInsensitive) {
      throw .exception("Invalid operator type", "Operator 'LIKE' not supported with diacritic-insensitive modifier.", at: offset)
    }
    let isAllowed: Bool =
      switch path.type {
      case .bool, .objectID, .uuid, .link, .typedLink: !relation.isOrdering && !relation.isSubstring
      case .string, .binary, .mixed: true
      default: !relation.isSubstring
      }
    guard isAllowed else {
      throw .exception("Invalid operator type", "Operator '\(relation.symbol)' not supported for type '\(path.type.formatName)'", at: offset)
    }
  }

  private func misfit(_ constant: Constant, _ path: FormatPath, _ offset: Int?) -> QueryError {
    let text: String
    let type: String
    switch constant {
    case .value(let value): (text, type) = (value.formatText, value.typeName)
    default: (text, type) = ("\(constant)", "object")
    }
    if path.isCount || path.isAggregate {
      return .exception("Invalid operand", "\(path.text) can only be compared with a numeric value.", at: offset)
    }
    return .exception(
      "Invalid value", "Cannot compare value '\(text)' of type '\(type)' to property '\(path.text)' of type '\(path.type.formatName)'", at: offset)
  }

  /// The constant as a value of the path's type; nil if it does not fit (Q16.5).
  private func fit(_ constant: Constant, _ path: FormatPath) throws(QueryError) -> Value? {
    switch constant {
    case .value(let value): return path.isCount ? value.asCount : value.fitting(path.type, allowsNull: path.allowsNull)
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
    let left = try formatPath(comparison.left, in: table)
    let right = try formatPath(comparison.right, in: table)
    if left.isSubquery || right.isSubquery {
      throw .exception(
        "Invalid predicate expression", "SUBQUERY(…).@count is only supported when compared with a constant number.", at: comparison.offset)
    }
    if left.isAggregate || left.isCount, right.isAggregate || right.isCount {
      throw .exception(
        "Unsupported predicate", "Key paths including aggregate operations cannot be compared with other aggregate operations.",
        at: comparison.offset)
    }
    guard left.type == right.type || left.isCount && right.type.isNumeric || right.isCount && left.type.isNumeric else {
      throw .exception(
        "RLMPropertiesComparisonTypeMismatchException",
        "Property type mismatch between \(left.type.formatName) and \(right.type.formatName)", at: comparison.offset)
    }
    try check(comparison.relation, comparison.options, left, comparison.offset)
    let test: ValueTest
    if comparison.relation.isSubstring || comparison.options != [] {
      guard var relation = TextRelation(comparison.relation, comparison.options) else { throw .expressions(at: comparison.offset) }
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
}

extension Operand {
  fileprivate var isFormatConstant: Bool {
    switch self {
    case .constant, .list: true
    case .property, .aggregate, .subquery, .arithmetic: false
    }
  }
}

extension Value {
  /// As the SDK's messages print it: numbers as `NSNumber` describes itself.
  fileprivate var formatText: String {
    switch self {
    case .null: "(null)"
    case .bool(let flag): flag ? "1" : "0"
    case .float(let value): Double(value).text(digits: 7)
    case .double(let value): value.text(digits: 16)
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .objectID(let id): id.text
    case .uuid(let id): id.text.uppercased()
    default: queryText
    }
  }

  /// Strings and data in a Mixed property are looked for as both (Q16.3, rule 11).
  fileprivate var textAndBytes: [Value] {
    switch self {
    case .string(let bytes): [self, .binary(bytes)]
    case .binary(let bytes): [self, .string(bytes)]
    default: [self]
    }
  }

  /// What a `@count` is compared with: fractions are cut off.
  fileprivate var asCount: Value? {
    switch self {
    case .int: self
    case .bool(let flag): .int(flag ? 1 : 0)
    case .float, .double: Int64(exactly: doubleValue.rounded(.towardZero)).map { .int($0) }
    case .decimal(let value): value.truncatedToInt64().map { .int($0) }
    default: nil
    }
  }

  /// The value as one of a property's type; nil if it does not fit (Q16.5).
  fileprivate func fitting(_ type: ValueType, allowsNull: Bool) -> Value? {
    switch (self, type) {
    case (.null, _): allowsNull ? .null : nil
    case (_, .mixed): self
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.decimal, .decimal), (.string, .string), (.binary, .binary),
      (.timestamp, .timestamp), (.objectID, .objectID), (.uuid, .uuid):
      self
    case (.int(0), .bool), (.double(0), .bool), (.float(0), .bool): .bool(false)
    case (.int(1), .bool), (.double(1), .bool), (.float(1), .bool): .bool(true)
    case (.bool(let flag), .int): .int(flag ? 1 : 0)
    case (.int(let number), .float): .float(Float(number))
    case (.double(let number), .float): number.isNaN || abs(number) <= Double(Float.greatestFiniteMagnitude) ? .float(Float(number)) : nil
    case (.int, .double), (.float, .double), (.decimal, .double): .double(doubleValue)
    case (.bool(let flag), .double): .double(flag ? 1 : 0)
    case (.bool(let flag), .float): .float(flag ? 1 : 0)
    case (.int, .decimal), (.float, .decimal), (.double, .decimal): .decimal(decimalValue)
    case (.string(let text), .decimal): Decimal128(text: String(decoding: text, as: UTF8.self)).map { .decimal($0) }
    case (.string(let text), .uuid): UUIDBytes(hexadecimal: text[...]).map { .uuid($0) }
    case (.typedLink(let link), .link(let table)): link.table == table ? self : nil
    case (.link(let key), .link(let table)): .typedLink(ObjectLink(table: table, key: key))
    default: nil
    }
  }
}
