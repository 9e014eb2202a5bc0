package import RealmStorage

/// One side of a comparison.
package indirect enum Operand: Sendable {
  case constant(Constant)
  case list(ConstantList)
  case property(PropertyOperand)
  case aggregate(AggregateOperand)
  /// `SUBQUERY(path, variable, condition).@count`.
  case subquery(SubqueryOperand)
  case arithmetic(Operand, ArithmeticOperator, Operand)

  /// A property by names joined with dots.
  package static func path(_ names: String, _ quantifier: Quantifier? = nil) -> Operand {
    .property(PropertyOperand(QueryPath(names), quantifier))
  }
  package static func value(_ value: Value) -> Operand { .constant(.value(value)) }
  package static func values(_ values: [Value], _ quantifier: Quantifier? = nil) -> Operand {
    .list(ConstantList(values.map(Constant.value), quantifier))
  }

  var isConstant: Bool {
    switch self {
    case .constant, .list: true
    case .arithmetic(let left, _, let right): left.isConstant && right.isConstant
    case .property, .aggregate, .subquery: false
    }
  }
}

/// `[quantifier] path [operation]`.
package struct PropertyOperand: Sendable {
  package enum Operation: Sendable {
    case count, size, type
    /// `[SIZE]`.
    case sizeSubscript

    /// As messages name it.
    var keyword: String {
      switch self {
      case .count: "@count"
      case .size: "@size"
      case .type: "@type"
      case .sizeSubscript: "SIZE"
      }
    }
  }

  package var path: QueryPath
  package var quantifier: Quantifier?
  package var operation: Operation?
  package init(_ path: QueryPath, _ quantifier: Quantifier? = nil, _ operation: Operation? = nil) {
    self.path = path
    self.quantifier = quantifier
    self.operation = operation
  }
}

package enum AggregateFunction: String, Sendable {
  case min, max, sum
  case average = "avg"
}

/// `path.@max` over values, `path.@max.property` over objects.
package struct AggregateOperand: Sendable {
  package var path: QueryPath
  package var function: AggregateFunction
  package var property: String?
  package init(_ path: QueryPath, _ function: AggregateFunction, of property: String? = nil) {
    self.path = path
    self.function = function
    self.property = property
  }
}

package struct SubqueryOperand: Sendable {
  package var path: QueryPath
  /// With the `$`.
  package var variable: String
  package var condition: Condition
  package init(_ path: QueryPath, variable: String, _ condition: Condition) {
    self.path = path
    self.variable = variable
    self.condition = condition
  }
}

package enum ArithmeticOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
}

package indirect enum Constant: Sendable {
  /// A value whose type is meant. In formats it has to fit the property (Q16.5); in RQL it is treated as an argument.
  case value(Value)
  case literal(Literal)
  /// `$n`; the quantifier is for arguments that are lists.
  case argument(Int, Quantifier?)
  /// `obj('Class', key)`.
  case object(className: String, primaryKey: Constant)
  case detachedObject
}

/// A constant of RQL text, whose type depends on what it is compared with (Q4.1).
package enum Literal: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// The text decides when the other side is a decimal.
  case floating(Double, text: String)
  /// With suffix `f`.
  case float(Float)
  /// ±`inf`, ±`nan`.
  case special(Double)
  case string([UInt8])
  case binary([UInt8])
  case timestamp(Timestamp)
  /// A calendar date before 1900, which is refused.
  case invalidDate
  /// A timestamp whose parts do not agree, which is refused.
  case invalidTimestamp
  case objectID(ObjectID)
  case uuid(UUIDBytes)
  /// `O12`.
  case objectKey(ObjectKey)
  /// `L3:12`.
  case typedLink(ObjectLink)
}

package struct ConstantList: Sendable {
  package var elements: [Constant]
  package var quantifier: Quantifier?
  package init(_ elements: [Constant], _ quantifier: Quantifier? = nil) {
    self.elements = elements
    self.quantifier = quantifier
  }
}
