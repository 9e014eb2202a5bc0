import RealmStorage

/// A key path of a format with what decides which constants fit it.
struct FormatPath {
  enum Operation {
    case count, allKeys
    case aggregate(AggregateFunction)
  }

  let operand: BoundOperand
  let type: ValueType
  /// As messages name the type of the property.
  let typeName: String
  let allowsNull: Bool
  /// The last property's name.
  let text: String
  /// Of links.
  var className: String?
  var operation: Operation?
  var isSubquery = false
  var endsAtCollection = false
  /// There are several objects that the property belongs to.
  var hasManyOwners = false
  /// `typeName`, but telling linking objects from other objects.
  var linkTypeName = ""

  var isOperation: Bool { operation != nil }
  var isAggregate: Bool { if case .aggregate = operation { true } else { false } }
  /// A number or date that is worked out from a collection.
  var isComputed: Bool {
    switch operation {
    case .count, .aggregate: true
    case .allKeys, nil: isSubquery
    }
  }
  var isTotal: Bool {
    switch operation {
    case .aggregate(.sum), .aggregate(.average): true
    default: false
    }
  }

  /// What a constant is looked for as: strings in a Mixed property as data, too, and where a text is looked for, data as strings (Q16.3, rule 11).
  func alternatives(_ value: Value, isText: Bool = false) -> [Value] {
    guard type == .mixed && !isAggregate else { return [value] }
    switch value {
    case .string(let bytes): return [value, .binary(bytes)]
    case .binary(let bytes) where isText: return [value, .string(bytes)]
    default: return [value]
    }
  }

  /// - Parameter requiresAll: a list of alternatives means that all of them are to be satisfied, as for `!=`.
  func plan(_ test: ValueTest, _ values: [Value], isList: Bool, requiresAll: Bool = false) -> ComparisonPlan {
    let asList = isList || values.count != 1
    return ComparisonPlan(
      left: .init(plan: operand.plan, isList: operand.isList, quantifier: operand.isList ? .any : nil),
      right: .init(plan: .constants(values), isList: asList, quantifier: asList ? (requiresAll ? .all : .any) : nil), test: test,
      isDirect: operand.isOwnColumn && type != .mixed, isElementwise: false)
  }
}
