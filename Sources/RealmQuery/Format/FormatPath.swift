import RealmStorage

/// A key path of a format with what decides which constants fit it.
struct FormatPath {
  let operand: BoundOperand
  let type: ValueType
  let allowsNull: Bool
  let text: String
  var isCount = false
  var isAggregate = false
  var isSubquery = false

  /// - Parameter requiresAll: a list of alternatives means that all of them are to be satisfied, as for `!=`.
  func plan(_ test: ValueTest, _ values: [Value], isList: Bool, requiresAll: Bool = false) -> ComparisonPlan {
    let asList = isList || values.count != 1
    return ComparisonPlan(
      left: .init(plan: operand.plan, isList: operand.isList, quantifier: operand.isList ? .any : nil),
      right: .init(plan: .constants(values), isList: asList, quantifier: asList ? (requiresAll ? .all : .any) : nil), test: test,
      isDirect: operand.isOwnColumn && type != .mixed, isElementwise: false)
  }
}
