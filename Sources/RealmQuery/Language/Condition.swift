/// A statement about one object. `not`, `&&` and `||` build the compound ones.
package indirect enum Condition: Sendable {
  case constant(Bool)
  /// True when empty.
  case and([Condition])
  /// False when empty.
  case or([Condition])
  case not(Condition)
  case comparison(Comparison)
  /// `operand BETWEEN {low, high}`; in RQL two independent tests, in formats one element lies within both bounds.
  case between(Operand, ConstantList)
  case geoWithin(PropertyOperand, GeoOperand)

  package static func compare(
    _ left: Operand, _ relation: Relation, _ right: Operand, options: ComparisonOptions = [], offset: Int? = nil
  ) -> Condition {
    .comparison(Comparison(left: left, relation: relation, options: options, right: right, offset: offset))
  }

  /// Flattens, so that long chains stay shallow.
  package static func && (a: Condition, b: Condition) -> Condition {
    switch (a, b) {
    case (.and(let x), .and(let y)): .and(x + y)
    case (.and(let x), _): .and(x + [b])
    case (_, .and(let y)): .and([a] + y)
    default: .and([a, b])
    }
  }
  package static func || (a: Condition, b: Condition) -> Condition {
    switch (a, b) {
    case (.or(let x), .or(let y)): .or(x + y)
    case (.or(let x), _): .or(x + [b])
    case (_, .or(let y)): .or([a] + y)
    default: .or([a, b])
    }
  }
  package static prefix func ! (a: Condition) -> Condition { .not(a) }
}

package struct Comparison: Sendable {
  package var left: Operand
  package var relation: Relation
  package var options: ComparisonOptions
  package var right: Operand
  /// Byte offset in the text, for messages.
  package var offset: Int?
  package init(left: Operand, relation: Relation, options: ComparisonOptions = [], right: Operand, offset: Int? = nil) {
    self.left = left
    self.relation = relation
    self.options = options
    self.right = right
    self.offset = offset
  }
}

package enum Relation: Sendable, CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  /// As `equal`, and the right side must be a list.
  case `in`
  case beginsWith, endsWith, contains, like
  /// Full text (Q12.2).
  case text

  /// BEGINSWITH, ENDSWITH, CONTAINS, LIKE.
  package var isSubstring: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like: true
    default: false
    }
  }
  package var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }
  /// The relation with its sides exchanged; nil if it has none.
  package var mirrored: Relation? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .in, .beginsWith, .endsWith, .contains, .like, .text: nil
    }
  }

  /// As RQL, format strings and messages write it.
  package var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .in: "IN"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .contains: "CONTAINS"
    case .like: "LIKE"
    case .text: "TEXT"
    }
  }
}

package struct ComparisonOptions: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
  /// `[c]`: folds ASCII and Latin-1 letters (Q6); with `diacriticInsensitive` all of Unicode.
  package static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `[d]`, formats only.
  package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
}

package enum Quantifier: Sendable {
  case any, all, none

  /// As messages print it.
  var keyword: String {
    switch self {
    case .any: "ANY"
    case .all: "ALL"
    case .none: "NONE"
    }
  }
}
