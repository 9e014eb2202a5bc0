import RealmStorage

/// A condition whose names and types are settled, for one object at a time.
indirect enum ConditionPlan {
  case constant(Bool)
  case and([ConditionPlan])
  case or([ConditionPlan])
  case not(ConditionPlan)
  case comparison(ComparisonPlan)
  case fullText(FullTextPlan)
  case geo(GeoPlan)
  /// For one execution only.
  case reaches(ReachPlan)

  /// - Throws: `.interrupted`, asked where an object leads to many others or holds many values.
  func matches(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> Bool {
    switch self {
    case .constant(let value): return value
    case .and(let parts):
      for part in parts where try !part.matches(row, cancellation) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.matches(row, cancellation) { return true }
      return false
    case .not(let part): return try !part.matches(row, cancellation)
    case .comparison(let comparison): return try comparison.matches(row, cancellation)
    case .fullText(let plan): return try plan.matches(row, cancellation)
    case .geo(let plan): return try plan.matches(row, cancellation)
    case .reaches(let plan): return try plan.matches(row, cancellation)
    }
  }
}

/// How two single values are compared.
enum ValueTest {
  case order(OrderRelation)
  case text(TextRelation)
  /// `@type`: whether the sets of types overlap.
  case typeOverlap(isEqual: Bool)
  /// Between the right side and `high`, both included.
  case range(high: Value)

  @inline(__always) func test(_ a: Value, _ b: Value, isDirect: Bool) -> Bool {
    switch self {
    case .order(let relation): return isDirect ? relation.direct(a, b) : relation.generic(a, b)
    case .text(let relation): return relation.test(a, b, isDirect: isDirect)
    case .range(let high):
      if isDirect { return OrderRelation.greaterOrEqual.direct(a, b) && OrderRelation.lessOrEqual.direct(a, high) }
      return OrderRelation.greaterOrEqual.generic(a, b) && OrderRelation.lessOrEqual.generic(a, high)
    case .typeOverlap(let isEqual):
      guard case .int(let x) = a, case .int(let y) = b else { return !isEqual }
      return (x & y != 0) == isEqual
    }
  }
}

struct ComparisonPlan {
  struct Side {
    let plan: OperandPlan
    let isList: Bool
    let quantifier: Quantifier?
    /// The value under a key of a dictionary: where there is one it is compared like a single value, where there is none like an empty list.
    var isEntry = false

    /// The values, one list for each of the collections that a path leads to.
    fileprivate func groups(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> [[Value]] {
      if case .path(let path) = plan, path.isNested {
        let groups = try path.groups(row, cancellation)
        return groups.isEmpty ? [[]] : groups
      }
      return [try values(row, cancellation)]
    }

    fileprivate func values(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> [Value] {
      var values: [Value] = []
      try plan.append(row, to: &values, cancellation)
      return values
    }
  }
  let left: Side
  let right: Side
  let test: ValueTest
  /// The left side is a property of the object itself, the right side constant (Q5.1).
  let isDirect: Bool
  /// Two lists are compared position by position (Q7.1).
  let isElementwise: Bool
  /// The constants of a long list on the right.
  private let members: ConstantSet?

  init(left: Side, right: Side, test: ValueTest, isDirect: Bool, isElementwise: Bool) {
    (self.left, self.right, self.test, self.isDirect, self.isElementwise) = (left, right, test, isDirect, isElementwise)
    if case .constants(let constants) = right.plan, constants.count > 8, right.isList, !(left.isList && isElementwise) {
      switch test {
      case .order(.equal), .order(.notEqual): members = ConstantSet(constants, ignoresCase: false)
      case .text(let relation) where !relation.options.contains(.diacriticInsensitive) && (relation.kind == .equal || relation.kind == .notEqual):
        members = ConstantSet(constants, ignoresCase: true)
      default: members = nil
      }
    } else {
      members = nil
    }
  }

  func replacing(_ left: OperandPlan, _ right: OperandPlan) -> ComparisonPlan {
    ComparisonPlan(
      left: Side(plan: left, isList: self.left.isList, quantifier: self.left.quantifier, isEntry: self.left.isEntry),
      right: Side(plan: right, isList: self.right.isList, quantifier: self.right.quantifier, isEntry: self.right.isEntry), test: test,
      isDirect: isDirect,
      isElementwise: isElementwise)
  }

  private var isEquality: Bool {
    switch test {
    case .order(.equal): true
    case .text(let relation): relation.kind == .equal
    default: false
    }
  }

  /// Null is less than strings in properties of that type only, whatever else a list holds.
  @inline(__always) private func compare(_ a: Value, _ b: Value) -> Bool {
    if isDirect, a.isNull, case .order = test, case .column(let column) = left.plan, column.type != .string {
      return test.test(a, b, isDirect: false)
    }
    return test.test(a, b, isDirect: isDirect)
  }

  /// Whether a value stands in the relation to the right side as its quantifier says.
  private func holds(_ value: Value, forRight values: [Value]) -> Bool {
    if let members {
      switch (right.quantifier ?? .any, isEquality) {
      case (.any, true): return members.contains(value, isDirect: isDirect)
      case (.none, true), (.all, false): return !members.contains(value, isDirect: isDirect)
      case (.all, true), (.any, false), (.none, false): break
      }
    }
    return quantify(right.quantifier, values) { compare(value, $0) }
  }

  func matches(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> Bool {
    if case .column(let column) = left.plan, case .constants(let constants) = right.plan {
      let value = try row.value(column).linked(to: column.oppositeTable).resolved
      if !right.isList { return compare(value, constants[0]) }
      return holds(value, forRight: constants)
    }
    guard isGrouped else { return holds(try left.values(row, cancellation), try right.values(row, cancellation)) }
    let (a, b) = (try left.groups(row, cancellation), try right.groups(row, cancellation))
    return a.contains { x in b.contains { y in holds(x, y) } }
  }

  /// Whether it matters which collection a value comes from: then some collection has to satisfy the comparison as a whole.
  private var isGrouped: Bool {
    left.quantifier ?? .any != .any || right.quantifier ?? .any != .any || isElementwise && left.isList && right.isList
  }

  /// - Parameters:
  ///   - a: the values of the left side; one at most if it is no list.
  func holds(_ a: [Value], _ b: [Value]) -> Bool {
    switch (left.isList, right.isList) {
    case (false, false): return a.count == 1 && b.count == 1 && compare(a[0], b[0])
    case (true, false):
      guard b.count == 1 else { return false }
      return quantify(left.quantifier, a) { compare($0, b[0]) != (right.quantifier == .some(.none)) }
    case (false, true):
      guard a.count == 1 else { return false }
      return holds(a[0], forRight: b) != (left.quantifier == .some(.none))
    case (true, true):
      if isElementwise && !(left.isEntry && a.count == 1) && !(right.isEntry && b.count == 1) { return holdsElementwise(a, b) }
      return quantify(left.quantifier, a) { holds($0, forRight: b) }
    }
  }

  private func holdsElementwise(_ a: [Value], _ b: [Value]) -> Bool {
    let isInequality: Bool
    switch test {
    case .order(let relation): isInequality = relation == .notEqual
    case .text(let relation): isInequality = relation.kind == .notEqual
    case .typeOverlap(let isEqual): isInequality = !isEqual
    case .range: isInequality = false
    }
    if a.count != b.count { return isInequality }
    for index in a.indices where !compare(a[index], b[index]) { return false }
    return true
  }

  private func quantify(_ quantifier: Quantifier?, _ values: [Value], _ holds: (Value) -> Bool) -> Bool {
    switch quantifier ?? .any {
    case .any: values.contains(where: holds)
    case .all: values.allSatisfy(holds)
    case .none: !values.contains(where: holds)
    }
  }
}
